// Limits the texts that wait for services, and the bytes of these texts and their future vectors.
// Further texts are rejected with 429, so that a slow service fills the client's queue and not this
// process; texts that could never fit are rejected with 413.
import { QuarryError } from '../errors.js';

/** Assumed length of vectors while it is unknown. */
const PRESUMED_DIMS = 1024;

export class Pending {
  readonly #maxTexts: () => number;
  readonly #maxBytes: () => number;
  #texts = 0;
  #bytes = 0;

  constructor(maxTexts: () => number, maxBytes: () => number) {
    this.#maxTexts = maxTexts;
    this.#maxBytes = maxBytes;
  }

  get texts(): number {
    return this.#texts;
  }

  /** Adds the texts and returns the function that removes them. */
  enter(texts: readonly string[], dims: number | undefined): () => void {
    const count = texts.length;
    const chars = texts.reduce((sum, text) => sum + text.length, 0);
    const bytes = 2 * chars + 4 * count * (dims ?? PRESUMED_DIMS);
    check('texts', this.#texts, count, this.#maxTexts());
    check('bytes', this.#bytes, bytes, this.#maxBytes());
    this.#texts += count;
    this.#bytes += bytes;
    return () => {
      this.#texts -= count;
      this.#bytes -= bytes;
    };
  }
}

function check(what: 'texts' | 'bytes', waiting: number, more: number, limit: number): void {
  if (waiting + more <= limit) return;
  const setting = `[inference.max_pending_${what}] of ${limit}`;
  if (more > limit) {
    throw new QuarryError(
      'content_too_large_exception',
      `the request has ${more} ${what} to embed, more than ${setting}: send it in smaller parts`,
    );
  }
  throw new QuarryError(
    'es_rejected_execution_exception',
    `rejected execution: ${waiting} ${what} wait for embeddings services, ${more} more would exceed ${setting}; retry later`,
    { headers: { 'Retry-After': '1' } },
  );
}
