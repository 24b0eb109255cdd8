// A search for fused lists: the shards find the lists, all from one snapshot per shard, and this
// file fuses them. What is still missing of its documents (post filter, sort keys, ids of ties) is
// requested from the same snapshots.
import type { SearchResult } from '../../backend/index.js';
import type { QuarryError } from '../../errors.js';
import type { FusedHit } from '../../fusion/fuse.js';
import { NO_FETCH, type PhaseResults } from '../../query/compiled-query.js';
import type { RankedPlans } from '../../query/compiled-ranked.js';
import { totalLimit } from '../../query/paging.js';
import type { CompiledSearch } from '../../query/search-body.js';
import { writeFetchPlan } from '../../wire/fetch-plan.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import type { Opcodes } from '../../wire/plan-writer.js';
import type { PageResult } from '../page/search-answer.js';
import type { FanOutOptions } from '../shards/fan-out.js';
import { fetchPage } from '../shards/fetch.js';
import { askLists, type ListRange, splitLists } from '../shards/list-tasks.js';
import { checkMergeable, mergeOrder, mergeRanked } from '../shards/merge.js';
import { type Prepared, planOf } from '../shards/nearest-vectors.js';
import { shardKey } from '../shards/refresh.js';
import type { FailedShard } from '../shards/search-failures.js';
import type { CompiledGroup } from '../shards/search-plans.js';
import { shardsOfAll } from '../shards/search-targets.js';
import {
  type PlannedShards,
  type Round,
  type ShardClient,
  type ShardReplies,
  type ShardSearchRequest,
  shardPlan,
} from '../shards/shard-client.js';
import { sumTotals } from '../shards/totals.js';
import { type FusedResult, fuseLists, inOrder } from './fused-lists.js';
import {
  type AnsweredIndexShard,
  type Place,
  placedList,
  placeKey,
  scoresByShard,
} from './ranked-lists.js';
import {
  type FetchPlaces,
  type PlanMaker,
  rankedHits,
  type SelectedDocument,
} from './ranked-page.js';

export interface RankedSearchOptions {
  readonly shardClient: ShardClient;
  readonly fanOut: FanOutOptions;
  readonly opcodes: Opcodes;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  /** Undefined for an index that has been dropped. */
  readonly nameOf: (index: number) => string | undefined;
  readonly observe: (phase: 'query' | 'fetch', started: number) => void;
}

export function searchRanked(
  groups: readonly CompiledGroup[],
  prepared: Prepared,
  request: ShardSearchRequest,
  options: RankedSearchOptions,
): Promise<PageResult> {
  return new RankedSearch(groups, prepared, request, options).run();
}

/** One search. */
class RankedSearch {
  readonly #groups: readonly CompiledGroup[];
  readonly #prepared: Prepared;
  readonly #request: ShardSearchRequest;
  readonly #options: RankedSearchOptions;
  readonly #search: CompiledSearch;
  readonly #plans: RankedPlans;
  readonly #started = performance.now();
  #replies: readonly ShardHits[];
  #shards: readonly AnsweredIndexShard[] = [];
  #round: Round;
  #failed: readonly FailedShard[] = [];
  /** The inputs of further plans after the lists were found; one for each group. */
  #found: readonly PhaseResults[] = [];

  constructor(
    groups: readonly CompiledGroup[],
    prepared: Prepared,
    request: ShardSearchRequest,
    options: RankedSearchOptions,
  ) {
    const [first] = groups;
    if (first?.query.ranked === undefined) throw new Error('a search for lists has none');
    this.#groups = groups;
    this.#prepared = prepared;
    this.#request = request;
    this.#options = options;
    this.#search = first.query;
    this.#plans = first.query.ranked;
    this.#replies = prepared.replies;
    this.#round = prepared.round;
  }

