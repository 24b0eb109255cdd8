// How the engine is used at present, as all threads of the process see it: which indexes were used
// recently, on any thread, so that their shards are open and their pages are in memory; whether
// documents are being written, and which indexes have writes that no search sees yet; and what
// became of attempts to search inline.
import { ATTEMPT_KINDS } from './attempt-predictor.js';
import { MARK_PLACES } from './write-marks.js';

/** After this time without use an index may be closed for idleness or its pages evicted. */
const WARM_MS = 5000;
/** Entries of the table; indexes with the same remainder replace each other. */
const PLACES = 4096;
/** Size of the number of writes, padded to the alignment of doubles. */
const HEAD_BYTES = 8;
const PLACES_BYTES = PLACES * 16;
const UNPUBLISHED_AT = HEAD_BYTES + PLACES_BYTES + ATTEMPT_KINDS;
const MARKS_AT = UNPUBLISHED_AT + PLACES * 4;
const PUBLISHED_AT = MARKS_AT + MARK_PLACES * 8;
const BYTES = PUBLISHED_AT + MARK_PLACES * 8;

export class EngineUse {
  readonly buffer: SharedArrayBuffer;
  /** The counters of the AttemptPredictor of every thread. */
  readonly attempts: Uint8Array;
  /** The table of WriteMarks; one thread writes it. */
  readonly marks: Float64Array;
  /** As marks, changed when searches of an index may find something else. */
  readonly published: Float64Array;
  readonly #writes: Int32Array;
  /** Numbers of shards with unpublished writes; indexes with the same remainder are added up. */
  readonly #unpublished: Int32Array;
  /** Pairs of index number + 1 and time; the number is 0 while an entry is being written. */
  readonly #places: Float64Array;
  readonly #nowMs: () => number;

  /** `buffer`: that of another thread's EngineUse. `nowMs`: a clock that all threads share. */
  constructor(nowMs: () => number, buffer = new SharedArrayBuffer(BYTES)) {
    this.buffer = buffer;
    this.#writes = new Int32Array(buffer, 0, 1);
    this.#places = new Float64Array(buffer, HEAD_BYTES, 2 * PLACES);
    this.attempts = new Uint8Array(buffer, HEAD_BYTES + PLACES_BYTES, ATTEMPT_KINDS);
    this.#unpublished = new Int32Array(buffer, UNPUBLISHED_AT, PLACES);
    this.marks = new Float64Array(buffer, MARKS_AT, MARK_PLACES);
    this.published = new Float64Array(buffer, PUBLISHED_AT, MARK_PLACES);
    this.#nowMs = nowMs;
  }

  /** Requests that write documents; set by the thread that admits them. */
  get writes(): number {
    return Atomics.load(this.#writes, 0);
  }
  set writes(requests: number) {
    Atomics.store(this.#writes, 0, requests);
  }

  /** One more (1) or one less (-1) of the shards of an index has unpublished writes. */
  changeUnpublished(index: number, change: 1 | -1): void {
    Atomics.add(this.#unpublished, index % PLACES, change);
  }
  /** False: searches see every write that was acknowledged. */
  mayBeUnpublished(index: number): boolean {
    return Atomics.load(this.#unpublished, index % PLACES) !== 0;
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
