// The read operations over many documents: searches, counts, columns, links, scrolls and points in
// time, all behind one gate.
import { randomBytes } from 'node:crypto';
import type {
  ColumnsRequest,
  ColumnsResult,
  CountResult,
  FoundDocument,
  GetRequest,
  JsonObject,
  PreparedSearch,
  SearchContextBackend,
  SearchRequest,
  SearchResult,
} from '../../backend/index.js';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import type { QueryEmbedder } from '../../embed/query-embedder.js';
import type { QuarryError } from '../../errors.js';
import type { Addon } from '../../native/addon.js';
import type { MemoryReservation } from '../../ops/in-flight.js';
import type { LiveConfig } from '../../ops/live-config.js';
import type { MemoryGuard } from '../../ops/memory-guard.js';
import type { Metrics } from '../../ops/metrics.js';
import type { DateTable } from '../../query/aggs/calendar.js';
import { readTextReranker, type TextReranker } from '../../query/text-reranker.js';
import type { ShardRef } from '../../worker/tasks.js';
import type { Catalog } from '../catalog/catalog.js';
import { LargePages } from '../page/large-pages.js';
import type { EngineUse } from '../shards/engine-use.js';
import type { FanOutOptions } from '../shards/fan-out.js';
import type { Gate } from '../shards/gate.js';
import type { WorkerPool } from '../shards/pools.js';
import { PoolScopes } from '../shards/scoped-pool.js';
import { ShardClient } from '../shards/shard-client.js';
import { LocalAsyncSearches } from './async-searches.js';
import { CachedSearches } from './cached-searches.js';
import { ColumnReader } from './columns.js';
import { ContextRoom } from './context-room.js';
import { LocalSearchContexts } from './context-searches.js';
import { LinkReader } from './links.js';
import { MoreLikeThisClauses } from './more-like-this.js';
import { preparedOnce, prepareResolved } from './prepared-search.js';
import type { RequestCache } from './request-cache.js';
import { type Rerankers, searchReranked } from './reranked-search.js';
import { Searcher } from './search.js';
import { SearchContexts } from './search-contexts.js';
import { searchGate } from './search-gate.js';
import type { SearchWatch } from './search-watch.js';

export interface SearchesOptions {
  readonly addon: Addon;
  readonly dateTable: DateTable;
  readonly catalog: Catalog;
  readonly pool: WorkerPool;
  readonly fanOut: FanOutOptions;
  /**
   * Replaces clauses that other components resolve (`graph`) by their result. Returns the same
   * request if it has none.
   */
  readonly resolveClauses: (request: SearchRequest) => MaybePromise<SearchRequest>;
  /** Reads a document that a clause names. */
  readonly get: (request: GetRequest) => Promise<FoundDocument>;
  /** The mappings of the index of that number. */
  readonly mappings: (index: number) => JsonObject;
  readonly engineUse: EngineUse;
  readonly flush: (shard: ShardRef) => Promise<void>;
  readonly live: LiveConfig;
  readonly guard: Pick<MemoryGuard, 'check'>;
  readonly metrics: Metrics;
  readonly watch: SearchWatch;
  readonly queryEmbedder: QueryEmbedder;
  readonly rerankers: Rerankers;
  readonly toError: (type: number, reason: string, cause: string) => QuarryError;
  readonly nowMs: () => number;
  /** Memory of searches for which no client waits. */
  readonly reserve: () => MemoryReservation;
}

export class Searches {
  readonly #resolve: SearchesOptions['resolveClauses'];
  readonly #fanOut: FanOutOptions;
  readonly #rerankers: Rerankers;
  readonly #searcher: Searcher;
  readonly #columns: ColumnReader;
  readonly #contexts: SearchContexts;
  readonly #searchContexts: LocalSearchContexts;
  readonly asyncSearches: LocalAsyncSearches;
  readonly #cached: CachedSearches;
  readonly cache: RequestCache;
  readonly links: LinkReader;

