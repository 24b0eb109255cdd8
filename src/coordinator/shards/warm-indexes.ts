// Indexes that were used recently on any thread: their shards are open and their pages are in
// memory. All threads share one table, so that an index that one thread has searched is warm for
// all.

/** After this time without use an index may be closed for idleness or its pages evicted. */
const WARM_MS = 5000;
/** Entries of the table; indexes with the same remainder replace each other. */
const PLACES = 4096;

export class WarmIndexes {
  /** Pairs of index number + 1 and time; the number is 0 while an entry is being written. */
  readonly #places: Float64Array;
  readonly #nowMs: () => number;

  /** `buffer`: that of another thread's WarmIndexes. `nowMs`: a clock that all threads share. */
  constructor(nowMs: () => number, buffer = new SharedArrayBuffer(PLACES * 16)) {
    this.#places = new Float64Array(buffer);
    this.#nowMs = nowMs;
  }

  get buffer(): SharedArrayBuffer {
    return this.#places.buffer as SharedArrayBuffer;
  }

  /** Records that the index is used now. */
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
