// The interface between the services (api, memory, graph) and whatever stores and searches. `coordinator/` is its
// local implementation. Requests are plain typed JSON; documents travel as the caller's bytes and are never parsed here.
// Longer than other files, because a second implementation has to find all that it owes in one place.

/** A JSON value as `JSON.parse` gives it; whole numbers beyond 2^53 are bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** How an index expression (names, commas, wildcards, exclusions) is to be read. */
export interface IndexOptions {
  readonly ignoreUnavailable?: boolean;
  readonly allowNoIndices?: boolean;
  /** Any of open, closed, hidden, none, all; default open. */
  readonly expandWildcards?: readonly string[];
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
}

export interface BulkRequest {
  /** From the path; action lines may name another. */
  readonly defaultIndex?: string;
  readonly requireAlias?: boolean;
  readonly refresh: Refresh;
  readonly defaultSource?: SourceSpec;
  /** For action lines without a routing. */
  readonly defaultRouting?: string;
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

export interface SearchRequest extends IndexOptions {
  /** Index expression; empty or `_all` means every open index. */
  readonly index: string;
  /** The search body, parsed; the URL parameters are already merged into it. */
  readonly body: JsonObject;
  /** Values between commas: only the shards that they lie on are searched. */
  readonly routing?: string;
  /** Aggregations are named with their types. */
  readonly typedKeys?: boolean;
  /** False: one failed shard fails the search. Default true: its failure stands beside the hits of the others. */
  readonly allowPartialResults?: boolean;
  /** Whether an answer without hits may be kept and come from what was kept; absent: as the index's settings say. */
  readonly requestCache?: boolean;
  /** A few documents by id: may be answered without another thread. */
  readonly small?: boolean;
  readonly signal?: AbortSignal;
}

export interface SearchHit {
  readonly index: string;
  readonly id: string;
  readonly score: number | null;
  readonly version?: bigint;
  readonly seqNo?: bigint;
  readonly primaryTerm?: number;
  readonly routing?: string;
  /** Raw JSON bytes of the (filtered) source. */
  readonly source?: Uint8Array;
  /** JSON texts as the core wrote them. */
  readonly fields?: string;
  readonly ignored?: string;
  readonly matchedQueries?: string;
  readonly explanation?: string;
  readonly highlight?: string;
  /** One JSON text per sort key. */
  readonly sort?: readonly string[];
  /** Of a collapsed search: hits of its group, by the name that was asked for. */
  readonly innerHits?: {
    readonly [name: string]: Pick<SearchResult, 'total' | 'maxScore' | 'hits'>;
  };
  /** The answer shows no `_id` (stored_fields: _none_). */
  readonly withoutId?: true;
}

export interface ShardFailure {
  readonly shard: number;
  readonly index: string;
  readonly reason: {
    readonly type: string;
    readonly reason: string;
    readonly [extra: string]: unknown;
  };
}

/** Documents inside the answer of an aggregation (top_hits). */
export interface NestedHits {
  readonly nestedHits: readonly SearchHit[];
  readonly total: number;
  readonly maxScore: number | null;
}

/** Answers of aggregations: JSON with documents in it. */
export type AggregationTree = Json | readonly AggregationTree[] | NestedHits | AggregationObject;
export interface AggregationObject {
  readonly [key: string]: AggregationTree;
}

export interface SearchResult {
  readonly tookMs: number;
  readonly timedOut: boolean;
  readonly terminatedEarly?: boolean;
  readonly shards: {
    readonly total: number;
    readonly successful: number;
    readonly skipped: number;
    readonly failed: number;
    readonly failures?: readonly ShardFailure[];
  };
  /** Absent when track_total_hits is false. */
  readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' };
  readonly maxScore: number | null;
  readonly hits: readonly SearchHit[];
  /** When some were asked for. */
  readonly aggregations?: AggregationTree;
  /** What was done, when it was asked for. */
  readonly profile?: JsonObject;
  /** To ask for the next batch with. */
  readonly scrollId?: string;
  /** Of the point in time that was searched. */
  readonly pitId?: string;
}

/**
 * A keyword, a number (dates: epoch milliseconds), a boolean; null where the document has none. A boolean that is missing
 * reads as the last of its order: true, unless asked for in descending order.
 */
export type ColumnValue = string | number | boolean | null;

/** `hit` from 0 on, below ColumnsResult.hits. */
export type ColumnAt = (hit: number) => ColumnValue;

export interface ColumnsRequest {
  /** One index. */
  readonly index: string;
  readonly query: JsonObject;
  /** Sort keys as a search takes them: they order the hits, and their values are the columns of the answer. */
  readonly columns: readonly Json[];
  /** Hits at most. */
  readonly size: number;
  /** The values of the last hit before, as `search_after`. */
  readonly after?: readonly Json[];
  /** Few hits are expected: may be answered without another thread. */
  readonly small?: boolean;
}

export interface ColumnsResult {
  /** Exact. */
  readonly total: number;
  readonly hits: number;
  /** As asked for: the value of each hit, decoded when it is looked at. */
  readonly columns: readonly ColumnAt[];
}

/** What was true at `world`, as it was known at `system`; epoch milliseconds. Null: all that is known now. */
export interface LinkMoment {
  readonly world: number;
  readonly system: number | null;
}

/** A walk over the documents of an index that join two nodes: `src`, `dst`, `type`, their strength and their times. */
export interface LinkWalkRequest {
  /** One index. */
  readonly index: string;
  readonly seeds: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  readonly hops: 1 | 2;
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
  /** Links that are over are walked and returned, too. */
  readonly includeExpired: boolean;
  readonly moment: LinkMoment;
  /** Links returned, of all hops together. */
  readonly limit: number;
  /** Nodes that a second hop starts from: those over the strongest links. */
  readonly frontier: number;
  /** Count the live links of the seeds and of the ends of what is returned. */
  readonly degrees: boolean;
}

export interface WalkedLink {
  readonly edge_id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  /** 0 to 1; 1 where the document has none. */
  readonly confidence: number;
  readonly weight: number;
  readonly detector: string | null;
  /** It carries evidence. */
  readonly evidenced: boolean;
  readonly valid_at: number | null;
  readonly invalid_at: number | null;
  readonly created_at: number | null;
  readonly expired_at: number | null;
  readonly hop: 1 | 2;
  /** Seen from where the walk came from. */
  readonly direction: 'out' | 'in';
}

/** Links of one hop that are not returned: type -> how many. */
export interface WalkedHop {
  readonly beyond: ReadonlyMap<string, number>;
  /** Those that are over, unless they were asked for. */
  readonly retired: ReadonlyMap<string, number>;
}

/** Live links that point to a node, and away from it. */
export interface LinkDegree {
  readonly in: number;
  readonly out: number;
}

export interface LinkWalkResult {
  /** By hop, then confidence * weight descending, then valid_at descending, then id. None twice. */
  readonly links: readonly WalkedLink[];
  readonly hops: readonly WalkedHop[];
  /** False: the second hop did not start from every node of the first. */
  readonly complete: boolean;
  /** Of the seeds and of both ends of the links, when asked for. */
  readonly degrees: ReadonlyMap<string, LinkDegree>;
}

export interface LinkCountRequest {
  /** One index. */
  readonly index: string;
  /** The index whose documents are the nodes; undefined: there is none. */
  readonly nodes: string | undefined;
  readonly moment: LinkMoment;
  /** Hubs returned. */
  readonly top: number;
}

/** All links of an index in numbers. */
export interface LinkCounts {
  readonly live: number;
  readonly retired: number;
  readonly future: number;
  /** Live, with evidence. */
  readonly detected: number;
  /** The next instant at which a link begins or ends, Infinity for none: until then the counts hold. */
  readonly changesAt: number;
  /** Documents of the nodes index. */
  readonly nodes: number;
  /** Nodes with a live link, and those of them without a document. */
  readonly linked: number;
  readonly missing: number;
  /** The nodes with the most live links, then by id. */
  readonly hubs: readonly ({ readonly id: string } & LinkDegree)[];
  readonly types: ReadonlyMap<string, { readonly live: number; readonly retired: number }>;
  /** Live links. */
  readonly detectors: ReadonlyMap<string, number>;
  /** Hour since the epoch -> links that were asserted, and that were retired. */
  readonly created: ReadonlyMap<number, number>;
  readonly ended: ReadonlyMap<number, number>;
}

export interface CountResult {
  readonly count: number;
  readonly shards: SearchResult['shards'];
}

/** One index as the administration API shows it. */
export interface IndexDescription {
  readonly name: string;
  readonly number: number;
  readonly uuid: string;
  readonly shards: number;
  readonly state: 'open' | 'close';
  readonly hidden: boolean;
  readonly creationDate: number;
  /** Nested form with string leaves, as GET _settings prints it: {index: {number_of_shards: "1", …}}. */
  readonly settings: JsonObject;
  readonly mappings: JsonObject;
  readonly aliases: { readonly [alias: string]: JsonObject };
  /** What of it is out of service, as far as it was noticed: its requests are refused. Absent or empty: nothing. */
  readonly damage?: readonly ShardDamage[];
}

export interface ShardDamage {
  /** Null: all of the index, its metadata cannot be read. */
  readonly shard: number | null;
  /** Names file, section and offset. */
  readonly reason: string;
}

export interface IndexStats {
  readonly docs: number;
  readonly deleted: number;
  readonly bytes: number;
  readonly segments: number;
  /** Everything the core counts, for _stats, _segments and metrics. */
  readonly detail: JsonObject;
}

export interface ShardsAnswer {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
}

export type AliasAction =
  | {
      readonly add: {
        readonly index: string;
        readonly alias: string;
        readonly properties: JsonObject;
      };
    }
  | {
      readonly remove: {
        readonly index: string;
        readonly alias: string;
        readonly mustExist?: boolean;
      };
    }
  | { readonly removeIndex: { readonly index: string } };

/** All methods reject with QuarryError for what the caller did wrong. Thread: the main one. */
export interface Backend {
  // Documents.
  write(operation: WriteOperation, options: WriteOptions): Promise<WriteResult>;
  bulk(request: BulkRequest): Promise<BulkResult>;
  get(request: GetRequest): Promise<FoundDocument>;
  /** Answers in request order; a failed one carries its error. */
  mget(requests: readonly GetRequest[]): Promise<readonly (FoundDocument | BulkItemError)[]>;

