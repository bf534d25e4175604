"""The Python SDK, unchanged, in both revisions that the server speaks."""

import asyncio
import json
import urllib.parse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from mcp_types import ElicitResult

from checks import MCP, PERSON, Checks, ask, contact

REVISIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
checks = Checks("Python SDK")


class Storage:
    """What an application keeps."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Application:
    """Sends its person to pages; they answer with `role`."""

    def __init__(self, name, role):
        self.role, self.sent, self.storage = role, [], Storage()
        metadata = OAuthClientMetadata(client_name=name, redirect_uris=[f"{PERSON}/callback"])
        self.auth = OAuthClientProvider(MCP, metadata, self.storage, self.go, self.back)

    async def go(self, url):
        told = await asyncio.to_thread(ask, "visit", url=url, role=self.role)
        self.sent.append(url)
        self.location = told["location"]

    async def back(self):
        found = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.location).query))
        return AuthorizationCodeResult(code=found["code"], state=found["state"], iss=found["iss"])


def error_of(answer):
    return json.loads(answer.content[0].text)


async def whole(mode):
    name = f"Python SDK, {mode}"
    checks.name = name
    application = Application(name, "read_only")
    async with httpx2.AsyncClient(auth=application.auth, timeout=30) as http:
        async with Client(streamable_http_client(MCP, http_client=http), mode=mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            checks.holds("registers, is let in, and lists the tools of its role", "contact_save" not in tools and "search" in tools)
            checks.holds("speaks the revision", client.protocol_version == REVISIONS[mode], client.protocol_version)
            seen = await client.call_tool("company_overview", {})
            checks.holds("reads the company", "counts" in seen.structured_content)

            application.role = "operator"
            saved = await client.call_tool("contact_save", contact(name))
            checks.holds("asks its person for a wider role by itself", "mcp%3Awrite" in application.sent[-1])
            item = saved.structured_content["item"]
            found = await client.call_tool("contacts_find", {"ids": [item["id"]]})
            checks.holds("saves a contact with it", found.structured_content["total"] == 1)

            before = application.storage.tokens
            application.auth.context.token_expiry_time = 1
            await client.call_tool("company_overview", {})
            checks.holds("refreshes its token", application.storage.tokens.refresh_token != before.refresh_token and len(application.sent) == 2)

            await asyncio.to_thread(ask, "switch", client=name, on=False)
            await client.call_tool("company_overview", {})
            checks.holds("asks its person anew while it is switched off", len(application.sent) == 3)

            application.role = "full"
            erase = {"kind": "contact", "id": item["id"], "if_version": 1}
            asked = await client.call_tool("record_delete", erase)
            checks.holds("asks for an approval", error_of(asked)["code"] == "approval_required")
            await asyncio.to_thread(ask, "approve", url=error_of(asked)["url"])
            done = await client.call_tool("record_delete", erase)
            checks.holds("does what is approved", not done.is_error)


async def form():
    """Revision 2026-07-28: the client shows its person a form by itself."""
    checks.name = "Python SDK, form"
    says, shown = [], []

    async def show(_, params):
        shown.append(params.message)
        return says[-1]

    application = Application("Python SDK, form", "full")
    async with httpx2.AsyncClient(auth=application.auth, timeout=30) as http:
        transport = streamable_http_client(MCP, http_client=http)
        async with Client(transport, mode="2026-07-28", elicitation_callback=show) as client:
            async def erased(key):
                item = (await client.call_tool("contact_save", contact(key))).structured_content["item"]
                return await client.call_tool("record_delete", {"kind": "contact", "id": item["id"], "if_version": 1})

            says.append(ElicitResult(action="decline"))
            checks.holds("is refused what its person declines", error_of(await erased("python declined"))["code"] == "approval_declined")
            says.append(ElicitResult(action="accept", content={"approve": True}))
            checks.holds("does what its person accepts", not (await erased("python accepted")).is_error)
            checks.holds("the form tells what would be done", "Bar Mar SL" in shown[-1])


for mode in REVISIONS:
    asyncio.run(whole(mode))
asyncio.run(form())
checks.end()
