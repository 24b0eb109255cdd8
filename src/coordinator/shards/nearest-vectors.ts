// The kNN phase of a search with vector clauses over several shards. A shard finds only its own
// nearest documents. This phase requests them from every shard for each clause, and the best k of
// all shards replace the clause in the plan of the query phase, which uses the same snapshots.
import type { NearestVectors, TextVectors } from '../../query/clause.js';
import type { CompiledQuery, PhaseResults } from '../../query/compiled-query.js';
import type { VectorClause } from '../../query/nearest-vectors.js';
import type { LegHits, ShardHits } from '../../wire/hits-reader.js';
import { withTime } from '../../wire/plan-copies.js';
import type { ShardScores, ShardSnapshot } from '../../wire/plan-writer.js';
import { type MergedHit, mergeRanked } from './merge.js';
import { shardKey } from './refresh.js';
import type { FailedShard } from './search-failures.js';
import { type SearchedIndex, shardsOfAll } from './search-targets.js';
import {
  FIRST_ROUND,
  type Round,
  type ShardClient,
  type ShardReplies,
  type ShardSearchRequest,
} from './shard-client.js';

/** Maximum number of clauses in one plan: the core accepts 64 legs. */
const CLAUSES_PER_PLAN = 64;

/** The same body over indexes that are reached through the same aliases. */
export interface GroupQuery {
  readonly entries: readonly SearchedIndex[];
  readonly query: CompiledQuery;
}

/** The result of the kNN phase: the plans of the query phase and the state for its rounds. */
export interface Prepared {
  /** One for each group. */
  readonly plans: readonly Uint8Array<ArrayBuffer>[];
  /** The inputs of the plans; one for each group. */
  readonly found: readonly PhaseResults[];
  readonly round: Round;
  readonly failed: readonly FailedShard[];
  /** The replies of the shards, for their work counters. */
  readonly replies: readonly ShardHits[];
}

export function planOf({ plans }: Prepared, group: number): Uint8Array<ArrayBuffer> {
  const plan = plans[group];
  if (plan === undefined) throw new Error('a group of indexes has no plan');
  return plan;
}

/** The same plans with another time in their headers. */
export function atTime(prepared: Prepared, nowMs: number): Prepared {
  return { ...prepared, plans: prepared.plans.map((plan) => withTime(plan, nowMs)) };
}

/**
 * Whether the kNN phase can be skipped: a single shard is searched, or there is no vector clause.
 */
export function needsNoPhase(groups: readonly GroupQuery[]): boolean {
  const shards = groups.reduce((sum, { entries }) => sum + shardsOfAll(entries).length, 0);
  return shards < 2 || groups.every(({ query }) => query.vectorClauses.length === 0);
}

/** The plans without a kNN phase; only the vectors of their strings are filled in. */
export function withoutPhase(groups: readonly GroupQuery[], vectors: TextVectors): Prepared {
  const found = groups.map(({ query: { timeoutUs } }) => ({
    nearest: new Map(),
    vectors,
    snapshots: [],
    timeoutUs,
  }));
  const plans = groups.map(({ query }, group) => {
    const of = found[group];
    return vectors.size === 0 || of === undefined ? query.plan : query.planWith(of);
  });
  return { plans, found, round: FIRST_ROUND, failed: [], replies: [] };
}

/** `indexName`: the name of an index number; undefined if the index is gone. */
export async function findNearest(
  groups: readonly GroupQuery[],
  vectors: TextVectors,
  request: ShardSearchRequest,
  shardClient: ShardClient,
  indexName: (number: number) => string | undefined,
): Promise<Prepared> {
  const state = new PhaseState(groups, vectors);
  for (const clauses of state.rounds()) {
    const requested = groups.map(({ entries, query }, group) => ({
      entries,
      plan: query.nearestPlan(clausesAt(query, clauses), state.found(group)),
    }));
    const answers = await shardClient.ask(requested, request, state.round());
    state.add(answers, clauses, indexName);
  }
  const found = groups.map((_, group) => state.found(group));
  return {
    plans: groups.map(({ query }, group) => query.planWith(found[group] ?? state.found(group))),
    found,
    round: state.round(),
    failed: state.failed,
    replies: state.replies,
  };
}