  // Search.
  search(request: SearchRequest): Promise<SearchResult>;
  count(request: SearchRequest): Promise<CountResult>;
  /** Values of fields, without documents. */
  columns(request: ColumnsRequest): Promise<ColumnsResult>;
  walkLinks(request: LinkWalkRequest): Promise<LinkWalkResult>;
  countLinks(request: LinkCountRequest): Promise<LinkCounts>;

  // Index administration.
  createIndex(name: string, body: JsonObject): Promise<IndexDescription>;
  /** Resolves the expression and drops what it names. */
  deleteIndices(expression: string, options: IndexOptions): Promise<readonly string[]>;
  /** Concrete indexes of an expression, in name order. Unknown concrete names reject unless ignored. */
  resolve(expression: string, options: IndexOptions): readonly IndexDescription[];
  /** True when every name of the expression exists (index or alias). */
  exists(expression: string, options: IndexOptions): boolean;
  putMapping(expression: string, body: JsonObject, options: IndexOptions): Promise<void>;
  putSettings(
    expression: string,
    body: JsonObject,
    options: IndexOptions & { readonly preserveExisting?: boolean },
  ): Promise<void>;
  updateAliases(actions: readonly AliasAction[]): Promise<void>;
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
  forceMerge(expression: string, maxSegments: number, options: IndexOptions): Promise<ShardsAnswer>;
  stats(index: string): Promise<IndexStats>;
  nodeStats(): JsonObject;
  analyze(index: string | undefined, body: JsonObject): Promise<JsonObject>;
}

/** Index templates, their components, and those of the older kind (`_template`). */
export type TemplateKind = 'index' | 'component' | 'legacy';
export interface NamedTemplate {
  readonly name: string;
  readonly body: JsonObject;
}

/** What new indexes start with, by their names. */
export interface IndexTemplates {
  /** `create`: refused when there is one of that name. */
  put(kind: TemplateKind, name: string, body: JsonObject, create: boolean): Promise<void>;
  /** Those that the names or patterns mean, in name order. */
  get(kind: TemplateKind, names: readonly string[]): readonly NamedTemplate[];
  /** Rejects when a name that is no pattern is not there, or a component is in use. */
  remove(kind: TemplateKind, names: readonly string[]): Promise<void>;
  /** `{template, overlapping}` of an index template that is there, or of `body` in its place. */
  simulate(name: string | undefined, body: JsonObject | undefined): JsonObject;
  /** The same of an index that would be created now, as if `body` were a template, too. */
  simulateIndex(index: string, body: JsonObject | undefined): JsonObject;
}

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

/** A file of an index that is held as it was at one moment. */
export interface PinnedFile {
  readonly shard: number;
  /** In the folder of its shard. */
  readonly name: string;
  /** Names the content; empty for the manifest of a shard, which no other state shares. */
  readonly key: string;
  readonly bytes: number;
}

export interface PinnedIndex {
  readonly pin: number;
  readonly uuid: string;
  readonly shards: number;
  readonly documents: number;
  /** What a restore needs to know of the index beside its files. */
  readonly description: JsonObject;
  readonly files: readonly PinnedFile[];
}

/** An index to be made of a copy. */
export interface IndexRestore {
  readonly name: string;
  /** Of the index that was pinned. */
  readonly description: JsonObject;
  /** Settings that replace those of the copy, and names or patterns of those that are left out. */
  readonly settings: JsonObject;
  readonly ignoredSettings: readonly string[];
  /** Its aliases by the names they are to have; null: none. */
  readonly renameAlias: ((alias: string) => string) | null;
}

export interface RestoreFolder {
  readonly number: number;
  /** Holds a folder for each shard, "0" and so on. */
  readonly folder: string;
}

/** Whole indexes as files: out of this node while it is written to, and into it once every checksum was verified. */
export interface IndexCopies {
  /** Between two writes. Must be released. */
  pin(index: string): Promise<PinnedIndex>;
  /** Part of the file at that place of the list; shorter only at its end. */
  read(pin: number, file: number, offset: number, length: number): Promise<Uint8Array>;
  release(pin: number): Promise<void>;

