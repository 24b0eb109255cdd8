// How the engine is used at present, as all threads of the process see it: which indexes were used
// recently, on any thread, so that their shards are open and their pages are in memory; whether
// documents are being written; and what became of attempts to search inline.
import { ATTEMPT_KINDS } from './attempt-predictor.js';

/** After this time without use an index may be closed for idleness or its pages evicted. */
const WARM_MS = 5000;
/** Entries of the table; indexes with the same remainder replace each other. */
const PLACES = 4096;
/** Size of the number of writes, padded to the alignment of doubles. */
const HEAD_BYTES = 8;
const PLACES_BYTES = PLACES * 16;

export class EngineUse {
  readonly buffer: SharedArrayBuffer;
  /** The counters of the AttemptPredictor of every thread. */
  readonly attempts: Uint8Array;
  readonly #writes: Int32Array;
  /** Pairs of index number + 1 and time; the number is 0 while an entry is being written. */
  readonly #places: Float64Array;
  readonly #nowMs: () => number;

  /** `buffer`: that of another thread's EngineUse. `nowMs`: a clock that all threads share. */
  constructor(
    nowMs: () => number,
    buffer = new SharedArrayBuffer(HEAD_BYTES + PLACES_BYTES + ATTEMPT_KINDS),
  ) {
    this.buffer = buffer;
    this.#writes = new Int32Array(buffer, 0, 1);
    this.#places = new Float64Array(buffer, HEAD_BYTES, 2 * PLACES);
    this.attempts = new Uint8Array(buffer, HEAD_BYTES + PLACES_BYTES);
    this.#nowMs = nowMs;
  }

  /** Requests that write documents; set by the thread that admits them. */
  get writes(): number {
    return Atomics.load(this.#writes, 0);
  }
  set writes(requests: number) {
    Atomics.store(this.#writes, 0, requests);
  }

  /** Records that the index is used now. */
  used(index: number): void {
    const at = placeOf(index);
    const places = this.#places;
    if (places[at] !== index + 1) places[at] = 0;
    places[at + 1] = this.#nowMs();
    places[at] = index + 1;
  }

  /** Whether the index was used recently. */
  isWarm(index: number): boolean {
    const at = placeOf(index);
    if (this.#places[at] !== index + 1) return false;
    const age = this.#nowMs() - (this.#places[at + 1] ?? 0);
    return age >= 0 && age < WARM_MS;
  }
}

function placeOf(index: number): number {
  return 2 * (index % PLACES);
}
