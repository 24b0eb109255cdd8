// Schedules refreshes, which make written documents searchable: one timer for all shards, set only
// while some shard has unpublished writes. Each index has its own interval.
import type { ShardRef } from '../../worker/tasks.js';

export interface RefreshOptions {
  /** Refreshes one shard. A scheduled refresh that rejects is reported to `onError` and retried. */
  readonly refresh: (shard: ShardRef) => Promise<unknown>;
  /**
   * The refresh interval of the index in milliseconds; negative: only on request. Undefined: the
   * index is gone.
   */
  readonly intervalMs: (index: number) => number | undefined;
  readonly onError: (shard: ShardRef, error: unknown) => void;
  /**
   * One more (1) or one less (-1) of the shards of an index has writes that searches do not see;
   * called before touched() returns.
   */
  readonly onUnpublished?: (index: number, change: 1 | -1) => void;
  /** Maximum number of concurrent scheduled refreshes, so that threads remain for writes. */
  readonly concurrency: number;
  readonly now: () => number;
}

interface Pending {
  readonly shard: ShardRef;
  due: number;
  /** Time of its oldest unpublished write. */
  readonly since: number;
  readonly waiters: (() => void)[];
}

/** Milliseconds until a failed refresh is retried. */
const RETRY_MS = 1000;

export function shardKey(shard: ShardRef): string {
  return `${shard.index}/${shard.shard}`;
}

