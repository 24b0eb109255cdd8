// One connection of a client that measures servers: a request at a time over a socket that stays open, its answer read as far as
// is needed to know where it ends. What a client library spends on a request would be taken for the server's time.
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

interface Waiting {
  readonly bytes: Buffer;
  readonly resolve: (status: number) => void;
  readonly reject: (error: Error) => void;
  /** Sent over a socket that had answered before, which the server may have closed meanwhile. */
  readonly again: boolean;
}

/** A request as it is sent. */
export function requestBytes(
  { host }: URL,
  {
    method,
    path,
    body = '',
  }: { readonly method: string; readonly path: string; readonly body?: string },
): Buffer {
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${length}\r\n`;
  return Buffer.from(head + body);
}

export class Connection {
  readonly #port: number;
  readonly #host: string;
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  #parts: Buffer[] = [];
  #length = 0;
  /** Bytes of the whole answer, once its head says so. */
  #end: number | undefined;
  #status = 0;

  constructor({ hostname, port }: URL) {
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** The status, when the whole answer has come. A connection that was closed while it rested is made anew. */
  ask(bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      const again = this.#socket !== undefined;
      this.#waiting = { bytes, resolve, reject, again };
      this.#socket ??= this.#connect();
      this.#socket.write(bytes);
    });
  }

  #connect(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    socket.on('data', (part: Buffer) => this.#take(part));
    socket.on('error', () => undefined); // 'close' follows
    socket.on('close', () => this.#closed());
    return socket;
  }

  #closed(): void {
    const waiting = this.#waiting;
    const nothing = this.#length === 0;
    this.#socket = undefined;
    this.#reset();
    if (waiting === undefined) return;
    if (waiting.again && nothing) {
      this.#waiting = { ...waiting, again: false };
      this.#socket = this.#connect();
      this.#socket.write(waiting.bytes);
      return;
    }
    this.#waiting = undefined;
    waiting.reject(new Error(`${this.#host}:${this.#port} closed the connection`));
  }

  #take(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#end === undefined && !this.#readHead()) return;
    if (this.#end === -1) this.#end = endOfChunks(this.#joined());
    if (this.#end === undefined || this.#end < 0 || this.#length < this.#end) return;
    const waiting = this.#waiting;
    const status = this.#status;
    this.#waiting = undefined;
    this.#reset();
    waiting?.resolve(status);
  }

  /** False: it has not come as a whole. */
  #readHead(): boolean {
    const bytes = this.#joined();
    const at = bytes.indexOf(HEAD_END);
    if (at < 0) return false;
    const head = bytes.toString('latin1', 0, at);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#end = length === undefined ? -1 : at + HEAD_END.length + Number(length);
    return true;
  }

  #joined(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] ?? Buffer.alloc(0);
  }

  #reset(): void {
    this.#parts = [];
    this.#length = 0;
    this.#end = undefined;
  }
}

/** Of an answer in chunks, with its head; -1: the last has not come. */
function endOfChunks(bytes: Buffer): number {
  let at = bytes.indexOf(HEAD_END) + HEAD_END.length;
  while (true) {
    const line = bytes.indexOf(LINE_END, at);
    if (line < 0) return -1;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    at = line + LINE_END.length + size + LINE_END.length;
    if (at > bytes.length) return -1;
    if (size === 0) return at;
  }
}
