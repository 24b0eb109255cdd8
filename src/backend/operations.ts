// Operations over many documents (by query, reindex), which run as tasks.
import type { Json, JsonObject } from './json.js';
import type { SearchRequest } from './search.js';

/** What is done with every document that a search finds. */
export interface ByQueryRequest {
  /** Body: `query`, `sort`, `_source`, `slice`; the engine of it all pages through it. */
  readonly search: SearchRequest;
  readonly change:
    | { readonly kind: 'delete' }
    | { readonly kind: 'update'; readonly script?: Json }
    | { readonly kind: 'reindex'; readonly script?: Json; readonly dest: ReindexTarget };
  /** What a document that changed meanwhile does to the rest. */
  readonly conflicts: 'abort' | 'proceed';
  readonly maxDocs?: number;
  /** Documents of one batch. */
  readonly batchSize: number;
  /** Parts that are worked on beside each other. */
  readonly slices: number | 'auto';
  /** Infinity: as fast as it goes. */
  readonly requestsPerSecond: number;
  readonly refresh: boolean;
  /** How long a batch may take, as a time value. */
  readonly keepAlive: string;
}

export interface ReindexTarget {
  readonly index: string;
  readonly opType: 'index' | 'create';
  readonly versionType: 'internal' | 'external' | 'external_gte';
  /** `keep`, `discard` or `=value`. */
  readonly routing: string;
  readonly requireAlias: boolean;
}

/** The answer of such an operation as the API prints it, and its status. */
export interface ByQueryResult {
  readonly status: number;
  readonly body: JsonObject;
}

export interface TaskFilter {
  /** Patterns; none: all. */
  readonly actions: readonly string[];
}

/** Work on whole indexes that nobody waits for. */
export interface BackgroundWork {
  readonly action: string;
  readonly description: string;
  /** Resolves to what the task answers; `isCancelled`: it is to end soon. */
  readonly run: (isCancelled: () => boolean) => Promise<JsonObject>;
}

/** Operations over many documents, which run as tasks. */
export interface Operations {
  /** es_rejected_execution_exception where too much of it runs already. */
  begin(work: BackgroundWork): { readonly id: number };
  /** Checks the request and begins; `result` is there when it has ended. */
  start(request: ByQueryRequest): { readonly id: number; readonly result: Promise<ByQueryResult> };
  /** Of those that run, as `task` of the API. */
  running(filter: TaskFilter): readonly JsonObject[];
  /** `{completed, task, response?, error?}`; undefined when it never was, or ended long ago. */
  task(id: number): JsonObject | undefined;
  /** Resolves when it runs no more, or the time is over. */
  ended(id: number, timeoutMs: number): Promise<void>;
  /** The tasks that were told to end, as running() prints them. */
  cancel(which: number | TaskFilter): readonly JsonObject[];
  /** Undefined when no such task runs. */
  rethrottle(id: number, requestsPerSecond: number): JsonObject | undefined;
}
