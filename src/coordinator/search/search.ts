// Searches and counts: prepared once (names resolved, body compiled), then executed under the
// limits of the service and accounted for.
import type {
  CountResult,
  PreparedSearch,
  SearchRequest,
  SearchResult,
  Waiter,
} from '../../backend/index.js';
import { finallyMaybe, type MaybePromise, runSyncFirst } from '../../base/maybe-promise.js';
import type { QueryEmbedder } from '../../embed/query-embedder.js';
import type { QuarryError } from '../../errors.js';
import type { Metrics } from '../../ops/metrics.js';
import type { DateTable } from '../../query/aggs/calendar.js';
import type { Opcodes } from '../../wire/plan-writer.js';
import type { Catalog } from '../catalog/catalog.js';
import { isLargePage, type LargePages } from '../page/large-pages.js';
import type { FanOutOptions } from '../shards/fan-out.js';
import type { Gate } from '../shards/gate.js';
import { observeAttempts } from '../shards/inline-execution.js';
import { withRetry } from '../shards/retry.js';
import type { PoolScopes, ScopedPool } from '../shards/scoped-pool.js';
import { compileCounts, compileGroups, orEmpty } from '../shards/search-plans.js';
import { searchTargets, type TargetGroup } from '../shards/search-targets.js';
import { ShardClient } from '../shards/shard-client.js';
import { withSuggestions } from '../suggest/suggest.js';
import { isRepeatable, type SearchPlans } from './prepared-search.js';
import type { PinnedSearch } from './search-contexts.js';
import { type Accounted, accounted, SearchWatch } from './search-watch.js';
import { slicedGroups } from './slices.js';
import { SearchStages } from './stages.js';

export interface SearcherOptions {
  readonly catalog: Catalog;
  /** Changes with the catalog and with the configuration, which decide how a body is compiled. */
  readonly version: () => number;
  readonly fanOut: FanOutOptions;
  readonly gate: Gate;
  /** Absent: large pages have no limit of their own. */
  readonly largePages?: LargePages;
  readonly scopes: PoolScopes;
  readonly opcodes: Opcodes;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly metrics: Metrics;
  /** Absent: the cost of searches is only reported to the metrics. */
  readonly watch?: SearchWatch;
  readonly queryEmbedder: QueryEmbedder;
  /** Wall clock, for date math. */
  readonly nowMs: () => number;
  /** Maximum number of buckets of a search. */
  readonly maxBuckets: () => number;
  readonly dateTable: DateTable;
}

export class Searcher {
  readonly #options: SearcherOptions;
  readonly #watch: SearchWatch;
  readonly #stages: SearchStages;

