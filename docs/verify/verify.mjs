// Receives signed webhooks with nothing but Node's own modules (Node 18 or later).

import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE = 300; // seconds
const LARGEST_BODY = 64 * 1024; // bytes

export class Refused extends Error {}

// The event of a genuine notification. `headers` as Node gives them, `body` a Buffer of the exact bytes.
export function verify(secrets, headers, body, now = Math.floor(Date.now() / 1000)) {
  // Every sender can sign with an empty secret: a variable that was never set must not pass.
  const usable = secrets.length > 0 && secrets.every((secret) => /^whsec_[0-9A-Za-z_-]+$/.test(secret));
  if (!usable) throw new Refused('no_usable_secret');
  const signature = headers['x-svc-webhook-signature'];
  const id = headers['x-svc-webhook-id'];
  if (signature === undefined || id === undefined) throw new Refused('missing_header');

  const parts = /^t=([0-9]{1,15}),sha256=([0-9a-fA-F]{64})$/.exec(signature);
  if (!parts) throw new Refused('malformed_header');
  const [, t, hex] = parts;
  if (now - Number(t) > TOLERANCE) throw new Refused('too_old');
  if (Number(t) - now > TOLERANCE) throw new Refused('in_the_future');

  const received = Buffer.from(hex, 'hex');
  const matching = secrets.filter((secret) =>
    timingSafeEqual(createHmac('sha256', secret).update(`${t}.`).update(body).digest(), received),
  );
  if (matching.length === 0) throw new Refused('no_secret_matched');

  let event;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new Refused('malformed_body');
  }
  if (typeof event?.id !== 'string') throw new Refused('malformed_body');
  if (event.id !== id) throw new Refused('id_mismatch');
  return event;
}

// Which events were worked on. With more than one process, or to remember across a restart: a table.
export class Seen {
  #events = new Map();

  constructor(most = 100_000) {
    this.most = most;
  }

  claim(id) {
    if (this.#events.has(id)) return this.#events.get(id);
    this.#events.set(id, 'busy');
    return 'first';
  }

  finish(id) {
    this.#events.delete(id);
    this.#events.set(id, 'repeat');
    for (const [oldest, state] of this.#events) {
      if (this.#events.size <= this.most) break;
      if (state === 'repeat') this.#events.delete(oldest);
    }
  }

  release(id) {
    this.#events.delete(id);
  }
}

// The status to answer: 200 once the work is done, now or before.
export async function receive(secrets, seen, work, headers, body, now) {
  let event;
  try {
    event = verify(secrets, headers, body, now);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(`webhook refused: ${error.message}`);
    return error.message === 'no_usable_secret' ? 500 : 400;
  }
  const turn = seen.claim(event.id);
  if (turn === 'repeat') return 200;
  if (turn === 'busy') return 503; // a 2xx would say that the event is safe before it is
  try {
    await work(event);
  } catch (error) {
    seen.release(event.id); // the next attempt works again
    console.error(`webhook ${event.id} failed:`, error);
    return 500;
  }
  seen.finish(event.id);
  return 200;
}

// For http.createServer. In Express: express.raw({ type: 'application/json' }), and request.body is the Buffer.
export function listener(secrets, seen, work) {
  const answer = async (request) => {
    const chunks = [];
    let left = LARGEST_BODY;
    for await (const chunk of request) {
      left -= chunk.length;
      if (left < 0) return 413;
      chunks.push(chunk);
    }
    return receive(secrets, seen, work, request.headers, Buffer.concat(chunks));
  };
  return (request, response) => {
    // A caller that hangs up half-way must not end the process.
    answer(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  };
}
