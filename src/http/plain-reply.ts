// The heads of answers that are written as bytes, without an HTTP server: what server.ts answers, in the same words.
import { STATUS_CODES } from 'node:http';
import { KEEP_ALIVE_MS } from '../ops/keep-alive.js';
import { EVERYWHERE } from './observe.js';
import type { AnswerBytes } from './plain-stream.js';

const SAME = EVERYWHERE.map(([name, value]) => `${name.toLowerCase()}: ${value}\r\n`).join('');
const SECOND_MS = 1000;
const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / SECOND_MS}\r\n`;

export interface PlainReply {
  readonly status: number;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

let dateOf = Number.NaN;
let date = '';

/** Of this second, as RFC 9110 section 5.6.7 writes it. */
function dateLine(nowMs: number): string {
  const second = Math.floor(nowMs / SECOND_MS);
  if (second !== dateOf) {
    dateOf = second;
    date = `Date: ${new Date(nowMs).toUTCString()}\r\n`;
  }
  return date;
}

/** Of most answers. */
const OK_JSON = 'application/json';
const okJson = madeBeginning(200, OK_JSON);

function beginning(status: number, type: string): string {
  return status === 200 && type === OK_JSON ? okJson : madeBeginning(status, type);
}

function madeBeginning(status: number, type: string): string {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  return `${line}${SAME}content-type: ${type}\r\n${KEPT_ALIVE}`;
}

/** `opaqueId`: the request's, which comes back as it was. */
export function plainReply(
  { status, type, headers, bytes }: PlainReply,
  { requestId, opaqueId }: { readonly requestId: string; readonly opaqueId: string | undefined },
  nowMs: number,
): AnswerBytes {
  let head = `${beginning(status, type)}content-length: ${bytes.length}\r\n${dateLine(nowMs)}x-request-id: ${requestId}\r\n`;
  if (opaqueId !== undefined) head += `x-opaque-id: ${opaqueId}\r\n`;
  if (headers !== undefined) {
    for (const [name, value] of Object.entries(headers))
      head += `${name.toLowerCase()}: ${value}\r\n`;
  }
  // The body is sent from where it is: memory outside the heap that lives for a moment brings on collections.
  return [Buffer.from(`${head}\r\n`, 'latin1'), bytes];
}
