// The parameters that all vector clauses share: the field, the number of hits, and the filter.
import type { Json } from '../../backend/index.js';
import type { ClauseParser } from '../clause.js';
import type { ClauseBase, Params } from '../params.js';
import { illegal, isArray, isObject, malformed, toInteger, tokenName } from '../values.js';
import { allOf } from './bool.js';
import type { Clause } from './index.js';

const DEFAULT_K = 10;
/** The maximum of k and num_candidates. */
export const MAX_CANDIDATES = 10_000;

export interface VectorClauseBase extends ClauseBase {
  readonly field: string;
  readonly k: number;
  /**
   * Only documents that match the filter can be hits. It includes the parser's pre-filter, except
   * inside a `nested` clause.
   */
  readonly filter: Clause | undefined;
  /** 0 if the filter has no vector clauses; otherwise one more than their highest level. */
  readonly level: number;
}

export function readField(params: Params): string {
  const field = params.raw('field');
  if (field === undefined) throw illegal(`[${params.clause}] Required [field]`);
  if (typeof field === 'string') return field;
  throw malformed(`[${params.clause}] field doesn't support values of type: ${tokenName(field)}`);
}

/** `candidates` is undefined if it is not given, else at least the given k. */
export function readCounts(params: Params): {
  readonly k: number;
  readonly candidates: number | undefined;
} {
  const given = readCount(params, 'k');
  const candidates = readCount(params, 'num_candidates');
  if (given !== undefined && candidates !== undefined && candidates < given) {
    throw illegal(
      `[${params.clause}] [num_candidates] cannot be less than [k], got [${candidates}] and [${given}]`,
    );
  }
  return { k: given ?? DEFAULT_K, candidates };
}

/** Undefined if it is not given. */
export function readCount(params: Params, name: string): number | undefined {
  const value = params.raw(name);
  const { clause } = params;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw malformed(`[${clause}] ${name} doesn't support values of type: ${tokenName(value)}`);
  }
  const count = toInteger(value, `[${name}] of [${clause}]`);
  if (count < 1) throw illegal(`[${clause}] [${name}] must be greater than 0, got [${count}]`);
  if (count > MAX_CANDIDATES) {
    throw illegal(`[${clause}] [${name}] cannot exceed [${MAX_CANDIDATES}], got [${count}]`);
  }
  return count;
}

export function readFilters(params: Params): readonly Json[] {
  const value = params.raw('filter');
  if (value === undefined) return [];
  if (isArray(value)) return value;
  if (isObject(value)) return [value];
  throw malformed(`[${params.clause}] filter doesn't support values of type: ${tokenName(value)}`);
}

export function parseFilters(
  filters: readonly Json[],
  parser: ClauseParser,
): Pick<VectorClauseBase, 'filter' | 'level'> {
  const outside = parser.vectorClauses.length;
  const own = filters.map((filter) => parser.clause(filter));
  const level =
    1 + Math.max(-1, ...parser.vectorClauses.slice(outside).map((inner) => inner.level));
  const { preFilter, isNested } = parser;
  const all = preFilter === undefined || isNested ? own : [...own, preFilter];
  return { filter: allOf(all), level };
}
