// The interface between the services (api, memory, graph) and whatever stores and searches. `coordinator/` is its
// local implementation. Requests are plain typed JSON; documents travel as the caller's bytes and are never parsed here.
// The types of its calls lie in `backend/`, a file for each subject; who uses them imports them from here.
import type { Access } from './access.js';
import type { ColumnsRequest, ColumnsResult } from './columns.js';
import type {
  BulkItemError,
  BulkRequest,
  BulkResult,
  ForceMergeOptions,
  FoundDocument,
  GetRequest,
  IndexOptions,
  PutMappingOptions,
  PutSettingsOptions,
  WriteOperation,
  WriteOptions,
  WriteResult,
} from './documents.js';
import type {
  AliasAction,
  AliasOutcome,
  DamagedEntry,
  IndexDescription,
  IndexStats,
  Rollover,
  SearchedShards,
  ShardsAnswer,
} from './indexes.js';
import type { JsonObject } from './json.js';
import type { LinkCountRequest, LinkCounts, LinkWalkRequest, LinkWalkResult } from './links.js';
import type { CountResult, MaybePromise, SearchRequest, SearchResult, Waiter } from './search.js';

export type * from './access.js';
export type * from './columns.js';
export type * from './copies.js';
export type * from './documents.js';
export type * from './indexes.js';
export type * from './inference.js';
export type * from './json.js';
export type * from './links.js';
export type * from './operations.js';
export type * from './printers.js';
export type * from './search.js';
export type * from './search-contexts.js';
export type * from './search-templates.js';
export type * from './suggest.js';
export type * from './templates.js';

/** All methods reject with QuarryError for what the caller did wrong. Thread: the main one. */
export interface Backend {
  // Documents.
  write(operation: WriteOperation, options: WriteOptions): Promise<WriteResult>;
  bulk(request: BulkRequest): Promise<BulkResult>;
  get(request: GetRequest): Promise<FoundDocument>;
  /** Answers in request order; a failed one carries its error. Documents are counted for `waiter` as they are read. */
  mget(
    requests: readonly GetRequest[],
    waiter?: Waiter,
  ): Promise<readonly (FoundDocument | BulkItemError)[]>;

  // Search.
  /** Mostly at once; an error is always a promise that rejects. */
  search(request: SearchRequest): MaybePromise<SearchResult>;
  count(request: SearchRequest): MaybePromise<CountResult>;
  /** Values of fields, without documents. */
  columns(request: ColumnsRequest): Promise<ColumnsResult>;
  walkLinks(request: LinkWalkRequest): Promise<LinkWalkResult>;
  countLinks(request: LinkCountRequest): Promise<LinkCounts>;

  // Index administration.
  createIndex(
    name: string,
    body: JsonObject,
    options?: Pick<IndexOptions, 'access'>,
  ): Promise<IndexDescription>;
  /** Resolves the expression and drops what it names. */
  deleteIndices(expression: string, options: IndexOptions): Promise<readonly string[]>;
  /** Concrete indexes of an expression, in name order. Unknown concrete names reject unless ignored. */
  resolve(expression: string, options: IndexOptions): readonly IndexDescription[];
  /** What a search of the expression would ask, in the order of resolve(). `routing`: values with commas between them. */
  searchedShards(
    expression: string,
    options: IndexOptions & { readonly routing?: string },
  ): readonly SearchedShards[];
  /** True when every name of the expression exists (index or alias). Patterns need a match where `allowNoIndices` is false. */
  exists(expression: string, options: IndexOptions): boolean;
  putMapping(expression: string, body: JsonObject, options: PutMappingOptions): Promise<void>;
  putSettings(expression: string, body: JsonObject, options: PutSettingsOptions): Promise<void>;
  updateAliases(
    actions: readonly AliasAction[],
    options?: Pick<IndexOptions, 'access'>,
  ): Promise<readonly AliasOutcome[]>;
  /** In one step. illegal_argument_exception when the alias writes to another index by now. */
  rollover(rollover: Rollover, options?: Pick<IndexOptions, 'access'>): Promise<IndexDescription>;
  setState(
    expression: string,
    state: 'open' | 'close',
    options: IndexOptions,
  ): Promise<readonly string[]>;
  refresh(expression: string, options: IndexOptions): Promise<ShardsAnswer>;
  /** Resolves when searches see every acknowledged write; costs next to nothing where they do. */
  publish(expression: string): Promise<void>;
  /**
   * Another text after every write to the index of that name, at the latest when the write is answered. Who remembers what he
   * counted asks for it first, then publishes, then counts.
   */
  writeMark(index: string): string;
  flush(expression: string, options: IndexOptions): Promise<ShardsAnswer>;
  /** Forgets answers that were kept. */
  clearCache(expression: string, options: IndexOptions): ShardsAnswer;
  forceMerge(
    expression: string,
    maxSegments: number,
    options: ForceMergeOptions,
  ): Promise<ShardsAnswer>;
  /** What cannot be read, indexes and whatever else has a name; `access`: as its owner may see it. */
  damaged(access?: Access): readonly DamagedEntry[];
  stats(index: string): Promise<IndexStats>;
  nodeStats(): JsonObject;
  analyze(index: string | undefined, body: JsonObject): Promise<JsonObject>;
}
