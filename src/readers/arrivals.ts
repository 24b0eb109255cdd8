// On a reader: connections that came from the main thread. The server sees whole requests of searches, one at a time; a connection
// that sends anything else, or whose request it cannot answer, goes back with its bytes.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { copyOf, type Duplicate, socketOf } from './descriptor.js';
import { PATIENCE } from './messages.js';
import { RequestBytes } from './request-bytes.js';

/** A request that is not whole by then is the main thread's, which knows how long to wait. */
const PARTS_MS = 1000;

/** Between two looks whether an answer is on its way. */
const FLUSH_MS = 5;
/**
 * A connection that had to go back after fewer searches than this waits twice as long before it comes again, but no longer than for so
 * many: the way there and back costs about as much as a few of them.
 */
const WORTH_IT = 256;

export interface ArrivalsOptions {
  readonly duplicate: Duplicate;
  /** Whether a search that is there may be answered here now. */
  readonly accepts: () => boolean;
  /** The receiver owns the descriptor. `bytes`: of a request that was not answered. */
  readonly sendBack: (fd: number, patience: number, bytes: Buffer) => void;
  /** A connection has ended here. */
  readonly closed: () => void;
}

type Feed = (chunk: Buffer) => void;

interface Visit {
  readonly socket: Socket;
  readonly patience: number;
  answered: number;
  /** Of the request that is being answered, or has begun to come in. */
  readonly request: RequestBytes;
  /** What came behind it. */
  readonly behind: Buffer[];
  readonly feed: Feed;
  isAnswering: boolean;
  hasLeft: boolean;
  /** Runs while a part of a request is there. */
  patienceForRest: NodeJS.Timeout | undefined;
}

export class Arrivals {
  readonly #server: Server;
  readonly #options: ArrivalsOptions;
  readonly #visits = new Map<Socket, Visit>();
  #left: (() => void) | undefined;

  constructor(server: Server, options: ArrivalsOptions) {
    this.#server = server;
    this.#options = options;
    server.on('request', (request, response) => this.#asked(request, response));
  }

  get size(): number {
    return this.#visits.size;
  }

  take(fd: number, patience: number): void {
    const socket = socketOf(fd);
    this.#server.emit('connection', socket);
    const visit: Visit = {
      socket,
      patience,
      answered: 0,
      request: new RequestBytes(),
      behind: [],
      feed: feedOf(socket),
      isAnswering: false,
      hasLeft: false,
      patienceForRest: undefined,
    };
    this.#visits.set(socket, visit);
    socket.on('data', (chunk: Buffer) => this.#came(visit, chunk));
    socket.once('close', () => {
      this.#visits.delete(socket);
      clearTimeout(visit.patienceForRest);
      if (!visit.hasLeft) this.#options.closed();
      this.#tellWhenEmpty();
    });
    if (this.#left !== undefined) this.#sendBack(visit);
  }

  /** The request that is being answered on it is somebody else's. */
  refuse(socket: Socket): void {
    const visit = this.#visits.get(socket);
    if (visit !== undefined) this.#sendBack(visit);
  }

  /** Sends all of them back, as soon as what they ask is answered. Resolves when they are gone. */
  leave(): Promise<void> {
    for (const visit of this.#visits.values()) if (!visit.isAnswering) this.#sendBack(visit);
    return new Promise((resolve) => {
      this.#left = resolve;
      this.#tellWhenEmpty();
    });
  }

  #tellWhenEmpty(): void {
    if (this.#visits.size === 0) this.#left?.();
  }

  #came(visit: Visit, chunk: Buffer): void {
    const { request, behind, socket } = visit;
    if (visit.hasLeft) return;
    if (visit.isAnswering) {
      behind.push(chunk);
      socket.pause();
      return;
    }
    const state = request.add(chunk);
    if (state === 'more') {
      visit.patienceForRest ??= setTimeout(() => this.#sendBack(visit), PARTS_MS);
      return;
    }
    clearTimeout(visit.patienceForRest);
    visit.patienceForRest = undefined;
    if (state === 'whole' && this.#options.accepts()) {
      visit.isAnswering = true;
      visit.feed(request.all());
    } else this.#sendBack(visit);
  }

  #asked({ socket }: IncomingMessage, response: ServerResponse): void {
    const visit = this.#visits.get(socket);
    if (visit === undefined) return;
    response.once('finish', () => {
      visit.isAnswering = false;
      visit.answered += 1;
      visit.request.clear();
      if (visit.behind.length === 0 && this.#left === undefined) return;
      setImmediate(() => {
        // Nothing comes while something is behind; otherwise the next request may have.
        if (!visit.isAnswering) this.#sendBack(visit);
      });
    });
  }

  #sendBack(visit: Visit): void {
    const { socket, request, behind } = visit;
    if (visit.hasLeft || socket.destroyed) return;
    // What was answered has to be on its way first.
    if (socket.writableLength > 0) {
      setTimeout(() => this.#sendBack(visit), FLUSH_MS);
      return;
    }
    const fd = copyOf(socket, this.#options.duplicate);
    visit.hasLeft = fd !== undefined;
    socket.destroy();
    if (fd !== undefined)
      this.#options.sendBack(fd, nextPatience(visit), Buffer.concat([request.all(), ...behind]));
  }
}

function nextPatience({ answered, patience }: Visit): number {
  return answered >= WORTH_IT ? PATIENCE : Math.min(WORTH_IT, 2 * patience);
}

/** How the server is given what came on the socket, from now on by nobody else. */
function feedOf(socket: Socket): Feed {
  const [feed, another] = socket.listeners('data') as Feed[];
  if (feed === undefined || another !== undefined) {
    throw new Error('the HTTP server reads its connections in a way that is not known');
  }
  // A listener more, and it reads through them.
  socket.on('data', () => {});
  socket.removeAllListeners('data');
  return (chunk) => feed.call(socket, chunk);
}
