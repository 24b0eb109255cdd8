// The pools of worker threads over one worker file: search (latency), write (bulk, refresh, administration), awaited (long work
// that somebody waits for: flushes, forced merges) and background (merges of the policy, at a lower priority). Nothing else in
// the process starts threads.
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { QuarryError } from '../errors.js';
import type {
  Outcome,
  SearchTask,
  TaskArgs,
  TaskFailure,
  TaskName,
  TaskResult,
  WorkerSettings,
} from '../worker/tasks.js';
import { LightSearches } from './light-searches.js';

export interface PoolSizes {
  /** 0: one thread for each core. */
  readonly search: number;
  /** 0: one thread for every two cores. */
  readonly write: number;
  readonly background: number;
}

/** Runs a task by name; a refusal of the engine rejects with its QuarryError. */
export interface TaskRunner {
  run<N extends TaskName>(
    name: N,
    args: TaskArgs<N>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<TaskResult<N>>;
}

/** A runner with threads, and how busy they are. */
export interface WorkerPool extends TaskRunner {
  readonly threads: number;
  /** Tasks that wait for a thread. */
  readonly queued: number;
  /** Threads that would start a task at once. */
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

/** How much less than a search a background thread weighs with the scheduler. */
const BACKGROUND_NICE = 10;
/** A flush beside a forced merge. Such threads live while there is work for them. */
const AWAITED_THREADS = 2;
const IDLE_MS = 10_000;

class PiscinaPool implements WorkerPool {
  readonly threads: number;
  readonly #piscina: Piscina;
  readonly #read: FailureReader;
  #running = 0;
  readonly #lightSearches = new LightSearches();

  /** `kept`: threads that are there from the start and always. */
  constructor(
    workerFile: string,
    threads: number,
    kept: number,
    nice: number,
    read: FailureReader,
  ) {
    this.threads = threads;
    this.#read = read;
    const settings: WorkerSettings = { nice };
    this.#piscina = new Piscina({
      filename: workerFile,
      minThreads: kept,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      maxQueue: Number.POSITIVE_INFINITY, // admission is decided before a task is made: gate.ts
      workerData: settings,
      recordTiming: false,
    });
  }

  get queued(): number {
    return Math.max(0, this.#running - this.threads) + this.#lightSearches.waiting;
  }
  get idle(): number {
    return Math.max(0, this.threads - this.#running);
  }

  async run<N extends TaskName>(
    name: N,
    args: TaskArgs<N>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<TaskResult<N>> {
    if (name === 'search' && this.#running >= this.threads) {
      const task = args as TaskArgs<'search'>;
      if (task.light === true) return this.#wait(task) as Promise<TaskResult<N>>;
    }
    this.#running += 1;
    try {
      const outcome = (await this.#piscina.run(args, {
        name,
        transferList: [...transfer],
      })) as Outcome<TaskResult<N>>;
      if ('failure' in outcome) throw this.#read(outcome.failure);
      return outcome.value;
    } finally {
      this.#running -= 1;
      this.#runWaiting();
    }
  }

  async #wait(task: SearchTask): Promise<ArrayBuffer> {
    const outcome = await this.#lightSearches.wait(task);
    if ('failure' in outcome) throw this.#read(outcome.failure);
    return outcome.value;
  }

  /** A thread is free. */
  #runWaiting(): void {
    this.#lightSearches.run(this.threads, (tasks) => this.run('searches', tasks));
  }

  /** Lets running and queued tasks finish. */
  async close(): Promise<void> {
    await this.#piscina.close();
  }
}

/** Starts all threads. `workerFile`: the compiled src/worker/shard-worker.ts. */
export function startPools(
  workerFile: string,
  sizes: PoolSizes,
  read: FailureReader,
): WorkerPools & { close(): Promise<void> } {
  const cores = availableParallelism();
  const kept = (threads: number, nice = 0): PiscinaPool =>
    new PiscinaPool(workerFile, threads, threads, nice, read);
  const search = kept(sizes.search || cores);
  const write = kept(sizes.write || Math.ceil(cores / 2));
  const awaited = new PiscinaPool(workerFile, AWAITED_THREADS, 0, 0, read);
  const background = kept(sizes.background, BACKGROUND_NICE);
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
