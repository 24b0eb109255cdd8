// A search from body to hits: compile once, fan out, merge, fetch the page from the snapshots that were searched.
import type { CountResult, SearchHit, SearchRequest, SearchResult } from '../backend.js';
import type { QueryEmbedder } from '../embed/query-embedder.js';
import type { QuarryError } from '../errors.js';
import type { Metrics } from '../ops/metrics.js';
import { begin, type Soon, type Work, wait } from '../ops/soon.js';
import { inTurns } from '../ops/turns.js';
import type { TextVectors } from '../query/clause.js';
import { parseTimeout } from '../query/paging.js';
import type { CompiledSearch } from '../query/search-body.js';
import type { Opcodes } from '../wire/plan-writer.js';
import { type Asked, ShardAsker } from './ask.js';
import type { Catalog } from './catalog.js';
import type { FanOutOptions } from './fan-out.js';
import type { FetchOptions } from './fetch.js';
import type { Gate } from './gate.js';
import { type Expanded, withInnerHits } from './inner-hits.js';
import { KnownSearches } from './known-searches.js';
import { checkMergeable } from './merge.js';
import {
  atTime,
  findNeighbours,
  type GroupQuery,
  needsNoPhase,
  type Prepared,
  planOf,
  withoutPhase,
} from './neighbours.js';
import { pageHits } from './page-hits.js';
import { textPage } from './page-text.js';
import { pageLists } from './plain-hits.js';
import { type PlainPage, plainPage } from './plain-page.js';
import { profileOf } from './profile.js';
import { textVectors } from './query-texts.js';
import { type RankedSearchOptions, searchRanked } from './ranked-search.js';
import { type RepeatedSearchOptions, repeatedSearch } from './repeated-search.js';
import { searchAggregations } from './search-aggregations.js';
import { type FoundPage, maxScore, searchResult, shardsSection } from './search-answer.js';
import type { PinnedSearch } from './search-contexts.js';
import { boosted, type CompiledGroup, compileCounts, orEmpty } from './search-plans.js';
import { withRetry } from './search-retry.js';
import { searchTargets, type TargetGroup } from './search-targets.js';
import { type Accounted, accounted, modeOf, SearchWatch } from './search-watch.js';
import { slicedGroups } from './slices.js';
import { withSuggestions } from './suggest.js';
import { totalOf } from './totals.js';

export interface SearcherOptions {
  readonly catalog: Catalog;
  readonly fanOut: FanOutOptions;
  readonly gate: Gate;
  readonly opcodes: Opcodes;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly metrics: Metrics;
  /** Absent: only the metrics learn what searches cost. */
  readonly watch?: SearchWatch;
  readonly queryEmbedder: QueryEmbedder;
  /** Wall clock, for date math. */
  readonly nowMs: () => number;
}

export class Searcher {
  readonly #options: SearcherOptions;
  readonly #asker: ShardAsker;
  readonly #watch: SearchWatch;
  readonly #ranked: Omit<RankedSearchOptions, 'observe'>;
  readonly #fetch: Omit<FetchOptions, 'planOf'>;
  readonly #known: KnownSearches;
  readonly #repeated: RepeatedSearchOptions;

