"""Authlib: what an OAuth client that knows nothing of MCP does."""

import urllib.parse

import httpx
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.httpx_client import OAuth2Client

from checks import MCP, PERSON, Checks, ask

NAME = "Authlib"
checks = Checks(NAME)
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "company_overview", "arguments": {}}}
ACCEPT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}

resource = httpx.post(MCP, json=CALL, headers=ACCEPT)
named = resource.headers["www-authenticate"].split('resource_metadata="')[1].split('"')[0]
issuer = httpx.get(named).json()["authorization_servers"][0]
server = httpx.get(f"{issuer}/.well-known/oauth-authorization-server").json()
redirect = f"{PERSON}/callback"
registered = httpx.post(server["registration_endpoint"], json={
    "client_name": NAME, "redirect_uris": [redirect], "token_endpoint_auth_method": "none",
    "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
})
checks.holds("finds the server from its challenge, and registers", registered.status_code == 201)

client = OAuth2Client(
    registered.json()["client_id"], token_endpoint_auth_method="none", redirect_uri=redirect, scope="mcp:read",
    code_challenge_method="S256", token_endpoint=server["token_endpoint"],
)
verifier = "a" * 64
url, state = client.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier, resource=MCP)
location = ask("visit", url=url, role="read_only")["location"]
found = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
checks.holds("comes back with its state and the issuer", (found["state"], found["iss"]) == (state, issuer))
client.fetch_token(authorization_response=location, code_verifier=verifier, state=state)
checks.holds("exchanges its code", client.token["scope"].startswith("mcp:read"))


def call(name="company_overview", arguments=None):
    params = {"name": name, "arguments": arguments or {}}
    return client.post(MCP, json={**CALL, "params": params}, headers=ACCEPT)


checks.holds("calls a tool", "counts" in call().json()["result"]["structuredContent"])
above = call("contact_save")
told = above.headers["www-authenticate"]
checks.holds("is told which scope a tool above its role needs", above.status_code == 403 and 'scope="mcp:read mcp:write' in told)
before = client.token["refresh_token"]
client.refresh_token(server["token_endpoint"])
checks.holds("refreshes its token", client.token["refresh_token"] != before and call().status_code == 200)
ask("switch", client=NAME, on=False)
try:
    client.refresh_token(server["token_endpoint"])
    refused = ""
except OAuthError as error:
    refused = error.error
checks.holds("is refused while it is switched off", (call().status_code, refused) == (401, "invalid_grant"))
ask("switch", client=NAME, on=True)
client.refresh_token(server["token_endpoint"])
checks.holds("works when it is switched on again, with the tokens that it held", call().status_code == 200)
client.revoke_token(server["revocation_endpoint"], token=client.token["refresh_token"])
checks.holds("ends its connection", call().status_code == 401)
checks.end()
