// Collects the cost of a search while it runs and reports it when it has ended: to histograms by
// mode and phase, to the slow-query log and, if tracing is enabled, as spans.
import type { JsonObject, SearchRequest, Waiter } from '../../backend/index.js';
import { finallyMaybe, type MaybePromise } from '../../base/maybe-promise.js';
import type { Metrics } from '../../ops/metrics.js';
import type { SlowLog } from '../../ops/slow-log.js';
import type { Tracing } from '../../ops/tracing.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import type { ScopedPool } from '../shards/scoped-pool.js';
import type { TargetGroup } from '../shards/search-targets.js';
import { queryShape } from './query-shape.js';

export type SearchMode = 'lexical' | 'knn' | 'hybrid' | 'semantic' | 'aggregation' | 'count';
export type SearchPhase = 'embed' | 'knn' | 'query' | 'fetch' | 'aggregate' | 'total';

/** Maximum number of index names in a line of the log. */
const MAX_NAMES = 20;

/** The cost of one search, including the searches inside it (inner hits). */
export class SearchAccount {
  mode: SearchMode;
  targets: readonly TargetGroup[];
  /** The version of the catalog that resolved the names, while the search may still be retried. */
  resolvedBy: number | undefined;
  /** Milliseconds by phase; phases that did not run are absent. */
  readonly phases: Partial<Record<SearchPhase, number>> = {};
  readonly work = { shards: 0, blocks_decoded: 0, documents_scored: 0, distances: 0, hops: 0 };

  constructor(mode: SearchMode = 'lexical', targets: readonly TargetGroup[] = []) {
    this.mode = mode;
    this.targets = targets;
    this.resolvedBy = undefined;
  }

  add(phase: SearchPhase, ms: number): void {
    this.phases[phase] = (this.phases[phase] ?? 0) + ms;
  }
  count(hits: readonly ShardHits[]): void {
    const { work } = this;
    work.shards += hits.length;
    for (const { blocksDecoded, docsScored, vectors } of hits) {
      work.blocks_decoded += blocksDecoded;
      work.documents_scored += docsScored;
      work.distances += vectors.sketchDistances + vectors.codeDistances + vectors.exactDistances;
      work.hops += vectors.hops;
    }
  }
}

/** A request with the account and the scoped pool of its search. */
export type Accounted = SearchRequest & {
  readonly account: SearchAccount;
  readonly pool: ScopedPool;
};

/** Lists the members by name: every search needs one, and object spread is slow. */
export function accounted(
  request: SearchRequest,
  waiter: Waiter | undefined,
  account: SearchAccount,
  pool: ScopedPool,
): Accounted {
  return {
    account,
    pool,
    index: request.index,
    body: request.body,
    only: request.only,
    routing: request.routing,
    shards: request.shards,
    typedKeys: request.typedKeys,
    allowPartialResults: request.allowPartialResults,
    requestCache: request.requestCache,
    hitsJson: request.hitsJson,
    totalAsInt: request.totalAsInt,
    waiter,
    ignoreUnavailable: request.ignoreUnavailable,
    allowNoIndices: request.allowNoIndices,
    expandWildcards: request.expandWildcards,
    access: request.access,
  } satisfies Record<keyof Accounted, unknown>;
}

export function modeOf(search: CompiledSearch): SearchMode {
  if (search.ranked !== undefined) return 'hybrid';
  if (search.semantic.length > 0) return 'semantic';
  if (search.nearest !== undefined || search.vectorClauses.length > 0) return 'knn';
  return search.size === 0 && search.aggs !== undefined ? 'aggregation' : 'lexical';
}

export interface SearchWatchOptions {
  readonly metrics: Metrics;
  /** Absent: no traces. */
  readonly tracing?: Tracing;
  readonly slowLog?: SlowLog;
}

export class SearchWatch {
  readonly #options: SearchWatchOptions;

  constructor(options: SearchWatchOptions) {
    this.#options = options;
  }

  /** Runs a search and reports the account that `work` fills. */
  run<T>(
    request: SearchRequest,
    work: (account: SearchAccount) => MaybePromise<T>,
  ): MaybePromise<T> {
    const account = new SearchAccount();
    const { tracing } = this.#options;
    const started = performance.now();
    const traced = (): MaybePromise<T> =>
      tracing === undefined ? work(account) : tracing.run('search', {}, () => work(account));
    return finallyMaybe(traced, () => this.finish(request.body, account, started));
  }

  /** Reports a search that began at `started` (performance.now()) and has ended. */
  finish(body: JsonObject, account: SearchAccount, started: number): void {
    this.phase(account, 'total', started);
    this.#log(body, account);
  }

  /** Whether spans of searches are recorded. */
  get traces(): boolean {
    return this.#options.tracing?.isOn === true;
  }

  /** Reports a phase that began at `started` (performance.now()) and has ended. */
  phase(account: SearchAccount, phase: SearchPhase, started: number): void {
    const ms = performance.now() - started;
    account.add(phase, ms);
    const { metrics, tracing } = this.#options;
    metrics.searchSeconds.observe(ms / 1000, account.mode, phase);
    if (phase === 'total' || tracing?.isOn !== true) return;
    tracing.ended(`search ${phase}`, ms, { 'quarry.mode': account.mode });
  }

  #log(body: JsonObject, account: SearchAccount): void {
    const { slowLog } = this.#options;
    if (slowLog === undefined) return;
    const entries = entriesOf(account.targets);
    const { fetch: fetchMs = 0, total: totalMs = 0 } = account.phases;
    const describe = (withValues: boolean): object => ({
      indexes: entries.slice(0, MAX_NAMES).map(({ name }) => name),
      index_count: entries.length,
      mode: account.mode,
      phases_ms: Object.fromEntries(
        Object.entries(account.phases).map(([name, ms]) => [name, Math.round(ms * 10) / 10]),
      ),
      work: account.work,
      ...(withValues ? { body } : { shape: queryShape(body) }),
    });
    slowLog.observe({ phase: 'query', tookMs: totalMs - fetchMs, indexes: entries, describe });
    slowLog.observe({ phase: 'fetch', tookMs: fetchMs, indexes: entries, describe });
  }
}

function entriesOf(groups: readonly TargetGroup[]): TargetGroup['entries'] {
  const [only] = groups;
  if (groups.length === 1 && only !== undefined) return only.entries;
  return groups.flatMap(({ entries }) => entries);
}
