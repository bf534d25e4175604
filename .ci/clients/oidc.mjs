// openid-client: what an OAuth client that knows nothing of MCP does.
import * as client from "openid-client";
import { MCP, PERSON, ask, checks, letIn, refused } from "./checks.mjs";

const NAME = "openid-client";
const { holds } = checks(NAME);
const redirect_uri = `${PERSON}/callback`;
const execute = [client.allowInsecureRequests];

const issuer = new URL(new URL(MCP).origin);
const config = await client.dynamicClientRegistration(issuer, { client_name: NAME, redirect_uris: [redirect_uri] }, client.None(), {
  algorithm: "oauth2",
  execute,
});
holds("finds the server and registers without a secret", config.clientMetadata().client_secret === undefined);

const pkceCodeVerifier = client.randomPKCECodeVerifier();
const expectedState = client.randomState();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri,
  scope: "mcp:read mcp:write",
  resource: MCP,
  state: expectedState,
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: "S256",
});
const back = await letIn(url, "operator");
let tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
holds("exchanges its code, and sees the issuer", [tokens.token_type, tokens.expires_in], ["bearer", 3600]);

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const types = new Headers({ "Content-Type": "application/json", Accept: "application/json, text/event-stream" });
const call = () => client.fetchProtectedResource(config, tokens.access_token, new URL(MCP), "POST", list, types);
holds("calls with its token", (await call()).status, 200);
tokens = await client.refreshTokenGrant(config, tokens.refresh_token);
holds("refreshes it", (await call()).status, 200);
await ask("switch", { client: NAME, on: false });
const off = await refused(call());
holds("is told that its token is no good while it is switched off", off?.cause?.[0]?.parameters?.error, "invalid_token");
await ask("switch", { client: NAME, on: true });
holds("works when it is switched on again", (await call()).status, 200);
await client.tokenRevocation(config, tokens.refresh_token);
holds("ends its connection", (await refused(call()))?.status, 401);
