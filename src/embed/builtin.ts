// The built-in embedder: hashed words, in native code, no service. It runs on the calling thread, some hundred thousand
// words a second and more, so bulk texts belong on a worker.
import type { Addon, EmbedTerm } from '../native/addon.js';
import type { Embedder, EmbedderIdentity, Embedding } from './embedder.js';

export const BUILTIN_ID = 'svc-lex-1';
export const BUILTIN_DIMS = 512;
/** As kMaxLexicalDims in native/core/text/embedder/word_vectors.h. */
export const BUILTIN_MAX_DIMS = 4096;

/** How much a term of a query counts: the square root of its idf in the field that is searched. */
export type TermWeight = (term: EmbedTerm) => number;

export class BuiltinEmbedder implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly #addon: Pick<Addon, 'embed' | 'embedTerms'>;

  /** Throws illegal_argument_exception at the first embedding when dims is not 1 to BUILTIN_MAX_DIMS. */
  constructor(addon: Pick<Addon, 'embed' | 'embedTerms'>, dims: number = BUILTIN_DIMS) {
    this.#addon = addon;
    this.identity = { id: BUILTIN_ID, dims };
  }

  /** Documents, and queries where no field's statistics are known: every word weighs 1. */
  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Embedding[]> {
    signal?.throwIfAborted();
    const { dims } = this.identity;
    const floats = this.#addon.embed(texts, dims);
    return texts.map((_, i) => embeddingOf(floats.slice(i * dims, (i + 1) * dims)));
  }

  embedQuery(text: string, weight: TermWeight): Embedding {
    const terms = this.#addon.embedTerms(text);
    const weights = Object.fromEntries(terms.map((term) => [term.word, weight(term)]));
    return embeddingOf(this.#addon.embed([text], this.identity.dims, weights));
  }
}

function embeddingOf(vector: Float32Array<ArrayBuffer>): Embedding {
  return vector.some((value) => value !== 0) ? vector : null;
}