  constructor(options: SearchesOptions) {
    const { addon, catalog, pool, live, metrics, queryEmbedder, toError, nowMs } = options;
    this.#fanOut = options.fanOut;
    this.#rerankers = options.rerankers;
    const reads = {
      catalog,
      // Both versions only grow.
      version: () => catalog.version + live.version,
      fanOut: this.#fanOut,
      gate: searchGate(options),
      opcodes: addon.opcodes(),
      toError,
      nowMs,
      maxBuckets: () => live.get('search.max_buckets'),
    };
    const largePages = new LargePages({
      // One more than threads: this thread reads the reply of one page while the pool searches.
      atOnce: pool.threads + 1,
      mostWaiting: () => 2 * live.get('limits.max_concurrent_searches'),
      onRefusal: () => metrics.rejected.inc({ kind: 'search' }),
    });
    metrics.observe(
      'quarry_large_pages_waiting',
      'Searches for pages of more than 1,000 hits that wait for their turn.',
      () => largePages.waiting,
    );
    const scopes = new PoolScopes({ pool, core: addon, reserve: options.reserve });
    const alike = new MoreLikeThisClauses({
      ...reads,
      scopes,
      mappings: options.mappings,
      pinned: (request) => this.#searchContexts.pinnedBy(request),
      get: options.get,
      search: (request) => this.search(request),
    });
    // First, because the documents that such a clause holds are no clauses.
    this.#resolve = (request) => thenMaybe(alike.resolve(request), options.resolveClauses);
    const { watch } = options;
    this.#searcher = new Searcher({
      ...reads,
      largePages,
      scopes,
      metrics,
      watch,
      queryEmbedder,
      dateTable: options.dateTable,
    });
    this.#columns = new ColumnReader({
      ...reads,
      scopes,
      shardClient: new ShardClient({ ...reads, metrics }),
      queryEmbedder,
      resolve: this.#resolve,
    });
    this.#cached = new CachedSearches({
      catalog,
      live,
      engineUse: options.engineUse,
      prepare: (request) => this.#searcher.prepare(request),
    });
    this.cache = this.#cached.cache;
    this.links = new LinkReader({ catalog, scopes, gate: reads.gate, toError });
    const room = new ContextRoom({
      maxOpen: () => live.get('search.max_open_contexts'),
      maxBytes: () => live.get('search.held_bytes'),
    });
    this.asyncSearches = new LocalAsyncSearches({
      room,
      reserve: options.reserve,
      nowMs,
      randomBytes,
    });
    this.#contexts = new SearchContexts({
      pin: (shard) => pool.run('hold', shard),
      unpin: ({ index, shard, generation }) => addon.releaseSnapshot(index, shard, generation),
      flush: options.flush,
      nowMs,
      now: () => performance.now(),
      room,
      maxKeepAliveMs: () => live.get('search.max_keep_alive_ms'),
      randomBytes,
    });
    this.#searchContexts = new LocalSearchContexts({
      catalog,
      contexts: this.#contexts,
      searcher: this.#searcher,
      resolve: this.#resolve,
      nowMs,
    });
    this.#observe(metrics, reads.gate);
  }

  get searchContexts(): SearchContextBackend {
    return this.#searchContexts;
  }

  search(request: SearchRequest): MaybePromise<SearchResult> {
    return this.prepare(request).run(request.waiter);
  }
  prepare(request: SearchRequest): PreparedSearch {
    const reranker = readTextReranker(request.body);
    if (reranker !== undefined) return this.#prepareReranked(request, reranker);
    return prepareResolved(request, this.#resolve, (resolved) => this.#prepare(resolved));
  }

  #prepareReranked(request: SearchRequest, reranker: TextReranker): PreparedSearch {
    this.#rerankers.checkReranker(reranker.inferenceId);
    const options = {
      search: (inner: SearchRequest) => this.search(inner),
      rerankers: this.#rerankers,
    };
    return preparedOnce((waiter) => searchReranked(request, reranker, waiter, options));
  }

  #prepare(request: SearchRequest): PreparedSearch {
    if (request.body['pit'] !== undefined) {
      return preparedOnce((waiter) =>
        this.#searchContexts.searchPointInTime({ ...request, waiter }),
      );
    }
    return this.#cached.prepare(request);
  }
  count(request: SearchRequest): MaybePromise<CountResult> {
    return thenMaybe(this.#resolve(request), (resolved) => this.#searcher.count(resolved));
  }
  columns(request: ColumnsRequest): Promise<ColumnsResult> {
    return this.#columns.read(request);
  }
  #observe(metrics: Metrics, gate: Gate): void {
    metrics.observe('quarry_searches_in_flight', 'Searches that have begun.', () => gate.inside);
    metrics.observe(
      'quarry_open_search_contexts',
      'Scrolls and points in time that are open.',
      () => this.#contexts.size,
    );
    metrics.observe(
      'quarry_async_searches',
      'Asynchronous searches that run or whose answers are kept.',
      () => this.asyncSearches.size,
    );
  }

  /** The engine must still be open. */
  async close(): Promise<void> {
    await this.asyncSearches.close();
    this.#contexts.close();
  }
}
