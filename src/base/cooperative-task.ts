// Work of the main thread that may be long, in stretches: other requests get their turn in between. Short work is done at
// once and costs no turn.

/** Work that yields where it may be left for a while. */
export type CooperativeTask<T> = Generator<undefined, T, undefined>;

export interface YieldScheduler {
  readonly nowMs: () => number;
  /** Resolves when everything that waited had its turn. */
  readonly next: () => Promise<unknown>;
}

/** Milliseconds of the thread at a stretch. A small search needs the thread several times, and may wait as often for this long. */
export const TIME_SLICE_MS = 0.5;
/** A stretch is no longer, whatever took the time. */
export const MAX_TIME_SLICE_MS = 5;
/** Times that the event loop goes around between two stretches: by then a small search that had begun may have ended. */
const ROUNDS = 4;
/** Items that are worth a look at the clock. */
export const ITEMS_PER_YIELD = 64;

/** Long works take turns among each other as well: between two stretches, of whichever of them, others have their turn. */
export class YieldQueue implements YieldScheduler {
  readonly #goAround: (then: () => void) => void;
  readonly #waiting: (() => void)[] = [];

  /** `goAround`: calls back when everything else that waited had its turn. */
  constructor(goAround: (then: () => void) => void) {
    this.#goAround = goAround;
  }

  nowMs(): number {
    return performance.now();
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#goAround(() => this.#pass());
    });
  }

  #pass(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#goAround(() => this.#pass());
  }
}

function afterRounds(then: () => void): void {
  let left = ROUNDS;
  const once = (): void => {
    left -= 1;
    if (left === 0) then();
    else setImmediate(once);
  };
  setImmediate(once);
}

const ahead = new Set<() => void>();

/** `work` is done whenever a long work is about to go on; the function that is returned ends that. */
export function beforeTimeSlices(work: () => void): () => void {
  ahead.add(work);
  return () => {
    ahead.delete(work);
  };
}

/** Of this thread. */
const TURNS: YieldScheduler = new YieldQueue((then) =>
  afterRounds(() => {
    for (const work of ahead) work();
    then();
  }),
);

/** Lets everything that waits have its turn. */
export async function turn(): Promise<void> {
  await TURNS.next();
}

/**
 * The time of a stretch but for its longest step: there the thread was taken away, or collected garbage. Small work would else be
 * sent behind others for it, and wait for many turns where the thread has much to do.
 */
class TimeSlice {
  readonly #turns: YieldScheduler;
  #since: number;
  #step: number;
  #longest = 0;

  constructor(turns: YieldScheduler, since: number) {
    this.#turns = turns;
    this.#since = since;
    this.#step = since;
  }

  begin(): void {
    this.#since = this.#turns.nowMs();
    this.#step = this.#since;
    this.#longest = 0;
  }

  /** To be asked behind every step. */
  isOver(): boolean {
    const now = this.#turns.nowMs();
    this.#longest = Math.max(this.#longest, now - this.#step);
    this.#step = now;
    const all = now - this.#since;
    return all - this.#longest >= TIME_SLICE_MS || all >= MAX_TIME_SLICE_MS;
  }
}

/** The result itself when the work is done within one stretch. */
export function runCooperatively<T>(
  work: CooperativeTask<T>,
  turns: YieldScheduler = TURNS,
): T | Promise<T> {
  const since = turns.nowMs();
  let stretch: TimeSlice | undefined;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    stretch ??= new TimeSlice(turns, since);
    if (stretch.isOver()) return afterTurns(work, turns, stretch);
  }
}

async function afterTurns<T>(
  work: CooperativeTask<T>,
  turns: YieldScheduler,
  stretch: TimeSlice,
): Promise<T> {
  await turns.next();
  stretch.begin();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (!stretch.isOver()) continue;
    await turns.next();
    stretch.begin();
  }
}

/** All of it at once. */
export function runToCompletion<T>(work: CooperativeTask<T>): T {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
  }
}

/** `items.map(work)`, in stretches. */
export function mapCooperatively<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
  turns: YieldScheduler = TURNS,
): readonly R[] | Promise<readonly R[]> {
  return runCooperatively(mapSteps(items, work), turns);
}

function* mapSteps<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
): CooperativeTask<readonly R[]> {
  const results: R[] = [];
  for (const [at, item] of items.entries()) {
    results.push(work(item, at));
    if (results.length % ITEMS_PER_YIELD === 0) yield;
  }
  return results;
}

/** Turns for many small pieces of asynchronous work: what answers at once would never leave the thread by itself. */
export class YieldPoints {
  readonly #turns: YieldScheduler;
  #since: number;
  #turn: Promise<void> | undefined;

  constructor(turns: YieldScheduler = TURNS) {
    this.#turns = turns;
    this.#since = turns.nowMs();
  }

  /** To be awaited between two pieces. Undefined while the stretch lasts; all who ask meanwhile wait for one turn. */
  due(): Promise<void> | undefined {
    if (this.#turn === undefined && this.#turns.nowMs() - this.#since >= TIME_SLICE_MS) {
      this.#turn = this.#turns.next().then(() => {
        this.#turn = undefined;
        this.#since = this.#turns.nowMs();
      });
    }
    return this.#turn;
  }
}
