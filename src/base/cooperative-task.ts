// Cooperative tasks: long work on the main thread that is split into time slices, between which
// other requests run. Short work completes synchronously without yielding.

/** Work that yields wherever it may be interrupted. */
export type CooperativeTask<T> = Generator<undefined, T, undefined>;

export interface YieldScheduler {
  readonly nowMs: () => number;
  /** Resolves when all other pending work has run. */
  readonly next: () => Promise<unknown>;
}

/**
 * Length of a time slice in milliseconds. A short search needs the thread several times, and may
 * wait this long each time.
 */
export const TIME_SLICE_MS = 0.5;
/** Upper limit of a time slice, including its longest step. */
export const MAX_TIME_SLICE_MS = 5;
/**
 * Rounds of the event loop between two time slices; a short search that has started may complete
 * within these.
 */
const ROUNDS = 4;
/** Number of items after which a task checks the clock. */
export const ITEMS_PER_YIELD = 64;

/**
 * Queue of tasks that wait for their next time slice. Other work runs between any two slices, also
 * if these belong to different tasks.
 */
export class YieldQueue implements YieldScheduler {
  readonly #goAround: (then: () => void) => void;
  readonly #waiting: (() => void)[] = [];

  /** `goAround` calls back when all other pending work has run. */
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

/**
 * Registers `work` to be called before every further time slice; the returned function removes it.
 */
export function beforeTimeSlices(work: () => void): () => void {
  ahead.add(work);
  return () => {
    ahead.delete(work);
  };
}

/** The queue of this thread. */
const TURNS: YieldScheduler = new YieldQueue((then) =>
  afterRounds(() => {
    for (const work of ahead) work();
    then();
  }),
);

/** Yields: resolves when all other pending work has run. */
export async function turn(): Promise<void> {
  await TURNS.next();
}

/**
 * Measures a time slice without its longest step, during which the thread may have been preempted
 * or collecting garbage. Otherwise a short task would be queued behind others, and on a busy thread
 * wait for many slices.
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

  /** To be called after every step. */
  isOver(): boolean {
    const now = this.#turns.nowMs();
    this.#longest = Math.max(this.#longest, now - this.#step);
    this.#step = now;
    const all = now - this.#since;
    return all - this.#longest >= TIME_SLICE_MS || all >= MAX_TIME_SLICE_MS;
  }
}

/** Returns the result synchronously if the task completes within one time slice. */
export function runCooperatively<T>(
  work: CooperativeTask<T>,
  turns: YieldScheduler = TURNS,
): T | Promise<T> {
  const since = turns.nowMs();
  let slice: TimeSlice | undefined;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    slice ??= new TimeSlice(turns, since);
    if (slice.isOver()) return continueLater(work, turns, slice);
  }
}

async function continueLater<T>(
  work: CooperativeTask<T>,
  turns: YieldScheduler,
  slice: TimeSlice,
): Promise<T> {
  await turns.next();
  slice.begin();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (!slice.isOver()) continue;
    await turns.next();
    slice.begin();
  }
}

/** Runs a task to its end without yielding. */
export function runToCompletion<T>(work: CooperativeTask<T>): T {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
  }
}

/** `items.map(work)` as a cooperative task. */
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

/**
 * Yield points for many small asynchronous operations, which would never leave the thread if they
 * complete synchronously.
 */
export class YieldPoints {
  readonly #turns: YieldScheduler;
  #since: number;
  #turn: Promise<void> | undefined;

  constructor(turns: YieldScheduler = TURNS) {
    this.#turns = turns;
    this.#since = turns.nowMs();
  }

  /**
   * To be awaited between two operations. Undefined while the time slice lasts; concurrent callers
   * share one promise.
   */
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
