// The process of HTTP clients (native/bench/http_clients.cc, which describes the orders and
// responses) as used by a suite: executes one order at a time. It is compiled on first use.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { buildBench } from '../tools/native-build.ts';

export interface LoadOrder {
  /** A server on this machine: an IPv4 address and a port. */
  readonly base: string;
  readonly requests: readonly {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly body?: string;
  }[];
  readonly clients: number;
  /**
   * Requests start for a time, or up to a count; a multiple of the list's length gives every
   * request the same weight.
   */
  readonly until: { readonly milliseconds: number } | { readonly count: number };
}

export interface LoadAnswer {
  /** Microseconds of every request. */
  readonly times: readonly number[];
  readonly seconds: number;
  readonly failed: number;
}

interface Waiting {
  readonly resolve: (answer: LoadAnswer) => void;
  readonly reject: (error: Error) => void;
}

const LINE_END = 10;
const TIME_BYTES = Float64Array.BYTES_PER_ELEMENT;

export class Clients {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  #waiting: Waiting | undefined;
  #parts: Buffer[] = [];

  constructor() {
    this.#process = spawn(buildBench('http_clients'), [], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.stdout.on('data', (part: Buffer) => this.#came(part));
    const failed = (error: Error): void => this.#settle()?.reject(error);
    this.#process.once('error', failed);
    this.#process.once('close', (code) => failed(new Error(`the clients ended with ${code}`)));
    this.#process.stdin.on('error', failed);
  }

  /** A failed request is an error. */
  async run(order: LoadOrder): Promise<LoadAnswer> {
    const answer = await new Promise<LoadAnswer>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#process.stdin.write(orderBytes(order));
    });
    if (answer.failed === 0) return answer;
    const [first] = order.requests;
    throw new Error(`${answer.failed} of ${answer.times.length} failed: ${first?.path}`);
  }

  stop(): void {
    this.#process.kill();
  }

  #settle(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#parts = [];
    return waiting;
  }

  #came(part: Buffer): void {
    this.#parts.push(part);
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [bytes];
    const end = bytes.indexOf(LINE_END);
    if (end < 0) return;
    const line = bytes.toString('utf8', 0, end);
    const [word, count, seconds, failed] = line.split(' ');
    if (word !== 'done') {
      this.#settle()?.reject(new Error(`the clients say: ${line}`));
      return;
    }
    const times = bytes.subarray(end + 1);
    const length = Number(count);
    if (times.length < length * TIME_BYTES) return;
    const read = Array.from({ length }, (_, i) => times.readDoubleLE(i * TIME_BYTES));
    this.#settle()?.resolve({ times: read, seconds: Number(seconds), failed: Number(failed) });
  }
}

function orderBytes({ base, requests, clients, until }: LoadOrder): Buffer {
  const { host, hostname, port } = new URL(base);
  const [count, milliseconds] = 'count' in until ? [until.count, 0] : [0, until.milliseconds];
  const parts: Buffer[] = [
    Buffer.from(
      `${hostname} ${port} ${clients} ${count} ${Math.ceil(milliseconds)} ${requests.length}\n`,
    ),
  ];
  for (const request of requests) {
    const bytes = requestBytes(host, request);
    parts.push(Buffer.from(`${bytes.length}\n`), bytes);
  }
  return Buffer.concat(parts);
}

/** The bytes of a request as they are sent. */
function requestBytes(
  host: string,
  { method, path, body = '' }: LoadOrder['requests'][number],
): Buffer {
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${length}\r\n`;
  return Buffer.from(head + body);
}
