// The heads of answers that are written as bytes, without an HTTP server: what server.ts answers, in the same words.
import { STATUS_CODES } from 'node:http';
import { KEEP_ALIVE_MS } from '../ops/keep-alive.js';
import type { AnswerBytes } from '../readers/plain-connections.js';
import { EVERYWHERE } from './observe.js';

const SAME = EVERYWHERE.map(([name, value]) => `${name.toLowerCase()}: ${value}\r\n`).join('');
const SECOND_MS = 1000;
/** Larger bodies are sent from where they are: memory outside the heap that lives for a moment brings on collections. */
const MOST_COPIED = 4096;

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

/** `opaqueId`: the request's, which comes back as it was. */
export function plainReply(
  { status, type, headers, bytes }: PlainReply,
  opaqueId: string | undefined,
  nowMs: number,
): AnswerBytes {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${SAME}`;
  if (opaqueId !== undefined) head += `x-opaque-id: ${opaqueId}\r\n`;
  if (headers !== undefined) {
    for (const [name, value] of Object.entries(headers))
      head += `${name.toLowerCase()}: ${value}\r\n`;
  }
  head += `content-type: ${type}\r\ncontent-length: ${bytes.length}\r\n${dateLine(nowMs)}`;
  head += `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / SECOND_MS}\r\n\r\n`;
  if (bytes.length > MOST_COPIED) return [Buffer.from(head, 'latin1'), bytes];
  const whole = Buffer.allocUnsafe(head.length + bytes.length);
  whole.write(head, 0, 'latin1');
  whole.set(bytes, head.length);
  return [whole];
}
