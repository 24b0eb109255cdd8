// Embeds queries for fields whose vectors a remote service makes; the part that searches need.

export interface QueryText {
  /** The embedder's identity in the mapping of the field. */
  readonly embedder: string;
  readonly text: string;
}

export interface QueryEmbedder {
  /**
   * Returns one vector per request, in order. Rejects with inference_exception (502) if one of them
   * fails.
   */
  vectorsOf(requests: readonly QueryText[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
