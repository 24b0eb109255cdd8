// Limits the requests per second of each caller by a token bucket that holds the tokens of one
// second. The least recently seen callers are forgotten; by then their buckets are full.
import { BoundedMap } from '../base/bounded-map.js';

const REMEMBERED = 10_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

export class RateLimit {
  readonly #perSecond: () => number;
  readonly #now: () => number;
  readonly #buckets = new BoundedMap<string, Bucket>(REMEMBERED);

  /**
   * `perSecond` returns the current rate, 0 for no limit. `now` is a monotonic clock in
   * milliseconds.
   */
  constructor(perSecond: () => number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /**
   * Takes a token and returns 0, or returns the number of seconds (at least 1) until one is
   * available.
   */
  take(caller: string): number {
    const rate = this.#perSecond();
    if (rate === 0) return 0;
    const now = this.#now();
    const { tokens, atMs } = this.#buckets.get(caller) ?? { tokens: rate, atMs: now };
    const filled = Math.min(rate, tokens + (Math.max(0, now - atMs) / 1000) * rate);
    const left = filled >= 1 ? filled - 1 : filled;
    this.#buckets.set(caller, { tokens: left, atMs: now });
    return filled >= 1 ? 0 : Math.max(1, Math.ceil((1 - filled) / rate));
  }
}
