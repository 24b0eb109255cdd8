// The plans of a search for fused lists. The first plan finds the lists, one leg for each; the
// others fetch or explain the fused documents, on the same snapshots that were searched
// (coordinator/fused/ranked-search.ts).
import {
  FETCH_EXPLAIN,
  type Opcodes,
  PLAN_TRACK_SCORES,
  type PlanHeader,
  type PlanInput,
  type ShardScores,
  writePlan,
} from '../wire/plan-writer.js';
import { queryNode } from './clause.js';
import { type Clause, clauseEncoder } from './clauses/index.js';
import {
  type CompiledQuery,
  compileQuery,
  listHeader,
  NO_FETCH,
  type PhaseResults,
  type QueryParts,
  toPlan,
} from './compiled-query.js';
import { union } from './knn.js';
import { isVectorClause, type VectorClause } from './nearest-vectors.js';
import { ALL_SCORES, type Leg, type Ranking, type RankingTree } from './ranking.js';

type Bytes = Uint8Array<ArrayBuffer>;

export interface RankedPlans extends RankingTree {
  /**
   * The hits of the search are not simply the fused list: it has another order or a post filter.
   */
  readonly selects: boolean;
  /** The plan that finds the lists `from` to `to`, `to` excluded. */
  lists(from: number, to: number, found: PhaseResults): Bytes;
  /** Adds the documents of the lists to `found`, so that vector clauses are not searched again. */
  withLists(found: PhaseResults, lists: readonly (readonly ShardScores[])[]): PhaseResults;
  /**
   * The plan that selects the fused documents that pass the post filter, in the order of the sort
   * keys, if any.
   */
  selection(fused: readonly ShardScores[], found: PhaseResults): Bytes;
  /** No list has a minimum score, so the documents of the lists can be counted by their clauses. */
  readonly countable: boolean;
  /**
   * The plan that counts the documents in any of the lists, at any depth. `limit` is
   * PlanHeader.trackTotalHits.
   */
  union(limit: number, found: PhaseResults): Bytes;
  /** The plan that fetches documents. */
  page(found: PhaseResults): Bytes;
  /** The plan that explains a document's score in one list. */
  explanation(leg: number, found: PhaseResults): Bytes;
}

export interface CompiledRanked extends CompiledQuery {
  readonly ranked: RankedPlans;
}

/** `parts` describes the search as a whole; its legs are replaced by those of `ranked`. */
export function compileRanked(
  parts: QueryParts,
  ranked: RankingTree,
  opcodes: Opcodes,
): CompiledRanked {
  const clauses = ranked.legs.map(({ clause }) => clause);
  // One more hit than the deepest list needs shows whether a list continues.
  const window = 1 + Math.max(...ranked.legs.map(({ depth }) => depth));
  const lists: QueryParts = {
    header: listHeader(parts.header, window),
    legs: clauses,
    postFilter: undefined,
    vectorClauses: parts.vectorClauses.filter((clause) => !clauses.includes(clause)),
    semantic: parts.semantic,
    sort: [],
    searchAfter: [],
    fetch: NO_FETCH,
  };
  return { ...compileQuery(lists, opcodes), ranked: toPlans(parts, ranked, lists, opcodes) };
}

/** `lists` are the parts of the plan that finds the lists. */
function toPlans(
  parts: QueryParts,
  { legs, root }: RankingTree,
  lists: QueryParts,
  opcodes: Opcodes,
): RankedPlans {
  const { header, postFilter, sort, fetch, highlight = [], unmapped = [], innerHits = [] } = parts;
  const shown = legs.map(shownClause);
  const plain = { ...lists, legs: shown, postFilter };
  const write = (plan: QueryParts, found: PhaseResults): Bytes =>
    writePlan(toPlan(plan, found), opcodes);
  const counting = new Set(countingLegs(root));
  const whole = { ...root, minScore: Math.max(root.minScore, header.minScore ?? ALL_SCORES) };
  return {
    legs,
    root: whole,
    countable: takesAllScores(whole, legs),
    selects: sort.length > 0 || postFilter !== undefined,
    lists: (from, to, found) => write({ ...lists, legs: lists.legs.slice(from, to) }, found),
    withLists: (found, scores) => ({
      ...found,
      nearest: new Map([...found.nearest, ...listsOf(shown, scores)]),
    }),
    selection: (fused, found) => writePlan(selection(parts, fused, found), opcodes),
    union: (limit, found) => {
      const counts = { ...listHeader(header, 0), trackTotalHits: limit };
      const any = union(shown.filter((_, leg) => counting.has(leg)));
      return write({ ...plain, header: counts, legs: any === undefined ? [] : [any] }, found);
    },
    page: (found) =>
      write(
        {
          ...plain,
          highlight,
          unmapped,
          innerHits,
          fetch: { ...fetch, flags: fetch.flags & ~FETCH_EXPLAIN },
        },
        found,
      ),
    explanation: (leg, found) => {
      const explaining = { ...NO_FETCH, flags: FETCH_EXPLAIN };
      return write({ ...plain, legs: shown.slice(leg, leg + 1), fetch: explaining }, found);
    },
  };
}

function takesAllScores(ranking: Ranking, legs: readonly Leg[]): boolean {
  if (ranking.kind === 'leg') return legs[ranking.leg]?.minScore === ALL_SCORES;
  if (ranking.minScore !== ALL_SCORES) return false;
  return ranking.parts.every((part) => takesAllScores(part.ranking, legs));
}

/** The legs that no weight of 0 excludes on any level. */
function countingLegs(ranking: Ranking): readonly number[] {
  if (ranking.kind === 'leg') return [ranking.leg];
  return ranking.parts.flatMap((part) => (part.weight > 0 ? countingLegs(part.ranking) : []));
}

/** The scores of a vector list already include the boost of its clause. */
function shownClause({ clause }: Leg): Clause {
  return isVectorClause(clause) ? { ...clause, boost: 1 } : clause;
}

function* listsOf(
  shown: readonly Clause[],
  lists: readonly (readonly ShardScores[])[],
): Generator<readonly [VectorClause, readonly ShardScores[]]> {
  for (const [leg, clause] of shown.entries()) {
    const scores = lists[leg];
    if (isVectorClause(clause) && scores !== undefined) yield [clause, scores];
  }
}

function selection(
  parts: QueryParts,
  fused: readonly ShardScores[],
  found: PhaseResults,
): PlanInput {
  const documents = fused.reduce((sum, { docs }) => sum + docs.length, 0);
  const header: PlanHeader = {
    ...listHeader(parts.header, documents),
    flags: parts.header.flags & PLAN_TRACK_SCORES,
  };
  return {
    ...toPlan({ ...parts, header, legs: [], fetch: NO_FETCH }, found),
    legs: [
      (writer) => {
        const base = { boost: 1, name: '' };
        queryNode(clauseEncoder(writer), 'doc_scores', base, (to) => to.shardScores(fused));
      },
    ],
  };
}
