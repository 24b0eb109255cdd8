// Searches that cost less than handing them to another thread and back: a caller that looks up a few documents by id, or the
// links of a few nodes, says so, and they run on this thread. Only where the index is known to be open and such searches
// have not been slow of late; every other one goes to the pool.
import type { FetchTask, ShardRef } from '../worker/tasks.js';

/** An index that the pool has searched so long ago may have been closed for idleness, or its pages may be gone. */
const OPEN_MS = 5000;
/** Longer than this is too long for this thread; once may be the machine's fault, three times in a row is not. */
const SLOW_MS = 0.5;
const STRIKES = 3;
/** Indexes that are remembered. */
const REMEMBERED = 1000;

/** What runs on this thread: the addon. */
export interface QuickEngine {
  search(shards: Uint32Array, plan: Uint8Array): ArrayBuffer;
  fetch(
    index: number,
    shard: number,
    generation: bigint,
    docs: Uint32Array,
    plan: Uint8Array,
  ): ArrayBuffer;
}

interface Known {
  /** Searched last, on whatever thread. */
  seen: number;
  strikes: number;
  slowUntil: number;
}

export class QuickSearches {
  readonly #known = new Map<number, Known>();
  readonly #engine: QuickEngine;
  readonly #now: () => number;

  /** `now`: milliseconds. */
  constructor(engine: QuickEngine, now: () => number) {
    this.#engine = engine;
    this.#now = now;
  }

  /** The pool has searched it. */
  seen(index: number): void {
    const known = this.#known.get(index);
    if (known !== undefined) known.seen = this.#now();
    else {
      if (this.#known.size >= REMEMBERED) this.#known.clear();
      this.#known.set(index, { seen: this.#now(), strikes: 0, slowUntil: 0 });
    }
  }

  /** The reply; undefined: ask the pool, which also tells what is wrong. */
  search({ index, shard }: ShardRef, plan: Uint8Array): ArrayBuffer | undefined {
    return this.#run(index, () => this.#engine.search(Uint32Array.of(index, shard), plan));
  }
  fetch({ index, shard, generation, docs }: FetchTask, plan: Uint8Array): ArrayBuffer | undefined {
    return this.#run(index, () => this.#engine.fetch(index, shard, generation, docs, plan));
  }

  #run(index: number, work: () => ArrayBuffer): ArrayBuffer | undefined {
    const known = this.#known.get(index);
    const started = this.#now();
    if (known === undefined || started - known.seen > OPEN_MS) return undefined;
    if (started < known.slowUntil) return undefined;
    try {
      return work();
    } catch {
      return undefined;
    } finally {
      known.seen = this.#now();
      known.strikes = known.seen - started > SLOW_MS ? known.strikes + 1 : 0;
      if (known.strikes >= STRIKES) {
        known.strikes = 0;
        known.slowUntil = known.seen + OPEN_MS;
      }
    }
  }
}
