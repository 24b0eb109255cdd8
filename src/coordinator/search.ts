// A search from body to hits: compile once, fan out, merge, fetch the page from the snapshots that were searched.
import type {
  CountResult,
  IndexOptions,
  JsonObject,
  SearchHit,
  SearchRequest,
  SearchResult,
} from '../backend.js';
import { QuarryError } from '../errors.js';
import type { Metrics } from '../ops/metrics.js';
import { type CompiledSearch, compileCount, compileSearch } from '../query/search-body.js';
import type { ShardHits } from '../wire/hits-reader.js';
import { withBoost } from '../wire/plan-copies.js';
import type { Opcodes } from '../wire/plan-writer.js';
import { type Answers, type Asked, ShardAsker } from './ask.js';
import type { Catalog } from './catalog.js';
import type { FanOutOptions } from './fan-out.js';
import { fetchPage, readDocuments } from './fetch.js';
import type { Gate } from './gate.js';
import { checkMergeable, type MergedHit, mergeRanked, type RankedList } from './merge.js';
import {
  findNeighbours,
  type GroupQuery,
  needsNoPhase,
  type Prepared,
  planOf,
  withoutPhase,
} from './neighbours.js';
import { profileOf } from './profile.js';
import { maxScore, shardsSection, toHit } from './search-answer.js';
import { type SearchedIndex, searchTargets, type TargetGroup } from './search-targets.js';
import { DEFAULT_DOCVALUE_FIELDS, DEFAULT_RESULT_WINDOW, type IndexBehaviour } from './settings.js';
import { nearestTotal, sumTotals } from './totals.js';

export interface SearcherOptions {
  readonly catalog: Catalog;
  readonly fanOut: FanOutOptions;
  readonly gate: Gate;
  readonly opcodes: Opcodes;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly metrics: Metrics;
  /** Wall clock, for date math. */
  readonly nowMs: () => number;
}

export class Searcher {
  readonly #options: SearcherOptions;
  readonly #asker: ShardAsker;

