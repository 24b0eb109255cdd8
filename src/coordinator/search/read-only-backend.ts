// The searches, counts and document reads of an HTTP worker, and what recalls need besides, over the
// engine of this process: what inline execution answers is answered on this thread, everything else
// rejects with NotHere and is forwarded to the main thread. The table of indexes follows that of the
// main thread.
import type {
  ColumnsRequest,
  ColumnsResult,
  CountResult,
  FoundDocument,
  GetRequest,
  IndexDescription,
  IndexOptions,
  JsonObject,
  PreparedSearch,
  SearchRequest,
  SearchResult,
} from '../../backend/index.js';
import { type MaybePromise, rejecting, thenMaybe } from '../../base/maybe-promise.js';
import { mentionsClause } from '../../base/search-clauses.js';
import type { QuarryError } from '../../errors.js';
import type { Addon, NativeErrors } from '../../native/addon.js';
import type { MemoryReservation } from '../../ops/in-flight.js';
import type { LiveConfig } from '../../ops/live-config.js';
import type { MemoryGuard } from '../../ops/memory-guard.js';
import type { Metrics } from '../../ops/metrics.js';
import { NeedsPool, NotHere } from '../../ops/not-here.js';
import { MORE_LIKE_THIS } from '../../query/more-like-this.js';
import { readTextReranker } from '../../query/text-reranker.js';
import {
  Catalog,
  type CatalogChange,
  describeEntry,
  type IndexEntry,
  type ReadIndex,
  readIndex,
} from '../catalog/catalog.js';
import { isOutOfService } from '../catalog/damage.js';
import { parseJson } from '../catalog/json-text.js';
import { MappingParts } from '../catalog/mapping-parts.js';
import type { EngineUse } from '../shards/engine-use.js';
import { InlineExecution } from '../shards/inline-execution.js';
import type { WorkerPool } from '../shards/pools.js';
import { PoolScopes } from '../shards/scoped-pool.js';
import { ShardClient } from '../shards/shard-client.js';
import { WriteMarks } from '../shards/write-marks.js';
import { Getter } from '../write/get.js';
import { observeCaches } from './cache-metrics.js';
import { CachedSearches } from './cached-searches.js';
import { ColumnReader } from './columns.js';
import { prepareResolved } from './prepared-search.js';
import { Searcher } from './search.js';
import { searchGate } from './search-gate.js';
import type { SearchWatch } from './search-watch.js';
import { analyzeShort } from './short-analysis.js';
import { resolveLookups } from './terms-lookup.js';

export interface ReadOnlyBackendOptions {
  readonly addon: Addon;
  readonly errors: NativeErrors;
  readonly live: LiveConfig;
  readonly guard: Pick<MemoryGuard, 'check'>;
  readonly metrics: Metrics;
  readonly watch: SearchWatch;
  /** As for LocalBackend. */
  readonly resolveClauses: (request: SearchRequest) => MaybePromise<SearchRequest>;
  /** As for LocalBackend. */
  readonly engineUse: EngineUse;
  /** As for LocalBackend. */
  readonly reserve: () => MemoryReservation;
}

export class ReadOnlyBackend {
  readonly #options: ReadOnlyBackendOptions;
  readonly #catalog = new Catalog();
  readonly #searcher: Searcher;
  readonly #cached: CachedSearches;
  readonly #getter: Getter;
  readonly #columns: ColumnReader;
  readonly #marks: WriteMarks;
  /** Numbers of indexes of which not even the name is known here: an expression may mean them. */
  readonly #damaged = new Set<number>();
  readonly #mappings = new MappingParts();

