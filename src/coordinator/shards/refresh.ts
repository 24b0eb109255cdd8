// When written documents become searchable: one timer for all shards, armed only while some shard has unpublished
// writes. Each index has its own interval; a shard without writes costs nothing.
import type { ShardRef } from '../../worker/tasks.js';

export interface RefreshOptions {
  /** Refreshes one shard; rejections are reported to `onError` and tried again. */
  readonly refresh: (shard: ShardRef) => Promise<unknown>;
  /** Milliseconds of the index's refresh interval; negative: only when asked. Undefined: the index is gone. */
  readonly intervalMs: (index: number) => number | undefined;
  readonly onError: (shard: ShardRef, error: unknown) => void;
  /** Refreshes that may run at once, so that writes still find a thread. */
  readonly concurrency: number;
  readonly now: () => number;
}

interface Pending {
  readonly shard: ShardRef;
  due: number;
  /** When the oldest of its unpublished writes came. */
  readonly since: number;
  readonly waiters: (() => void)[];
}

/** Time until a refresh that failed is tried again. */
const RETRY_MS = 1000;

export function shardKey(shard: ShardRef): string {
  return `${shard.index}/${shard.shard}`;
}

export class RefreshScheduler {
  readonly #options: RefreshOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #ready: Pending[] = [];
  /** Shards whose refresh has begun: the refreshes that have not ended. */
  readonly #busy = new Map<string, Set<Promise<unknown>>>();
  #running = 0;
  #timer: NodeJS.Timeout | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(options: RefreshOptions) {
    this.#options = options;
  }

  /** These shards took writes that no refresh has published. */
  touched(shards: readonly ShardRef[]): void {
    if (this.#closed) return;
    for (const shard of shards) this.#armAt(this.#entry(shard).due);
  }

  /** Resolves when a refresh that starts from now on has published each shard; at once where none is due by itself. */
  async published(shards: readonly ShardRef[]): Promise<void> {
    const waits = shards.map((shard) => {
      const entry = this.#entry(shard);
      if (entry.due === Number.POSITIVE_INFINITY || this.#closed) return this.#now(shard);
      this.#armAt(entry.due);
      return new Promise<void>((resolve) => entry.waiters.push(resolve));
    });
    await Promise.all(waits);
  }

  /** True while the shard may have writes that no search sees yet. */
  knows(shard: ShardRef): boolean {
    const key = shardKey(shard);
    return (
      this.#pending.has(key) ||
      this.#busy.has(key) ||
      this.#ready.some((entry) => shardKey(entry.shard) === key)
    );
  }

  /**
   * Resolves when every write that touched() told of is published: refreshes a shard that waits, joins a refresh that
   * runs, and costs nothing where neither is so.
   */
  async settled(shards: readonly ShardRef[]): Promise<void> {
    await Promise.all(shards.filter((shard) => this.knows(shard)).map((one) => this.#settle(one)));
  }

  /** Refreshes now, whatever the interval. Rejects with the first failure, after all have ended. */
  async now(shards: readonly ShardRef[]): Promise<void> {
    const results = await Promise.allSettled(shards.map((shard) => this.#now(shard)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Milliseconds that the oldest write waits whose index is refreshed by itself; 0: none does. */
  lagMs(): number {
    const now = this.#options.now();
    let lag = 0;
    for (const entry of [...this.#pending.values(), ...this.#ready]) {
      if (entry.due !== Number.POSITIVE_INFINITY) lag = Math.max(lag, now - entry.since);
    }
    return lag;
  }

  /** The interval of an index has changed. */
  rescheduled(index: number): void {
    for (const entry of this.#pending.values()) {
      if (entry.shard.index === index) entry.due = this.#due(index);
    }
    this.#rearm();
  }

  /** Nothing is refreshed by itself any more; who waits is released. */
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
    // What was written before they began is in one of them.
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

  /** From here on a write counts for the next refresh. */
  #take(shard: ShardRef): Pending {
    const key = shardKey(shard);
    const entry = this.#pending.get(key);
    this.#pending.delete(key);
    return entry ?? { shard, due: 0, since: this.#options.now(), waiters: [] };
  }

  /** The timer goes off at `due` at the latest. */
  #armAt(due: number): void {
    if (due >= this.#armedFor || this.#closed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#armedFor = due;
    const delay = Math.max(0, Math.min(due - this.#options.now(), 2 ** 31 - 1));
    this.#timer = setTimeout(() => this.#tick(), delay);
  }

  /** After entries went or changed: the timer goes off at the earliest due of all. */
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