  constructor(options: SearcherOptions) {
    this.#options = options;
    this.#asker = new ShardAsker(options);
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return this.#options.gate.pass(async () => {
      const started = performance.now();
      const result = await this.#withRetry(() => this.#search(request, started));
      this.#observe('total', started);
      return result;
    });
  }

  count(request: SearchRequest): Promise<CountResult> {
    return this.#options.gate.pass(() => this.#withRetry(() => this.#count(request)));
  }

  async #count(request: SearchRequest): Promise<CountResult> {
    const { catalog, opcodes, nowMs } = this.#options;
    const context = { opcodes, nowMs: nowMs() };
    const groups = orEmpty(searchTargets(catalog, request.index, request)).map(
      ({ filters, entries }) => ({
        entries,
        query: compileCount(request.body, { ...context, filters }),
      }),
    );
    const prepared = await this.#prepare(groups, request);
    const asked = groups.map(({ entries }, group) => ({ entries, plan: planOf(prepared, group) }));
    const answers = await this.#ask(asked, request, prepared);
    const count = answers.hits.reduce((sum, { total }) => sum + total, 0);
    return { count, shards: shardsSection(answers) };
  }

  /** A snapshot may be gone by the next phase; the second search sees the newer one. */
  async #withRetry<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const gone =
        error instanceof QuarryError && error.type === 'search_context_missing_exception';
      if (!gone) throw error;
      return work();
    }
  }

  async #search(request: SearchRequest, started: number): Promise<SearchResult> {
    const groups = searchTargets(this.#options.catalog, request.index, request);
    const compiled = this.#compile(request.body, orEmpty(groups));
    const [first] = compiled;
    if (first === undefined) throw new Error('a search has no plan');
    const search = first.query;
    const prepared =
      search.nearest === undefined
        ? await this.#prepare(compiled, request)
        : withoutPhase(compiled);
    const asked = compiled.flatMap(({ entries }, group) =>
      this.#variants(entries, planOf(prepared, group), search, request),
    );
    const answers = await this.#ask(asked, request, prepared);
    this.#observe('query', started);
    const lists = answers.hits.flatMap((shard) => this.#lists(shard));
    const ranked = lists.map(({ ranked: list }) => list);
    checkMergeable(
      ranked,
      search.sort.map((key) => key.field),
    );
    const page = mergeRanked(
      ranked,
      mergeOrder(search),
      search.size === 0 ? 0 : search.from,
      pageSize(search),
    );
    const hits = await this.#fetch(
      page,
      lists,
      search,
      planOf(prepared, 0),
      answers,
      request.signal,
    );
    const total = sumTotals(answers.hits, search.trackTotalHits);
    const replies = [...prepared.replies, ...answers.hits];
    return {
      tookMs: Math.round(performance.now() - started),
      timedOut: replies.some((shard) => shard.timedOut),
      ...(search.terminateAfter > 0
        ? { terminatedEarly: answers.hits.some((shard) => shard.terminatedEarly) }
        : {}),
      shards: shardsSection(answers),
      ...(search.nearest === undefined ? total : nearestTotal(total, search.nearest)),
      maxScore: search.maxScore && search.size > 0 ? maxScore(ranked) : null,
      hits,
      ...(search.profile ? { profile: profileOf(replies, this.#nameOf) } : {}),
    };
  }

  /** Undefined for an index that was dropped since. */
  readonly #nameOf = (index: number): string | undefined =>
    this.#options.catalog.byNumber(index)?.name;

  /** Neighbours first, where shards have to agree on them. */
  async #prepare(groups: readonly GroupQuery[], request: SearchRequest): Promise<Prepared> {
    if (needsNoPhase(groups)) return withoutPhase(groups);
    const started = performance.now();
    const prepared = await findNeighbours(groups, request, this.#asker, this.#nameOf);
    this.#observe('neighbours', started);
    return prepared;
  }

  /** The answers of this round, with the shards that failed in the rounds before. */
  async #ask(
    asked: readonly Asked[],
    request: SearchRequest,
    { round, failed }: Prepared,
  ): Promise<Answers> {
    const answers = await this.#asker.ask(asked, request, round);
    if (failed.length === 0) return answers;
    return {
      ...answers,
      total: answers.total + failed.length,
      failed: [...failed, ...answers.failed],
    };
  }

  #compile(
    body: JsonObject,
    groups: readonly TargetGroup[],
  ): readonly { readonly entries: readonly SearchedIndex[]; readonly query: CompiledSearch }[] {
    const { opcodes, nowMs } = this.#options;
    const behaviours = groups.flatMap(({ entries }) => entries.map(({ behaviour }) => behaviour));
    const least = (read: (one: IndexBehaviour) => number, without: number): number =>
      behaviours.length === 0 ? without : Math.min(...behaviours.map(read));
    const context = {
      opcodes,
      nowMs: nowMs(),
      maxResultWindow: least((one) => one.maxResultWindow, DEFAULT_RESULT_WINDOW),
      maxDocvalueFields: least((one) => one.maxDocvalueFields, DEFAULT_DOCVALUE_FIELDS),
    };
    return groups.map(({ entries, filters }) => ({
      entries,
      query: compileSearch(body, { ...context, filters }),
    }));
  }

  /** One plan for each factor of indices_boost. */
  #variants(
    entries: readonly SearchedIndex[],
    plan: Uint8Array<ArrayBuffer>,
    search: CompiledSearch,
    options: IndexOptions,
  ): readonly Asked[] {
    if (search.indicesBoost.length === 0) return [{ entries, plan }];
    const byFactor = new Map<number, SearchedIndex[]>();
    const boosts = this.#boosts(search, options);
    for (const entry of entries) {
      const factor = boosts.find(({ names }) => names.has(entry.name))?.boost ?? 1;
      const boosted = byFactor.get(factor);
      if (boosted === undefined) byFactor.set(factor, [entry]);
      else boosted.push(entry);
    }
    return [...byFactor].map(([factor, boosted]) => ({
      entries: boosted,
      plan: factor === 1 ? plan : withBoost(plan, factor),
    }));
  }

  #boosts(
    search: CompiledSearch,
    { ignoreUnavailable = false }: IndexOptions,
  ): readonly { readonly names: ReadonlySet<string>; readonly boost: number }[] {
    return search.indicesBoost.map(({ index, boost }) => {
      const targets = this.#options.catalog.resolve(index, {
        expandWildcards: ['open', 'hidden'],
        ignoreUnavailable,
      });
      return { names: new Set(targets.map((target) => target.index.name)), boost };
    });
  }

  #lists(shard: ShardHits): readonly PageList[] {
    const leg = shard.legs[0];
    const name = this.#nameOf(shard.index);
    // An index that was dropped while it was searched has no hits to show any more.
    if (leg === undefined || name === undefined) return [];
    return [{ shard, ranked: { indexName: name, hits: leg } }];
  }

  async #fetch(
    page: readonly MergedHit[],
    lists: readonly PageList[],
    search: CompiledSearch,
    plan: Uint8Array,
    answers: Answers,
    signal: AbortSignal | undefined,
  ): Promise<readonly SearchHit[]> {
    if (page.length === 0) return [];
    signal?.throwIfAborted();
    const started = performance.now();
    const { toError, fanOut: options } = this.#options;
    const documents =
      answers.inline === undefined
        ? await fetchPage(
            page,
            lists.map(({ shard, ranked }) => ({ shard, leg: ranked.hits })),
            {
              pool: options.pool,
              plan,
              toError,
            },
          )
        : readDocuments(answers.inline, toError);
    this.#observe('fetch', started);
    return page.map((hit, i) => {
      const list = lists[hit.list];
      const document = documents[i];
      if (list === undefined || document === undefined) throw new Error('a hit has no document');
      return toHit(list.ranked, hit.hit, document, search);
    });
  }

  #observe(phase: 'neighbours' | 'query' | 'fetch' | 'total', started: number): void {
    this.#options.metrics.searchSeconds.observe({ phase }, (performance.now() - started) / 1000);
  }
}

interface PageList {
  readonly shard: ShardHits;
  readonly ranked: RankedList;
}

/** A search over nothing is still checked. */
function orEmpty(groups: readonly TargetGroup[]): readonly TargetGroup[] {
  return groups.length === 0 ? [{ filters: [], entries: [] }] : groups;
}

/** Of shards that each sent their nearest, only the nearest of all are hits. */
function pageSize({ nearest, from, size }: CompiledSearch): number {
  return nearest === undefined ? size : Math.max(0, Math.min(size, nearest - from));
}

function mergeOrder(search: CompiledSearch) {
  return search.sort.map(({ order, missing }) => ({
    descending: order === 'desc',
    missingFirst: missing === '_first',
  }));
}
