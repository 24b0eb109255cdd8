// Operations over many documents (by query, reindex), which run as tasks.
import type { Json, JsonObject } from './json.js';
import type { SearchRequest } from './search.js';

/** An operation that is applied to every document that a search finds. */
export interface ByQueryRequest {
  /**
   * The search that selects the documents; its body may have `query`, `sort`, `_source` and
   * `slice`.
   */
  readonly search: SearchRequest;
  /** Another server whose documents are read; absent: the search is of this one. */
  readonly remote?: RemoteSource;
  readonly change:
    | { readonly kind: 'delete' }
    | { readonly kind: 'update'; readonly script?: Json }
    | { readonly kind: 'reindex'; readonly script?: Json; readonly dest: ReindexTarget };
  /** What happens if a document was changed in the meantime: the operation ends or goes on. */
  readonly conflicts: 'abort' | 'proceed';
  readonly maxDocs?: number;
  /** Number of documents per batch. */
  readonly batchSize: number;
  /** Number of slices that run concurrently. */
  readonly slices: number | 'auto';
  /** Documents per second; Infinity for no limit. */
  readonly requestsPerSecond: number;
  readonly refresh: boolean;
  /** Keep-alive of the search context between batches, as a time value. */
  readonly keepAlive: string;
}

/** Another server with the REST API of Elasticsearch, and how it is read. */
export interface RemoteSource {
  /** `http://host:port/prefix`, without a slash at the end. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly username?: string;
  readonly password?: string;
  /** Environment variable that holds the password. */
  readonly passwordEnv?: string;
  /** Environment variable that holds an API key. */
  readonly apiKeyEnv?: string;
  readonly socketTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

export interface ReindexTarget {
  readonly index: string;
  readonly opType: 'index' | 'create';
  readonly versionType: 'internal' | 'external' | 'external_gte';
  /** `keep`, `discard` or `=value`. */
  readonly routing: string;
  readonly requireAlias: boolean;
}

/** The answer of the operation in the form of the API, with its status. */
export interface ByQueryResult {
  readonly status: number;
  readonly body: JsonObject;
}

export interface TaskFilter {
  /** Patterns of action names; empty for all. */
  readonly actions: readonly string[];
}

/** Work on whole indexes that runs in the background. */
export interface BackgroundWork {
  readonly action: string;
  readonly description: string;
  /** Resolves to the answer of the task. `isCancelled` returns true when it should end. */
  readonly run: (isCancelled: () => boolean) => Promise<JsonObject>;
}

export interface Operations {
  /** es_rejected_execution_exception if too much background work is running. */
  begin(work: BackgroundWork): { readonly id: number };
  /** Validates and starts the operation; `result` resolves when it ends. */
  start(request: ByQueryRequest): { readonly id: number; readonly result: Promise<ByQueryResult> };
  /** Running tasks, in the form of `task` of the API. */
  running(filter: TaskFilter): readonly JsonObject[];
  /**
   * `{completed, task, response?, error?}`; undefined if the task never existed, or ended too long
   * ago.
   */
  task(id: number): JsonObject | undefined;
  /** Resolves when the task has ended or the timeout has passed. */
  ended(id: number, timeoutMs: number): Promise<void>;
  /** Cancels tasks and returns them in the form of running(). */
  cancel(which: number | TaskFilter): readonly JsonObject[];
  /** Undefined if no such task is running. */
  rethrottle(id: number, requestsPerSecond: number): JsonObject | undefined;
}
