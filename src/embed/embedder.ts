// Text to vectors, whoever makes them: what the built-in embedder and remote services have in common.

export interface EmbedderIdentity {
  /** Name with version, `svc-lex-1`; vectors of different ids must not meet in one field. */
  readonly id: string;
  readonly dims: number;
}

/** A vector of unit length, or null for a text that has none: it is stored without a vector and finds nothing. */
export type Embedding = Float32Array<ArrayBuffer> | null;

export interface Embedder {
  readonly identity: EmbedderIdentity;
  /**
   * One embedding a text, in order. Rejects as a whole with a QuarryError when any of them fails, so that nothing is
   * half-embedded. `signal` gives up work that nobody waits for any more.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Embedding[]>;
}
