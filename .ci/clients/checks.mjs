// What the clients in JavaScript share: the lines they print, and the person they ask.
import { isDeepStrictEqual } from "node:util";

export const { MCP, PERSON } = process.env;

/** Asks the person: what `person.py` answers. */
export async function ask(what, question) {
  const answer = await fetch(`${PERSON}/${what}`, { method: "POST", body: JSON.stringify(question) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(`the person: ${told.error}`);
  return told;
}

/** The address that the browser is sent back to when the person lets a client in, and what it was `through`. */
export async function letIn(url, role, more = {}) {
  const told = await ask("visit", { url: String(url), role, ...more });
  const back = new URL(told.location);
  if (!back.searchParams.has("code")) throw new Error(`sent back without a code: ${back}`);
  return Object.assign(back, { through: told.in ?? "the pages" });
}

export const contact = (key) => ({ idempotency_key: key, data: { kind: "organization", legalName: "Bar Mar SL" } });

/** The lines of one client. */
export function checks(name) {
  return {
    holds(claim, seen, wanted = true) {
      const well = isDeepStrictEqual(seen, wanted);
      console.log(`${well ? "ok    " : "FAILED"} ${name}: ${claim}${well ? "" : `: ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`}`);
      if (!well) process.exitCode = 1;
    },
  };
}

/** What a promise is refused with. */
export async function refused(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return undefined;
}
