// Registered embeddings services (inference endpoints).
import type { JsonObject } from './json.js';

export interface InferenceDeletion {
  /** False only for a dry run of a deletion that would be rejected. */
  readonly acknowledged: boolean;
  /** Indexes with fields that use the endpoint. */
  readonly indexes: readonly string[];
}

export type InferenceTask = 'text_embedding' | 'rerank';

export interface RankedText {
  /** Place in the list of documents. */
  readonly index: number;
  readonly score: number;
}

/** Inference endpoints by id; results are in the form of the API. */
export interface InferenceEndpoints {
  /** `task`: the task type that the address names. */
  put(id: string, body: JsonObject, task?: InferenceTask): Promise<JsonObject>;
  /** Overrides the settings that `body` contains. */
  update(id: string, body: JsonObject): Promise<JsonObject>;
  /** All endpoints if `id` is undefined. */
  get(id: string | undefined): readonly JsonObject[];
  remove(
    id: string,
    options: { readonly force: boolean; readonly dryRun: boolean },
  ): Promise<InferenceDeletion>;
  /**
   * The documents that a registered reranker ranked, best first. Throws inference_exception if it
   * gave no usable answer.
   */
  rerank(
    id: string,
    request: { readonly query: string; readonly documents: readonly string[] },
    signal?: AbortSignal,
  ): Promise<readonly RankedText[]>;
  /** Throws unless a reranker is registered under that name. */
  checkReranker(id: string): void;
  /** Converts `{input}` to vectors, or ranks it by `query` if the endpoint is a reranker. */
  infer(id: string, body: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
}
