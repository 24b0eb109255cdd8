// How much may wait for services at once: texts, and bytes of texts and of the vectors that they will become. What comes on
// top is refused with 429, so that a slow service fills the client's queue and not this process; what would never find room
// is refused with 413.
import { QuarryError } from '../errors.js';

/** Numbers in a vector while nobody knows. */
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

  /** Returns what to call when they wait no more. */
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
