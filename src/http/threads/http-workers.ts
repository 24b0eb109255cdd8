// The HTTP workers as the main thread has them: they are started once the data can be searched, receive
// connections and every change of state, and have their other requests answered here.
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Config } from '../../config/schema.js';
import type { AuditLog } from '../../ops/audit.js';
import type { SlowSearches } from '../../ops/slow-searches.js';
import type { Exchange } from '../pipeline/exchange.js';
import { copyOf, type Duplicate } from '../transports/descriptor.js';
import { ForwardedExchange } from './forwarded-exchange.js';
import type { HttpThread } from './front-door.js';
import type {
  ForwardToMain,
  ForwardToWorker,
  StateChange,
  ToMain,
  ToWorker,
  WorkerSettings,
} from './messages.js';
import type { SharedState } from './shared-state.js';

export interface HttpWorkersOptions {
  /** The compiled src/http/threads/http-worker.ts. */
  readonly file: string;
  /** Number of workers. */
  readonly threads: number;
  readonly shared: SharedState;
  readonly duplicate: Duplicate;
  readonly settings: Pick<WorkerSettings, 'node' | 'version' | 'tls' | 'engineUse'>;
  /** The current configuration. */
  readonly config: () => Config;
  readonly indexes: () => readonly number[];
  /** Resolves when the changes of indexes that are under way were reported. */
  readonly settled: () => Promise<void>;
  /** Answers a request that a worker has forwarded. */
  readonly handle: (exchange: Exchange) => void;
  readonly audit: AuditLog;
  readonly slowSearches: SlowSearches;
  readonly onError: (error: Error) => void;
}

/** How long the metrics of a worker are waited for; it may be about to end. */
const VALUES_MS = 1000;
/** How long a start waits for the workers. */
const START_MS = 5000;
/** A worker that died is not started again before. */
const RESTART_MS = 1000;
/**
 * Heap of a worker for what lives shortly. Answers are memory outside the heap that is freed with them:
 * with a larger young generation, pages of 32 KB reached the size of the whole heap between two
 * collections, and all of the heap was marked several times a second.
 */
const YOUNG_MIB = 12;

class HttpWorker implements HttpThread {
  readonly worker: Worker;
  readonly forwarded = new Map<number, ForwardedExchange>();
  readonly requested = new Map<number, (values: unknown) => void>();
  size = 0;
  isReady = false;
  drained: () => void = () => {};
  readonly #duplicate: Duplicate;

  constructor(worker: Worker, duplicate: Duplicate) {
    this.worker = worker;
    this.#duplicate = duplicate;
  }

  send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  take(socket: Socket): boolean {
    const fd = copyOf(socket, this.#duplicate);
    if (fd === undefined) return false;
    socket.destroy();
    this.size += 1;
    this.send({ kind: 'connection', fd });
    return true;
  }

  closeIdle(): void {
    this.send({ kind: 'closeIdle' });
  }

  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.drained = resolve;
      this.worker.once('exit', () => resolve());
      this.send({ kind: 'drain' });
    });
  }

  /** It has ended, and its connections with it. */
  ended(): void {
    this.size = 0;
    for (const exchange of this.forwarded.values()) exchange.gone();
    this.forwarded.clear();
  }
}

export class HttpWorkers {
  readonly #options: HttpWorkersOptions;
  readonly #workers = new Map<number, HttpWorker>();
  #started: () => void = () => {};
  #isClosing = false;
  #lastId = 0;

  constructor(options: HttpWorkersOptions) {
    this.#options = options;
  }

  /** Those that take connections. */
  get ready(): readonly HttpThread[] {
    return [...this.#workers.values()].filter(({ isReady }) => isReady);
  }
  get connections(): number {
    return [...this.#workers.values()].reduce((sum, { size }) => sum + size, 0);
  }
  get threads(): number {
    return this.#workers.size;
  }

  /** The data can be searched. Resolves when the workers take connections, or do not in time. */
  async start(): Promise<void> {
    const started = new Promise<void>((resolve) => {
      this.#started = resolve;
    });
    for (let thread = 1; thread <= this.#options.threads; thread++) this.#start(thread);
    if (this.#options.threads > 0) {
      await Promise.race([started, pause(START_MS, undefined, { ref: false })]);
    }
  }

  /** Every worker knows it before it answers a later request. */
  tell(change: StateChange): void {
    const { shared } = this.#options;
    const version = shared.version + 1;
    for (const worker of this.#workers.values()) worker.send({ kind: 'state', version, change });
    shared.version = version;
  }

  /** The metrics of each worker. */
  async values(): Promise<readonly unknown[]> {
    const ready = [...this.#workers.values()].filter(({ isReady }) => isReady);
    const all = await Promise.all(ready.map((worker) => this.#valuesOf(worker)));
    return all.filter((values) => values !== undefined);
  }

  /** Ends the threads, and what is left of their connections. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#workers.values()].map(({ worker }) => worker.terminate()));
  }

  #start(thread: number): void {
    if (this.#isClosing) return;
    try {
      this.#workers.set(thread, this.#startedThread(thread));
    } catch (error) {
      // The system has no thread to give.
      this.#restart(thread);
      this.#options.onError(error as Error);
    }
  }

  #restart(thread: number): void {
    setTimeout(() => this.#start(thread), RESTART_MS).unref();
  }

  #startedThread(thread: number): HttpWorker {
    const { file, shared, settings, duplicate, config, indexes, onError } = this.#options;
    const workerData: WorkerSettings = {
      ...settings,
      config: config(),
      shared: shared.buffer,
      thread,
      indexes: indexes(),
      asOf: shared.version,
    };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB };
    const own = new Worker(file, { workerData, resourceLimits });
    const worker = new HttpWorker(own, duplicate);
    own.unref();
    own.on('message', (message: ToMain) => this.#receive(worker, message));
    own.on('error', onError);
    own.once('exit', () => {
      this.#workers.delete(thread);
      worker.ended();
      shared.heldBytes[thread] = 0;
      if (!this.#isClosing) this.#restart(thread);
    });
    return worker;
  }

  #receive(worker: HttpWorker, message: ToMain): void {
    switch (message.kind) {
      case 'ready':
        // The indexes that it has read may include half of a change that is yet to be reported.
        void this.#options.settled().then(() => {
          worker.isReady = true;
          if (this.ready.length === this.#options.threads) this.#started();
        });
        break;
      case 'closed':
        worker.size -= 1;
        break;
      case 'metrics':
        worker.requested.get(message.id)?.(message.values);
        break;
      case 'audit':
        this.#options.audit.write(message.entry);
        break;
      case 'slowSearch':
        this.#options.slowSearches.add(message.search);
        break;
      case 'drained':
        worker.drained();
        break;
      default:
        this.#forwarded(worker, message);
    }
  }

  #forwarded(worker: HttpWorker, message: ForwardToMain): void {
    const { id } = message;
    if (message.kind !== 'request') {
      worker.forwarded.get(id)?.receive(message);
      return;
    }
    const post = (answer: ForwardToWorker): void => worker.send(answer);
    const ended = (): boolean => worker.forwarded.delete(id);
    const exchange = new ForwardedExchange(id, message.head, post, ended);
    worker.forwarded.set(id, exchange);
    this.#options.handle(exchange);
  }

  #valuesOf(worker: HttpWorker): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const done = (values: unknown): void => {
        clearTimeout(timer);
        worker.requested.delete(id);
        resolve(values);
      };
      const timer = setTimeout(() => done(undefined), VALUES_MS);
      worker.requested.set(id, done);
      worker.send({ kind: 'metrics', id });
    });
  }
}
