"""FastMCP, unchanged: it starts a browser, and listens for it to come back."""

import asyncio
import logging
import os

from fastmcp import Client
from fastmcp.client.auth import OAuth

from checks import MCP, Checks, ask, contact

NAME = "FastMCP"
checks = Checks(NAME)
logging.disable(logging.CRITICAL)


async def main():
    said = []

    async def show(message, response_type, params, context):
        said.append(message)
        return {"approve": True}

    os.environ["ROLE"] = "read_only"
    auth = OAuth(client_name=NAME)
    async with Client(MCP, auth=auth, elicitation_handler=show) as client:
        tools = [tool.name for tool in await client.list_tools()]
        checks.holds("registers, is let in, and lists the tools of its role", "contact_save" not in tools and "search" in tools)
        checks.holds("reads the company", "counts" in (await client.call_tool("company_overview")).structured_content)
        os.environ["ROLE"] = "full"
        saved = await client.call_tool("contact_save", contact(NAME))
        item = saved.structured_content["item"]
        checks.holds("asks its person for a wider role by itself, and saves a contact", item["name"] == "Bar Mar SL")
        found = await client.call_tool("contacts_find", {"ids": [item["id"]]})
        checks.holds("finds it", found.structured_content["total"] == 1)
        before = auth.context.current_tokens
        auth.context.token_expiry_time = 1
        await client.call_tool("company_overview")
        checks.holds("refreshes its token", auth.context.current_tokens.refresh_token != before.refresh_token)
        erase = {"kind": "contact", "id": item["id"], "if_version": 1}
        done = await client.call_tool("record_delete", erase, raise_on_error=False)
        checks.holds("shows a form with what would be done, and does what is approved", not done.is_error and "Bar Mar SL" in said[-1])
        await asyncio.to_thread(ask, "switch", client=NAME, on=False)
        dropped = auth.context.current_tokens.access_token
        await client.call_tool("company_overview")
        checks.holds("asks its person anew while it is switched off", auth.context.current_tokens.access_token != dropped)


asyncio.run(main())
checks.end()
