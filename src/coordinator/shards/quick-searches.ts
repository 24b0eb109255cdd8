// Inline execution: searches that cost less than handing them to another thread and back. They are
// those of a caller that says so (a few documents by id, the links of a few nodes), light ones in small
// indexes while this thread has time, and single documents while nobody writes. The index must be known
// to be open, and such searches must not have been slow recently; every other one goes to the pool.
import type { Addon } from '../../native/addon.js';
import type { FetchTask, GetTask, ShardRef } from '../../worker/tasks.js';
import type { Stopwatch } from './stopwatch.js';

/** An index that the pool has searched so long ago may have been closed for idleness, or its pages may be gone. */
const OPEN_MS = 5000;
/** Longer than this is too long for this thread; once may be the machine's fault, three times in a row is not. */
const SLOW_MS = 0.5;
const STRIKES = 3;
/**
 * So long others may have to wait for this thread: light searches that mostly take longer are the pool's. The way to another
 * thread and back takes a fifth of it, more where cores are scarce: what ends about as soon here as the way takes costs its
 * caller, and the machine, less here.
 */
const LONG_MS = 1;
/** What the way costs this thread alone: longer ones are the pool's when this thread has much to do. */
const HANDING_OVER_MS = 0.1;
/** What is typical moves by this factor with every search, so that it stays near the median however slow a few are. */
const LEARNING = 1.15;
/** Whose fault it may be: so long a search is not tried here again before a while has passed. */
const HEAVY_MS = 5;
/** Typical of searches that were not seen yet, and of those that the pool has had for a while. */
const FIRST_GUESS_MS = 0.08;
/** Microseconds after which an inline attempt is cut short; the pool runs the same plan again. */
const ATTEMPT_US = 5000;
/** Of one index that are searched together here. */
const SHARDS = 8;
/** That are read together here. */
const DOCUMENTS = 10;
/** Weights of an index that are told apart. */
const WEIGHTS = 100;
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
  /** A document by its id. Waits for a write of its shard that goes on. */
  get(task: GetTask): ArrayBuffer;
  /** Whether a write may be going on. */
  writes(): boolean;
  /** How many an index holds; may take a while. */
  documents(index: number): Promise<number>;
  /** This thread has little time left: light searches are better off elsewhere. */
  busy(): boolean;
}

/** The calls of the core that a thread makes itself: each ends by its deadline, and throws where that cut it short. */
export function attemptsOf(
  core: Pick<Addon, 'search' | 'fetch' | 'steadyMicros'>,
): Pick<QuickEngine, 'search' | 'fetch'> {
  const attempt = (work: (deadlineUs: number) => ArrayBuffer): ArrayBuffer => {
    const deadlineUs = core.steadyMicros() + ATTEMPT_US;
    const reply = work(deadlineUs);
    if (core.steadyMicros() < deadlineUs) return reply;
    throw new Error('too long for the thread that read the request');
  };
  return {
    search: (shards, plan) => attempt((deadlineUs) => core.search(shards, plan, 0, deadlineUs)),
    fetch: (...args) => attempt((deadlineUs) => core.fetch(...args, 0, deadlineUs)),
  };
}

export interface QuickOptions {
  /** Asked about those that take long by the clock on the wall, which also counts what others do meanwhile. Absent: that clock. */
  readonly watch?: Stopwatch;
  /** Of light searches, before others get their turn. */
  readonly turnMs?: number;
}

/** Pairs of index number and shard. */
export function encodeShards(shards: readonly ShardRef[]): Uint32Array {
  const pairs = new Uint32Array(shards.length * 2);
  for (const [i, shard] of shards.entries()) {
    pairs[2 * i] = shard.index;
    pairs[2 * i + 1] = shard.shard;
  }
  return pairs;
}

/** That all of a few shards are of. */
function indexOf(shards: readonly ShardRef[]): number | undefined {
  const index = shards[0]?.index;
  if (shards.length === 1) return index;
  return shards.length <= SHARDS && shards.every((one) => one.index === index) ? index : undefined;
}

export interface OpenIndex {
  readonly index: number;
  readonly documents: number;
}

interface Known {
  /** Searched last, on whatever thread. */
  seen: number;
  strikes: number;
  slowUntil: number;
  /** Light searches by their weight. */
  readonly light: Map<number, Light>;
  /** Infinity: not known yet. */
  documents: number;
  /** When they were counted last. */
  countedAt: number;
}

/** Searches of about the same cost. */
interface Light {
  /** About the median of what they took. */
  typicalMs: number;
  /** Until then they are the pool's. */
  slowUntil: number;
}

export class QuickSearches {
  readonly #known = new Map<number, Known>();
  readonly #engine: QuickEngine;
  readonly #now: () => number;
  readonly #watch: Stopwatch | undefined;
  readonly #turnMs: number;
  /** Milliseconds of light searches in this turn of the event loop. */
  #spent = 0;
  /** The last one took long by the clock on the wall. */
  #isLong = false;