/** Every group has the same clauses at the same positions; only the filters of aliases differ. */
class PhaseState {
  readonly #groups: readonly GroupQuery[];
  readonly #vectors: TextVectors;
  readonly #nearest: readonly Map<VectorClause, readonly ShardScores[]>[];
  readonly #started = performance.now();
  #snapshots: readonly ShardSnapshot[] = [];
  failed: readonly FailedShard[] = [];
  replies: readonly ShardHits[] = [];

  constructor(groups: readonly GroupQuery[], vectors: TextVectors) {
    this.#groups = groups;
    this.#vectors = vectors;
    this.#nearest = groups.map(() => new Map());
  }

  /** Positions of the clauses of each round: a clause in the filter of another comes before it. */
  *rounds(): Generator<readonly number[]> {
    const clauses = this.#groups[0]?.query.vectorClauses ?? [];
    const deepest = Math.max(...clauses.map(({ level }) => level));
    for (let level = 0; level <= deepest; level++) {
      const places = [...clauses.keys()].filter((place) => clauses[place]?.level === level);
      for (let at = 0; at < places.length; at += CLAUSES_PER_PLAN) {
        yield places.slice(at, at + CLAUSES_PER_PLAN);
      }
    }
  }

  found(group: number): PhaseResults {
    const nearest: NearestVectors = this.#nearest[group] ?? new Map();
    const vectors = this.#vectors;
    const snapshots = this.#snapshots;
    return { nearest, vectors, snapshots, timeoutUs: this.#timeLeftUs(group) };
  }
  /** Excludes failed shards from further rounds. */
  round(): Round {
    const except = new Set(this.failed.map(shardKeyOf));
    return { except, pinned: this.#snapshots.length > 0 };
  }

  add(
    answers: ShardReplies,
    clauses: readonly number[],
    indexName: (number: number) => string | undefined,
  ): void {
    this.failed = [...this.failed, ...answers.failed];
    this.replies = [...this.replies, ...answers.hits];
    this.#snapshots = answers.hits.map(({ index, shard, generation }) => ({
      index,
      shard,
      generation,
    }));
    for (const [leg, place] of clauses.entries()) {
      const k = this.#groups[0]?.query.vectorClauses[place]?.k ?? 0;
      const scores = bestOf(answers.hits, leg, k, indexName);
      for (const [group, { query }] of this.#groups.entries()) {
        const clause = query.vectorClauses[place];
        if (clause !== undefined) this.#nearest[group]?.set(clause, scores);
      }
    }
  }

  #timeLeftUs(group: number): number {
    const limit = this.#groups[group]?.query.timeoutUs ?? 0;
    if (limit === 0) return 0;
    return Math.max(1, limit - (performance.now() - this.#started) * 1000);
  }
}

function shardKeyOf({ number, shard }: FailedShard): string {
  return shardKey({ index: number, shard });
}

function clausesAt(query: CompiledQuery, places: readonly number[]): readonly VectorClause[] {
  return places.flatMap((place) => query.vectorClauses[place] ?? []);
}

/** The best k hits of a leg over all shards, grouped by shard. */
function bestOf(
  shards: readonly ShardHits[],
  leg: number,
  k: number,
  indexName: (number: number) => string | undefined,
): readonly ShardScores[] {
  const lists = shards.flatMap((shard) => {
    const hits = shard.legs[leg];
    const name = indexName(shard.index);
    return hits === undefined || name === undefined ? [] : [{ shard, indexName: name, hits }];
  });
  const byList = new Map<number, MergedHit[]>();
  for (const hit of mergeRanked(lists, [], 0, k)) {
    const of = byList.get(hit.list);
    if (of === undefined) byList.set(hit.list, [hit]);
    else of.push(hit);
  }
  return [...byList].flatMap(([list, best]) => {
    const of = lists[list];
    return of === undefined ? [] : [toScores(of.shard, of.hits, best)];
  });
}

/** Sorted by document number. */
function toScores(shard: ShardHits, leg: LegHits, best: readonly MergedHit[]): ShardScores {
  const hits = best.map(({ hit }) => hit);
  hits.sort((a, b) => (leg.docs[a] ?? 0) - (leg.docs[b] ?? 0));
  return {
    index: shard.index,
    shard: shard.shard,
    docs: Uint32Array.from(hits, (hit) => leg.docs[hit] ?? 0),
    scores: Float32Array.from(hits, (hit) => leg.scores[hit] ?? 0),
  };
}
