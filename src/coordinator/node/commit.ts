// Group commit: a write is acknowledged when the log is durable up to its position. One sync runs
// at a time; the next one covers every write that arrived meanwhile, so that concurrent writers
// share the cost of one fdatasync.
import type { QuarryError } from '../../errors.js';

export interface CommitOptions {
  /**
   * Makes the log durable; resolves to the durable position. A rejection is final for this process.
   */
  readonly syncWal: () => Promise<bigint>;
  /** Converts an error of a sync to the error of the writes that waited for it. */
  readonly toError: (thrown: unknown) => QuarryError;
  /** Called once, with the first failure. */
  readonly onFailure: (error: QuarryError) => void;
  readonly onSync: (seconds: number) => void;
  /** Milliseconds between syncs for writes that do not wait. */
  readonly intervalMs: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface Waiter {
  readonly position: bigint;
  readonly resolve: () => void;
  readonly reject: (error: QuarryError) => void;
}

export class GroupCommit {
  readonly #options: CommitOptions;
  #waiters: Waiter[] = [];
  #durable = 0n;
  /** The highest position that must become durable although no write waits for it. */
  #lazy = 0n;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #failure: QuarryError | null = null;

  constructor(options: CommitOptions) {
    this.#options = options;
  }

  /**
   * Resolves when everything below `position` is on stable storage. Rejects with store_exception
   * when it never will be.
   */
  durable(position: bigint): Promise<void> {
    if (position <= this.#durable) return Promise.resolve();
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ position, resolve, reject });
      this.#start();
    });
  }

  /**
   * Durability `async`: the position becomes durable within the interval, and no write waits for
   * it.
   */
  later(position: bigint): void {
    if (position <= this.#durable || this.#failure !== null) return;
    if (position > this.#lazy) this.#lazy = position;
    this.#timer ??= setTimeout(() => this.#flushLazy(), this.#options.intervalMs());
  }

  /** Syncs what is outstanding and stops the timer. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#lazy > this.#durable && this.#failure === null) this.#flushLazy();
    await this.#running;
  }

  #flushLazy(): void {
    this.#timer = null;
    // The failure was reported by onFailure; no write waits for this one.
    this.durable(this.#lazy).catch(() => {});
  }

  #start(): void {
    this.#running ??= this.#loop().finally(() => {
      this.#running = null;
    });
  }

  async #loop(): Promise<void> {
    while (this.#waiters.length > 0) {
      const batch = this.#waiters;
      this.#waiters = [];
      const started = this.#options.now();
      try {
        const position = await this.#options.syncWal();
        this.#options.onSync((this.#options.now() - started) / 1000);
        if (position > this.#durable) this.#durable = position;
        this.#settle(batch);
      } catch (thrown) {
        this.#fail(batch, this.#options.toError(thrown));
        return;
      }
    }
  }

  /** A position that the sync did not reach waits for the next one. */
  #settle(batch: readonly Waiter[]): void {
    for (const waiter of batch) {
      if (waiter.position <= this.#durable) waiter.resolve();
      else this.#waiters.push(waiter);
    }
  }

  #fail(batch: readonly Waiter[], error: QuarryError): void {
    this.#failure = error;
    this.#options.onFailure(error);
    const waiting = [...batch, ...this.#waiters];
    this.#waiters = [];
    for (const waiter of waiting) waiter.reject(error);
  }
}
