// The pools of shard workers, which all run one worker file: search (latency), write (bulk,
// refresh, administration), awaited (long work that a request waits for: flushes, forced merges)
// and background (merges of the policy, at a lower priority).
import { availableParallelism } from 'node:os';
import { QuarryError } from '../../errors.js';
import type { Outcome, TaskArgs, TaskFailure, TaskName, TaskResult } from '../../worker/tasks.js';
import { WorkerThreads } from './worker-threads.js';

export interface PoolSizes {
  /** 0: one thread for each core. */
  readonly search: number;
  /** 0: one thread for every two cores. */
  readonly write: number;
  readonly background: number;
}

/** Runs a task by name. An error of the engine rejects with its QuarryError. */
export interface TaskRunner {
  run<N extends TaskName>(
    name: N,
    args: TaskArgs<N>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<TaskResult<N>>;
}

/** A runner with threads, and their load. */
export interface WorkerPool extends TaskRunner {
  readonly threads: number;
  /** Tasks that wait for a thread. */
  readonly queued: number;
  /** Threads that can start a task at once. */
  readonly idle: number;
  close(): Promise<void>;
}

export interface WorkerPools {
  readonly search: WorkerPool;
  readonly write: WorkerPool;
  readonly awaited: WorkerPool;
  readonly background: WorkerPool;
}

export type FailureReader = (failure: TaskFailure) => QuarryError;

/** The nice value of background threads; those of the other pools have 0. */
const BACKGROUND_NICE = 10;
/** One flush next to one forced merge. These threads exist only while there is work for them. */
const AWAITED_THREADS = 2;

/** A task that waits for a thread. */
interface Waiting {
  /** Called when a thread is idle. */
  readonly begin: () => void;
  readonly fail: (error: Error) => void;
}

export interface PoolOptions {
  /** The compiled src/worker/shard-worker.ts. */
  readonly workerFile: string;
  readonly threads: number;
  /** Whether all threads are started with the pool and kept until it closes. */
  readonly kept: boolean;
  readonly nice: number;
  readonly read: FailureReader;
  /** Called when a thread cannot be started or has died. */
  readonly onError: (error: Error) => void;
}

class ThreadPool implements WorkerPool {
  readonly threads: number;
  readonly #toError: FailureReader;
  readonly #workers: WorkerThreads;
  /** Oldest first. It has no limit: gate.ts decides about admission before a task is created. */
  #queue: Waiting[] = [];
  /** Number of tasks that run or are in the queue. */
  #running = 0;
  #ended: (() => void) | undefined;

  constructor({ workerFile, threads, kept, nice, read, onError }: PoolOptions) {
    this.threads = threads;
    this.#toError = read;
    this.#workers = new WorkerThreads({
      file: workerFile,
      most: threads,
      kept,
      settings: { nice },
      isNeeded: () => this.#isWaitedFor(),
      onIdle: () => this.#beginWaiting(),
      onNone: (error) => this.#failWaiting(noThread(error)),
      onError,
    });
  }

  get queued(): number {
    return Math.max(0, this.#running - this.threads);
  }
  get idle(): number {
    return Math.max(0, this.threads - this.#running);
  }

  async run<N extends TaskName>(
    name: N,
    args: TaskArgs<N>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<TaskResult<N>> {
    return this.#read(await this.#counted<N>(() => this.#whenIdle(name, args, transfer)));
  }

  /** Lets running and queued tasks finish. */
  async close(): Promise<void> {
    if (this.#running > 0 || this.#isWaitedFor()) {
      await new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
    }
    await this.#workers.close();
  }

  async #counted<N extends TaskName>(run: () => Promise<unknown>): Promise<Outcome<TaskResult<N>>> {
    this.#running += 1;
    try {
      return (await run()) as Outcome<TaskResult<N>>;
    } finally {
      this.#running -= 1;
      this.#beginWaiting();
      if (this.#running === 0 && !this.#isWaitedFor()) this.#ended?.();
    }
  }

  /** Starts the task before it returns if a thread is idle, otherwise queues it. */
  #whenIdle(name: TaskName, args: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown> {
    const run = (): Promise<unknown> => this.#workers.run(name, args, transfer);
    if (this.#workers.idle > 0 && this.#queue.length === 0) return run();
    return new Promise((resolve, reject) => {
      this.#queue.push({ begin: () => void run().then(resolve, reject), fail: reject });
      this.#workers.startMissing();
    });
  }

  #isWaitedFor(): boolean {
    return this.#queue.length > 0;
  }

  #beginWaiting(): void {
    while (this.#workers.idle > 0 && this.#queue.length > 0) this.#queue.shift()?.begin();
  }

  #failWaiting(error: QuarryError): void {
    const waiting = this.#queue;
    this.#queue = [];
    for (const { fail } of waiting) fail(error);
  }

  #read<T>(outcome: Outcome<T>): T {
    if ('failure' in outcome) throw this.#toError(outcome.failure);
    return outcome.value;
  }
}

/** The error of tasks for which no thread can be started. */
function noThread({ message }: Error): QuarryError {
  const reason = `no thread can be started for this request: ${message}; the process has too few descriptors, threads or bytes of memory left: raise its limits (ulimit -n, -u), or retry when connections have ended`;
  return new QuarryError('es_rejected_execution_exception', reason, {
    headers: { 'Retry-After': '1' },
  });
}

/** Starts all pools. `onError` receives errors of threads; the tasks of other threads continue. */
export function startPools(
  workerFile: string,
  sizes: PoolSizes,
  read: FailureReader,
  onError: (pool: keyof WorkerPools, error: Error) => void = () => {},
): WorkerPools & { close(): Promise<void> } {
  const cores = availableParallelism();
  const start = (name: keyof WorkerPools, threads: number, kept = true, nice = 0): ThreadPool => {
    const failed = (error: Error): void => onError(name, error);
    return new ThreadPool({ workerFile, threads, kept, nice, read, onError: failed });
  };
  const search = start('search', sizes.search || cores);
  const write = start('write', sizes.write || Math.ceil(cores / 2));
  const awaited = start('awaited', AWAITED_THREADS, false);
  const background = start('background', sizes.background, true, BACKGROUND_NICE);
  return {
    search,
    write,
    awaited,
    background,
    async close(): Promise<void> {
      await Promise.all([search, write, awaited, background].map((pool) => pool.close()));
    },
  };
}
