// Runs docs/verify/verify.mjs: `vectors FILE` prints a line for each vector, `serve` prints an address and serves.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { Refused, Seen, listener, receive, verify } from '../../../../docs/verify/verify.mjs';

console.error = () => {};

// As Node gives them: names in lower case, repeated ones joined.
function headersOf(vector) {
  const headers = {};
  for (const [name, value] of vector.headers) {
    const key = name.toLowerCase();
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}

function verdictOf(vector, headers, body) {
  try {
    const event = verify(vector.secrets, headers, body, vector.now);
    return event.id === vector.event.id ? 'accepted' : 'accepted another event';
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

// One attempt that fails, during which another one arrives; one that succeeds; and one more.
async function line(vector) {
  const headers = headersOf(vector);
  const body = vector.body === undefined ? Buffer.from(vector.body_hex, 'hex') : Buffer.from(vector.body);
  const seen = new Seen();
  let works = 0;
  let meanwhile = '-';
  const arrive = (work) => receive(vector.secrets, seen, work, headers, body, vector.now);
  const fail = async () => {
    works += 1;
    meanwhile = await arrive(() => {
      works += 1;
    });
    throw new Error('failed');
  };
  const succeed = async () => {
    works += 1;
  };
  const statuses = [await arrive(fail), await arrive(succeed), await arrive(succeed)];
  return `${verdictOf(vector, headers, body)} ${meanwhile} ${statuses} ${works}`;
}

if (process.argv[2] === 'vectors') {
  for (const vector of JSON.parse(readFileSync(process.argv[3])).vectors) console.log(await line(vector));
} else {
  const work = (event) => console.log(event.id);
  const server = createServer(listener([process.env.SVC_WEBHOOK_SECRET], new Seen(), work));
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/hooks`));
}
