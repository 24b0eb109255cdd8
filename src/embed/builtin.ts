// The built-in embedder, which hashes words in native code and needs no service. It runs on the
// calling thread at a few hundred thousand words per second or more, so bulk texts must be embedded
// on a worker.
import { BUILTIN_ID, type BuiltinId } from '../base/builtin-embedders.js';
import type { Addon, EmbedTerm } from '../native/addon.js';
import type { Embedder, EmbedderIdentity, Embedding } from './embedder.js';

export const BUILTIN_DIMS = 512;
/** Must equal kMaxLexicalDims in native/core/text/embedder/word_vectors.h. */
export const BUILTIN_MAX_DIMS = 4096;

/** The weight of a query term: the square root of its idf in the searched field. */
export type TermWeight = (term: EmbedTerm) => number;

export class BuiltinEmbedder implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly #addon: Pick<Addon, 'embed' | 'embedTerms'>;
  readonly #id: BuiltinId;

  /**
   * The first embedding throws illegal_argument_exception if `dims` is not from 1 to
   * BUILTIN_MAX_DIMS.
   */
  constructor(
    addon: Pick<Addon, 'embed' | 'embedTerms'>,
    dims: number = BUILTIN_DIMS,
    id: BuiltinId = BUILTIN_ID,
  ) {
    this.#addon = addon;
    this.#id = id;
    this.identity = { id, dims };
  }

  /** For documents, and for queries without field statistics: every word has the weight 1. */
  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Embedding[]> {
    signal?.throwIfAborted();
    const { dims } = this.identity;
    const floats = this.#addon.embed(texts, dims, undefined, this.#id);
    return texts.map((_, i) => embeddingOf(floats.slice(i * dims, (i + 1) * dims)));
  }

  embedQuery(text: string, weight: TermWeight): Embedding {
    const terms = this.#addon.embedTerms(text, this.#id);
    const weights = Object.fromEntries(terms.map((term) => [term.word, weight(term)]));
    return embeddingOf(this.#addon.embed([text], this.identity.dims, weights, this.#id));
  }
}

function embeddingOf(vector: Float32Array<ArrayBuffer>): Embedding {
  return vector.some((value) => value !== 0) ? vector : null;
}
