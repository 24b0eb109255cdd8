// Writing and reading single documents and bulks: what is asked and what is answered.
import type { Access } from './access.js';

/** How an index expression (names, commas, wildcards, exclusions) is to be read. */
export interface IndexOptions {
  readonly ignoreUnavailable?: boolean | undefined;
  readonly allowNoIndices?: boolean | undefined;
  /** Any of open, closed, hidden, none, all; default open. */
  readonly expandWildcards?: readonly string[] | undefined;
  /** Whoever asks may use nothing else; absent: everything. */
  readonly access?: Access | undefined;
}

export interface PutMappingOptions extends IndexOptions {
  /** Of an alias only the index that is written to. */
  readonly writeIndexOnly?: boolean;
}

export interface PutSettingsOptions extends IndexOptions {
  /** What is set already stays. */
  readonly preserveExisting?: boolean;
  /** Open indexes are closed for it where they have to be. */
  readonly reopen?: boolean;
}

export interface ForceMergeOptions extends IndexOptions {
  /** Asked between two merges; true ends it. */
  readonly isCancelled?: () => boolean;
}

export type Refresh = 'true' | 'false' | 'wait_for';

/** `source: true | false | {includes, excludes}` as asked for by `_source` and its parameters. */
export type SourceSpec =
  | boolean
  | { readonly includes: readonly string[]; readonly excludes: readonly string[] };

export interface WriteOperation {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly index: string;
  /** Absent: the server makes one. */
  readonly id?: string;
  readonly routing?: string;
  /** The document, or for update the whole update body, as the caller's bytes. */
  readonly source?: Uint8Array;
  readonly ifSeqNo?: bigint;
  readonly ifPrimaryTerm?: bigint;
  readonly version?: bigint;
  readonly versionType?: 'internal' | 'external' | 'external_gte';
  readonly retryOnConflict?: number;
  readonly requireAlias?: boolean;
  /** update: what of the new document to answer in `get`. */
  readonly getSource?: SourceSpec;
}

export interface WriteOptions {
  readonly refresh: Refresh;
  /** Whoever writes may use nothing else; absent: everything. */
  readonly access?: Access | undefined;
}

export interface WriteResult {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly index: string;
  readonly id: string;
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop';
  /** 200, 201 or 404 (delete of an absent id). */
  readonly status: number;
  readonly version: bigint;
  readonly seqNo: bigint;
  readonly primaryTerm: number;
  readonly shardsTotal: number;
  readonly forcedRefresh: boolean;
  /** update with `_source`: raw JSON of the requested parts. */
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
  /** The same items for who only prints them. */
  readonly rows?: BulkRows;
}

/** The items of a bulk, one after the other, once. */
export interface BulkRows {
  readonly count: number;
  /** Moves on to the next item; false behind the last one. */
  next(): boolean;
  /** Where the item has nothing else to say: the same object for every item. */
  row(): WrittenRow | undefined;
  item(): WriteResult | BulkItemError;
}

/** An item that was written, good until the next one is read. */
export interface WrittenRow extends WrittenShape {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  /** The id is UTF-8, from `idAt` to `idEnd` of `bytes`. */
  readonly bytes: Uint8Array;
  readonly idAt: number;
  readonly idEnd: number;
}

/** What most items of a bulk have in common. */
export type WrittenShape = Pick<
  WriteResult,
  'op' | 'index' | 'result' | 'status' | 'shardsTotal' | 'forcedRefresh'
>;

export interface BulkRequest {
  /** Action lines may have a `_type`. */
  readonly types?: boolean;
  /** From the path; action lines may name another. */
  readonly defaultIndex?: string;
  readonly requireAlias?: boolean;
  readonly refresh: Refresh;
  readonly defaultSource?: SourceSpec;
  /** For action lines without a routing. */
  readonly defaultRouting?: string;
  readonly access?: Access | undefined;
  /** The NDJSON body. */
  readonly body: Uint8Array;
}

export interface GetRequest {
  readonly index: string;
  readonly id: string;
  readonly routing?: string;
  /** Default true: sees writes that no refresh has published yet. */
  readonly realtime?: boolean;
  readonly source: SourceSpec;
  readonly version?: bigint;
  readonly versionType?: 'internal' | 'external' | 'external_gte';
  readonly refresh?: boolean;
  /** Whoever reads may use nothing else; absent: everything. */
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
  /** Raw JSON bytes; absent when not found or not asked for. */
  readonly source?: Uint8Array;
}