  constructor(options: SearcherOptions) {
    this.#options = options;
    const { inline } = options.fanOut;
    if (inline !== undefined) observeAttempts(inline, options.metrics);
    this.#watch = options.watch ?? new SearchWatch(options);
    this.#stages = new SearchStages({
      ...options,
      watch: this.#watch,
      shardClient: new ShardClient(options),
      compile: (request, pinned) => this.#compile(request, pinned),
    });
  }

  /** Throws if the request is invalid. `pinned`: the snapshots to search, if not the newest. */
  prepare(request: SearchRequest, pinned?: PinnedSearch): PreparedSearch {
    this.#options.gate.check();
    const version = this.#options.version();
    const started = performance.now();
    const hasSuggestions = request.body['suggest'] !== undefined;
    const plans = hasSuggestions ? undefined : this.#compile(request, pinned);
    const isRepeated =
      plans !== undefined &&
      pinned === undefined &&
      isRepeatable(plans.groups) &&
      // A date in a name resolves to another name later.
      !request.index.includes('<');
    // A prepared search that is executed again must not retain the waiter of its first request.
    const requested = isRepeated ? { ...request, waiter: undefined } : request;
    let runs = 0;
    return {
      isCurrent: () => isRepeated && this.#options.version() === version,
      run: (waiter) => {
        runs += 1;
        return runs === 1
          ? this.#run(requested, waiter, pinned, started, plans)
          : this.#run(
              requested,
              waiter,
              pinned,
              performance.now(),
              plans && { ...plans, isRepeat: true },
            );
      },
    };
  }

  #run(
    request: SearchRequest,
    waiter: Waiter | undefined,
    pinned: PinnedSearch | undefined,
    started: number,
    plans: SearchPlans | undefined,
  ): MaybePromise<SearchResult> {
    const { largePages } = this.#options;
    let prepared = plans;
    const admitted = (): MaybePromise<SearchResult> =>
      this.#admitted(request, waiter, (accountedFor) => {
        const first = prepared;
        // A retry compiles the body again, because the catalog may have changed.
        prepared = undefined;
        return this.#search(accountedFor, started, pinned, first);
      });
    if (largePages === undefined || !isLargePage(request.body)) return admitted();
    return largePages.pass(() => {
      waiter?.check();
      return admitted();
    });
  }

  count(request: SearchRequest): MaybePromise<CountResult> {
    return this.#admitted(request, request.waiter, (accountedFor) => {
      const { catalog, opcodes, nowMs } = this.#options;
      const targets = orEmpty(searchTargets(catalog, request.index, request));
      const groups = compileCounts(request.body, targets, { opcodes, nowMs: nowMs() });
      accountedFor.account.mode = 'count';
      return runSyncFirst(this.#stages.count(groups, accountedFor));
    });
  }

  /** Runs `work` within the limits of the service; retries if its snapshot or index is gone. */
  #admitted<T>(
    request: SearchRequest,
    waiter: Waiter | undefined,
    work: (request: Accounted) => MaybePromise<T>,
  ): MaybePromise<T> {
    const { catalog, gate } = this.#options;
    return gate.pass(() =>
      this.#watch.run(request, (account) =>
        this.#scoped({ body: request.body, waiter }, (pool) => {
          const accountedFor = accounted(request, waiter, account, pool);
          return runSyncFirst(withRetry(catalog, account, () => work(accountedFor)));
        }),
      ),
    );
  }

  /** Runs `work` with a pool that is scoped to the request. */
  #scoped<T>(
    request: Pick<SearchRequest, 'body' | 'waiter'>,
    work: (pool: ScopedPool) => MaybePromise<T>,
  ): MaybePromise<T> {
    const pool = this.#options.scopes.open(request);
    return finallyMaybe(
      () => work(pool),
      () => pool.end(),
    );
  }

  #compile(request: SearchRequest, pinned: PinnedSearch | undefined): SearchPlans {
    const { opcodes, nowMs } = this.#options;
    const targets = this.#targets(request, pinned);
    const groups = compileGroups(request.body, targets, {
      opcodes,
      nowMs: pinned?.nowMs ?? nowMs(),
      pinned,
      hitsJson: pinned === undefined && request.hitsJson === true,
      totalAsInt: request.totalAsInt,
    });
    return { targets, groups, isRepeat: false };
  }

  #targets(request: SearchRequest, pinned: PinnedSearch | undefined): readonly TargetGroup[] {
    return orEmpty(
      pinned === undefined
        ? searchTargets(this.#options.catalog, request.index, request)
        : slicedGroups(pinned.groups, request.body['slice']),
    );
  }

  /** Executes a search; adds suggestions if the body requests some. */
  #search(
    request: Accounted,
    started: number,
    pinned: PinnedSearch | undefined,
    plans: SearchPlans | undefined,
  ): MaybePromise<SearchResult> {
    const hits = (of: Accounted, compiled: SearchPlans): MaybePromise<SearchResult> =>
      runSyncFirst(this.#stages.run(compiled, of, started, pinned));
    if (request.body['suggest'] === undefined)
      return hits(request, plans ?? this.#compile(request, pinned));
    const { toError, opcodes, nowMs } = this.#options;
    const seen = { pinned, targets: () => this.#targets(request, pinned) };
    return withSuggestions(request, seen, { pool: request.pool, toError, opcodes, nowMs }, (bare) =>
      hits(bare, this.#compile(bare, pinned)),
    );
  }
}