  constructor(options: SearcherOptions) {
    this.#options = options;
    this.#asker = new ShardAsker(options);
    this.#watch = options.watch ?? new SearchWatch(options);
    const { opcodes, toError, fanOut } = options;
    this.#fetch = { pool: fanOut.pool, quick: fanOut.quick, toError };
    this.#known = new KnownSearches(options.catalog);
    this.#repeated = { ...options, watch: this.#watch, asker: this.#asker };
    this.#ranked = {
      asker: this.#asker,
      fanOut,
      opcodes,
      toError,
      nameOf: (index) => this.#nameOf(index),
    };
  }

  /** `pinned`: what is searched, instead of the newest of what the request names. */
  search(request: SearchRequest, pinned?: PinnedSearch): Soon<SearchResult> {
    return this.#options.gate.pass(() =>
      this.#watch.run(request, (account) => {
        const started = performance.now();
        return begin(withRetry(() => this.#search(accounted(request, account), started, pinned)));
      }),
    );
  }

  count(request: SearchRequest): Soon<CountResult> {
    return this.#options.gate.pass(() =>
      this.#watch.run(request, (account) =>
        begin(withRetry(() => begin(this.#count(accounted(request, account))))),
      ),
    );
  }

  *#count(request: Accounted): Work<CountResult> {
    const { catalog, opcodes, nowMs } = this.#options;
    const targets = orEmpty(searchTargets(catalog, request.index, request));
    const groups = compileCounts(request.body, targets, { opcodes, nowMs: nowMs() });
    request.account.mode = 'count';
    const vectors = yield* this.#vectors(groups, request);
    const prepared = yield* this.#prepare(groups, vectors, request);
    const asked = groups.map(({ entries, query: { weight } }, group) => ({
      entries,
      plan: planOf(prepared, group),
      weight,
    }));
    const answers = yield* wait(this.#asker.ask(asked, request, prepared.round));
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
  ): Soon<SearchResult> {
    const { toError, fanOut, opcodes, nowMs } = this.#options;
    const seen = { pinned, targets: () => this.#targets(request, pinned) };
    return withSuggestions(request, seen, { pool: fanOut.pool, toError, opcodes, nowMs }, (bare) =>
      begin(this.#searchHits(bare, started, pinned)),
    );
  }

  *#searchHits(
    request: Accounted,
    started: number,
    pinned: PinnedSearch | undefined,
  ): Work<SearchResult> {
    const { opcodes, nowMs } = this.#options;
    const { account } = request;
    const hitTexts = request.hitTexts === true && pinned === undefined;
    const at = { opcodes, nowMs: pinned?.nowMs ?? nowMs(), pinned, hitTexts };
    const named = (): readonly TargetGroup[] => this.#targets(request, pinned);
    const compiled = this.#known.compile(request, named, at);
    const { targets, groups, isKnown } = compiled;
    const [first] = groups;
    if (first === undefined) throw new Error('a search has no plan');
    const search = first.query;
    account.targets = targets;
    account.mode = modeOf(search);
    const vectors = pinned?.texts.vectors ?? (yield* this.#vectors(groups, request));
    if (pinned !== undefined) pinned.texts.vectors = vectors;
    const plans =
      search.nearest === undefined
        ? yield* this.#prepare(groups, vectors, request)
        : withoutPhase(groups, vectors);
    const prepared = isKnown ? atTime(plans, at.nowMs) : plans;
    const page =
      search.ranked === undefined
        ? yield* this.#searchPlain(groups, search, prepared, request, pinned)
        : yield* wait(
            searchRanked(groups, prepared, request, {
              ...this.#ranked,
              observe: (phase, from) => this.#watch.phase(account, phase, from),
            }),
          );
    const { answers, replies } = page;
    const aggregations = yield* wait(
      searchAggregations(search, answers.hits, targets, request, this.#options),
    );
    const { failed } = prepared;
    const profile = search.profile ? profileOf(replies, this.#nameOf) : undefined;
    const again =
      request.mayRepeat && hitTexts && !isKnown ? repeatedSearch(request, compiled, this.#repeated) : undefined;
    return searchResult(search, page, started, { aggregations, profile, failed, again });
  }

  *#searchPlain(
    groups: readonly CompiledGroup[],
    search: CompiledSearch,
    prepared: Prepared,
    request: Accounted,
    pinned: PinnedSearch | undefined,
  ): Work<FoundPage> {
    const started = performance.now();
    const asked: Asked[] = [];
    for (const [i, group] of groups.entries())
      asked.push(...boosted(group, planOf(prepared, i), this.#options.catalog, request));
    const answers = yield* wait(this.#asker.ask(asked, request, prepared.round));
    this.#watch.phase(request.account, 'query', started);
    const replies = [...prepared.replies, ...answers.hits];
    if (search.hitTexts && answers.inline !== undefined) {
      return {
        answers,
        replies,
        ...textPage(answers, answers.inline, search, this.#options.toError),
      };
    }
    const lists = pageLists(answers.hits, this.#nameOf);
    const ranked = lists.map(({ ranked: list }) => list);
    const legs = ranked.map(({ hits: leg }) => leg);
    checkMergeable(
      ranked,
      search.sort.map((key) => key.field),
    );
    const chosen = yield* wait(inTurns(plainPage(ranked, search)));
    request.waiter?.check();
    const fetched = performance.now();
    const { hits, timedOut } = yield* pageHits(chosen, lists, search, asked, answers, this.#fetch);
    if (hits.length > 0) this.#watch.phase(request.account, 'fetch', fetched);
    const shown = yield* wait(this.#expand(hits, chosen, search, request, pinned, started));
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
    { groups = [] }: PlainPage,
    { collapse }: CompiledSearch,
    request: Accounted,
    pinned: PinnedSearch | undefined,
    started: number,
  ): Soon<Expanded> {
    if (collapse === undefined || collapse.innerHits.length === 0) return { hits, timedOut: false };
    const timeoutUs = parseTimeout(request.body['timeout']);
    const timeLeft = (): number | undefined =>
      timeoutUs === 0 ? undefined : timeoutUs / 1000 - (performance.now() - started);
    return withInnerHits(hits, groups, collapse, request.body, timeLeft, async (body) =>
      begin(this.#searchHits({ ...request, body, hitTexts: false }, performance.now(), pinned)),
    );
  }

  /** Undefined for an index that was dropped since. */
  readonly #nameOf = (index: number): string | undefined =>
    this.#options.catalog.byNumber(index)?.name;

  /** Of texts that a service beyond this process embeds. */
  #vectors(groups: readonly GroupQuery[], request: Accounted): Work<TextVectors> {
    const started = performance.now();
    const done = (): void => this.#watch.phase(request.account, 'embed', started);
    return textVectors(groups, this.#options.queryEmbedder, request.waiter, done);
  }

  /** Neighbours first, where shards have to agree on them. */
  *#prepare(
    groups: readonly GroupQuery[],
    vectors: TextVectors,
    request: Accounted,
  ): Work<Prepared> {
    if (needsNoPhase(groups)) return withoutPhase(groups, vectors);
    const started = performance.now();
    const prepared = yield* wait(
      findNeighbours(groups, vectors, request, this.#asker, this.#nameOf),
    );
    this.#watch.phase(request.account, 'neighbours', started);
    return prepared;
  }
}
