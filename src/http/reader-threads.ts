// Connections of plain searches as the main thread has them: they leave its HTTP server for bytes of its own or, while it is busy, for
// a reader. Readers are started when the first wants to go there, told of everything that changes, and asked back for their connections
// at the end.
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/schema.js';
import { Departures } from './departures.js';
import { type Duplicate, socketOf } from './descriptor.js';
import type { ReaderSettings, StateChange, ToMain, ToReader } from './messages.js';
import { PlainConnections, type PlainConnectionsOptions } from './plain-connections.js';
import type { SharedState } from './shared-state.js';

export interface ReaderThreadsOptions {
  /** The compiled src/http/reader.ts. */
  readonly file: string;
  /** Of readers, at most so many. Undefined: every request is the HTTP server's. */
  readonly threads: number | undefined;
  /** How the main thread answers plain searches. */
  readonly plain: Pick<PlainConnectionsOptions, 'answer' | 'sendNow' | 'stalledMs'>;
  readonly shared: SharedState;
  readonly server: Server;
  readonly duplicate: Duplicate;
  readonly settings: Pick<ReaderSettings, 'node' | 'version' | 'warm'>;
  /** As of now. */
  readonly config: () => Config;
  readonly indexes: () => readonly number[];
  /** Whether the main thread has more to do than it should. */
  readonly busy: () => boolean;
  /** Whether anybody but the HTTP server may answer. */
  readonly allowed: () => boolean;
  /** When the changes of indexes that are on their way now were told of. */
  readonly settled: () => Promise<void>;
  readonly onError: (error: Error) => void;
}

/** How long the values of a reader are waited for; it may be on its way out. */
const VALUES_MS = 1000;
/** How long they have to send their connections back; those that do not take their answers are cut off. */
const LEAVE_MS = 2000;
/** Of all connections: where plain ones leave the server less room, those of them that ask for nothing are closed. */
const SERVERS_SHARE = 0.1;
/** A reader that died is not started again before. */
const RESTART_MS = 1000;
/**
 * Of a reader's heap, for what lives for a moment: answers are memory beside it, which is given back with them. With more of it, pages
 * of 32 KB came to the size of the whole heap between two collections, and all of the heap was marked several times a second.
 */
const YOUNG_MIB = 12;

class Reader {
  readonly worker: Worker;
  connections = 0;
  isReady = false;
  readonly requested = new Map<number, (values: unknown) => void>();
  left: () => void = () => {};

  constructor(worker: Worker) {
    this.worker = worker;
  }

  send(message: ToReader): void {
    this.worker.postMessage(message);
  }
}

export class ReaderThreads {
  readonly #options: ReaderThreadsOptions;
  /** Absent where there is nowhere to go: nobody looks at requests then. */
  readonly #departures: Departures | undefined;
  /** Of the main thread. */
  readonly #own: PlainConnections;
  readonly #readers = new Map<number, Reader>();
  /** Connections that the server may have when there are no others. */
  readonly #most: number;
  #isClosing = false;
  #notBefore = Number.NEGATIVE_INFINITY;
  #lastId = 0;

