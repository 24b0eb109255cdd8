// Checked trees to plan bytes: the plan that finds everything at once, and the plans of a search whose neighbours are
// found first (coordinator/neighbours.ts).
import {
  type FetchSpec,
  NO_TOTAL,
  type Opcodes,
  type PlanHeader,
  type PlanInput,
  type PlanSortKey,
  type Scalar,
  type ShardSnapshot,
  writePlan,
} from '../wire/plan-writer.js';
import type { FoundNeighbours } from './clause.js';
import { clauseEncoder, encodeClause } from './clauses/index.js';
import { encodeKnnLeg, type KnnClause } from './clauses/knn.js';
import type { Queries } from './queries.js';

/** What earlier phases of a search saw and found. */
export interface Found {
  readonly neighbours: FoundNeighbours;
  readonly snapshots: readonly ShardSnapshot[];
  /** 0: no limit. */
  readonly timeoutUs: number;
}

export interface CompiledQuery {
  /** Neighbours of knn clauses are those of each shard. */
  readonly plan: Uint8Array<ArrayBuffer>;
  /** Inner ones first. */
  readonly knn: readonly KnnClause[];
  /** 0: no limit. */
  readonly timeoutUs: number;
  /** The plan with what was found in the place of its knn clauses. */
  planWith(found: Found): Uint8Array<ArrayBuffer>;
  /** Asks each shard for its neighbours of `clauses`, a leg for each. */
  neighbourPlan(clauses: readonly KnnClause[], found: Found): Uint8Array<ArrayBuffer>;
}

export interface QueryParts {
  readonly header: PlanHeader;
  readonly queries: Queries;
  readonly sort: readonly PlanSortKey[];
  readonly searchAfter: readonly Scalar[];
  readonly fetch: FetchSpec;
}

export const NO_FETCH: FetchSpec = { source: false, flags: 0, docvalueFields: [], fields: [] };

export function compileQuery(parts: QueryParts, opcodes: Opcodes): CompiledQuery {
  const { header, queries } = parts;
  return {
    plan: writePlan(toPlan(parts), opcodes),
    knn: queries.knn,
    timeoutUs: header.timeoutUs,
    planWith: (found) => writePlan(toPlan(parts, found), opcodes),
    neighbourPlan: (clauses, found) => writePlan(neighbourPlan(clauses, found, header), opcodes),
  };
}

function toPlan(
  { header, queries, sort, searchAfter, fetch }: QueryParts,
  found?: Found,
): PlanInput {
  const { root, postFilter } = queries;
  const neighbours = found?.neighbours;
  return {
    header: found === undefined ? header : { ...header, timeoutUs: found.timeoutUs },
    snapshots: found?.snapshots ?? [],
    legs: [(writer) => encodeClause(root, writer, neighbours)],
    ...(postFilter === undefined
      ? {}
      : { postFilter: (writer) => encodeClause(postFilter, writer, neighbours) }),
    sort,
    searchAfter,
    fetch,
  };
}

function neighbourPlan(
  clauses: readonly KnnClause[],
  { neighbours, snapshots, timeoutUs }: Found,
  { nowMs }: PlanHeader,
): PlanInput {
  return {
    header: {
      flags: 0,
      trackTotalHits: NO_TOTAL,
      nowMs,
      timeoutUs,
      from: 0,
      size: 0,
      window: Math.max(...clauses.map(({ k }) => k)),
      terminateAfter: 0,
    },
    snapshots,
    legs: clauses.map(
      (clause) => (writer) => encodeKnnLeg(clause, clauseEncoder(writer, neighbours)),
    ),
    sort: [],
    searchAfter: [],
    fetch: NO_FETCH,
  };
}
