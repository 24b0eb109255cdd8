// The types of the tasks that worker threads run: name -> [arguments, result]. The coordinator
// imports only this file.

/**
 * An error of the engine. It is sent as a value because thrown errors lose their fields when they
 * leave a worker.
 */
export interface TaskFailure {
  readonly errorType: number;
  readonly message: string;
  readonly causedBy: string;
}

export type Outcome<T> = { readonly value: T } | { readonly failure: TaskFailure };

export interface ShardRef {
  readonly index: number;
  readonly shard: number;
}

/** The limits of a task: CallLimits of native/core/base/stop_check.h. */
export interface TaskLimits {
  /** The token that cancels the task; 0: it cannot be cancelled. */
  readonly token: number;
  /** In the clock of Addon.steadyMicros(); 0: none. */
  readonly deadlineUs: number;
}

/**
 * A task that reads documents ends once its replies have this many bytes. The caller sends the rest
 * as another task once it has room for it.
 */
export const TASK_BYTES = 16 * 1024 * 1024;

export interface GetTask {
  readonly index: number;
  readonly id: string;
  readonly routing: string;
  readonly realtime: boolean;
  /** A plan with only the fetch part. */
  readonly plan: Uint8Array;
}

/** The replies of the first gets of a task, at least of one, see TASK_BYTES. */
export interface GetReplies {
  /** One reply after the other: a buffer for each would cost more than the documents. */
  readonly bytes: ArrayBuffer;
  /** The end of each reply in `bytes`. */
  readonly ends: Uint32Array;
}

export interface FetchTask extends ShardRef {
  readonly generation: bigint;
  readonly docs: Uint32Array;
}

export interface SearchTask {
  /** Pairs of index number and shard. */
  readonly shards: Uint32Array;
  readonly plan: Uint8Array;
  readonly limits?: TaskLimits;
}

export interface TaskTable {
  /** Opens the engine of this process. */
  open: [{ readonly dataDir: string; readonly options: string }, null];
  close: [{ readonly checkpointMs: number }, null];
  createIndex: [{ readonly spec: string }, string];
  /** Throws if creating the index would. */
  checkIndex: [{ readonly spec: string }, null];
  /** See Addon.changeIndexes. */
  changeIndexes: [{ readonly changes: string }, string];
  finishChanges: [{ readonly [none: string]: never }, null];
  putMapping: [{ readonly index: number; readonly mappings: string }, string];
  putSpec: [{ readonly index: number; readonly members: string }, string];
  /** See Addon.checkChange. */
  checkChange: [
    { readonly index: number; readonly members: string; readonly mappings: string },
    string,
  ];
  indexStats: [{ readonly index: number }, string];
  /** `index` -1: no index. */
  analyze: [{ readonly index: number; readonly request: string }, string];
  /**
   * The body is returned so that it can be sent again if names were missing. `vectors`: see
   * Addon.bulk.
   */
  bulk: [
    { readonly request: Uint8Array; readonly body: Uint8Array; readonly vectors?: Uint8Array },
    { readonly reply: ArrayBuffer; readonly body: Uint8Array },
  ];
  write: [{ readonly operations: Uint8Array; readonly vectors?: Uint8Array }, ArrayBuffer];
  /**
   * The texts to embed for the same bulk, or for the operations in `request` if there is no body.
   * The body is returned.
   */
  pendingTexts: [
    { readonly request: Uint8Array; readonly body?: Uint8Array },
    { readonly texts: ArrayBuffer; readonly body?: Uint8Array },
  ];
  get: [readonly GetTask[], GetReplies];
  search: [SearchTask, ArrayBuffer];
  /** Prints a part of a response; see Addon.print. */
  print: [
    { readonly printer: number; readonly json: Uint8Array; readonly last: boolean },
    ArrayBuffer,
  ];
  /** The first replies, at least one, the last of which may lack documents; see TASK_BYTES. */
  fetch: [
    {
      readonly fetches: readonly FetchTask[];
      readonly plan: Uint8Array;
      readonly limits?: TaskLimits;
    },
    readonly ArrayBuffer[],
  ];
  /** Returns the generation of the snapshot that is pinned; see Addon.hold. */
  hold: [ShardRef, bigint];
  pinIndex: [{ readonly index: number }, string];
  readPinned: [
    {
      readonly pin: number;
      readonly file: number;
      readonly offset: bigint;
      readonly length: number;
    },
    ArrayBuffer,
  ];
  unpin: [{ readonly pin: number }, null];
  prepareRestore: [{ readonly request: string }, string];
  checkRestore: [{ readonly restore: number; readonly request: string }, null];
  finishRestore: [{ readonly restore: number; readonly spec: string }, string];
  abortRestore: [{ readonly restore: number }, null];
  /** See Addon.suggest. */
  suggest: [
    { readonly index: number; readonly request: Uint8Array; readonly limits?: TaskLimits },
    ArrayBuffer,
  ];
  /** See Addon.walkLinks and Addon.countLinks. */
  walkLinks: [
    { readonly index: number; readonly request: Uint8Array; readonly limits?: TaskLimits },
    ArrayBuffer,
  ];
  countLinks: [
    {
      readonly index: number;
      readonly nodes: Uint32Array;
      readonly request: Uint8Array;
      readonly limits?: TaskLimits;
    },
    ArrayBuffer,
  ];
  refresh: [ShardRef, boolean];
  flush: [ShardRef, null];
  /** `maxSegments` 0: one step of the merge policy. */
  merge: [ShardRef & { readonly maxSegments: number }, boolean];
  recover: [ShardRef, null];
}

export type TaskName = keyof TaskTable;
export type TaskArgs<N extends TaskName> = TaskTable[N][0];
export type TaskResult<N extends TaskName> = TaskTable[N][1];

/** The settings that a pool passes to its threads when they start. */
export interface WorkerSettings {
  /** Added to the thread's nice value, so that background work yields to searches. */
  readonly nice: number;
}
