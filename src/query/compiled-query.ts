// Encodes checked clause trees to plan bytes: the plan that finds everything at once, and the plans
// of a search whose nearest vectors are found in a phase of their own
// (coordinator/shards/nearest-vectors.ts).
import {
  FETCH_EXPLAIN,
  type FetchSpec,
  NO_TOTAL,
  type Opcodes,
  type PlanHeader,
  type PlanInput,
  type PlanSortKey,
  type PlanWriter,
  type Scalar,
  type ShardSnapshot,
  type WriteQuery,
  writePlan,
} from '../wire/plan-writer.js';
import type { Agg } from './aggs/agg.js';
import { writeAggs } from './aggs/encode.js';
import type { ClauseInputs } from './clause.js';
import { type Clause, clauseEncoder, encodeClause } from './clauses/index.js';
import type { SemanticClause } from './clauses/semantic.js';
import { type Collapse, writeCollapse } from './collapse.js';
import { type HighlightField, writeHighlight } from './fetch/highlight.js';
import { type ScriptField, writeScriptFields } from './fetch/script-fields.js';
import { encodeVectorLeg, type VectorClause } from './nearest-vectors.js';
import { type Rescore, writeRescores } from './rescore.js';

/** Results of the earlier phases of a search. */
export interface PhaseResults extends ClauseInputs {
  readonly snapshots: readonly ShardSnapshot[];
  /** 0: no limit. */
  readonly timeoutUs: number;
}

export interface CompiledQuery {
  /** The plan of a search in one phase, where nearest vectors are those of each shard. */
  readonly plan: Uint8Array<ArrayBuffer>;
  /** Vector clauses whose hits have to be merged over all shards, inner ones first. */
  readonly vectorClauses: readonly VectorClause[];
  /**
   * Semantic clauses, whose texts may have to be embedded before the query is sent to the shards.
   */
  readonly semantic: readonly SemanticClause[];
  /** 0: no limit. */
  readonly timeoutUs: number;
  /** The plan with the results of earlier phases in place of its vector clauses. */
  readonly planWith: (found: PhaseResults) => Uint8Array<ArrayBuffer>;
  /**
   * The plan that finds the nearest vectors of `clauses` in each shard, one leg for each clause.
   */
  readonly nearestPlan: (
    clauses: readonly VectorClause[],
    found: PhaseResults,
  ) => Uint8Array<ArrayBuffer>;
}

/** The nested documents that every hit shows: those that a plan of one leg finds. */
export interface InnerHitsPlan {
  readonly name: string;
  /** Of a nested object, or a field of it. */
  readonly path: string;
  readonly plan: Uint8Array;
}

/** A plan before it is encoded. */
export interface QueryParts {
  readonly header: PlanHeader;
  /** One ranked list for each leg. */
  readonly legs: readonly Clause[];
  readonly postFilter: Clause | undefined;
  readonly vectorClauses: readonly VectorClause[];
  readonly semantic: readonly SemanticClause[];
  readonly sort: readonly PlanSortKey[];
  readonly searchAfter: readonly Scalar[];
  readonly fetch: FetchSpec;
  readonly aggs?: readonly Agg[];
  readonly highlight?: readonly HighlightField[];
  /** Patterns of `fields` that also show unmapped fields. */
  readonly unmapped?: readonly string[];
  readonly scriptFields?: readonly ScriptField[];
  readonly collapse?: Collapse | undefined;
  readonly rescores?: readonly Rescore[];
  /** Number of shards that the plan is sent to. */
  readonly shards?: number;
  /**
   * Pinned snapshots, which every plan of the search names. None: the newest snapshots, or those
   * that an earlier phase used.
   */
  readonly snapshots?: readonly ShardSnapshot[];
  readonly innerHits?: readonly InnerHitsPlan[];
}

export const NO_FETCH: FetchSpec = { source: false, flags: 0, docvalueFields: [], fields: [] };

