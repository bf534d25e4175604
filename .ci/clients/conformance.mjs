// The conformance suite of MCP: `node conformance.mjs PATH-OF-THE-COMMAND FOLDER-FOR-RESULTS`.
//
// Its scenarios for servers mostly call tools, resources and prompts of a server made for them (`test_simple_text` and the
// like). Those that ask something of every server are listed here; the others do not apply.
import { spawn } from "node:child_process";
import { createServer, request } from "node:http";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { MCP, PERSON, checks } from "./checks.mjs";

const { TOKEN } = process.env;
const [command, folder] = process.argv.slice(2);
const { holds } = checks("conformance");
const ORIGIN = new URL(MCP).origin;

const APPLY = {
  "2025-11-25": [
    "server-initialize", "ping", "completion-complete", "tools-list", "resources-list", "prompts-list",
    "server-sse-multiple-streams", "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless", "completion-complete", "tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams",
    "sep-2164-resource-not-found", "dns-rebinding-protection", "caching", "http-header-validation",
    "input-required-result-unsupported-methods",
  ],
};

/** Runs the suite; `seen` is told what it has printed so far. */
function run(options, seen = () => {}) {
  return new Promise((resolve) => {
    const suite = spawn(process.execPath, [command, ...options], { stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    suite.stdout.on("data", (part) => seen((out += part)));
    suite.on("close", () => resolve(out));
  });
}

/** What went wrong in each scenario that has left results; checks without a tool to make them with did not go wrong. */
function results(of) {
  const failures = {};
  for (const name of readdirSync(of)) {
    const [, scenario] = /^(?:server|authorization-server)-(.+)-\d{4}-\d\d-\d\dT/.exec(name);
    const made = JSON.parse(readFileSync(join(of, name, "checks.json"), "utf8"));
    const failed = made.filter((one) => one.status === "FAILURE" && !one.details?.untestable);
    failures[scenario] = failed.map((one) => `${one.id}: ${one.errorMessage}`);
  }
  return failures;
}

/** The suite sends no token: this adds one. A host or origin that is not its own is passed on, for the server to refuse. */
async function proxy() {
  const target = new URL(MCP);
  const server = createServer((incoming, answer) => {
    const own = `127.0.0.1:${server.address().port}`;
    const theirs = (value) => value.replace(own, target.host);
    const headers = { ...incoming.headers, authorization: `Bearer ${TOKEN}`, host: theirs(incoming.headers.host) };
    if (headers.origin) headers.origin = theirs(headers.origin);
    const outgoing = request(new URL(incoming.url, target), { method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, end: () => (server.close(), server.closeAllConnections()) };
}

const before = await proxy();
for (const [revision, scenarios] of Object.entries(APPLY)) {
  const of = join(folder, revision);
  await run(["server", "--url", before.url, "--requirements", revision, "-o", of]);
  const failures = results(of);
  for (const scenario of scenarios) holds(`${revision} ${scenario}`, failures[scenario], []);
}
before.end();

// The authorization server, with a code that a person approves.
const port = 10000 + Math.floor(Math.random() * 20000);
const registration = { client_name: "conformance", redirect_uris: [`http://127.0.0.1:${port}/callback`] };
const headers = { "Content-Type": "application/json" };
const registered = await fetch(`${ORIGIN}/oauth/register`, { method: "POST", headers, body: JSON.stringify(registration) });
const { client_id } = await registered.json();
const of = join(folder, "authorization");
let opened = false;
await run(["authorization", "--url", ORIGIN, "--client-id", client_id, "--resource", MCP, "-p", String(port), "-o", of], (out) => {
  const url = /^http\S+\/oauth\/authorize\S+$/m.exec(out)?.[0];
  if (!url || opened) return;
  opened = true;
  fetch(`${PERSON}/open?${new URLSearchParams({ url, role: "read_only" })}`);
});
const failures = results(of);
for (const scenario of ["authorization-server-metadata-endpoint", "authorization-code-grant"]) holds(scenario, failures[scenario], []);
