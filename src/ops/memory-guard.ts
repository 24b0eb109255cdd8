// Rejects work while the process uses too much memory: first writes, then everything that may need
// much, never probes. The memory is measured only when work is checked, so an idle node needs no
// timer; the guard recovers by itself.
import { QuarryError } from '../errors.js';
import type { MemoryUse } from './process-memory.js';

export type Guarded = 'write' | 'search';

export interface MemoryGuardOptions {
  /** Bytes from which writes are rejected; called at every measurement. */
  readonly limit: () => number;
  readonly read: () => MemoryUse;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Called while memory is short; starts to free memory and returns immediately. */
  readonly relieve: () => void;
  readonly onRefusal: (kind: Guarded) => void;
}

/** Minimum time between two measurements; little memory can be allocated within it. */
const LOOK_MS = 50;
/** Minimum time between two attempts to free memory, each of which briefly blocks the process. */
const RELIEVE_MS = 3000;
/** Searches are rejected from this multiple of the limit. */
const SEARCHES_AT = 1.125;
/** Work is accepted again below this fraction of the limit (hysteresis). */
const CLEARS_AT = 15 / 16;
/** Usable fraction of the JavaScript heap; the rest is reserved for work in progress. */
const HEAP_SHARE = 0.85;

export class MemoryGuard {
  readonly #options: MemoryGuardOptions;
  readonly #refused: Record<Guarded, boolean> = { write: false, search: false };
  #use: MemoryUse = { anonymous: 0, heap: 0, heapLimit: 1 };
  #lookedAt = Number.NEGATIVE_INFINITY;
  #relievedAt = Number.NEGATIVE_INFINITY;

  constructor(options: MemoryGuardOptions) {
    this.#options = options;
  }

  get limit(): number {
    return this.#options.limit();
  }

  /** Bytes that count against the limit, as last measured. */
  get used(): number {
    this.#look();
    return this.#use.anonymous;
  }

  /** Throws circuit_breaking_exception while memory for this kind of work is short. */
  check(kind: Guarded): void {
    this.#look();
    if (!this.#refused[kind]) return;
    this.#options.onRefusal(kind);
    const { heap, heapLimit, anonymous } = this.#use;
    const limit = this.limit;
    const byHeap = heap / (heapLimit * HEAP_SHARE) > anonymous / limit;
    const [wanted, most, what] = byHeap
      ? [
          heap,
          Math.floor(heapLimit * HEAP_SHARE),
          'the JavaScript heap allows (--max-old-space-size)',
        ]
      : [anonymous, limit, '[limits.memory_bytes] allows'];
    throw new QuarryError(
      'circuit_breaking_exception',
      `[memory] Data too large: the process holds ${wanted} bytes, more than the ${most} bytes that ${what}; retry later`,
      {
        extra: { bytes_wanted: wanted, bytes_limit: most, durability: 'TRANSIENT' },
        headers: { 'Retry-After': '1' },
      },
    );
  }

  #look(): void {
    const now = this.#options.now();
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    const { anonymous, heap, heapLimit } = this.#options.read();
    this.#use = { anonymous, heap, heapLimit };
    const part = Math.max(anonymous / this.limit, heap / (heapLimit * HEAP_SHARE));
    this.#refused.write = part >= (this.#refused.write ? CLEARS_AT : 1);
    this.#refused.search = part >= SEARCHES_AT * (this.#refused.search ? CLEARS_AT : 1);
    if (!this.#refused.write || now - this.#relievedAt < RELIEVE_MS) return;
    this.#relievedAt = now;
    this.#options.relieve();
  }
}
