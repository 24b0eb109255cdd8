// Connections that send nothing but plain searches, one whole request after the other: their bytes are read here and the bytes of answers
// written, without an HTTP server in between. A connection that sends anything else, or whose request is somebody else's, leaves with
// its bytes, between two requests; one that comes with such a request is answered at once.
import type { Socket } from 'node:net';
import type { HeldBytes } from '../ops/in-flight.js';
import { KEEP_ALIVE_MS } from '../ops/keep-alive.js';
import { copyOf, type Duplicate } from './descriptor.js';
import { PATIENCE } from './messages.js';
import { type AnswerBytes, PlainStream, type SendNow } from './plain-stream.js';
import { type PlainRequest, RequestBytes } from './request-bytes.js';

/** A request that is not whole by then is the server's, which knows how long to wait. */
const PARTS_MS = 1000;
/** Between two looks whether an answer is on its way. */
const FLUSH_MS = 5;
/**
 * A connection that had to leave after fewer searches than this waits twice as long before it comes again, but no longer than for so
 * many: the way there and back costs about as much as a few of them.
 */
const WORTH_IT = 256;

/** Undefined bytes: the request is somebody else's. `held`: what the request holds, to be released when it is answered. */
export type Done = (bytes: AnswerBytes | undefined, held: HeldBytes) => void;

export interface PlainConnectionsOptions {
  readonly duplicate: Duplicate;
  readonly sendNow: SendNow;
  /** Whether a search that is there may be answered here now. */
  readonly accepts: () => boolean;
  /** Calls back once, now or later. */
  readonly answer: (request: PlainRequest, client: Socket, done: Done) => void;
  /** Milliseconds in which a client has to take some of an answer that did not leave at once. */
  readonly stalledMs: () => number;
  /** The receiver owns the descriptor. `bytes`: what came and was not answered; `isSearch`: they are one plain search. */
  readonly leave: (fd: number, patience: number, bytes: Buffer, isSearch: boolean) => void;
  /** Whether one that is idle should be somewhere else; where it goes is up to `move`, which owns the descriptor. */
  readonly movable?: () => boolean;
  readonly move?: (fd: number, patience: number) => void;
  /** A connection has ended here. */
  readonly closed: () => void;
}

interface Visit {
  readonly stream: PlainStream;
  readonly socket: Socket;
  readonly patience: number;
  /** Searches that are answered before it may go where it should be. */
  readonly stay: number;
  answered: number;
  /** Of the request that is being answered, or has begun to come in. */
  readonly request: RequestBytes;
  /** What came behind it. */
  readonly behind: Buffer[];
  isAnswering: boolean;
  hasLeft: boolean;
  /** The client will send no more. */
  hasEnded: boolean;
  /** Runs while a part of a request is there. */
  patienceForRest: NodeJS.Timeout | undefined;
}

export class PlainConnections {
  readonly #options: PlainConnectionsOptions;
  readonly #visits = new Set<Visit>();
  #left: (() => void) | undefined;

  constructor(options: PlainConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#visits.size;
  }

