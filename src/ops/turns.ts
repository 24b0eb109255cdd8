// Work of the main thread that may be long, in stretches: other requests get their turn in between. Short work is done at
// once and costs no turn.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that yields where it may be left for a while. */
export type Steps<T> = Generator<undefined, T, undefined>;

export interface Turns {
  readonly nowMs: () => number;
  /** Resolves when everything that waited had its turn. */
  readonly next: () => Promise<unknown>;
}

/** Milliseconds of the thread at a stretch. */
export const STRETCH_MS = 5;
/** Items that are worth a look at the clock. */
export const PACE = 64;

const TURNS: Turns = { nowMs: () => performance.now(), next: () => nextTurn() };

/** Lets everything that waits have its turn. */
export async function turn(): Promise<void> {
  await nextTurn();
}

/** The result itself when the work is done within one stretch. */
export function inTurns<T>(work: Steps<T>, turns: Turns = TURNS): T | Promise<T> {
  const since = turns.nowMs();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (turns.nowMs() - since >= STRETCH_MS) return afterTurns(work, turns);
  }
}

async function afterTurns<T>(work: Steps<T>, turns: Turns): Promise<T> {
  await turns.next();
  let since = turns.nowMs();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (turns.nowMs() - since < STRETCH_MS) continue;
    await turns.next();
    since = turns.nowMs();
  }
}

/** All of it at once. */
export function atOnce<T>(work: Steps<T>): T {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
  }
}

/** `items.map(work)`, in stretches. */
export function mapInTurns<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
  turns: Turns = TURNS,
): readonly R[] | Promise<readonly R[]> {
  return inTurns(mapSteps(items, work), turns);
}

function* mapSteps<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
): Steps<readonly R[]> {
  const results: R[] = [];
  for (const [at, item] of items.entries()) {
    results.push(work(item, at));
    if (results.length % PACE === 0) yield;
  }
  return results;
}

/** Turns for many small pieces of asynchronous work: what answers at once would never leave the thread by itself. */
export class Pauses {
  readonly #turns: Turns;
  #since: number;
  #turn: Promise<void> | undefined;

  constructor(turns: Turns = TURNS) {
    this.#turns = turns;
    this.#since = turns.nowMs();
  }

  /** To be awaited between two pieces. Undefined while the stretch lasts; all who ask meanwhile wait for one turn. */
  due(): Promise<void> | undefined {
    if (this.#turn === undefined && this.#turns.nowMs() - this.#since >= STRETCH_MS) {
      this.#turn = this.#turns.next().then(() => {
        this.#turn = undefined;
        this.#since = this.#turns.nowMs();
      });
    }
    return this.#turn;
  }
}