export function compileQuery(parts: QueryParts, opcodes: Opcodes): CompiledQuery {
  const { header, vectorClauses, semantic } = parts;
  return {
    plan: writePlan(toPlan(parts), opcodes),
    vectorClauses,
    semantic,
    timeoutUs: header.timeoutUs,
    planWith: (found) => writePlan(toPlan(parts, found), opcodes),
    nearestPlan: (clauses, found) => writePlan(nearestPlan(clauses, found, parts), opcodes),
  };
}

export function toPlan(parts: Omit<QueryParts, 'vectorClauses'>, found?: PhaseResults): PlanInput {
  const { header, legs, postFilter, sort, searchAfter, fetch } = parts;
  return {
    header: found === undefined ? header : { ...header, timeoutUs: found.timeoutUs },
    snapshots: snapshotsOf(parts, found),
    legs: legs.map((leg) => (writer) => encodeClause(leg, writer, found)),
    postFilter:
      postFilter === undefined ? undefined : (writer) => encodeClause(postFilter, writer, found),
    sort,
    searchAfter,
    fetch,
    frames: framesOf(parts, found),
  };
}

function snapshotsOf(
  { snapshots = [] }: Pick<QueryParts, 'snapshots'>,
  found: PhaseResults | undefined,
): readonly ShardSnapshot[] {
  return snapshots.length > 0 ? snapshots : (found?.snapshots ?? []);
}

/** The optional frame nodes of a plan. */
function framesOf(
  parts: Omit<QueryParts, 'vectorClauses'>,
  found: PhaseResults | undefined,
): readonly WriteQuery[] {
  const { aggs = [], shards = 1, highlight = [], unmapped = [] } = parts;
  const { collapse, rescores = [], semantic, innerHits = [], scriptFields = [] } = parts;
  const frames: WriteQuery[] = [];
  if (aggs.length > 0) frames.push((writer) => writeAggs(writer, aggs, shards));
  if (highlight.length > 0) {
    frames.push((writer) => writeHighlight(writer, highlight, semantic, found));
  }
  if (innerHits.length > 0) frames.push((writer) => writeInnerHits(writer, innerHits));
  if (collapse !== undefined) frames.push((writer) => writeCollapse(writer, collapse));
  if (rescores.length > 0) frames.push((writer) => writeRescores(writer, rescores));
  if (scriptFields.length > 0) frames.push((writer) => writeScriptFields(writer, scriptFields));
  if (unmapped.length > 0) {
    frames.push((writer) =>
      writer.node('unmapped', () => writer.list(unmapped, (pattern) => writer.str(pattern))),
    );
  }
  return frames;
}

function writeInnerHits(writer: PlanWriter, innerHits: readonly InnerHitsPlan[]): void {
  writer.node('inner_hits', () =>
    writer.list(innerHits, ({ name, path, plan }) =>
      writer
        .str(name)
        .str(path)
        .block(() => writer.raw(plan)),
    ),
  );
}

/** The plan that explains the score of `clause` for documents. */
export function explainingPlan(
  clause: Clause,
  header: PlanHeader,
  opcodes: Opcodes,
): Uint8Array<ArrayBuffer> {
  const fetch = { ...NO_FETCH, flags: FETCH_EXPLAIN };
  const nothing = { postFilter: undefined, semantic: [], sort: [], searchAfter: [] };
  const parts = { ...nothing, header: listHeader(header, 0), legs: [clause], fetch };
  return writePlan(toPlan(parts), opcodes);
}

/** The header of a plan that only finds lists, without totals and documents. */
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

function nearestPlan(
  clauses: readonly VectorClause[],
  found: PhaseResults,
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
      (clause) => (writer) => encodeVectorLeg(clause, clauseEncoder(writer, found)),
    ),
    sort: [],
    searchAfter: [],
    fetch: NO_FETCH,
  };
}
