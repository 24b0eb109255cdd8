// The stages of a search, each of which may be absent: strings are embedded, the nearest
// vectors of all shards are found, the query runs on the shards, lists are merged or fused, and the
// documents of the page are fetched from the snapshots that were searched. A single shard returns
// its page with the reply of its query, so that nothing is merged or fetched.
import type { CountResult, SearchHit, SearchResult } from '../../backend/index.js';
import { runCooperatively } from '../../base/cooperative-task.js';
import {
  awaitMaybe,
  type MaybePromise,
  runSyncFirst,
  type SyncFirstTask,
} from '../../base/maybe-promise.js';
import type { QueryEmbedder } from '../../embed/query-embedder.js';
import type { QuarryError } from '../../errors.js';
import type { DateTable } from '../../query/aggs/calendar.js';
import type { TextVectors } from '../../query/clause.js';
import { parseTimeout } from '../../query/paging.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { Opcodes } from '../../wire/plan-writer.js';
import type { Catalog } from '../catalog/catalog.js';
import { type RankedSearchOptions, searchRanked } from '../fused/ranked-search.js';
import { type ExpandedHits, withInnerHits } from '../page/inner-hits.js';
import { pageHits } from '../page/page-hits.js';
import { pageLists } from '../page/plain-hits.js';
import { type PlainPage, plainPage } from '../page/plain-page.js';
import { renderedPage } from '../page/rendered-page.js';
import { maxScore, type PageResult, searchResult, shardsSection } from '../page/search-answer.js';
import type { FanOutOptions } from '../shards/fan-out.js';
import type { FetchOptions } from '../shards/fetch.js';
import { checkMergeable } from '../shards/merge.js';
import {
  atTime,
  findNearest,
  type GroupQuery,
  needsNoPhase,
  type Prepared,
  planOf,
  withoutPhase,
} from '../shards/nearest-vectors.js';
import { boosted, type CompiledGroup } from '../shards/search-plans.js';
import type { PlannedShards, ShardClient } from '../shards/shard-client.js';
import { totalOf } from '../shards/totals.js';
import type { SearchPlans } from './prepared-search.js';
import { profileOf } from './profile.js';
import { textVectors } from './query-texts.js';
import { searchAggregations } from './search-aggregations.js';
import type { PinnedSearch } from './search-contexts.js';
import { type Accounted, modeOf, type SearchWatch } from './search-watch.js';

export interface SearchStagesOptions {
  readonly catalog: Catalog;
  readonly fanOut: FanOutOptions;
  readonly opcodes: Opcodes;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly queryEmbedder: QueryEmbedder;
  readonly shardClient: ShardClient;
  readonly watch: SearchWatch;
  /** For the inner hits of a collapsed search. */
  readonly compile: (request: Accounted, pinned: PinnedSearch | undefined) => SearchPlans;
  /** Wall clock, for date math. */
  readonly nowMs: () => number;
  readonly maxBuckets: () => number;
  readonly dateTable: DateTable;
}

export class SearchStages {
  readonly #options: SearchStagesOptions;
  readonly #ranked: Omit<RankedSearchOptions, 'observe'>;
  readonly #fetch: Omit<FetchOptions, 'planOf' | 'pool'>;

