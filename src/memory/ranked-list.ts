// What ranks memories, as columns without their documents: lists of ids, scores and times.
import type { Backend, ColumnAt, ColumnValue, Json, JsonObject } from '../backend/index.js';
import { shortestFloat } from '../base/shortest-floats.js';
import type { Candidate } from './candidates.js';

export interface RankedList {
  /** Best first. */
  readonly hits: readonly { readonly id: string; readonly score: number }[];
  readonly total: number;
}

export interface RankedListRequest {
  readonly size: number;
  /** Requests an exact total. */
  readonly counted: boolean;
}

/** By score, then by place, as a search orders its hits. */
const BEST_FIRST: readonly Json[] = ['_score', '_doc', '_id'];
/** The columns of the memory's own time: the first that has a value. */
export const TIMES: readonly Json[] = ['own_time', 'stored_at'].map((field) => ({
  [field]: { unmapped_type: 'date' },
}));

export async function rankedList(
  { backend, index }: { readonly backend: Pick<Backend, 'columns'>; readonly index: string },
  query: JsonObject,
  { size, counted }: RankedListRequest,
): Promise<RankedList> {
  const found = await backend.columns({ index, query, columns: BEST_FIRST, size, counted });
  const [scores, , ids] = found.columns;
  const hits = Array.from({ length: found.hits }, (_, hit) => ({
    id: textAt(ids, hit),
    score: scores === undefined ? 0 : scoreAt([scores], hit),
  }));
  return { hits, total: found.total };
}

/** Without a document and without a rank. `time`: of the first column of TIMES that has one. */
export function bareCandidate(id: string, time: ColumnValue): Candidate {
  return {
    id,
    entry: null,
    ownTime: time === null ? null : Number(time),
    score: null,
    baseRank: null,
    baseScore: null,
    graph: null,
    context: null,
    parts: null,
  };
}

export function textAt(column: ColumnAt | undefined, hit: number): string {
  return String(column?.(hit) ?? '');
}

/** The sum of the scores, as responses print them; 0 where nothing matches. */
export function scoreAt(columns: readonly ColumnAt[], hit: number): number {
  let sum = 0;
  for (const column of columns) {
    const score = column(hit);
    if (typeof score === 'number') sum += shortestFloat(score);
  }
  return sum;
}

/** The value of the first column that has one. */
export function firstAt(columns: readonly ColumnAt[], hit: number): ColumnValue {
  for (const column of columns) {
    const value = column(hit);
    if (value !== null) return value;
  }
  return null;
}
