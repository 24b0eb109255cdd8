// Requests a second of one caller: a bucket that fills at that rate and holds one second's worth. Callers that were not seen
// for longest are forgotten, with full buckets.
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

  /** `perSecond`: at present; 0: no limit. `now`: milliseconds of a clock that nobody sets. */
  constructor(perSecond: () => number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** 0: take it. Otherwise the seconds, one at least, after which another one fits. */
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