  async run(): Promise<PageResult> {
    const answers = await this.#lists();
    this.#shards = answers.hits.flatMap((shard) => {
      const indexName = this.#options.nameOf(shard.index);
      return indexName === undefined ? [] : [{ shard, indexName }];
    });
    const lists = this.#plans.legs.map((leg, at) => placedList(this.#shards, at, leg));
    this.#remember(
      answers,
      lists.map(({ hits }) => scoresByShard(hits, this.#shards)),
    );
    const result = await fuseLists(this.#plans.root, lists, this.#readIds);
    const best = await this.#best(result);
    const more = best.length < result.fused.length;
    const selected = await this.#select(best, more);
    const total = this.#plans.selects
      ? await this.#total(selected.length, result.cut || more)
      : await this.#total(result.fused.length, result.cut);
    this.#options.observe('query', this.#started);
    const fetching = performance.now();
    const { from, size } = this.#search;
    const page = selected.slice(from, from + size);
    const shown = await rankedHits(
      page,
      result,
      this.#search,
      this.#plans,
      this.#fetch,
      ({ shard }) => this.#shards[shard]?.shard,
    );
    this.#options.observe('fetch', fetching);
    return {
      ...total,
      maxScore: this.#search.maxScore && size > 0 ? bestScore(selected) : null,
      ...shown,
      answers: { ...answers, failed: this.#failed },
      replies: this.#replies,
    };
  }

  /**
   * Requests the lists. If inline execution is unlikely to succeed, they are distributed over idle
   * threads.
   */
  async #lists(): Promise<ShardReplies> {
    const { shardClient, fanOut } = this.#options;
    const { length } = this.#plans.legs;
    const shards = shardsOfAll(this.#groups.flatMap((group) => group.entries));
    const round = this.#round;
    const ask = async ({ from, to }: ListRange): Promise<ShardReplies> => {
      const whole = to - from === length;
      const requested = this.#groups.map((group, at) => ({
        entries: group.entries,
        plan: whole
          ? planOf(this.#prepared, at)
          : plansOf(group.query).lists(from, to, foundOf(this.#prepared.found, at)),
      }));
      return shardClient.ask(requested, this.#request, round);
    };
    const isInline = fanOut.inline?.isLikely(shards, planOf(this.#prepared, 0)) === true;
    const ranges = splitLists(length, shards.length, isInline ? 0 : fanOut.pool.idle);
    return this.#seen(await askLists(length, ranges, ask));
  }

  async #ask(requested: readonly PlannedShards[]): Promise<ShardReplies> {
    return this.#seen(await this.#options.shardClient.ask(requested, this.#request, this.#round));
  }

  /** Records replies: further rounds exclude failed shards and use the snapshots of this one. */
  #seen(answers: ShardReplies): ShardReplies {
    this.#replies = [...this.#replies, ...answers.hits];
    this.#failed = [...this.#failed, ...answers.failed];
    const except = this.#failed.map(({ number: index, shard }) => shardKey({ index, shard }));
    this.#round = { except: new Set([...this.#round.except, ...except]), pinned: true };
    return answers;
  }

  /** Records snapshots and lists as inputs of the plans of further rounds. */
  #remember(answers: ShardReplies, lists: Parameters<RankedPlans['withLists']>[1]): void {
    const snapshots = answers.hits.map(({ index, shard, generation }) => ({
      index,
      shard,
      generation,
    }));
    this.#found = this.#groups.map(({ query }, group) => {
      const before = foundOf(this.#prepared.found, group);
      const timeoutUs = this.#timeLeftUs(before.timeoutUs);
      return plansOf(query).withLists({ ...before, snapshots, timeoutUs }, lists);
    });
  }

  #timeLeftUs(limit: number): number {
    if (limit === 0) return 0;
    return Math.max(1, limit - (performance.now() - this.#started) * 1000);
  }

  /** Makes a plan for each group. */
  #planned(plan: PlanMaker): readonly PlannedShards[] {
    return this.#groups.map(({ entries, query }, group) => ({
      entries,
      plan: plan(plansOf(query), foundOf(this.#found, group)),
    }));
  }

  /** The best fused documents, at most `depth` of the root. */
  async #best({ fused }: FusedResult): Promise<readonly FusedHit<Place>[]> {
    const { depth } = this.#plans.root;
    if (fused.length <= depth) return fused;
    return (await inOrder(fused, depth, this.#readIds)).slice(0, depth);
  }

  /** The documents that the search selects, in its order. `ordered`: ties are broken already. */
  async #select(
    fused: readonly FusedHit<Place>[],
    ordered: boolean,
  ): Promise<readonly SelectedDocument[]> {
    const { from, size } = this.#search;
    const end = ordered || size === 0 ? 0 : from + size;
    if (fused.length === 0) return [];
    if (!this.#plans.selects) {
      return (await inOrder(fused, end, this.#readIds)).map((one) => ({ fused: one }));
    }
    const places = fused.map(({ hit, score }) => ({ ...hit, score }));
    const scores = scoresByShard(places, this.#shards);
    const answers = await this.#ask(
      this.#planned((plans, found) => plans.selection(scores, found)),
    );
    const passing = this.#passing(answers, new Map(fused.map((one) => [one.hit.id, one])));
    if (this.#search.sort.length > 0) return passing;
    const kept = new Set(passing.map((one) => one.fused));
    const left = fused.filter((one) => kept.has(one));
    return (await inOrder(left, end, this.#readIds)).map((one) => ({ fused: one }));
  }

  /** The documents that pass the post filter, sorted. `fused`: documents by placeKey(). */
  #passing(
    answers: ShardReplies,
    fused: ReadonlyMap<string, FusedHit<Place>>,
  ): readonly SelectedDocument[] {
    const { sort } = this.#search;
    const lists = this.#shards.flatMap(({ shard, indexName }, at) => {
      const answer = answers.hits.find(
        (one) => one.index === shard.index && one.shard === shard.shard,
      );
      const hits = answer?.legs[0];
      return hits === undefined ? [] : [{ at, indexName, hits }];
    });
    checkMergeable(
      lists,
      sort.map(({ field }) => field),
    );
    return mergeRanked(lists, mergeOrder(sort), 0, fused.size).flatMap(({ list, hit }) => {
      const from = lists[list];
      const one = fused.get(placeKey(from?.at ?? -1, from?.hits.docs[hit] ?? -1));
      if (from === undefined || one === undefined) return [];
      return [{ fused: one, sort: from.hits.sort.map((column) => column.json(hit)) }];
    });
  }

  /**
   * The total: the number of documents in the lists. If the request sets track_total_hits and a
   * list was cut, a further round counts the documents of complete lists.
   */
  async #total(selected: number, cut: boolean): Promise<Pick<SearchResult, 'total'>> {
    const { trackTotalHits: track, totalRequested } = this.#search;
    if (track === false) return {};
    if (cut && totalRequested && this.#plans.countable && (track === true || selected < track)) {
      const limit = totalLimit(track);
      const { hits } = await this.#ask(this.#planned((plans, found) => plans.union(limit, found)));
      return sumTotals(hits, track);
    }
    return sumTotals([{ total: selected, totalRelation: cut ? 'gte' : 'eq' }], track);
  }

  readonly #readIds = async (places: readonly Place[]): Promise<readonly string[]> => {
    const plan = writeFetchPlan(NO_FETCH, 0, this.#options.opcodes);
    const { documents } = await this.#fetch(places, () => plan);
    return documents.map((document) => document?.id ?? '');
  };

  readonly #fetch: FetchPlaces = (places, plan) => {
    this.#request.waiter?.check();
    const { fanOut, toError } = this.#options;
    const requested = this.#planned(plan);
    return fetchPage(
      places,
      this.#shards.map(({ shard }) => shard),
      {
        pool: fanOut.pool,
        planOf: (index) => shardPlan(requested, index),
        toError,
        inline: fanOut.inline,
      },
    );
  };
}

/** Null if there are no documents. */
function bestScore(selected: readonly SelectedDocument[]): number | null {
  let best: number | null = null;
  for (const { fused } of selected) best = Math.max(best ?? fused.score, fused.score);
  return best;
}

function foundOf(found: readonly PhaseResults[], group: number): PhaseResults {
  const of = found[group];
  if (of === undefined) throw new Error('a group of indexes has found nothing');
  return of;
}

function plansOf({ ranked }: CompiledSearch): RankedPlans {
  if (ranked === undefined) throw new Error('a search for lists has none');
  return ranked;
}
