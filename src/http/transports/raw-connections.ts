// Connections as they begin: requests of the API are read and answered here, one request after the
// other, without an HTTP server. The first request that is anything else hands the connection, with
// the bytes that were read, to the HTTP server of this thread for good.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { KEEP_ALIVE_MS } from '../../ops/keep-alive.js';
import type { Exchange, Reply } from '../pipeline/exchange.js';
import { ArrivingBody } from './arriving-body.js';
import { headOf, RawExchange } from './raw-exchange.js';
import type { RawHead } from './raw-head.js';
import { type RawRequest, RequestBytes } from './raw-request.js';
import { type SendNow, sendBytes } from './raw-stream.js';

/** A request that is incomplete after this time is the server's, which knows how long to wait. */
const PARTS_MS = 1000;
const CHUNK_END = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

export interface RawConnectionsOptions {
  readonly sendNow: SendNow;
  /** Answers a request. */
  readonly handle: (exchange: Exchange) => void;
  /**
   * Milliseconds within which a client must take a part of its answer, and send the whole of a long
   * body.
   */
  readonly stalledMs: number;
  /** Connections are closed behind their answers. */
  readonly isClosing: () => boolean;
  /** Takes over a connection whose unanswered bytes can be read again. */
  readonly server: (socket: Socket) => void;
  /** The client ended its side in the middle of a request. */
  readonly cutOff: (socket: Socket) => void;
  /** The client has not sent the whole of a request in time. */
  readonly late: (socket: Socket) => void;
}

interface Connection {
  readonly socket: Socket;
  /** Of the request that is being answered, or has begun to arrive. */
  readonly request: RequestBytes;
  /** What arrived behind it. */
  readonly behind: Buffer[];
  isAnswering: boolean;
  /** The body of the request that is being answered, if it is long. */
  body: ArrivingBody | undefined;
  /** The answer was sent, and the rest of the body is thrown away. */
  isDiscarding: boolean;
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
      body: undefined,
      isDiscarding: false,
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
      if (connection.isDiscarding) socket.destroySoon();
      else if (isArriving(connection)) this.#options.cutOff(socket);
      else if (connection.isAnswering) return;
      else if (connection.request.isEmpty) socket.end();
      else this.#options.cutOff(socket);
    };
    const onError = (): void => {
      socket.destroy();
    };
    const onClose = (): void => {
      connection.body?.cutOff();
      connection.release();
    };
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
    const { request } = connection;
    if (connection.isAnswering) {
      this.#receiveMore(connection, chunk);
      return;
    }
    const state = request.add(chunk);
    if (state === 'more') {
      connection.rest ??= setTimeout(() => this.#handOver(connection), PARTS_MS);
      return;
    }
    if (connection.rest !== undefined) this.#stopWaiting(connection);
    if (state === 'other') this.#handOver(connection);
    else this.#handle(connection, request.request());
  }

  /** Takes what arrives while a request is being answered. */
  #receiveMore(connection: Connection, chunk: Buffer): void {
    const { socket, behind, body } = connection;
    const missing = body?.missing ?? 0;
    const next = missing < chunk.length ? chunk.subarray(missing) : undefined;
    if (next !== undefined) {
      behind.push(next);
      socket.pause();
    }
    if (body === undefined || missing === 0) return;
    if (missing <= chunk.length) this.#stopWaiting(connection);
    if (!body.receive(chunk)) socket.pause();
  }

  #handle(connection: Connection, request: RawRequest): void {
    const { socket } = connection;
    connection.isAnswering = true;
    const body = this.#bodyOf(connection, request);
    const send = (reply: Reply, sent: () => void): void =>
      this.#send(connection, request, reply, sent);
    this.#options.handle(new RawExchange(request, body, socket, send));
  }

  #bodyOf(connection: Connection, { length, body }: RawRequest): Buffer | ArrivingBody | undefined {
    if (length === 0) return undefined;
    if (body.length === length) return body;
    const { socket } = connection;
    const arriving = new ArrivingBody(length, () => socket.resume());
    connection.body = arriving;
    const { stalledMs, late } = this.#options;
    connection.rest = setTimeout(() => late(socket), stalledMs);
    if (!arriving.receive(body)) socket.pause();
    return arriving;
  }

  #send(connection: Connection, request: RawHead, reply: Reply, sent: () => void): void {
    const { socket } = connection;
    // The rest of a body that would have to be decompressed is not read.
    const isCutOff = isArriving(connection) && request.headers['content-encoding'] !== undefined;
    const isLast = isCutOff || (this.#options.isClosing() && connection.behind.length === 0);
    const close = (): void => {
      if (isLast) socket.destroySoon();
      else this.#next(connection);
    };
    const done = (): void => {
      sent();
      if (isCutOff || !isArriving(connection)) close();
      else this.#discardRest(connection, close);
    };
    const isBare = request.method === 'HEAD';
    const { body } = reply;
    if (body !== undefined && !Buffer.isBuffer(body)) {
      const head = headOf(reply, 'transfer-encoding: chunked\r\n', isLast);
      this.#sendPieces(connection, head, isBare ? undefined : body).then(done, () =>
        socket.destroy(),
      );
      if (isBare) body.destroy();
      return;
    }
    const hasLength = body !== undefined || (reply.status !== 204 && !isBare);
    const framing = hasLength ? `content-length: ${body?.length ?? 0}\r\n` : '';
    const head = headOf(reply, framing, isLast);
    if (sendBytes(socket, this.#options.sendNow, head, isBare ? undefined : body)) done();
    else void this.#taken(connection).then(done, () => {});
  }

  /** Reads the rest of a body that was refused, for an answer would be lost on a closed connection. */
  #discardRest(connection: Connection, then: () => void): void {
    const { socket, body } = connection;
    connection.isDiscarding = true;
    this.#stopWaiting(connection);
    connection.rest = setTimeout(() => socket.destroy(), this.#options.stalledMs);
    body?.discard(then);
  }

  #stopWaiting(connection: Connection): void {
    clearTimeout(connection.rest);
    connection.rest = undefined;
  }

  async #sendPieces(
    connection: Connection,
    head: Buffer,
    body: Readable | undefined,
  ): Promise<void> {
    const { sendNow } = this.#options;
    const { socket } = connection;
    let isTaken = sendBytes(socket, sendNow, head);
    for await (const piece of body ?? []) {
      if (!isTaken) await this.#taken(connection);
      const bytes = Buffer.from(piece as Buffer | string);
      if (bytes.length === 0) continue;
      const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
      isTaken = sendBytes(socket, sendNow, Buffer.concat([size, bytes, CHUNK_END]));
    }
    if (!isTaken) await this.#taken(connection);
    if (body === undefined) return;
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
    connection.isDiscarding = false;
    connection.body = undefined;
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

/** The body of the request that is being answered has not all arrived. */
function isArriving({ body }: Connection): boolean {
  return body !== undefined && body.missing > 0;
}
