// Services that make embeddings, by the names that they are registered under.
import type { JsonObject } from './json.js';

export interface InferenceDeletion {
  /** False only for a dry run that would be refused. */
  readonly acknowledged: boolean;
  /** Whose fields name the endpoint. */
  readonly indexes: readonly string[];
}

/** Services that make embeddings, by the names that they are registered under; answers as the API prints them. */
export interface InferenceEndpoints {
  put(id: string, body: JsonObject): Promise<JsonObject>;
  /** The settings of `body` replace those of the same name. */
  update(id: string, body: JsonObject): Promise<JsonObject>;
  /** All where `id` is undefined. */
  get(id: string | undefined): readonly JsonObject[];
  remove(
    id: string,
    options: { readonly force: boolean; readonly dryRun: boolean },
  ): Promise<InferenceDeletion>;
  /** `{input}` to vectors. */
  infer(id: string, body: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
}
