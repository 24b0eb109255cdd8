// Indexes that were used recently, on whatever thread: their shards are open and their pages are in
// memory. All threads share one table, so that what one has searched is warm for every other.

/** An index that was not used for so long may have been closed for idleness, or its pages may be gone. */
const WARM_MS = 5000;
/** Places of the table; an index takes the place of another with the same remainder. */
const PLACES = 4096;

export class WarmIndexes {
  /** Pairs of index number and time; the number is 0 while a place is being written. */
  readonly #places: Float64Array;
  readonly #nowMs: () => number;

  /** `buffer`: of the WarmIndexes of another thread. `nowMs`: a clock that all threads share. */
  constructor(nowMs: () => number, buffer = new SharedArrayBuffer(PLACES * 16)) {
    this.#places = new Float64Array(buffer);
    this.#nowMs = nowMs;
  }

  get buffer(): SharedArrayBuffer {
    return this.#places.buffer as SharedArrayBuffer;
  }

  /** The index was used now. */
  used(index: number): void {
    const at = placeOf(index);
    const places = this.#places;
    if (places[at] !== index + 1) places[at] = 0;
    places[at + 1] = this.#nowMs();
    places[at] = index + 1;
  }

  has(index: number): boolean {
    const at = placeOf(index);
    if (this.#places[at] !== index + 1) return false;
    const age = this.#nowMs() - (this.#places[at + 1] ?? 0);
    return age >= 0 && age < WARM_MS;
  }
}

function placeOf(index: number): number {
  return 2 * (index % PLACES);
}
