// How much may wait for services at once: texts, and bytes of texts and of the vectors that they will become. What comes on
// top is refused with 429, so that a slow service fills the client's queue and not this process.
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

  /** Returns what to call when they wait no more. Texts that are alone always enter: another try would find no more room. */
  enter(texts: readonly string[], dims: number | undefined): () => void {
    const count = texts.length;
    const chars = texts.reduce((sum, text) => sum + text.length, 0);
    const bytes = 2 * chars + 4 * count * (dims ?? PRESUMED_DIMS);
    if (this.#texts > 0) {
      const [most, mostBytes] = [this.#maxTexts(), this.#maxBytes()];
      if (this.#texts + count > most) {
        throw full(`${this.#texts} texts`, `${count}`, 'inference.max_pending_texts');
      }
      if (this.#bytes + bytes > mostBytes) {
        throw full(`${this.#bytes} bytes`, `${bytes}`, 'inference.max_pending_bytes');
      }
    }
    this.#texts += count;
    this.#bytes += bytes;
    return () => {
      this.#texts -= count;
      this.#bytes -= bytes;
    };
  }
}

function full(waiting: string, more: string, setting: string): QuarryError {
  return new QuarryError(
    'es_rejected_execution_exception',
    `rejected execution: ${waiting} wait for embeddings services, ${more} more would exceed [${setting}]; retry later`,
    { headers: { 'Retry-After': '1' } },
  );
}
