// The long way of a search: compiled, its neighbours found where shards have to agree on them, fanned out, merged, and its page fetched from
// the snapshots that were searched.
import type { SearchHit, SearchResult } from '../../backend/index.js';
import { runCooperatively } from '../../base/cooperative-task.js';
import {
  awaitMaybe,
  type MaybePromise,
  runSyncFirst,
  type SyncFirstTask,
} from '../../base/maybe-promise.js';
import type { QueryEmbedder } from '../../embed/query-embedder.js';
import type { QuarryError } from '../../errors.js';
import type { TextVectors } from '../../query/clause.js';
import { parseTimeout } from '../../query/paging.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { Opcodes } from '../../wire/plan-writer.js';
import type { Catalog } from '../catalog/catalog.js';
import { type RankedSearchOptions, searchRanked } from '../fused/ranked-search.js';
import { type ExpandedHits, withInnerHits } from '../page/inner-hits.js';
import { pageHits } from '../page/page-hits.js';
import { textPage } from '../page/page-text.js';
import { pageLists } from '../page/plain-hits.js';
import { type PlainPage, plainPage } from '../page/plain-page.js';
import { maxScore, type PageResult, searchResult } from '../page/search-answer.js';
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
import type { Compiling } from './known-searches.js';
import { profileOf } from './profile.js';
import { textVectors } from './query-texts.js';
import { searchAggregations } from './search-aggregations.js';
import type { PinnedSearch } from './search-contexts.js';
import { type Accounted, modeOf, type SearchWatch } from './search-watch.js';

export interface PhasedSearchesOptions {
  readonly catalog: Catalog;
  readonly fanOut: FanOutOptions;
  readonly opcodes: Opcodes;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly queryEmbedder: QueryEmbedder;
  readonly asker: ShardClient;
  readonly watch: SearchWatch;
  readonly compile: (request: Accounted, pinned: PinnedSearch | undefined) => Compiling;
  /** Wall clock, for date math. */
  readonly nowMs: () => number;
  readonly maxBuckets: () => number;
}

export class PhasedSearches {
  readonly #options: PhasedSearchesOptions;
  readonly #ranked: Omit<RankedSearchOptions, 'observe'>;
  readonly #fetch: Omit<FetchOptions, 'planOf' | 'pool'>;

  constructor(options: PhasedSearchesOptions) {
    this.#options = options;
    const { asker, opcodes, toError, fanOut } = options;
    this.#fetch = { quick: fanOut.quick, toError };
    this.#ranked = { asker, fanOut, opcodes, toError, nameOf: (index) => this.#nameOf(index) };
  }

  /** A search that began at `started`. `pinned`: what is searched, instead of the newest of what the request names. */
  *run(
    request: Accounted,
    started: number,
    pinned: PinnedSearch | undefined,
    compiled = this.#options.compile(request, pinned),
  ): SyncFirstTask<SearchResult> {
    const { account } = request;
    const { targets, groups, isKnown } = compiled;
    const [first] = groups;
    if (first === undefined) throw new Error('a search has no plan');
    const search = first.query;
    account.targets = targets;
    account.mode = modeOf(search);
    const vectors = pinned?.texts.vectors ?? (yield* this.vectors(groups, request));
    if (pinned !== undefined) pinned.texts.vectors = vectors;
    const plans =
      search.nearest === undefined
        ? yield* this.prepare(groups, vectors, request)
        : withoutPhase(groups, vectors);
    const prepared = isKnown ? atTime(plans, this.#options.nowMs()) : plans;
    const page =
      search.ranked === undefined
        ? yield* this.#searchPlain(groups, search, prepared, request, pinned)
        : yield* awaitMaybe(
            searchRanked(groups, prepared, request, {
              ...this.#ranked,
              fanOut: { ...this.#ranked.fanOut, pool: request.pool },
              observe: (phase, from) => this.#options.watch.phase(account, phase, from),
            }),
          );
    const { answers, replies } = page;
    const aggregations = yield* awaitMaybe(
      searchAggregations(search, answers.hits, targets, request, {
        ...this.#options,
        pool: request.pool,
      }),
    );
    const { failed } = prepared;
    const profile = search.profile ? profileOf(replies, this.#nameOf) : undefined;
    return searchResult(search, page, started, { aggregations, profile, failed });
  }

  *#searchPlain(
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
    const answers = yield* awaitMaybe(this.#options.asker.ask(requested, request, prepared.round));
    this.#options.watch.phase(request.account, 'query', started);
    const replies = [...prepared.replies, ...answers.hits];
    if (search.hitTexts && answers.inline !== undefined) {
      return {
        answers,
        replies,
        ...textPage(answers, answers.inline, search, this.#options.toError),
      };
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
      maxScore: search.maxScore && search.size > 0 ? (chosen.best ?? maxScore(legs)) : null,
      hits: shown.hits,
      timedOut: timedOut || shown.timedOut,
    };
  }

  /** With the hits of their groups, where a collapsed search asks for them. */
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
    return withInnerHits(hits, groups, collapse, request.body, timeLeft, async (body) =>
      runSyncFirst(
        this.run(
          { ...request, body, hitTexts: false, mayRepeat: false },
          performance.now(),
          pinned,
        ),
      ),
    );
  }

  /** Undefined for an index that was dropped since. */
  readonly #nameOf = (index: number): string | undefined =>
    this.#options.catalog.byNumber(index)?.name;

  /** Of texts that a service beyond this process embeds. */
  vectors(groups: readonly GroupQuery[], request: Accounted): SyncFirstTask<TextVectors> {
    const started = performance.now();
    const done = (): void => this.#options.watch.phase(request.account, 'embed', started);
    return textVectors(groups, this.#options.queryEmbedder, request.waiter, done);
  }

  /** Neighbours first, where shards have to agree on them. */
  *prepare(
    groups: readonly GroupQuery[],
    vectors: TextVectors,
    request: Accounted,
  ): SyncFirstTask<Prepared> {
    if (needsNoPhase(groups)) return withoutPhase(groups, vectors);
    const started = performance.now();
    const prepared = yield* awaitMaybe(
      findNearest(groups, vectors, request, this.#options.asker, this.#nameOf),
    );
    this.#options.watch.phase(request.account, 'neighbours', started);
    return prepared;
  }
}
