// The TypeScript SDK, unchanged: `node sdk.mjs 1` is @modelcontextprotocol/sdk, `node sdk.mjs 2` @modelcontextprotocol/client.
import { MCP, PERSON, ask, checks, contact, letIn, refused } from "./checks.mjs";

const [major] = process.argv.slice(2);
const sdk =
  major === "1"
    ? {
        ...(await import("@modelcontextprotocol/sdk/client/index.js")),
        ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
        ...(await import("@modelcontextprotocol/sdk/client/auth.js")),
      }
    : await import("@modelcontextprotocol/client");
const NAME = `TypeScript SDK ${major}`;
const { holds } = checks(NAME);

/** What an application keeps between two calls, and how it sends its person to a page. */
class Keeper {
  redirectUrl = `${PERSON}/callback`;
  clientMetadata = { client_name: NAME, redirect_uris: [this.redirectUrl], grant_types: ["authorization_code", "refresh_token"] };
  state = () => (this.asked = crypto.randomUUID());
  clientInformation = () => this.client;
  saveClientInformation = (client) => void (this.client = client);
  tokens = () => this.held;
  saveTokens = (tokens) => void (this.held = tokens);
  redirectToAuthorization = (url) => void (this.sentTo = url);
  saveCodeVerifier = (verifier) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
}

/** A connection whose person answers with this role, and the revision that is spoken over it. */
async function connect(keeper, role, options = {}, more = {}) {
  const authProvider = keeper;
  const first = new sdk.StreamableHTTPClientTransport(new URL(MCP), { authProvider });
  const client = () => new sdk.Client({ name: NAME, version: "1" }, options);
  if (!keeper.held) {
    const error = await refused(client().connect(first));
    if (!(error instanceof sdk.UnauthorizedError)) throw error ?? new Error("connected without a person");
    await finish(keeper, first, role, more);
  }
  const connected = client();
  const transport = new sdk.StreamableHTTPClientTransport(new URL(MCP), { authProvider });
  await connected.connect(transport);
  const call = async (name, args = {}) => connected.callTool({ name, arguments: args });
  return { connected, transport, call };
}

async function finish(keeper, transport, role, more = {}) {
  const back = await letIn(keeper.sentTo, role, more);
  holds(`comes back from ${back.through} with its state`, back.searchParams.get("state"), keeper.asked);
  await (major === "1" ? transport.finishAuth(back.searchParams.get("code")) : transport.finishAuth(back.searchParams));
}

/**
 * A call that needs a wider role, made again when the person has widened it.
 *
 * Version 1 refreshes what it holds, is refused again and gives up: its application has to forget its tokens. Version 2
 * asks the person.
 */
async function widened(keeper, { transport, call }, role, name, args) {
  const error = await refused(call(name, args));
  if (major === "1") {
    holds(`${name} is above the role`, error?.code, 403);
    keeper.held = undefined;
    await refused(call(name, args));
  } else {
    holds(`${name} above the role asks the person`, error instanceof sdk.UnauthorizedError);
    holds("for the scope that is missing", keeper.sentTo.searchParams.get("scope").includes(role === "full" ? "mcp:commit" : "mcp:write"));
  }
  await finish(keeper, transport, role);
  return call(name, args);
}

const codeOf = (answer) => JSON.parse(answer.content[0].text).code;

async function whole() {
  const keeper = new Keeper();
  const it = await connect(keeper, "read_only", {}, { browser: major === "1" });
  const names = async () => (await it.connected.listTools()).tools.map((tool) => tool.name);
  holds("registers, is let in, and lists the tools of its role", (await names()).includes("contact_save"), false);
  holds("reads the company", (await it.call("company_overview")).structuredContent.counts.contacts >= 0);
  holds("is told the scope of its role", keeper.held.scope, "mcp:read offline_access");

  const saved = await widened(keeper, it, "operator", "contact_save", contact(NAME));
  const id = saved.structuredContent.item.id;
  holds("saves a contact with the wider role", (await it.call("contacts_find", { ids: [id] })).structuredContent.total, 1);

  const before = keeper.held;
  keeper.held = { ...before, access_token: "mcp_at_ended" };
  await it.call("company_overview");
  holds("refreshes its token", keeper.held.refresh_token !== before.refresh_token);

  await ask("switch", { client: NAME, on: false });
  const off = await refused(it.call("company_overview"));
  holds("is refused while it is switched off", off?.message.includes("its connection is off"));
  await ask("switch", { client: NAME, on: true });
  holds("works when it is switched on again", (await it.call("company_overview")).isError ?? false, false);

  const erase = { kind: "contact", id, if_version: 1 };
  const asked = await widened(keeper, it, "full", "record_delete", erase);
  holds("asks for an approval", codeOf(asked), "approval_required");
  await ask("approve", { url: JSON.parse(asked.content[0].text).url });
  holds("does what is approved", (await it.call("record_delete", erase)).isError ?? false, false);
  holds("and it is done", (await it.call("contacts_find", { ids: [id] })).structuredContent.total, 0);
  await it.connected.close();
}

/** Revision 2026-07-28: the client shows its person a form by itself. */
async function form() {
  const keeper = new Keeper();
  const options = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } };
  const it = await connect(keeper, "full", options);
  holds("speaks the newest revision", it.connected.getNegotiatedProtocolVersion(), "2026-07-28");
  const shown = [];
  let says = { action: "decline" };
  it.connected.setRequestHandler("elicitation/create", async (request) => {
    shown.push(request.params.message);
    return says;
  });
  const item = async (key) => (await it.call("contact_save", contact(key))).structuredContent.item;
  const one = await item(`${NAME} declined`);
  const declined = await it.call("record_delete", { kind: "contact", id: one.id, if_version: 1 });
  holds("shows a form, and is refused what its person declines", codeOf(declined), "approval_declined");
  says = { action: "accept", content: { approve: true } };
  const two = await item(`${NAME} accepted`);
  const done = await it.call("record_delete", { kind: "contact", id: two.id, if_version: 1 });
  holds("does what its person accepts in the form", done.isError ?? false, false);
  holds("the form tells what would be done", shown.at(-1).includes("Bar Mar SL"));
  await it.connected.close();
}

await whole();
if (major === "2") await form();