  constructor(options: SearchStagesOptions) {
    this.#options = options;
    const { shardClient, opcodes, toError, fanOut } = options;
    this.#fetch = { inline: fanOut.inline, toError };
    this.#ranked = {
      shardClient,
      fanOut,
      opcodes,
      toError,
      nameOf: (index) => this.#nameOf(index),
    };
  }

  /**
   * Executes a search that began at `started` (performance.now()). `pinned`: the snapshots to
   * search, if not the newest.
   */
  *run(
    { targets, groups, isRepeat }: SearchPlans,
    request: Accounted,
    started: number,
    pinned: PinnedSearch | undefined,
  ): SyncFirstTask<SearchResult> {
    const { account } = request;
    const [first] = groups;
    if (first === undefined) throw new Error('a search has no plan');
    const search = first.query;
    account.targets = targets;
    account.mode = modeOf(search);
    const vectors = pinned?.texts.vectors ?? (yield* this.#embed(groups, request));
    if (pinned !== undefined) pinned.texts.vectors = vectors;
    const plans =
      search.nearest === undefined
        ? yield* this.#findNearest(groups, vectors, request)
        : withoutPhase(groups, vectors);
    const prepared = isRepeat ? atTime(plans, this.#options.nowMs()) : plans;
    const page =
      search.ranked === undefined
        ? yield* this.#query(groups, search, prepared, request, pinned)
        : yield* awaitMaybe(
            searchRanked(groups, prepared, request, {
              ...this.#ranked,
              fanOut: { ...this.#ranked.fanOut, pool: request.pool },
              observe: (phase, from) => this.#options.watch.phase(account, phase, from),
            }),
          );
    const { answers, replies } = page;
    const aggregations = yield* awaitMaybe(
      searchAggregations(search, answers.hits, targets, request, this.#options),
    );
    const { failed } = prepared;
    const profile = search.profile ? profileOf(replies, this.#nameOf) : undefined;
    return searchResult(search, page, started, { aggregations, profile, failed });
  }

  /** The query, merge and fetch stages of a search that fuses no lists. */
  *#query(
    groups: readonly CompiledGroup[],
    search: CompiledSearch,
    prepared: Prepared,
    request: Accounted,
    pinned: PinnedSearch | undefined,
  ): SyncFirstTask<PageResult> {
    const started = performance.now();
    const requested: PlannedShards[] = [];
    for (const [i, group] of groups.entries())
      requested.push(...boosted(group, planOf(prepared, i), this.#options.catalog, request));
    const answers = yield* awaitMaybe(
      this.#options.shardClient.ask(requested, request, prepared.round),
    );
    this.#options.watch.phase(request.account, 'query', started);
    const replies = [...prepared.replies, ...answers.hits];
    if (search.hitsJson && answers.inline !== undefined) {
      return {
        answers,
        replies,
        ...renderedPage(answers, answers.inline, search, this.#options.toError),
      };
    }
    if (search.size === 0) {
      return { answers, replies, total: totalOf(answers.hits, search), maxScore: null, hits: [] };
    }
    const lists = pageLists(answers.hits, this.#nameOf);
    const isCut = answers.hits.some(({ timedOut }) => timedOut);
    const ranked = lists.map(({ ranked: list }) => list);
    const legs = ranked.map(({ hits: leg }) => leg);
    checkMergeable(
      ranked,
      search.sort.map((key) => key.field),
    );
    const chosen = yield* awaitMaybe(runCooperatively(plainPage(ranked, search, isCut)));
    request.waiter?.check();
    const fetched = performance.now();
    const found = yield* pageHits(chosen, lists, search, requested, answers, {
      ...this.#fetch,
      pool: request.pool,
    });
    const { hits, timedOut, groups: values } = found;
    if (hits.length > 0) this.#options.watch.phase(request.account, 'fetch', fetched);
    const shown = yield* awaitMaybe(this.#expand(hits, values, search, request, pinned, started));
    return {
      answers,
      replies,
      total: totalOf(answers.hits, search),
      maxScore: search.maxScore ? (chosen.best ?? maxScore(legs)) : null,
      hits: shown.hits,
      timedOut: timedOut || shown.timedOut,
    };
  }

  /** Adds the hits of the groups of a collapsed search that requests them. */
  #expand(
    hits: readonly SearchHit[],
    groups: PlainPage['groups'] = [],
    { collapse }: CompiledSearch,
    request: Accounted,
    pinned: PinnedSearch | undefined,
    started: number,
  ): MaybePromise<ExpandedHits> {
    if (collapse === undefined || collapse.innerHits.length === 0) return { hits, timedOut: false };
    const timeoutUs = parseTimeout(request.body['timeout']);
    const timeLeft = (): number | undefined =>
      timeoutUs === 0 ? undefined : timeoutUs / 1000 - (performance.now() - started);
    return withInnerHits(hits, groups, collapse, request.body, timeLeft, async (body) => {
      const inner = { ...request, body, hitsJson: false };
      const plans = this.#options.compile(inner, pinned);
      return runSyncFirst(this.run(plans, inner, performance.now(), pinned));
    });
  }

  /** Undefined for an index that was dropped meanwhile. */
  readonly #nameOf = (index: number): string | undefined =>
    this.#options.catalog.byNumber(index)?.name;

  /** Counts the documents that match. */
  *count(groups: readonly GroupQuery[], request: Accounted): SyncFirstTask<CountResult> {
    const vectors = yield* this.#embed(groups, request);
    const prepared = yield* this.#findNearest(groups, vectors, request);
    const requested = groups.map(({ entries }, group) => ({
      entries,
      plan: planOf(prepared, group),
    }));
    const answers = yield* awaitMaybe(
      this.#options.shardClient.ask(requested, request, prepared.round),
    );
    const count = answers.hits.reduce((sum, { total }) => sum + total, 0);
    return { count, shards: shardsSection(answers, prepared) };
  }

  /** The embedding stage: vectors of strings that an inference service embeds. */
  #embed(groups: readonly GroupQuery[], request: Accounted): SyncFirstTask<TextVectors> {
    const started = performance.now();
    const done = (): void => this.#options.watch.phase(request.account, 'embed', started);
    return textVectors(groups, this.#options.queryEmbedder, request.waiter, done);
  }

  /** The kNN stage: the nearest vectors of all shards replace vector clauses. */
  *#findNearest(
    groups: readonly GroupQuery[],
    vectors: TextVectors,
    request: Accounted,
  ): SyncFirstTask<Prepared> {
    if (needsNoPhase(groups)) return withoutPhase(groups, vectors);
    const started = performance.now();
    const prepared = yield* awaitMaybe(
      findNearest(groups, vectors, request, this.#options.shardClient, this.#nameOf),
    );
    this.#options.watch.phase(request.account, 'knn', started);
    return prepared;
  }
}
