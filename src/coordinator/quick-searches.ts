// Searches that cost less than handing them to another thread and back, which run on this one: those of a caller that says so
// (a few documents by id, the links of a few nodes), and light ones in small indexes while this thread has time. Only where the
// index is known to be open and such searches have not been slow of late; every other one goes to the pool.
import type { FetchTask, ShardRef } from '../worker/tasks.js';

/** An index that the pool has searched so long ago may have been closed for idleness, or its pages may be gone. */
const OPEN_MS = 5000;
/** Longer than this is too long for this thread; once may be the machine's fault, three times in a row is not. */
const SLOW_MS = 0.5;
const STRIKES = 3;
/** What the way to another thread and back takes; an index whose light searches mostly take longer is the pool's. */
const WAY_MS = 0.2;
/** A slow one counts for so many that are quick: a machine with much to do stops one in ten for a while. */
const SLOW_COUNTS = 4;
/** Longer ones more than quick ones, at which the pool has them. */
const MOSTLY = 16;
/** Documents that a search may look at, at worst: its weight for each of the index. */
const LIGHT_LOOKS = 1_000_000;
/** Of light searches before other requests get their turn: many may come in one request. */
const TURN_MS = 2;
/** Indexes that are remembered. */
const REMEMBERED = 1000;

export interface QuickEngine {
  /** These run on this thread. */
  search(shards: Uint32Array, plan: Uint8Array): ArrayBuffer;
  fetch(
    index: number,
    shard: number,
    generation: bigint,
    docs: Uint32Array,
    plan: Uint8Array,
  ): ArrayBuffer;
  /** How many an index holds; may take a while. */
  documents(index: number): Promise<number>;
  /** This thread has little time left: light searches are better off elsewhere. */
  busy(): boolean;
}

interface Known {
  /** Searched last, on whatever thread. */
  seen: number;
  strikes: number;
  /** Of late: light searches above WAY_MS less those below. */
  above: number;
  slowUntil: number;
  /** Infinity: not known yet. */
  documents: number;
  /** When they were counted last. */
  countedAt: number;
}

export class QuickSearches {
  readonly #known = new Map<number, Known>();
  readonly #engine: QuickEngine;
  readonly #now: () => number;
  /** Milliseconds of light searches in this turn of the event loop. */
  #spent = 0;

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
      const nothing = { strikes: 0, above: 0, slowUntil: 0, documents: Infinity };
      this.#known.set(index, { ...nothing, seen: this.#now(), countedAt: -Infinity });
    }
  }

  /** The reply; undefined: ask the pool, which also tells what is wrong. `weight`: see weightOf(); 0: of a few documents. */
  search({ index, shard }: ShardRef, plan: Uint8Array, weight: number): ArrayBuffer | undefined {
    if (weight > 0 && !this.#isLight(index, weight)) return undefined;
    const started = this.#now();
    const work = (): ArrayBuffer => this.#engine.search(Uint32Array.of(index, shard), plan);
    const reply = this.#run(index, work, weight > 0);
    if (weight > 0) this.#spend(this.#now() - started);
    return reply;
  }
  fetch({ index, shard, generation, docs }: FetchTask, plan: Uint8Array): ArrayBuffer | undefined {
    const work = (): ArrayBuffer => this.#engine.fetch(index, shard, generation, docs, plan);
    return this.#run(index, work, false);
  }

  #isLight(index: number, weight: number): boolean {
    if (weight > LIGHT_LOOKS || this.#spent > TURN_MS || this.#engine.busy()) return false;
    const known = this.#known.get(index);
    if (known === undefined) return false;
    if (this.#now() - known.countedAt > OPEN_MS) this.#count(index, known);
    return weight * known.documents <= LIGHT_LOOKS;
  }

  /** What was counted before holds until it is counted again. */
  #count(index: number, known: Known): void {
    known.countedAt = this.#now();
    this.#engine.documents(index).then(
      (documents) => {
        known.documents = documents;
      },
      () => {
        known.documents = Infinity;
      },
    );
  }

  #spend(ms: number): void {
    if (this.#spent === 0) {
      setImmediate(() => {
        this.#spent = 0;
      });
    }
    this.#spent += Math.max(ms, Number.MIN_VALUE);
  }

  #run(index: number, work: () => ArrayBuffer, light: boolean): ArrayBuffer | undefined {
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
      this.#judge(known, known.seen - started, light);
    }
  }

  #judge(known: Known, ms: number, light: boolean): void {
    if (light) {
      const counts = ms > SLOW_MS ? SLOW_COUNTS : ms > WAY_MS ? 1 : -1;
      known.above = Math.max(0, known.above + counts);
    } else known.strikes = ms > SLOW_MS ? known.strikes + 1 : 0;
    if (known.strikes < STRIKES && known.above < MOSTLY) return;
    known.strikes = 0;
    known.above = 0;
    known.slowUntil = known.seen + OPEN_MS;
  }
}