  constructor(options: ReadOnlyBackendOptions) {
    this.#options = options;
    const { addon, errors, metrics, watch, guard, reserve, engineUse } = options;
    const inline = new InlineExecution({ core: addon, engineUse });
    const pool = noPool();
    const opcodes = addon.opcodes();
    const toError = (type: number, reason: string, cause: string): QuarryError =>
      errors.toError(type, reason, cause);
    const reads = {
      catalog: this.#catalog,
      scopes: new PoolScopes({ pool, core: addon, reserve }),
      gate: searchGate(options),
      opcodes,
      queryEmbedder: { vectorsOf: () => Promise.reject(new NotHere('an embeddings service')) },
      nowMs: Date.now,
    };
    this.#searcher = new Searcher({
      ...reads,
      version: () => this.#catalog.version + options.live.version,
      fanOut: { pool, inline },
      toError,
      maxBuckets: () => options.live.get('search.max_buckets'),
      dateTable: errors.converting((request) => addon.dateTable(request)),
      metrics,
      watch,
    });
    this.#cached = new CachedSearches({
      catalog: this.#catalog,
      live: options.live,
      engineUse,
      prepare: (request) => this.#searcher.prepare(request),
    });
    const { cache } = this.#cached;
    observeCaches(metrics, { request: () => cache.totals });
    this.#columns = new ColumnReader({
      ...reads,
      shardClient: new ShardClient({
        catalog: this.#catalog,
        fanOut: { pool, inline },
        toError,
        metrics,
      }),
      resolve: (request) => this.#resolve(request),
    });
    this.#marks = new WriteMarks(engineUse.marks);
    this.#getter = new Getter({
      catalog: this.#catalog,
      tasks: pool,
      inline,
      filtered: { read: () => Promise.reject(new NotHere('an alias with a filter')) },
      guard,
      reserve,
      opcodes,
      refresh: () => Promise.reject(new NotHere('a refresh')),
      toError,
      nowMs: Date.now,
    });
  }

  /** The engine must be open. `indexes`: their numbers. */
  load(indexes: readonly number[]): void {
    this.#catalog.change(
      indexes.flatMap((index) => this.#read(index)),
      [],
    );
  }

  follow({ put, removed }: CatalogChange): void {
    const damaged = removed.length === 0 ? [] : [...this.#damaged];
    const known = damaged.flatMap((index) => this.#read(index));
    this.#catalog.change([...put.map((one) => readIndex(one, this.#mappings)), ...known], removed);
  }

  /** One that cannot be described is out of service, or was dropped meanwhile: of that the next change tells. */
  #read(index: number): readonly ReadIndex[] {
    this.#damaged.delete(index);
    try {
      return [readIndex(this.#options.addon.describe(index), this.#mappings)];
    } catch (thrown) {
      const error = this.#options.errors.fromThrown(thrown);
      if (isOutOfService(error)) this.#damaged.add(index);
      return [];
    }
  }

  search(request: SearchRequest): MaybePromise<SearchResult> {
    return rejecting(() => this.prepareSearch(request).run(request.waiter));
  }
  /** A request to cache its answer goes to the main thread, whose statistics count it. */
  prepareSearch(request: SearchRequest): PreparedSearch {
    const { body, requestCache } = request;
    if (body['pit'] !== undefined) throw new NotHere('a point in time');
    if (readTextReranker(body) !== undefined) throw new NotHere('a reranker');
    if (requestCache === true) throw new NotHere('the request cache');
    return prepareResolved(
      request,
      (one) => this.#resolve(one),
      (one) => this.#cached.prepare(one),
    );
  }
  count(request: SearchRequest): MaybePromise<CountResult> {
    return rejecting(() =>
      thenMaybe(this.#resolve(request), (resolved) => this.#searcher.count(resolved)),
    );
  }
  async get(request: GetRequest): Promise<FoundDocument> {
    this.#checkDamage();
    return this.#getter.get(request);
  }

  columns(request: ColumnsRequest): Promise<ColumnsResult> {
    return this.#columns.read(request);
  }
  exists(expression: string, options: IndexOptions): boolean {
    this.#checkDamage();
    return this.#catalog.exists(expression, options);
  }
  resolve(expression: string, options: IndexOptions): readonly IndexDescription[] {
    this.#checkDamage();
    return this.#catalog
      .resolve(expression, options)
      .map(({ index }) => this.#describe(index, options));
  }
  #describe(entry: IndexEntry, { access }: IndexOptions): IndexDescription {
    const mappings = (): JsonObject => {
      const description = parseJson(this.#options.addon.describe(entry.number)) as JsonObject;
      return (description['mappings'] ?? {}) as JsonObject;
    };
    return describeEntry(entry, mappings, () => [], this.#catalog.filteredBy(entry, access));
  }
  /** Rejects where a write has to be published. */
  async publish(expression: string): Promise<void> {
    const { engineUse } = this.#options;
    for (const { index } of this.#catalog.resolve(expression, { forbidClosed: true })) {
      if (engineUse.mayBeUnpublished(index.number)) throw new NotHere('unpublished writes');
    }
  }
  writeMark(index: string): string {
    return this.#marks.of(this.#catalog.single(index).entry.number);
  }
  async analyze(index: string | undefined, body: JsonObject): Promise<string> {
    const tokens = index === undefined ? analyzeShort(this.#options, body) : undefined;
    if (tokens === undefined) throw new NotHere('a long analysis');
    return tokens;
  }

  #checkDamage(): void {
    if (this.#damaged.size > 0) throw new NotHere('an index that is out of service');
  }

  #resolve(request: SearchRequest): MaybePromise<SearchRequest> {
    this.#checkDamage();
    if (mentionsClause(request.body, MORE_LIKE_THIS)) throw new NotHere('a selection of terms');
    return thenMaybe(this.#options.resolveClauses(request), (one) =>
      resolveLookups(one, () => Promise.reject(new NotHere('a lookup of terms'))),
    );
  }
}

/** Of no threads: what needs a task is forwarded. */
function noPool(): WorkerPool {
  return {
    threads: 0,
    queued: 0,
    idle: 0,
    run: (task) => Promise.reject(new NeedsPool(task)),
    close: async () => {},
  };
}
