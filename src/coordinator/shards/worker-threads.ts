// The threads of one pool, over Piscina. A task is handed to Piscina only while a thread is idle: Piscina keeps a task for ever whose
// thread cannot start, and tells nobody. Threads are started here, one after the other, by a task that does nothing; one that cannot
// start (no descriptor, no memory, too many threads) is tried again as long as it is needed, and ends nothing.
import { setTimeout as pause } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { WorkerSettings } from '../../worker/tasks.js';

export interface WorkerThreadsOptions {
  /** What threads run. */
  readonly file: string;
  readonly most: number;
  /** Whether all of them are there from the start and always; otherwise a thread ends IDLE_MS after its last task. */
  readonly kept: boolean;
  readonly settings: WorkerSettings;
  /** Whether tasks wait for a thread. */
  readonly isNeeded: () => boolean;
  /** A thread is idle. */
  readonly onIdle: () => void;
  /** No thread is there and none can be started, for now: nobody runs what waits. */
  readonly onNone: (error: Error) => void;
  /** A thread could not be started or has died. */
  readonly onError: (error: Error) => void;
}

const IDLE_MS = 10_000;
/** A start is tried so often before it counts as failed, with pauses that grow by PAUSE_MS up to MOST_PAUSE_MS. */
const TRIES = 3;
const PAUSE_MS = 50;
const MOST_PAUSE_MS = 1000;
/** A function that every thread has, so that a start opens no file that its tasks do not need. */
const NOTHING = { filename: 'node:path', name: 'normalize' };

export class WorkerThreads {
  readonly #options: WorkerThreadsOptions;
  readonly #piscina: Piscina;
  /** Of the start that goes on. */
  #start: AbortController | undefined;
  #isStarting = false;
  #isClosing = false;
  /** Thread ids that have run NOTHING. */
  readonly #started = new Set<number>();

  constructor(options: WorkerThreadsOptions) {
    const { file, most, kept, settings } = options;
    this.#options = options;
    this.#piscina = new Piscina({
      filename: file,
      minThreads: 0,
      maxThreads: most,
      idleTimeout: kept ? Number.POSITIVE_INFINITY : IDLE_MS,
      maxQueue: Number.POSITIVE_INFINITY,
      workerData: settings,
      recordTiming: false,
      loadBalancer: (task, workers) => {
        const isStart = kept && task.filename === NOTHING.filename;
        const chosen = workers.find(
          ({ id, currentUsage }) => currentUsage === 0 && !(isStart && this.#started.has(id)),
        );
        if (isStart && chosen !== undefined) this.#started.add(chosen.id);
        return chosen ?? null;
      },
    });
    // Of threads that died without a task, those that could not start among them.
    this.#piscina.on('error', (error: Error) => {
      if (this.#start === undefined) options.onError(error);
      else this.#start.abort(error);
      this.startMissing();
    });
    this.startMissing();
  }

  /** Threads that would begin a task at once. */
  get idle(): number {
    return this.#piscina.idleThreads;
  }

  /** Only while a thread is idle. Rejects with what the task threw, or with what its thread died of. */
  async run(name: string, args: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown> {
    try {
      return await this.#piscina.run(args, { name, transferList: [...transfer] });
    } finally {
      // The thread may have died with its task.
      this.startMissing();
    }
  }

  /** Starts threads while some are needed; returns at once. */
  startMissing(): void {
    if (this.#isStarting || !this.#isMissing()) return;
    this.#isStarting = true;
    void this.#startAll().finally(() => {
      this.#isStarting = false;
    });
  }

  /** Tasks must have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#piscina.close();
  }

  #isMissing(): boolean {
    const { kept, most, isNeeded } = this.#options;
    if (this.#isClosing || this.#piscina.threads.length >= most) return false;
    return kept || (this.idle === 0 && isNeeded());
  }

  async #startAll(): Promise<void> {
    let failures = 0;
    while (this.#isMissing()) {
      const failure = await this.#startOne();
      if (this.idle > 0) this.#options.onIdle();
      if (failure === undefined) {
        failures = 0;
        continue;
      }
      failures += 1;
      // Told once for as long as it fails; whoever comes meanwhile waits for the next try.
      if (failures === TRIES) this.#options.onError(failure);
      if (failures >= TRIES && this.#piscina.threads.length === 0) this.#options.onNone(failure);
      await pause(Math.min(failures * PAUSE_MS, MOST_PAUSE_MS), undefined, { ref: false });
    }
  }

  /** Resolves when a thread is there, or with why it is not. In a pool that keeps its threads it is a new one. */
  async #startOne(): Promise<Error | undefined> {
    const present = new Set(this.#piscina.threads.map(({ threadId }) => threadId));
    for (const id of this.#started) if (!present.has(id)) this.#started.delete(id);
    const start = new AbortController();
    this.#start = start;
    try {
      await this.#piscina.run('.', { ...NOTHING, signal: start.signal });
      return undefined;
    } catch (error) {
      return (start.signal.aborted ? start.signal.reason : error) as Error;
    } finally {
      this.#start = undefined;
    }
  }
}
