// Refuses work while the process holds too much memory: writes first, then everything that may need much, probes never.
// It looks when somebody asks, so that an idle node has no timer for it, and clears by itself.
import { QuarryError } from '../errors.js';
import type { MemoryUse } from './process-memory.js';

export type Guarded = 'write' | 'search';

export interface MemoryGuardOptions {
  /** Bytes from which writes are refused. Read at every look. */
  readonly limit: () => number;
  readonly read: () => MemoryUse;
  /** Milliseconds of a clock that does not go back. */
  readonly now: () => number;
  /** Asked for while there is too much; starts what frees memory and returns. */
  readonly relieve: () => void;
  readonly onRefusal: (kind: Guarded) => void;
}

/** Looks are not nearer to each other: in this time not much can pile up. */
const LOOK_MS = 50;
/** Between two attempts to free memory: each holds up everything for a moment. */
const RELIEVE_MS = 3000;
/** Searches are refused this much later than writes. */
const SEARCHES_AT = 1.125;
/** What was refused is accepted again below this share of the limit, so that it does not flicker. */
const CLEARS_AT = 15 / 16;
/** Of the JavaScript heap: the rest is left for what runs already. */
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

  /** Bytes that count against the limit, as of a moment ago. */
  get used(): number {
    this.#look();
    return this.#use.anonymous;
  }

  /** circuit_breaking_exception while there is no memory for work of this kind. */
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
