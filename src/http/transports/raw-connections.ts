// Connections as they begin: requests of the API are read and answered here, one whole request after
// the other, without an HTTP server. The first request that is anything else hands the connection, with
// the bytes that were read, to the HTTP server of this thread for good.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { KEEP_ALIVE_MS } from '../../ops/keep-alive.js';
import type { Exchange, Reply } from '../pipeline/exchange.js';
import { headOf, RawExchange } from './raw-exchange.js';
import { RequestBytes } from './raw-request.js';
import { type SendNow, sendBytes } from './raw-stream.js';

/** A request that is incomplete after this time is the server's, which knows how long to wait. */
const PARTS_MS = 1000;
const CHUNK_END = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

export interface RawConnectionsOptions {
  readonly sendNow: SendNow;
  /** Answers a request. */
  readonly handle: (exchange: Exchange) => void;
  /** Milliseconds within which a client must take a part of its answer. */
  readonly stalledMs: number;
  /** Connections are closed behind their answers. */
  readonly isClosing: () => boolean;
  /** Takes over a connection whose unanswered bytes can be read again. */
  readonly server: (socket: Socket) => void;
  /** The client ended its side in the middle of a request. */
  readonly cutOff: (socket: Socket) => void;
}

interface Connection {
  readonly socket: Socket;
  /** Of the request that is being answered, or has begun to arrive. */
  readonly request: RequestBytes;
  /** What arrived behind it. */
  readonly behind: Buffer[];
  isAnswering: boolean;
  /** The client sends no more. */
  hasEnded: boolean;
  /** Runs while a part of a request is there. */
  rest: NodeJS.Timeout | undefined;
  /** Removes all listeners from the socket. */
  release: () => void;
}

export class RawConnections {
  readonly #options: RawConnectionsOptions;
  readonly #open = new Set<Connection>();

  constructor(options: RawConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Owns the socket, of which nothing was read yet. */
  take(socket: Socket): void {
    const connection: Connection = {
      socket,
      request: new RequestBytes(),
      behind: [],
      isAnswering: false,
      hasEnded: false,
      rest: undefined,
      release: () => {},
    };
    this.#listen(connection);
    this.#open.add(connection);
    socket.setTimeout(KEEP_ALIVE_MS);
    socket.resume();
  }

  /** Closes connections that wait for nothing; not those that have never sent a byte. */
  closeIdle(): void {
    for (const { socket, request, isAnswering } of this.#open) {
      const isIdle = !isAnswering && request.isEmpty && socket.writableLength === 0;
      if (isIdle && socket.bytesRead > 0) socket.destroy();
    }
  }

  #listen(connection: Connection): void {
    const { socket } = connection;
    const onData = (bytes: Buffer): void => this.#receive(connection, bytes);
    const onTimeout = (): void => {
      // A long search is no idle connection; a client that does not take its answer is.
      if (!connection.isAnswering || socket.writableLength > 0) socket.destroy();
    };
    const onEnd = (): void => {
      connection.hasEnded = true;
      if (connection.isAnswering) return;
      if (connection.request.isEmpty) socket.end();
      else this.#options.cutOff(socket);
    };
    const onError = (): void => {
      socket.destroy();
    };
    const onClose = (): void => connection.release();
    connection.release = () => {
      clearTimeout(connection.rest);
      this.#open.delete(connection);
      socket.off('data', onData).off('timeout', onTimeout).off('end', onEnd);
      socket.off('close', onClose);
      // After another owner has added its own.
      setImmediate(() => socket.off('error', onError));
    };
    socket.on('data', onData).on('timeout', onTimeout).on('end', onEnd);
    socket.on('error', onError).on('close', onClose);
  }

  #receive(connection: Connection, chunk: Buffer): void {
    const { request, behind, socket } = connection;
    if (connection.isAnswering) {
      behind.push(chunk);
      socket.pause();
      return;
    }
    const state = request.add(chunk);
    if (state === 'more') {
      connection.rest ??= setTimeout(() => this.#handOver(connection), PARTS_MS);
      return;
    }
    if (connection.rest !== undefined) {
      clearTimeout(connection.rest);
      connection.rest = undefined;
    }
    if (state === 'other') this.#handOver(connection);
    else {
      connection.isAnswering = true;
      const send = (reply: Reply, sent: () => void): void => this.#send(connection, reply, sent);
      this.#options.handle(new RawExchange(request.request(), socket, send));
    }
  }

  #send(connection: Connection, reply: Reply, sent: () => void): void {
    const { socket } = connection;
    const { body } = reply;
    const isLast = this.#options.isClosing() && connection.behind.length === 0;
    const done = (): void => {
      sent();
      if (isLast) socket.destroySoon();
      else this.#next(connection);
    };
    if (body !== undefined && !Buffer.isBuffer(body)) {
      const head = headOf(reply, 'transfer-encoding: chunked', isLast);
      this.#sendPieces(connection, head, body).then(done, () => socket.destroy());
      return;
    }
    const head = headOf(reply, `content-length: ${body?.length ?? 0}`, isLast);
    if (sendBytes(socket, this.#options.sendNow, head, body)) done();
    else void this.#taken(connection).then(done, () => {});
  }

  async #sendPieces(connection: Connection, head: Buffer, body: Readable): Promise<void> {
    const { sendNow } = this.#options;
    const { socket } = connection;
    let isTaken = sendBytes(socket, sendNow, head);
    for await (const piece of body) {
      if (!isTaken) await this.#taken(connection);
      const bytes = Buffer.from(piece as Buffer | string);
      if (bytes.length === 0) continue;
      const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
      isTaken = sendBytes(socket, sendNow, Buffer.concat([size, bytes, CHUNK_END]));
    }
    if (!isTaken) await this.#taken(connection);
    if (!sendBytes(socket, sendNow, LAST_CHUNK)) await this.#taken(connection);
  }

  /** Rejects when the connection is closed before the client has taken what was written. */
  async #taken({ socket }: Connection): Promise<void> {
    if (socket.destroyed) throw new Error('the connection is closed');
    const closed = new AbortController();
    const onClose = (): void => closed.abort();
    socket.setTimeout(this.#options.stalledMs);
    socket.once('close', onClose);
    try {
      if (socket.writableNeedDrain) await once(socket, 'drain', { signal: closed.signal });
    } finally {
      socket.off('close', onClose);
      socket.setTimeout(KEEP_ALIVE_MS);
    }
  }

  #next(connection: Connection): void {
    const { socket, request, behind } = connection;
    connection.isAnswering = false;
    request.clear();
    if (socket.destroyed) return;
    if (behind.length > 0) this.#handOver(connection);
    else if (connection.hasEnded) socket.end();
  }

  #handOver(connection: Connection): void {
    const { socket, request, behind } = connection;
    const bytes = Buffer.concat([request.all(), ...behind]);
    connection.release();
    if (socket.destroyed) return;
    socket.setTimeout(0);
    socket.unshift(bytes);
    this.#options.server(socket);
    // What is behind a request is not read while that is answered.
    socket.resume();
  }
}
