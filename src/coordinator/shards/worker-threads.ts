// The threads of one pool, based on Piscina. A task is passed to Piscina only while a thread is
// idle, because Piscina holds a task whose thread cannot start for ever, without an error. Threads
// are started here one after another by a task that does nothing. A start that fails (no
// descriptor, no memory, too many threads) is retried as long as the thread is needed.
import { setTimeout as pause } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { WorkerSettings } from '../../worker/tasks.js';

export interface WorkerThreadsOptions {
  /** The worker file that threads run. */
  readonly file: string;
  readonly most: number;
  /** Whether all threads are started at once and kept; otherwise a thread ends after IDLE_MS. */
  readonly kept: boolean;
  readonly settings: WorkerSettings;
  /** Whether tasks wait for a thread. */
  readonly isNeeded: () => boolean;
  /** Called when a thread has started and is idle. */
  readonly onIdle: () => void;
  /** Called when there is no thread and none can be started now, so that no task can run. */
  readonly onNone: (error: Error) => void;
  /** Called when a thread cannot be started or has died. */
  readonly onError: (error: Error) => void;
}

const IDLE_MS = 10_000;
/**
 * Number of attempts before a start counts as failed. The pauses between them grow by PAUSE_MS up
 * to MOST_PAUSE_MS.
 */
const TRIES = 3;
const PAUSE_MS = 50;
const MOST_PAUSE_MS = 1000;
/** A built-in function, so that a start opens no additional file. */
const NOTHING = { filename: 'node:path', name: 'normalize' };

export class WorkerThreads {
  readonly #options: WorkerThreadsOptions;
  readonly #piscina: Piscina;
  /** Aborts the start in progress. */
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
    // Threads that died without a task, which includes those that could not start.
    this.#piscina.on('error', (error: Error) => {
      if (this.#start === undefined) options.onError(error);
      else this.#start.abort(error);
      this.startMissing();
    });
    this.startMissing();
  }

  /** Number of threads that can start a task at once. */
  get idle(): number {
    return this.#piscina.idleThreads;
  }

  /**
   * Must be called only while a thread is idle. Rejects with the error of the task or of its
   * thread.
   */
  async run(name: string, args: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown> {
    try {
      return await this.#piscina.run(args, { name, transferList: [...transfer] });
    } finally {
      // The thread may have died with its task.
      this.startMissing();
    }
  }

  /** Begins to start threads if some are needed; returns at once. */
  startMissing(): void {
    if (this.#isStarting || !this.#isMissing()) return;
    this.#isStarting = true;
    void this.#startAll().finally(() => {
      this.#isStarting = false;
    });
  }

  /** All tasks must have ended. */
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
      // Reported once per series of failures; tasks queued meanwhile wait for the next attempt.
      if (failures === TRIES) this.#options.onError(failure);
      if (failures >= TRIES && this.#piscina.threads.length === 0) this.#options.onNone(failure);
      await pause(Math.min(failures * PAUSE_MS, MOST_PAUSE_MS), undefined, { ref: false });
    }
  }

  /**
   * Resolves when a thread has started, or with the error if it failed. In a pool that keeps its
   * threads it is always a new thread.
   */
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
