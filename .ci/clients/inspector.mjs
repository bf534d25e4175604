// The command line of the MCP Inspector, unchanged: `node inspector.mjs PATH-OF-THE-COMMAND`.
import { spawn } from "node:child_process";
import { MCP, PERSON, ask, checks, contact } from "./checks.mjs";

const NAME = "MCP Inspector";
const { holds } = checks(NAME);
const [command] = process.argv.slice(2);

/** Runs it; where it asks to navigate to a page, the person goes there and answers with `role`. */
function inspect(role, ...options) {
  return new Promise((resolve) => {
    const run = spawn(process.execPath, [command, "--cli", MCP, "--format", "json", ...options], {
      env: { ...process.env, MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const told = { out: "", error: "", asked: false };
    const read = (name) => (part) => {
      told[name] += part;
      const url = /navigate to: (\S+)\n/.exec(told.out + told.error)?.[1];
      if (url && !told.asked) {
        told.asked = true;
        fetch(`${PERSON}/open?${new URLSearchParams({ url, role })}`);
      }
    };
    run.stdout.on("data", read("out"));
    run.stderr.on("data", read("error"));
    run.on("close", (status) => resolve({ ...told, status, answer: lastObject(told.out) }));
  });
}

function lastObject(text) {
  try {
    return JSON.parse(text.slice(text.indexOf('{"result"'))).result;
  } catch {
    return undefined;
  }
}

const tool = (name, args = {}) => ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)];

const listed = await inspect("read_only", "--method", "tools/list");
const names = listed.answer?.tools.map((one) => one.name) ?? [];
holds("registers, is let in, and lists the tools of its role", [listed.asked, names.includes("search"), names.includes("contact_save")], [true, true, false]);
const seen = await inspect("read_only", ...tool("company_overview"));
holds("reads the company with what it holds", [seen.asked, seen.answer?.structuredContent.sees_personal_data], [false, true]);
// It calls what is listed alone, so that it is never told of a wider role.
const saved = await inspect("operator", "--relogin", ...tool("contact_save", contact(NAME)));
holds("saves a contact when its person lets it in anew", [saved.asked, saved.answer?.structuredContent.item.name], [true, "Bar Mar SL"]);
const { id } = saved.answer.structuredContent.item;
const found = await inspect("operator", "--protocol-era", "modern", ...tool("contacts_find", { ids: [id] }));
holds("finds it in the newest revision", found.answer?.structuredContent.total, 1);
await ask("switch", { client: NAME, on: false });
const off = await inspect("operator", "--stored-auth-only", ...tool("company_overview"));
holds("is refused while it is switched off", off.status === 0, false);
await ask("switch", { client: NAME, on: true });
// It has thrown its tokens away when they were refused.
const on = await inspect("operator", ...tool("company_overview"));
holds("is let in anew when it is switched on again", [on.asked, on.status], [true, 0]);
const strict = await inspect("operator", "--strict", "--method", "tools/list");
holds("finds no error in the schemas of the tools", strict.status, 0);
