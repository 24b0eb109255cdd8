// Searches and counts: admitted, accounted for and compiled once; the short way where one call of the core is enough, else the long one.
import type { CountResult, SearchRequest, SearchResult } from '../../backend/index.js';
import {
  awaitMaybe,
  finallyMaybe,
  type MaybePromise,
  runSyncFirst,
  type SyncFirstTask,
} from '../../base/maybe-promise.js';
import type { QueryEmbedder } from '../../embed/query-embedder.js';
import type { QuarryError } from '../../errors.js';
import type { Metrics } from '../../ops/metrics.js';
import type { Opcodes } from '../../wire/plan-writer.js';
import type { Catalog } from '../catalog/catalog.js';
import { isLargePage, type LargePages } from '../page/large-pages.js';
import { shardsSection } from '../page/search-answer.js';
import type { FanOutOptions } from '../shards/fan-out.js';
import type { Gate } from '../shards/gate.js';
import { planOf } from '../shards/nearest-vectors.js';
import { withRetry } from '../shards/retry.js';
import type { PoolScopes, ScopedPool } from '../shards/scoped-pool.js';
import { compileCounts, orEmpty } from '../shards/search-plans.js';
import { searchTargets, type TargetGroup } from '../shards/search-targets.js';
import { ShardClient } from '../shards/shard-client.js';
import { withSuggestions } from '../suggest/suggest.js';
import { type Compiling, KnownSearches } from './known-searches.js';
import { OneShardSearches } from './one-shard.js';
import { PhasedSearches } from './phased-search.js';
import type { PinnedSearch } from './search-contexts.js';
import { type Accounted, accounted, type SearchAccount, SearchWatch } from './search-watch.js';
import { slicedGroups } from './slices.js';

export interface SearcherOptions {
  readonly catalog: Catalog;
  readonly fanOut: FanOutOptions;
  readonly gate: Gate;
  /** Absent: no large page is searched here. */
  readonly largePages?: LargePages;
  readonly scopes: PoolScopes;
  readonly opcodes: Opcodes;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly metrics: Metrics;
  /** Absent: only the metrics learn what searches cost. */
  readonly watch?: SearchWatch;
  readonly queryEmbedder: QueryEmbedder;
  /** Wall clock, for date math. */
  readonly nowMs: () => number;
  /** As many as the aggregations of a search may have. */
  readonly maxBuckets: () => number;
}

export class Searcher {
  readonly #options: SearcherOptions;
  readonly #asker: ShardClient;
  readonly #watch: SearchWatch;
  readonly #known: KnownSearches;
  readonly #oneShard: OneShardSearches;
  readonly #phased: PhasedSearches;

  constructor(options: SearcherOptions) {
    this.#options = options;
    this.#asker = new ShardClient(options);
    this.#watch = options.watch ?? new SearchWatch(options);
    this.#known = new KnownSearches(options.catalog);
    const shared = { ...options, watch: this.#watch, asker: this.#asker };
    this.#oneShard = new OneShardSearches(shared);
    this.#phased = new PhasedSearches({
      ...shared,
      compile: (request, pinned) => this.#compile(request, pinned),
    });
  }

  /** `pinned`: what is searched, instead of the newest of what the request names. */
  search(request: SearchRequest, pinned?: PinnedSearch): MaybePromise<SearchResult> {
    const { largePages } = this.#options;
    if (largePages === undefined || !isLargePage(request.body))
      return this.#admitted(request, pinned);
    return largePages.pass(() => {
      request.waiter?.check();
      return this.#admitted(request, pinned);
    });
  }

  #admitted(request: SearchRequest, pinned: PinnedSearch | undefined): MaybePromise<SearchResult> {
    return this.#options.gate.pass(() =>
      this.#watch.run(request, (account) => {
        const started = performance.now();
        return this.#scoped(request, (pool) =>
          pinned === undefined && request.body['suggest'] === undefined
            ? this.#short(request, account, pool, started)
            : this.#long(accounted(request, account, pool), started, pinned),
        );
      }),
    );
  }

  /** In one call where that is possible. */
  #short(
    request: SearchRequest,
    account: SearchAccount,
    pool: ScopedPool,
    started: number,
  ): MaybePromise<SearchResult> {
    const compiled = this.#compile(request, undefined);
    return (
      this.#oneShard.run(request, compiled, account, pool, started) ??
      this.#long(accounted(request, account, pool), started, undefined, compiled)
    );
  }

  /** `compiled`: good for the first try. */
  #long(
    request: Accounted,
    started: number,
    pinned: PinnedSearch | undefined,
    compiled?: Compiling,
  ): MaybePromise<SearchResult> {
    let once = compiled;
    return runSyncFirst(
      withRetry(this.#options.catalog, request.account, () => {
        const known = once;
        once = undefined;
        return this.#search(request, started, pinned, known);
      }),
    );
  }

  #compile(request: SearchRequest, pinned: PinnedSearch | undefined): Compiling {
    const { opcodes, nowMs } = this.#options;
    const at = {
      opcodes,
      nowMs: pinned?.nowMs ?? nowMs(),
      pinned,
      hitTexts: pinned === undefined && request.hitTexts === true,
    };
    return this.#known.compile(request, () => this.#targets(request, pinned), at);
  }

  count(request: SearchRequest): MaybePromise<CountResult> {
    return this.#options.gate.pass(() =>
      this.#watch.run(request, (account) =>
        this.#scoped(request, (pool) =>
          runSyncFirst(
            withRetry(this.#options.catalog, account, () =>
              runSyncFirst(this.#count(accounted(request, account, pool))),
            ),
          ),
        ),
      ),
    );
  }

  /** Runs `work` with the pool as the request may use it. */
  #scoped<T>(request: SearchRequest, work: (pool: ScopedPool) => MaybePromise<T>): MaybePromise<T> {
    const pool = this.#options.scopes.open(request);
    return finallyMaybe(
      () => work(pool),
      () => pool.end(),
    );
  }

  *#count(request: Accounted): SyncFirstTask<CountResult> {
    const { catalog, opcodes, nowMs } = this.#options;
    const targets = orEmpty(searchTargets(catalog, request.index, request));
    const groups = compileCounts(request.body, targets, { opcodes, nowMs: nowMs() });
    request.account.mode = 'count';
    const vectors = yield* this.#phased.vectors(groups, request);
    const prepared = yield* this.#phased.prepare(groups, vectors, request);
    const requested = groups.map(({ entries, query: { weight } }, group) => ({
      entries,
      plan: planOf(prepared, group),
      weight,
    }));
    const answers = yield* awaitMaybe(this.#asker.ask(requested, request, prepared.round));
    const count = answers.hits.reduce((sum, { total }) => sum + total, 0);
    return { count, shards: shardsSection(answers, prepared) };
  }

  #targets(request: SearchRequest, pinned: PinnedSearch | undefined): readonly TargetGroup[] {
    return orEmpty(
      pinned === undefined
        ? searchTargets(this.#options.catalog, request.index, request)
        : slicedGroups(pinned.groups, request.body['slice']),
    );
  }

  /** Hits, and suggestions beside them. */
  #search(
    request: Accounted,
    started: number,
    pinned: PinnedSearch | undefined,
    compiled: Compiling | undefined,
  ): MaybePromise<SearchResult> {
    const { toError, opcodes, nowMs } = this.#options;
    const seen = { pinned, targets: () => this.#targets(request, pinned) };
    return withSuggestions(request, seen, { pool: request.pool, toError, opcodes, nowMs }, (bare) =>
      runSyncFirst(this.#phased.run(bare, started, pinned, compiled)),
    );
  }
}
