// An LRU cache of vectors by text, bounded by bytes.
import { createHash } from 'node:crypto';

/**
 * Bytes of an entry in addition to its numbers (key, map entry, object headers), measured with
 * 100,000 entries.
 */
const ROW_BYTES = 400;

export class VectorCache {
  readonly #maxBytes: () => number;
  /** In order of use, oldest first: a Map keeps its insertion order. */
  readonly #rows = new Map<string, Float32Array<ArrayBuffer>>();
  #bytes = 0;

  /** `maxBytes` is called at every insertion, so that a reload takes effect. */
  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The vector is shared and must not be modified. */
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

/** A hash, so that the key has a fixed length and the text is not kept. */
function keyOf(embedder: string, text: string): string {
  return createHash('sha256').update(`${embedder}\0${text}`).digest('base64');
}
