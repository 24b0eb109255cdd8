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
import type { ShardHits, ShardReply } from '../wire/hits-reader.js';
import { type Opcodes, withBoost, withoutInlineFetch } from '../wire/plan-writer.js';
import type { Catalog, IndexEntry } from './catalog.js';
import { type FanOutOptions, fanOut } from './fan-out.js';
import { fetchPage, readDocuments } from './fetch.js';
import type { Gate } from './gate.js';
import { checkMergeable, type MergedHit, mergeRanked, type RankedList } from './merge.js';
import { maxScore, shardsSection, toHit } from './search-answer.js';
import { type FailedShard, searchFailed, toFailedShard } from './search-failures.js';
import { searchTargets, shardsOfAll, type TargetGroup, withFilters } from './search-targets.js';
import { DEFAULT_DOCVALUE_FIELDS, DEFAULT_RESULT_WINDOW, type IndexBehaviour } from './settings.js';
import { sumTotals } from './totals.js';

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

/** Shards that are searched with the same plan. */
interface Asked {
  readonly entries: readonly IndexEntry[];
  readonly plan: Uint8Array<ArrayBuffer>;
}

interface Answers {
  readonly total: number;
  readonly hits: readonly ShardHits[];
  readonly failed: readonly FailedShard[];
  /** The documents of the page, when the only shard sent them along. */
  readonly inline?: Uint8Array<ArrayBuffer>;
}

export class Searcher {
  readonly #options: SearcherOptions;

  constructor(options: SearcherOptions) {
    this.#options = options;
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
    return this.#options.gate.pass(async () => {
      const { catalog, opcodes, nowMs } = this.#options;
      const groups = searchTargets(catalog, request.index, request);
      const context = { opcodes, nowMs: nowMs() };
      const asked = orEmpty(groups).map(({ filters, entries }) => ({
        entries,
        plan: compileCount(withFilters(request.body, filters), context),
      }));
      const answers = await this.#ask(asked, request);
      const count = answers.hits.reduce((sum, { total }) => sum + total, 0);
      return { count, shards: shardsSection(answers) };
    });
  }

  /** A snapshot may be gone by the time its page is fetched; the second search sees the newer one. */
  async #withRetry(work: () => Promise<SearchResult>): Promise<SearchResult> {
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
    const asked = compiled.flatMap(({ group, search }) => this.#variants(group, search, request));
    const [first] = compiled;
    if (first === undefined) throw new Error('a search has no plan');
    const { search } = first;
    const answers = await this.#ask(asked, request);
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
      search.size,
    );
    const hits = await this.#fetch(page, lists, search, answers, request.signal);
    return {
      tookMs: Math.round(performance.now() - started),
      timedOut: answers.hits.some((shard) => shard.timedOut),
      ...(search.terminateAfter > 0
        ? { terminatedEarly: answers.hits.some((shard) => shard.terminatedEarly) }
        : {}),
      shards: shardsSection(answers),
      ...sumTotals(answers.hits, search.trackTotalHits),
      maxScore: search.maxScore && search.size > 0 ? maxScore(ranked) : null,
      hits,
    };
  }

  #compile(
    body: JsonObject,
    groups: readonly TargetGroup[],
  ): readonly { readonly group: TargetGroup; readonly search: CompiledSearch }[] {
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
    return groups.map((group) => ({
      group,
      search: compileSearch(withFilters(body, group.filters), context),
    }));
  }

  /** One plan for each factor of indices_boost. */
  #variants(group: TargetGroup, search: CompiledSearch, options: IndexOptions): readonly Asked[] {
    if (search.indicesBoost.length === 0) return [{ entries: group.entries, plan: search.plan }];
    const byFactor = new Map<number, IndexEntry[]>();
    const boosts = this.#boosts(search, options);
    for (const entry of group.entries) {
      const factor = boosts.find(({ names }) => names.has(entry.name))?.boost ?? 1;
      const entries = byFactor.get(factor);
      if (entries === undefined) byFactor.set(factor, [entry]);
      else entries.push(entry);
    }
    return [...byFactor].map(([factor, entries]) => ({
      entries,
      plan: factor === 1 ? search.plan : withBoost(search.plan, factor),
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

  /** Asks every shard. Rejects when all of them failed, or one where none may. */
  async #ask(asked: readonly Asked[], request: SearchRequest): Promise<Answers> {
    request.signal?.throwIfAborted();
    const groups = asked.map(({ entries, plan }) => ({ shards: shardsOfAll(entries), plan }));
    const total = groups.reduce((sum, { shards }) => sum + shards.length, 0);
    if (total === 0) return { total: 0, hits: [], failed: [] };
    const replies = await Promise.all(
      groups
        .filter(({ shards }) => shards.length > 0)
        .map(({ shards, plan }) =>
          fanOut(this.#options.fanOut, shards, total === 1 ? plan : withoutInlineFetch(plan)),
        ),
    );
    const hits: ShardHits[] = [];
    const failed: FailedShard[] = [];
    for (const reply of replies.flatMap(({ shards }) => shards)) {
      if (reply.ok) hits.push(reply);
      else failed.push(toFailedShard(reply, this.#entryOf(reply, asked), this.#options.toError));
    }
    if (hits.length === 0) throw searchFailed(failed, 'all shards failed');
    if (failed.length > 0 && request.allowPartialResults === false) {
      throw searchFailed(failed, 'Partial shards failure');
    }
    this.#countWork(hits);
    const inline = total === 1 ? replies[0]?.fetch : undefined;
    return { total, hits, failed, ...(inline === undefined ? {} : { inline }) };
  }

  /** As it was when the search began: the index may have been dropped since. */
  #entryOf(reply: ShardReply, asked: readonly Asked[]): IndexEntry {
    for (const { entries } of asked) {
      const entry = entries.find(({ number }) => number === reply.index);
      if (entry !== undefined) return entry;
    }
    throw new Error(`the engine answered for index number ${reply.index}, which was not asked`);
  }

  #lists(shard: ShardHits): readonly PageList[] {
    const leg = shard.legs[0];
    const name = this.#options.catalog.byNumber(shard.index)?.name;
    // An index that was dropped while it was searched has no hits to show any more.
    if (leg === undefined || name === undefined) return [];
    return [{ shard, ranked: { indexName: name, hits: leg } }];
  }

  async #fetch(
    page: readonly MergedHit[],
    lists: readonly PageList[],
    search: CompiledSearch,
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
              plan: search.plan,
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

  #observe(phase: 'query' | 'fetch' | 'total', started: number): void {
    this.#options.metrics.searchSeconds.observe({ phase }, (performance.now() - started) / 1000);
  }

  #countWork(hits: readonly ShardHits[]): void {
    const { blocksDecoded, docsScored } = this.#options.metrics;
    for (const shard of hits) {
      blocksDecoded.inc(shard.blocksDecoded);
      docsScored.inc(shard.docsScored);
    }
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

function mergeOrder(search: CompiledSearch) {
  return search.sort.map(({ order, missing }) => ({
    descending: order === 'desc',
    missingFirst: missing === '_first',
  }));
}
