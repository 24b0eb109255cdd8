// Predicts whether attempts of a kind of task end within their budget, as a branch predictor does:
// by one small counter for each kind. Threads may share the counters: increments that they lose to
// each other change a prediction at most.

/** Number of counters. */
export const ATTEMPT_KINDS = 4096;
/** A counter at or above the limit predicts that an attempt would be in vain. */
const LIMIT = 8;
/**
 * What one attempt in vain adds; a successful attempt subtracts 1. A kind of which more than one
 * attempt in five is in vain reaches the limit.
 */
const IN_VAIN = 4;
/** At the limit, one task is attempted after this number of skipped ones: kinds may change. */
const SAMPLED = 32;

export class AttemptPredictor {
  /**
   * Below LIMIT: IN_VAIN per attempt in vain. From LIMIT on: counts tasks since the last attempt.
   */
  readonly #counters: Uint8Array;

  /** `counters`: ATTEMPT_KINDS bytes, zero at first. */
  constructor(counters: Uint8Array = new Uint8Array(ATTEMPT_KINDS)) {
    this.#counters = counters;
  }

  /** Whether to attempt a task of the kind. A kind is any integer; different kinds may collide. */
  isWorthwhile(kind: number): boolean {
    const at = kind & (ATTEMPT_KINDS - 1);
    const counter = this.#counters[at] ?? 0;
    if (counter < LIMIT) return true;
    const isSampled = counter === LIMIT + SAMPLED;
    this.#counters[at] = isSampled ? LIMIT : counter + 1;
    return isSampled;
  }

  /** Whether attempts of the kind mostly end within their budget. */
  isLikely(kind: number): boolean {
    return (this.#counters[kind & (ATTEMPT_KINDS - 1)] ?? 0) < LIMIT;
  }

  /** An attempt has ended; `inVain` if its budget was not enough. */
  ended(kind: number, inVain: boolean): void {
    const at = kind & (ATTEMPT_KINDS - 1);
    const counter = Math.min(this.#counters[at] ?? 0, LIMIT);
    this.#counters[at] = inVain ? Math.min(LIMIT, counter + IN_VAIN) : Math.max(0, counter - 1);
  }
}
