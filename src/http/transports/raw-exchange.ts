// A request that was read without an HTTP server, and its answer as bytes: in the same words as Node's
// server writes it.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { OneAnswer } from '../../api/kit/client.js';
import { KEEP_ALIVE_MS } from '../../ops/keep-alive.js';
import type { Exchange, Reply } from '../pipeline/exchange.js';
import { ArrivingBody } from './arriving-body.js';
import type { RawHead } from './raw-head.js';

/** Sends one reply; `sent` is called when the client's system has taken all of it. */
export type SendReply = (reply: Reply, sent: () => void) => void;

export class RawExchange implements Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: RawHead['headers'];
  readonly body: Buffer | ArrivingBody | undefined;
  readonly connection: Socket;
  readonly response: OneAnswer;
  readonly #send: SendReply;

  constructor(
    { method, url, headers }: RawHead,
    body: Buffer | ArrivingBody | undefined,
    connection: Socket,
    send: SendReply,
  ) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.body = body;
    this.connection = connection;
    this.response = new OneAnswer(connection);
    this.#send = send;
  }

  get isWhole(): boolean {
    return !(this.body instanceof ArrivingBody) || this.body.missing === 0;
  }

  /** Only unambiguous requests are read this way. */
  validate(): void {}

  send(reply: Reply, sent: () => void): void {
    this.#send(reply, () => {
      this.response.finish();
      sent();
    });
  }
}

const SECOND_MS = 1000;
const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / SECOND_MS}\r\n`;
const CLOSED = 'Connection: close\r\n';

let dateOf = Number.NaN;
let date = '';

/** The current second, as RFC 9110 section 5.6.7 writes it. */
function dateLine(): string {
  const second = Math.floor(Date.now() / SECOND_MS);
  if (second !== dateOf) {
    dateOf = second;
    date = `Date: ${new Date(second * SECOND_MS).toUTCString()}\r\n`;
  }
  return date;
}

/** `framing` are the lines that tell where the body ends. */
export function headOf({ status, headers }: Reply, framing: string, isLast: boolean): Buffer {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  head += `${framing}${dateLine()}${isLast ? CLOSED : KEPT_ALIVE}\r\n`;
  return Buffer.from(head, 'latin1');
}
