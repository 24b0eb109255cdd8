// The interface between the services (api, memory, graph) and the storage and search engine;
// `coordinator/` implements it locally, `cluster/` over a cluster. Requests are typed JSON; documents are passed as the
// client's bytes and not parsed here. The types of its methods are in the files of this folder and
// are imported from here.
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
import type {
  CountResult,
  MaybePromise,
  PreparedSearch,
  SearchRequest,
  SearchResult,
  Waiter,
} from './search.js';

export type * from './access.js';
export type * from './async-searches.js';
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

/** Documents by their ids, wherever they are stored. */
export interface DocumentBackend {
  write(operation: WriteOperation, options: WriteOptions): Promise<WriteResult>;
  bulk(request: BulkRequest): Promise<BulkResult>;
  get(request: GetRequest): Promise<FoundDocument>;
  /**
   * Results are in request order; a failed request has an error in its place. Document bytes are
   * reserved at `waiter` as they are read.
   */
  mget(
    requests: readonly GetRequest[],
    waiter?: Waiter,
  ): Promise<readonly (FoundDocument | BulkItemError)[]>;
}

/** Searches, counts, values of fields, and walks over links. */
export interface SearchBackend {
  /** The result is mostly available synchronously; an error is always a rejected promise. */
  search(request: SearchRequest): MaybePromise<SearchResult>;
  /** Throws what is wrong with the request. `request.waiter` is not kept. */
  prepareSearch(request: SearchRequest): PreparedSearch;
  count(request: SearchRequest): MaybePromise<CountResult>;
  /** Field values of matching documents, without the documents. */
  columns(request: ColumnsRequest): Promise<ColumnsResult>;
  walkLinks(request: LinkWalkRequest): Promise<LinkWalkResult>;
  countLinks(request: LinkCountRequest): Promise<LinkCounts>;
  /** Returns JSON text: `tokens`, as Elasticsearch shows them. */
  analyze(index: string | undefined, body: JsonObject): Promise<string>;
}

/** Indexes and aliases: their names, and changes of them. */
export interface IndexBackend {
  createIndex(
    name: string,
    body: JsonObject,
    options?: Pick<IndexOptions, 'access'>,
  ): Promise<IndexDescription>;
  /** Deletes all indexes that the expression resolves to; returns their names. */
  deleteIndices(expression: string, options: IndexOptions): Promise<readonly string[]>;
  /**
   * The indexes that an expression resolves to, sorted by name. An unknown concrete name throws
   * unless `ignoreUnavailable`.
   */
  resolve(expression: string, options: IndexOptions): readonly IndexDescription[];
  /**
   * The shards that a search of the expression would reach, in the order of resolve(). `routing` is
   * a comma-separated list.
   */
  searchedShards(
    expression: string,
    options: IndexOptions & { readonly routing?: string },
  ): readonly SearchedShards[];
  /**
   * Whether every name of the expression is an index or alias. A pattern must match something if
   * `allowNoIndices` is false.
   */
  exists(expression: string, options: IndexOptions): boolean;
  putMapping(expression: string, body: JsonObject, options: PutMappingOptions): Promise<void>;
  putSettings(expression: string, body: JsonObject, options: PutSettingsOptions): Promise<void>;
  updateAliases(
    actions: readonly AliasAction[],
    options?: Pick<IndexOptions, 'access'>,
  ): Promise<readonly AliasOutcome[]>;
  /**
   * Creates the index and moves the alias in one step. illegal_argument_exception if the alias no
   * longer writes to `from`.
   */
  rollover(rollover: Rollover, options?: Pick<IndexOptions, 'access'>): Promise<IndexDescription>;
  setState(
    expression: string,
    state: 'open' | 'close',
    options: IndexOptions,
  ): Promise<readonly string[]>;
  refresh(expression: string, options: IndexOptions): Promise<ShardsAnswer>;
  /** Resolves when searches see every acknowledged write; almost free if they already do. */
  publish(expression: string): Promise<void>;
  /**
   * A string that changes with every write to the index of that name, at the latest when the write
   * is answered. To cache a count, first read the mark, then publish(), then count.
   */
  writeMark(index: string): string;
  flush(expression: string, options: IndexOptions): Promise<ShardsAnswer>;
  /** Clears the request cache of the indexes. */
  clearCache(expression: string, options: IndexOptions): MaybePromise<ShardsAnswer>;
  forceMerge(
    expression: string,
    maxSegments: number,
    options: ForceMergeOptions,
  ): Promise<ShardsAnswer>;
  stats(index: string): Promise<IndexStats>;
}

/**
 * What a node says of itself. In front of a cluster there are no files that may be damaged, and the
 * counters of an engine are refused by name.
 */
export interface NodeBackend {
  /** Damaged indexes and other named entries; with `access`, those that its owner may see. */
  damaged(access?: Access): readonly DamagedEntry[];
  nodeStats(): JsonObject;
}

/**
 * Storage and search for the services: an engine in this process (`coordinator/`) or a cluster
 * (`cluster/`). Files of an engine are apart (copies.ts), and only a node of its own has them. All
 * methods reject with a QuarryError for errors of the caller. Must be used on the main thread.
 */
export interface Backend extends DocumentBackend, SearchBackend, IndexBackend, NodeBackend {}
