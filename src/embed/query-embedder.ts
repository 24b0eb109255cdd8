// Queries to vectors, for fields whose vectors a service beyond this process makes: what a search needs of it.

export interface QueryText {
  /** As the field's mapping names it. */
  readonly embedder: string;
  readonly text: string;
}

export interface QueryEmbedder {
  /** One vector a request, in order. Rejects with inference_exception (502) when one of them cannot be had. */
  vectorsOf(requests: readonly QueryText[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
