// Predicts whether attempts of a kind of task end within their budget, as a branch predictor does: by
// one small counter for each kind.

const KINDS = 4096;
/** From here on a counter predicts that an attempt would be in vain. */
const LIMIT = 8;
/** What one attempt in vain adds: kinds of which every fifth task is long are at the limit. */
const IN_VAIN = 4;
/** At the limit, one of so many tasks is tried all the same, as a kind may change. */
const SAMPLED = 32;

export class AttemptPredictor {
  /** Below LIMIT: how often attempts were in vain. From LIMIT on: tasks since the last attempt. */
  readonly #counters = new Uint8Array(KINDS);

  /** Whether to attempt a task of the kind, which is any number. */
  isWorthwhile(kind: number): boolean {
    const at = kind & (KINDS - 1);
    const counter = this.#counters[at] ?? 0;
    if (counter < LIMIT) return true;
    const isSampled = counter === LIMIT + SAMPLED;
    this.#counters[at] = isSampled ? LIMIT : counter + 1;
    return isSampled;
  }

  /** Whether attempts of the kind mostly end in time. */
  isLikely(kind: number): boolean {
    return (this.#counters[kind & (KINDS - 1)] ?? 0) < LIMIT;
  }

  /** An attempt has ended; `inVain` if its budget was not enough. */
  ended(kind: number, inVain: boolean): void {
    const at = kind & (KINDS - 1);
    const counter = Math.min(this.#counters[at] ?? 0, LIMIT);
    this.#counters[at] = inVain ? Math.min(LIMIT, counter + IN_VAIN) : Math.max(0, counter - 1);
  }
}
