// The interface that the built-in embedder and remote services share.

export interface EmbedderIdentity {
  /**
   * Name with version, such as `svc-lex-1`; vectors of different ids must not be mixed in a field.
   */
  readonly id: string;
  readonly dims: number;
}

/**
 * A vector of unit length, or null for a text without one: it is stored without a vector, and as a
 * query it finds nothing.
 */
export type Embedding = Float32Array<ArrayBuffer> | null;

export interface Embedder {
  readonly identity: EmbedderIdentity;
  /**
   * Returns one embedding per text, in order. Rejects as a whole with a QuarryError if any of them
   * fails, so that no document is partially embedded. `signal` cancels the work.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Embedding[]>;
}
