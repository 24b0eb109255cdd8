// Requests and results of reading and writing documents, singly and in bulk.
import type { Access } from './access.js';

/** How an index expression (names, commas, wildcards, exclusions) is resolved. */
export interface IndexOptions {
  readonly ignoreUnavailable?: boolean | undefined;
  readonly allowNoIndices?: boolean | undefined;
  /** Any of open, closed, hidden, none, all; default open. */
  readonly expandWildcards?: readonly string[] | undefined;
  /** Restriction of the caller; absent if it may use everything. */
  readonly access?: Access | undefined;
}

export interface PutMappingOptions extends IndexOptions {
  /** An alias stands only for its write index. */
  readonly writeIndexOnly?: boolean;
}

export interface PutSettingsOptions extends IndexOptions {
  /** Settings that already have a value are kept. */
  readonly preserveExisting?: boolean;
  /** Open indexes are closed and reopened if the change requires it. */
  readonly reopen?: boolean;
}

export interface ForceMergeOptions extends IndexOptions {
  /** Called between two merges; true ends the operation. */
  readonly isCancelled?: () => boolean;
}

export type Refresh = 'true' | 'false' | 'wait_for';

/** The source filter of `_source` and its parameters. */
export type SourceSpec =
  | boolean
  | { readonly includes: readonly string[]; readonly excludes: readonly string[] };

export interface WriteOperation {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly index: string;
  /** If absent, an id is generated. */
  readonly id?: string;
  readonly routing?: string;
  /** The document or, for an update, the whole update body; the client's bytes, unchanged. */
  readonly source?: Uint8Array;
  readonly ifSeqNo?: bigint;
  readonly ifPrimaryTerm?: bigint;
  readonly version?: bigint;
  readonly versionType?: 'internal' | 'external' | 'external_gte';
  readonly retryOnConflict?: number;
  readonly requireAlias?: boolean;
  /** For an update, the part of the new document to return in `get`. */
  readonly getSource?: SourceSpec;
}

export interface WriteOptions {
  readonly refresh: Refresh;
  /** See BulkRequest. */
  readonly repeatable?: boolean;
  /** Restriction of the caller; absent if it may use everything. */
  readonly access?: Access | undefined;
}

export interface WriteResult {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly index: string;
  readonly id: string;
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop';
  /** HTTP status: 200, 201, or 404 for the deletion of a missing document. */
  readonly status: number;
  readonly version: bigint;
  readonly seqNo: bigint;
  readonly primaryTerm: number;
  readonly shardsTotal: number;
  readonly forcedRefresh: boolean;
  /** For an update with `_source`, the JSON of the requested part. */
  readonly getSource?: string;
}

export interface BulkItemError {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly index: string;
  readonly id: string | null;
  readonly status: number;
  readonly error: {
    readonly type: string;
    readonly reason: string;
    readonly [extra: string]: unknown;
  };
}

export interface BulkResult {
  readonly tookMs: number;
  readonly errors: boolean;
  readonly items: readonly (WriteResult | BulkItemError)[];
  /** The same items as a cursor, for consumers that only print them. */
  readonly rows?: BulkRows;
}

/** A forward-only cursor over the items of a bulk; can be read once. */
export interface BulkRows {
  readonly count: number;
  /** Advances to the next item; false after the last one. */
  next(): boolean;
  /**
   * The current item if it consists of common members only, else undefined. The same object is
   * reused for every item.
   */
  row(): WrittenRow | undefined;
  item(): WriteResult | BulkItemError;
}

/** A successful item; valid until the cursor advances. */
export interface WrittenRow extends WrittenShape {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  /** The id is the UTF-8 in `bytes` from `idAt` to `idEnd` (exclusive). */
  readonly bytes: Uint8Array;
  readonly idAt: number;
  readonly idEnd: number;
}

/** The members that are equal for most items of a bulk. */
export type WrittenShape = Pick<
  WriteResult,
  'op' | 'index' | 'result' | 'status' | 'shardsTotal' | 'forcedRefresh'
>;

export interface BulkRequest {
  /** Action lines may contain `_type`. */
  readonly types?: boolean;
  /** The index of the path, for action lines without `_index`. */
  readonly defaultIndex?: string;
  readonly requireAlias?: boolean;
  readonly refresh: Refresh;
  readonly defaultSource?: SourceSpec;
  /** Routing of action lines without one. */
  readonly defaultRouting?: string;
  readonly access?: Access | undefined;
  /**
   * Every line creates a document of this request, so that it may be sent to a cluster again if an
   * attempt has no answer. One that the first attempt created is a version conflict then.
   */
  readonly repeatable?: boolean;
  /** The NDJSON body. */
  readonly body: Uint8Array;
}

export interface GetRequest {
  readonly index: string;
  readonly id: string;
  readonly routing?: string;
  /** Whether to see writes that are not refreshed yet; default true. */
  readonly realtime?: boolean;
  readonly source: SourceSpec;
  readonly version?: bigint;
  readonly versionType?: 'internal' | 'external' | 'external_gte';
  readonly refresh?: boolean;
  /** Restriction of the caller; absent if it may use everything. */
  readonly access?: Access | undefined;
}

export interface FoundDocument {
  readonly index: string;
  readonly id: string;
  readonly found: boolean;
  readonly version?: bigint;
  readonly seqNo?: bigint;
  readonly primaryTerm?: number;
  readonly routing?: string;
  /** JSON bytes; absent if the document was not found or its source not requested. */
  readonly source?: Uint8Array;
}
