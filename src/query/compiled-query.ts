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
import type { Agg } from './aggs/agg.js';
import { writeAggs } from './aggs/encode.js';
import type { Known } from './clause.js';
import { type Clause, clauseEncoder, encodeClause } from './clauses/index.js';
import type { SemanticClause } from './clauses/semantic.js';
import { encodeNeighbourLeg, type NeighbourClause } from './neighbours.js';

/** What earlier phases of a search saw and found. */
export interface Found extends Known {
  readonly snapshots: readonly ShardSnapshot[];
  /** 0: no limit. */
  readonly timeoutUs: number;
}

export interface CompiledQuery {
  /** Neighbours are those of each shard. */
  readonly plan: Uint8Array<ArrayBuffer>;
  /** Clauses whose neighbours shards have to agree on, inner ones first. */
  readonly neighbours: readonly NeighbourClause[];
  /** Their texts may have to be embedded before the shards are asked. */
  readonly semantic: readonly SemanticClause[];
  /** 0: no limit. */
  readonly timeoutUs: number;
  /** The plan with what was found in the place of its clauses for neighbours. */
  planWith(found: Found): Uint8Array<ArrayBuffer>;
  /** Asks each shard for its neighbours of `clauses`, a leg for each. */
  neighbourPlan(clauses: readonly NeighbourClause[], found: Found): Uint8Array<ArrayBuffer>;
}

/** A plan before it is bytes. */
export interface QueryParts {
  readonly header: PlanHeader;
  /** A list for each. */
  readonly legs: readonly Clause[];
  readonly postFilter: Clause | undefined;
  readonly neighbours: readonly NeighbourClause[];
  readonly semantic: readonly SemanticClause[];
  readonly sort: readonly PlanSortKey[];
  readonly searchAfter: readonly Scalar[];
  readonly fetch: FetchSpec;
  readonly aggs?: readonly Agg[];
  /** That will be asked. */
  readonly shards?: number;
  /** Pinned ones, which every plan of the search names; none: the newest, or those that an earlier phase saw. */
  readonly snapshots?: readonly ShardSnapshot[];
}

export const NO_FETCH: FetchSpec = { source: false, flags: 0, docvalueFields: [], fields: [] };

export function compileQuery(parts: QueryParts, opcodes: Opcodes): CompiledQuery {
  const { header, neighbours, semantic } = parts;
  return {
    plan: writePlan(toPlan(parts), opcodes),
    neighbours,
    semantic,
    timeoutUs: header.timeoutUs,
    planWith: (found) => writePlan(toPlan(parts, found), opcodes),
    neighbourPlan: (clauses, found) => writePlan(neighbourPlan(clauses, found, parts), opcodes),
  };
}

export function toPlan(
  parts: Omit<QueryParts, 'neighbours' | 'semantic'>,
  found?: Found,
): PlanInput {
  const { header, legs, postFilter, sort, searchAfter, fetch, aggs = [], shards = 1 } = parts;
  return {
    header: found === undefined ? header : { ...header, timeoutUs: found.timeoutUs },
    snapshots: snapshotsOf(parts, found),
    legs: legs.map((leg) => (writer) => encodeClause(leg, writer, found)),
    ...(postFilter === undefined
      ? {}
      : { postFilter: (writer) => encodeClause(postFilter, writer, found) }),
    sort,
    searchAfter,
    fetch,
    ...(aggs.length === 0 ? {} : { aggs: (writer) => writeAggs(writer, aggs, shards) }),
  };
}

function snapshotsOf(
  { snapshots = [] }: Pick<QueryParts, 'snapshots'>,
  found: Found | undefined,
): readonly ShardSnapshot[] {
  return snapshots.length > 0 ? snapshots : (found?.snapshots ?? []);
}

/** Of a plan that only finds lists: neither totals nor documents. */
export function listHeader({ nowMs, timeoutUs }: PlanHeader, window: number): PlanHeader {
  return {
    flags: 0,
    trackTotalHits: NO_TOTAL,
    nowMs,
    timeoutUs,
    from: 0,
    size: 0,
    window,
    terminateAfter: 0,
  };
}

function neighbourPlan(
  clauses: readonly NeighbourClause[],
  found: Found,
  parts: Pick<QueryParts, 'header' | 'snapshots'>,
): PlanInput {
  const { header } = parts;
  return {
    header: listHeader(
      { ...header, timeoutUs: found.timeoutUs },
      Math.max(...clauses.map(({ k }) => k)),
    ),
    snapshots: snapshotsOf(parts, found),
    legs: clauses.map(
      (clause) => (writer) => encodeNeighbourLeg(clause, clauseEncoder(writer, found)),
    ),
    sort: [],
    searchAfter: [],
    fetch: NO_FETCH,
  };
}