  /** Owns the descriptor from now on. `bytes`: a search that came on it and that others could not answer, as some of the next. */
  take(fd: number, patience: number, bytes?: Buffer): void {
    const stream = new PlainStream(fd, this.#options.sendNow, (bytes) => this.#came(visit, bytes));
    const { socket } = stream;
    const visit: Visit = {
      stream,
      socket,
      patience,
      stay: bytes === undefined ? 0 : patience,
      answered: 0,
      request: new RequestBytes(),
      behind: [],
      isAnswering: false,
      hasLeft: false,
      hasEnded: false,
      patienceForRest: undefined,
    };
    this.#visits.add(visit);
    socket.setTimeout(KEEP_ALIVE_MS);
    socket.on('timeout', () => {
      // A long search is no idle connection; what the client does not take is.
      if (!visit.isAnswering || socket.writableLength > 0) socket.destroy();
    });
    socket.on('end', () => {
      visit.hasEnded = true;
      if (!visit.isAnswering) socket.end();
    });
    socket.once('close', () => {
      this.#visits.delete(visit);
      clearTimeout(visit.patienceForRest);
      if (!visit.hasLeft) this.#options.closed();
      this.#tellWhenEmpty();
    });
    if (bytes !== undefined) this.#came(visit, bytes);
    else if (this.#left !== undefined) this.#sendBack(visit);
  }

  /** All of them leave as soon as what they ask is answered. Resolves when they are gone. */
  leave(): Promise<void> {
    for (const visit of this.#visits) if (!visit.isAnswering) this.#sendBack(visit);
    return new Promise((resolve) => {
      this.#left = resolve;
      this.#tellWhenEmpty();
    });
  }

  /** Hangs up on those that ask for nothing. */
  closeIdle(): void {
    for (const { socket, request, isAnswering } of this.#visits) {
      if (!isAnswering && request.isEmpty && socket.writableLength === 0) socket.destroy();
    }
  }

  /** Hangs up on those that have not left. */
  cut(): void {
    for (const { socket } of this.#visits) socket.destroy();
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
    if (visit.patienceForRest !== undefined) {
      clearTimeout(visit.patienceForRest);
      visit.patienceForRest = undefined;
    }
    if (state === 'whole' && this.#options.accepts()) {
      visit.isAnswering = true;
      this.#options.answer(request.request(), socket, (bytes, held) =>
        this.#answered(visit, bytes, held),
      );
    } else this.#sendBack(visit);
  }

  #answered(visit: Visit, bytes: AnswerBytes | undefined, held: HeldBytes): void {
    const { socket } = visit;
    if (bytes === undefined || visit.hasLeft || socket.destroyed) {
      held.release();
      this.#sendBack(visit, visit.behind.length === 0);
      return;
    }
    visit.request.clear();
    visit.answered += 1;
    if (visit.stream.send(bytes)) {
      held.release();
      this.#next(visit);
    } else this.#waitForClient(visit, held);
  }

  /** Nothing is read from a client that leaves its answer lying, which is held as long. */
  #waitForClient(visit: Visit, held: HeldBytes): void {
    const { socket } = visit;
    const release = (): void => held.release();
    socket.setTimeout(this.#options.stalledMs());
    socket.once('close', release);
    socket.once('drain', () => {
      socket.off('close', release);
      release();
      socket.setTimeout(KEEP_ALIVE_MS);
      this.#next(visit);
    });
  }

  #next(visit: Visit): void {
    visit.isAnswering = false;
    if (visit.behind.length > 0 || this.#left !== undefined) this.#sendBack(visit);
    else if (visit.hasEnded) visit.socket.end();
    else if (visit.answered >= visit.stay && this.#options.movable?.() === true) this.#move(visit);
  }

  /** Where there is no descriptor for the way it stays. */
  #move(visit: Visit): void {
    const { socket, patience } = visit;
    if (socket.writableLength > 0) return;
    const fd = copyOf(socket, this.#options.duplicate);
    if (fd === undefined) return;
    visit.hasLeft = true;
    socket.destroy();
    this.#options.move?.(fd, patience);
  }

  /** `isSearch`: what came is one plain search. */
  #sendBack(visit: Visit, isSearch = false): void {
    const { socket, request, behind } = visit;
    if (visit.hasLeft || socket.destroyed) return;
    // What was answered has to be on its way first; what comes meanwhile goes along.
    if (socket.writableLength > 0) {
      visit.isAnswering = true;
      setTimeout(() => this.#sendBack(visit, isSearch && behind.length === 0), FLUSH_MS);
      return;
    }
    const fd = copyOf(socket, this.#options.duplicate);
    visit.hasLeft = fd !== undefined;
    socket.destroy();
    if (fd === undefined) return;
    const bytes = Buffer.concat([request.all(), ...behind]);
    this.#options.leave(fd, nextPatience(visit), bytes, isSearch);
  }
}

function nextPatience({ answered, patience }: Visit): number {
  return answered >= WORTH_IT ? PATIENCE : Math.min(WORTH_IT, 2 * patience);
}