  /** `now`: milliseconds. */
  constructor(engine: QuickEngine, now: () => number, options: QuickOptions = {}) {
    this.#engine = engine;
    this.#now = now;
    this.#watch = options.watch;
    this.#turnMs = options.turnMs ?? TURN_MS;
  }

  /** The pool has searched it. */
  seen(index: number): void {
    const known = this.#known.get(index);
    if (known !== undefined) known.seen = this.#now();
    else {
      if (this.#known.size >= REMEMBERED) this.#known.clear();
      this.#known.set(index, {
        seen: this.#now(),
        strikes: 0,
        slowUntil: 0,
        light: new Map(),
        documents: Infinity,
        countedAt: -Infinity,
      });
    }
  }

  /** Indexes that are known to be open, and how many documents they hold; Infinity: not known. */
  open(): readonly OpenIndex[] {
    const since = this.#now() - OPEN_MS;
    return [...this.#known]
      .filter(([, { seen }]) => seen >= since)
      .map(([index, { documents }]) => ({ index, documents }));
  }

  /** What the quick searches of another thread know. */
  learnOpen(indexes: readonly OpenIndex[]): void {
    for (const { index, documents } of indexes) {
      this.seen(index);
      const known = this.#known.get(index);
      if (known === undefined || documents === Infinity) continue;
      known.documents = documents;
      known.countedAt = this.#now();
    }
  }

  /** The reply; undefined: ask the pool, which also tells what is wrong. `weight`: see weightOf(); 0: of a few documents. */
  search(shards: readonly ShardRef[], plan: Uint8Array, weight: number): ArrayBuffer | undefined {
    const index = indexOf(shards);
    if (index === undefined) return undefined;
    const light = weight > 0 ? this.#lightOf(index, weight) : undefined;
    if (weight > 0 && light === undefined) return undefined;
    const work = (): ArrayBuffer => this.#engine.search(encodeShards(shards), plan);
    return this.#run(index, work, light);
  }

  fetch({ index, shard, generation, docs }: FetchTask, plan: Uint8Array): ArrayBuffer | undefined {
    const work = (): ArrayBuffer => this.#engine.fetch(index, shard, generation, docs, plan);
    return this.#run(index, work, undefined);
  }

  /** A few of one index; undefined: ask the pool, which also tells what is wrong. */
  get(tasks: readonly GetTask[]): readonly ArrayBuffer[] | undefined {
    const [first] = tasks;
    if (first === undefined || tasks.length > DOCUMENTS || this.#engine.writes()) return undefined;
    if (tasks.some(({ index }) => index !== first.index)) return undefined;
    return this.#run(first.index, () => tasks.map((task) => this.#engine.get(task)), undefined);
  }

  /** Undefined: not to be run here, or not now. */
  #lightOf(index: number, weight: number): Light | undefined {
    const known = this.#known.get(index);
    if (known === undefined || weight > LIGHT_LOOKS || this.#spent > this.#turnMs) return undefined;
    const now = this.#now();
    if (now - known.countedAt > OPEN_MS) this.#count(index, known);
    if (weight * known.documents > LIGHT_LOOKS) return undefined;
    let light = known.light.get(weight);
    if (light === undefined) {
      if (known.light.size >= WEIGHTS) known.light.clear();
      light = { typicalMs: FIRST_GUESS_MS, slowUntil: 0 };
      known.light.set(weight, light);
    }
    if (now < light.slowUntil) return undefined;
    return light.typicalMs > HANDING_OVER_MS && this.#engine.busy() ? undefined : light;
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

  #run<T>(index: number, work: () => T, light: Light | undefined): T | undefined {
    const known = this.#known.get(index);
    const started = this.#now();
    const watch = this.#isLong ? this.#watch : undefined;
    if (known === undefined || started - known.seen > OPEN_MS) return undefined;
    if (started < known.slowUntil) return undefined;
    watch?.start();
    try {
      return work();
    } catch {
      return undefined;
    } finally {
      known.seen = this.#now();
      this.#took(known, light, known.seen - started, watch);
    }
  }

  /** `ms`: by the clock on the wall. Asking the watch costs as much as a small search: it is asked only after a long one. */
  #took(known: Known, light: Light | undefined, ms: number, watch: Stopwatch | undefined): void {
    this.#isLong = ms > HANDING_OVER_MS;
    if (this.#isLong && watch === undefined && this.#watch !== undefined) return;
    const spent = watch?.ms() ?? ms;
    if (light === undefined) this.#strike(known, spent);
    else this.#learn(light, spent);
  }

  #learn(light: Light, ms: number): void {
    this.#spend(ms);
    light.typicalMs *= ms > light.typicalMs ? LEARNING : 1 / LEARNING;
    if (light.typicalMs <= LONG_MS && ms < HEAVY_MS) return;
    light.typicalMs = FIRST_GUESS_MS;
    light.slowUntil = this.#now() + OPEN_MS;
  }

  #strike(known: Known, ms: number): void {
    known.strikes = ms > SLOW_MS ? known.strikes + 1 : 0;
    if (known.strikes < STRIKES) return;
    known.strikes = 0;
    known.slowUntil = known.seen + OPEN_MS;
  }
}