  /** Rejects when the name is taken by an open index, or a setting cannot be. */
  checkRestore(restore: IndexRestore): void;
  /** Makes a folder that the files are then written to, and synced. */
  prepare(shards: number, bytes: number): Promise<RestoreFolder>;
  /** corrupt_index_exception begins with [shard/name] of the file that is not as it was. */
  verify(target: RestoreFolder, shards: number, files: readonly PinnedFile[]): Promise<void>;
  /** Makes it an index, in the place of a closed one of that name. */
  finish(target: RestoreFolder, restore: IndexRestore): Promise<IndexDescription>;
  abort(target: RestoreFolder): Promise<void>;
}

/** A point in time that is open. */
export interface PointInTime {
  readonly id: string;
  readonly shards: number;
  readonly createdMs: number;
  readonly keepAliveMs: number;
}

/** Searches that last: points in time (a search names one in `pit`) and scrolls. */
export interface LastingSearches {
  /** `keepAlive`: a time value. */
  openPointInTime(request: Omit<SearchRequest, 'body'>, keepAlive: string): Promise<PointInTime>;
  pointsInTime(): readonly PointInTime[];
  /** How many shards were let go of; illegal_argument_exception for what is no id. */
  closePointInTime(id: string): number;
  /** The first batch; its result has `scrollId`. */
  startScroll(request: SearchRequest, keepAlive: string): Promise<SearchResult>;
  /** The next one. Without `keepAlive` it is kept as long as before. */
  nextBatch(id: string, keepAlive: string | undefined, signal?: AbortSignal): Promise<SearchResult>;
  /** Of the ids, or of all; how many shards were let go of. */
  clearScrolls(ids: readonly string[] | 'all'): number;
  /** What `keepAlive` may be at most, in the place of the configured time; undefined: that again. */
  limitKeepAlive(ms: number | undefined): void;
}

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

/** Operations over many documents, which run as tasks. */
export interface Operations {
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
