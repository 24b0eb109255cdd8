// Registered embeddings services (inference endpoints).
import type { JsonObject } from './json.js';

export interface InferenceDeletion {
  /** False only for a dry run of a deletion that would be rejected. */
  readonly acknowledged: boolean;
  /** Indexes with fields that use the endpoint. */
  readonly indexes: readonly string[];
}

/** Inference endpoints by id; results are in the form of the API. */
export interface InferenceEndpoints {
  put(id: string, body: JsonObject): Promise<JsonObject>;
  /** Overrides the settings that `body` contains. */
  update(id: string, body: JsonObject): Promise<JsonObject>;
  /** All endpoints if `id` is undefined. */
  get(id: string | undefined): readonly JsonObject[];
  remove(
    id: string,
    options: { readonly force: boolean; readonly dryRun: boolean },
  ): Promise<InferenceDeletion>;
  /** Converts `{input}` to vectors. */
  infer(id: string, body: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
}