export class RefreshScheduler {
  readonly #options: RefreshOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #ready: Pending[] = [];
  /** The shards that onUnpublished() was told of. */
  readonly #unpublished = new Set<string>();
  /** The refreshes in progress, by shard. */
  readonly #busy = new Map<string, Set<Promise<unknown>>>();
  #running = 0;
  #timer: NodeJS.Timeout | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(options: RefreshOptions) {
    this.#options = options;
  }

  /** Reports that these shards have writes that no refresh has published. */
  touched(shards: readonly ShardRef[]): void {
    if (this.#closed) return;
    for (const shard of shards) {
      this.#armAt(this.#entry(shard).due);
      const key = shardKey(shard);
      if (this.#unpublished.has(key)) continue;
      this.#unpublished.add(key);
      this.#options.onUnpublished?.(shard.index, 1);
    }
  }

  /**
   * Resolves when a refresh that starts after this call has published each shard. A shard without
   * scheduled refreshes is refreshed at once.
   */
  async published(shards: readonly ShardRef[]): Promise<void> {
    const waits = shards.map((shard) => {
      const entry = this.#entry(shard);
      if (entry.due === Number.POSITIVE_INFINITY || this.#closed) return this.#now(shard);
      this.#armAt(entry.due);
      return new Promise<void>((resolve) => entry.waiters.push(resolve));
    });
    await Promise.all(waits);
  }

  /** Whether the shard may have writes that searches do not see yet. */
  knows(shard: ShardRef): boolean {
    const key = shardKey(shard);
    return (
      this.#pending.has(key) ||
      this.#busy.has(key) ||
      this.#ready.some((entry) => shardKey(entry.shard) === key)
    );
  }

  /**
   * Resolves when every write that touched() reported is published: refreshes a shard with pending
   * writes, or waits for a refresh in progress. Does nothing for other shards.
   */
  async settled(shards: readonly ShardRef[]): Promise<void> {
    await Promise.all(shards.filter((shard) => this.knows(shard)).map((one) => this.#settle(one)));
  }

  /** Refreshes now, whatever the interval. Rejects with the first failure, after all have ended. */
  async now(shards: readonly ShardRef[]): Promise<void> {
    const results = await Promise.allSettled(shards.map((shard) => this.#now(shard)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Age in ms of the oldest unpublished write of an index with scheduled refreshes; 0: none. */
  lagMs(): number {
    const now = this.#options.now();
    let lag = 0;
    for (const entry of [...this.#pending.values(), ...this.#ready]) {
      if (entry.due !== Number.POSITIVE_INFINITY) lag = Math.max(lag, now - entry.since);
    }
    return lag;
  }

  /** Applies a changed refresh interval of an index. */
  rescheduled(index: number): void {
    for (const entry of this.#pending.values()) {
      if (entry.shard.index === index) entry.due = this.#due(index);
    }
    this.#rearm();
  }

  /** Ends scheduled refreshes and resolves the promises of pending ones. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const entry of this.#pending.values()) release(entry);
    this.#pending.clear();
  }

  async #now(shard: ShardRef): Promise<void> {
    const entry = this.#take(shard);
    try {
      await this.#run(shard);
      release(entry);
    } catch (error) {
      this.#retry(entry, error);
      throw error;
    }
  }

  async #settle(shard: ShardRef): Promise<void> {
    const running = this.#pending.has(shardKey(shard))
      ? undefined
      : this.#busy.get(shardKey(shard));
    if (running === undefined) return this.#now(shard);
    // The refreshes in progress include all writes that were reported before they began.
    const ended = await Promise.allSettled(running);
    if (ended.some(({ status }) => status === 'rejected')) await this.#now(shard);
  }

  async #run(shard: ShardRef): Promise<void> {
    const key = shardKey(shard);
    const running = this.#busy.get(key) ?? new Set();
    this.#busy.set(key, running);
    const work = this.#options.refresh(shard);
    running.add(work);
    try {
      await work;
    } finally {
      running.delete(work);
      if (running.size === 0) this.#busy.delete(key);
    }
    this.#publishedAll(shard);
  }

  /** Reports the shard, unless more was written to it meanwhile. */
  #publishedAll(shard: ShardRef): void {
    if (this.knows(shard) || !this.#unpublished.delete(shardKey(shard))) return;
    this.#options.onUnpublished?.(shard.index, -1);
  }

  #due(index: number): number {
    const interval = this.#options.intervalMs(index) ?? 0;
    return interval < 0 ? Number.POSITIVE_INFINITY : this.#options.now() + interval;
  }

  #entry(shard: ShardRef): Pending {
    const key = shardKey(shard);
    let entry = this.#pending.get(key);
    if (entry === undefined) {
      const since = this.#options.now();
      entry = { shard, due: this.#due(shard.index), since, waiters: [] };
      this.#pending.set(key, entry);
    }
    return entry;
  }

  /** Removes the pending entry, so that later writes belong to the next refresh. */
  #take(shard: ShardRef): Pending {
    const key = shardKey(shard);
    const entry = this.#pending.get(key);
    this.#pending.delete(key);
    return entry ?? { shard, due: 0, since: this.#options.now(), waiters: [] };
  }

  /** Sets the timer to `due`, unless it fires earlier. */
  #armAt(due: number): void {
    if (due >= this.#armedFor || this.#closed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#armedFor = due;
    const delay = Math.max(0, Math.min(due - this.#options.now(), 2 ** 31 - 1));
    this.#timer = setTimeout(() => this.#tick(), delay);
  }

  /** Sets the timer to the earliest due time, after entries were removed or changed. */
  #rearm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const entry of this.#pending.values()) next = Math.min(next, entry.due);
    this.#armAt(next);
  }

  #tick(): void {
    const now = this.#options.now();
    for (const [key, entry] of this.#pending) {
      if (entry.due > now) continue;
      this.#pending.delete(key);
      this.#ready.push(entry);
    }
    while (this.#running < this.#options.concurrency && this.#ready.length > 0) void this.#worker();
    this.#rearm();
  }

  async #worker(): Promise<void> {
    this.#running += 1;
    for (let entry = this.#ready.shift(); entry !== undefined; entry = this.#ready.shift()) {
      await this.#one(entry);
    }
    this.#running -= 1;
  }

  async #one(entry: Pending): Promise<void> {
    try {
      await this.#run(entry.shard);
      release(entry);
    } catch (error) {
      this.#retry(entry, error);
    }
  }

  #retry(entry: Pending, error: unknown): void {
    if (this.#closed || this.#options.intervalMs(entry.shard.index) === undefined) {
      release(entry);
      this.#publishedAll(entry.shard);
      return;
    }
    this.#options.onError(entry.shard, error);
    const again = this.#entry(entry.shard);
    again.due = this.#options.now() + RETRY_MS;
    again.waiters.push(...entry.waiters);
    this.#rearm();
  }
}

function release(entry: Pending): void {
  for (const resolve of entry.waiters) resolve();
}