  constructor(options: ReaderThreadsOptions) {
    this.#options = options;
    const { server, duplicate, plain } = options;
    this.#most = server.maxConnections;
    this.#own = new PlainConnections({
      duplicate,
      ...plain,
      accepts: () => this.#mayAnswer(),
      leave: (fd, patience, bytes) => {
        server.maxConnections += 1;
        this.#adopt(fd, patience, bytes);
      },
      movable: () => this.#isWanted(this.#own.size),
      move: (fd, patience) => {
        server.maxConnections += 1;
        this.#hand(fd, patience);
      },
      closed: () => {
        server.maxConnections += 1;
      },
    });
    if (options.threads === undefined) return;
    this.#departures = new Departures(server, {
      duplicate,
      wanted: () => this.#mayAnswer(),
      leave: (fd, patience) => this.#keep(fd, patience),
    });
  }

  /** Answered without the HTTP server, on this thread and on readers. */
  get plainConnections(): number {
    return this.#own.size + this.connections;
  }
  /** Of readers. */
  get connections(): number {
    return [...this.#readers.values()].reduce((sum, { connections }) => sum + connections, 0);
  }
  get threads(): number {
    return this.#readers.size;
  }

  /** Every reader knows it before it answers what comes from now on. */
  tell(change: StateChange): void {
    const { shared } = this.#options;
    const version = shared.version + 1;
    for (const reader of this.#readers.values()) reader.send({ kind: 'state', version, change });
    shared.version = version;
  }

  /** What each reader has counted. */
  async values(): Promise<readonly unknown[]> {
    const ready = [...this.#readers.values()].filter(({ isReady }) => isReady);
    const all = await Promise.all(ready.map((reader) => this.#valuesOf(reader)));
    return all.filter((values) => values !== undefined);
  }

  /** Their connections are the server's again; the readers end. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.race([this.#own.leave(), pause(LEAVE_MS, undefined, { ref: false })]);
    this.#own.cut();
    const readers = [...this.#readers.values()];
    await Promise.all(
      readers.map(async (reader) => {
        if (reader.isReady) {
          await new Promise<void>((resolve) => {
            setTimeout(resolve, LEAVE_MS).unref();
            reader.left = resolve;
            reader.worker.once('exit', () => resolve());
            reader.send({ kind: 'leave' });
          });
        }
        await reader.worker.terminate();
      }),
    );
  }

  #mayAnswer(): boolean {
    return !this.#isClosing && this.#options.allowed();
  }

  /** By a reader, one of `own` connections that this thread answers. */
  #isWanted(own: number): boolean {
    const { threads = 0, busy } = this.#options;
    if (threads === 0 || own < 2 || !busy() || !this.#mayAnswer()) return false;
    this.#startMissing(threads);
    const reader = this.#idlest();
    return reader !== undefined && reader.connections + 1 < own;
  }

  #idlest(): Reader | undefined {
    let idlest: Reader | undefined;
    for (const reader of this.#readers.values()) {
      if (!reader.isReady) continue;
      if (idlest === undefined || reader.connections < idlest.connections) idlest = reader;
    }
    return idlest;
  }

  #keep(fd: number, patience: number, bytes?: Buffer): void {
    const { server } = this.#options;
    server.maxConnections -= 1;
    if (server.maxConnections < this.#most * SERVERS_SHARE) this.#closeIdle();
    this.#own.take(fd, patience, bytes);
  }

  #closeIdle(): void {
    this.#own.closeIdle();
    for (const reader of this.#readers.values()) reader.send({ kind: 'closeIdle' });
  }

  #hand(fd: number, patience: number): void {
    const reader = this.#idlest();
    if (reader === undefined) {
      this.#keep(fd, patience);
      return;
    }
    this.#has(reader, 1);
    reader.send({ kind: 'connection', fd, patience });
  }

  /** So many more; they count among all that the server may have. */
  #has(reader: Reader, more: number): void {
    reader.connections += more;
    this.#options.server.maxConnections -= more;
  }

  #startMissing(threads: number): void {
    if (this.#readers.size >= threads || performance.now() < this.#notBefore) return;
    try {
      for (let thread = 1; thread <= threads; thread++) {
        if (!this.#readers.has(thread)) this.#readers.set(thread, this.#start(thread));
      }
    } catch (error) {
      // The system has no thread to give: connections stay where they are.
      this.#notBefore = performance.now() + RESTART_MS;
      this.#options.onError(error as Error);
    }
  }

  #start(thread: number): Reader {
    const { file, shared, settings, config, indexes, onError } = this.#options;
    const workerData: ReaderSettings = {
      ...settings,
      config: config(),
      shared: shared.buffer,
      thread,
      indexes: indexes(),
      asOf: shared.version,
    };
    const worker = new Worker(file, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    const reader = new Reader(worker);
    worker.unref();
    worker.on('message', (message: ToMain) => this.#receive(reader, message));
    worker.on('error', onError);
    worker.once('exit', () => {
      this.#readers.delete(thread);
      this.#has(reader, -reader.connections);
      this.#notBefore = performance.now() + RESTART_MS;
      shared.heldBytes[thread] = 0;
    });
    return reader;
  }

  #receive(reader: Reader, message: ToMain): void {
    switch (message.kind) {
      case 'ready':
        // What it has read of the indexes may be the half of a change that it will hear of.
        void this.#options.settled().then(() => {
          reader.isReady = true;
        });
        break;
      case 'connection':
        this.#has(reader, -1);
        if (message.isSearch && this.#mayAnswer())
          this.#keep(message.fd, message.patience, Buffer.from(message.bytes));
        else this.#adopt(message.fd, message.patience, message.bytes);
        break;
      case 'closed':
        this.#has(reader, -1);
        break;
      case 'metrics':
        reader.requested.get(message.id)?.(message.values);
        break;
      case 'left':
        reader.left();
        break;
    }
  }

  #adopt(fd: number, patience: number, bytes: Uint8Array | undefined): void {
    const socket = socketOf(fd);
    this.#departures?.returned(socket, patience);
    if (bytes !== undefined && bytes.length > 0) socket.unshift(bytes);
    this.#options.server.emit('connection', socket);
  }

  #valuesOf(reader: Reader): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const done = (values: unknown): void => {
        clearTimeout(timer);
        reader.requested.delete(id);
        resolve(values);
      };
      const timer = setTimeout(() => done(undefined), VALUES_MS);
      reader.requested.set(id, done);
      reader.send({ kind: 'metrics', id });
    });
  }
}
