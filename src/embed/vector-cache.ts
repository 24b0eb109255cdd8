// Vectors of texts that were embedded before, the least recently used given up first, bounded by bytes.
import { createHash } from 'node:crypto';

/** What a row takes beside its numbers: key, list node, object headers; measured with 100,000 rows. */
const ROW_BYTES = 400;

export class VectorCache {
  readonly #maxBytes: () => number;
  /** In order of use: a Map keeps the order of insertion. */
  readonly #rows = new Map<string, Float32Array<ArrayBuffer>>();
  #bytes = 0;

  /** `maxBytes` is asked at every insertion, so that a reload takes effect. */
  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The vector is shared: nobody may write into it. */
  get(embedder: string, text: string): Float32Array<ArrayBuffer> | undefined {
    const key = keyOf(embedder, text);
    const vector = this.#rows.get(key);
    if (vector === undefined) return undefined;
    this.#rows.delete(key);
    this.#rows.set(key, vector);
    return vector;
  }

  put(embedder: string, text: string, vector: Float32Array<ArrayBuffer>): void {
    const key = keyOf(embedder, text);
    this.#remove(key);
    const limit = this.#maxBytes();
    if (cost(vector) > limit) return;
    this.#rows.set(key, vector);
    this.#bytes += cost(vector);
    for (const oldest of this.#rows.keys()) {
      if (this.#bytes <= limit) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const vector = this.#rows.get(key);
    if (vector === undefined) return;
    this.#rows.delete(key);
    this.#bytes -= cost(vector);
  }
}

function cost(vector: Float32Array): number {
  return vector.byteLength + ROW_BYTES;
}

/** Of one length for every text, so that long texts are not kept. */
function keyOf(embedder: string, text: string): string {
  return createHash('sha256').update(`${embedder}\0${text}`).digest('base64');
}
