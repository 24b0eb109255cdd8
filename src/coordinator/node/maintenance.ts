// Flushes, merges and the closing of idle indexes: polls the engine for work after writes, runs it
// on the worker pools, and blocks writers while a shard fills faster than it can be flushed, so
// that memory remains bounded.
import type { ShardRef } from '../../worker/tasks.js';
import { shardKey } from '../shards/refresh.js';

export interface MaintenanceOptions {
  /** Pairs of index number and shard, as the engine lists them. */
  readonly flushCandidates: () => Uint32Array;
  readonly mergeCandidates: () => Uint32Array;
  readonly flush: (shard: ShardRef) => Promise<void>;
  /** One merge step; true when something was merged. */
  readonly merge: (shard: ShardRef) => Promise<boolean>;
  readonly maxMerges: () => number;
  /** Closes some idle indexes and returns their number. */
  readonly closeIdle: () => number;
  readonly onError: (job: 'flush' | 'merge', shard: ShardRef, error: unknown) => void;
  /** Damage that the engine found and works around; each is reported once. */
  readonly warnings: () => readonly string[];
  readonly onWarning: (warning: string) => void;
}

/** Delay of a check after a write, in milliseconds. */
const CHECK_MS = 500;
/** Written bytes after which a check runs immediately. */
const CHECK_BYTES = 4 * 1024 * 1024;
/** Interval of checks without writes: a search may have opened a shard that needs repair. */
const IDLE_MS = 10_000;
/**
 * Pause between two rounds of closing idle indexes, so that thousands of them do not block the
 * thread.
 */
const CLOSE_MS = 50;
/** Pause after a job failed (a full disk) before any job is retried. */
const RETRY_MS = 1000;

export function shardPairs(pairs: Uint32Array): readonly ShardRef[] {
  const shards: ShardRef[] = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    shards.push({ index: pairs[i] ?? 0, shard: pairs[i + 1] ?? 0 });
  }
  return shards;
}

export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #flushing = new Map<string, Promise<void>>();
  readonly #merging = new Map<string, Promise<void>>();
  /** Shards that are full again while they are being flushed. */
  readonly #pressed = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #timerMs = 0;
  #bytes = 0;
  #closed = false;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  /** A write of `bytes` bytes was applied. */
  wrote(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= CHECK_BYTES) this.check();
    else this.#later(CHECK_MS);
  }

  /** Waits while some shard must be flushed before it may accept more writes. */
  async relieved(): Promise<void> {
    while (this.#pressed.size > 0) await Promise.all(this.#pressed.values());
  }

  /** Checks the engine now and starts the jobs that are due. */
  check(): void {
    if (this.#closed) return;
    this.#bytes = 0;
    let closed = 0;
    try {
      for (const warning of this.#options.warnings()) this.#options.onWarning(warning);
      this.#startFlushes();
      this.#startMerges();
      closed = this.#options.closeIdle();
    } finally {
      // Also when the engine throws, because no other timer would start the next check.
      this.#later(closed > 0 ? CLOSE_MS : IDLE_MS);
    }
  }

  /** Prevents new jobs and resolves when the running ones have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await Promise.all([...this.#flushing.values(), ...this.#merging.values()]);
  }

  #later(ms: number): void {
    if (this.#closed || (this.#timer !== null && this.#timerMs <= ms)) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerMs = ms;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.check();
    }, ms);
    this.#timer.unref();
  }

  #startFlushes(): void {
    for (const shard of shardPairs(this.#options.flushCandidates())) {
      const key = shardKey(shard);
      const running = this.#flushing.get(key);
      if (running === undefined) this.#track(this.#flushing, key, this.#flush(shard));
      else if (!this.#pressed.has(key)) this.#track(this.#pressed, key, running);
    }
  }

  #startMerges(): void {
    for (const shard of shardPairs(this.#options.mergeCandidates())) {
      if (this.#merging.size >= this.#options.maxMerges()) return;
      const key = shardKey(shard);
      if (!this.#merging.has(key)) this.#track(this.#merging, key, this.#merge(shard));
    }
  }

  #track(jobs: Map<string, Promise<void>>, key: string, job: Promise<void>): void {
    const tracked = job.finally(() => jobs.delete(key));
    jobs.set(key, tracked);
  }

  async #flush(shard: ShardRef): Promise<void> {
    try {
      await this.#options.flush(shard);
      this.#later(0);
    } catch (error) {
      this.#options.onError('flush', shard, error);
      this.#later(RETRY_MS);
    }
  }

  async #merge(shard: ShardRef): Promise<void> {
    try {
      if (await this.#options.merge(shard)) this.#later(0);
    } catch (error) {
      this.#options.onError('merge', shard, error);
      this.#later(RETRY_MS);
    }
  }
}
