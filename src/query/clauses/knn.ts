// knn: the k documents whose vectors are nearest to one. As a clause of a query and, with the same parameters, at the
// top level of a search (../knn.ts).
import type { Json } from '../../backend.js';
import { type ClauseEncoder, type ClauseKind, type ClauseParser, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { readQueryVector } from '../query-vector.js';
import { illegal, isArray, isObject, malformed, toInteger, tokenName } from '../values.js';
import { allOf } from './bool.js';
import type { Clause } from './index.js';

const DEFAULT_K = 10;
/** Of k and num_candidates. */
const MAX_CANDIDATES = 10_000;

export interface KnnClause extends ClauseBase {
  readonly kind: 'knn';
  readonly field: string;
  readonly vector: readonly number[];
  readonly k: number;
  /** At least k. */
  readonly numCandidates: number;
  /** Neighbours less similar than this do not count. NaN: all do. */
  readonly similarity: number;
  /** Only documents that match are neighbours; what aliases let through is part of it. */
  readonly filter: Clause | undefined;
  /** 0: no knn clause in the filter; else one more than the deepest of them has. */
  readonly level: number;
}

/** What Elasticsearch has and this server has not. */
const UNSUPPORTED = ['inner_hits', 'query_vector_builder', 'rescore_vector', 'visit_percentage'];

export const knn: ClauseKind<KnnClause> = {
  parse(body, parser) {
    const params = Params.of('knn', body);
    for (const name of UNSUPPORTED) {
      if (params.raw(name) === undefined) continue;
      throw malformed(`[knn] [${name}] is not supported by this server, leave it out`);
    }
    const field = readField(params);
    const vector = readVector(params);
    const candidates = readCandidates(params);
    const similarity = params.float('similarity') ?? Number.NaN;
    const filters = readFilters(params);
    const base = params.base();
    params.finish();
    return {
      kind: 'knn',
      ...base,
      field,
      vector,
      ...candidates,
      similarity,
      ...parseFilters(filters, parser),
    };
  },
  encode(clause, encoder) {
    const found = encoder.neighbours?.get(clause);
    if (found === undefined) writeKnn(clause, clause, encoder);
    else queryNode(encoder, 'doc_scores', clause, (writer) => writer.shardScores(found));
  },
};

/** The clause as a search of its own: neither boost nor name count before its neighbours are known. */
export function encodeKnnLeg(clause: KnnClause, encoder: ClauseEncoder): void {
  writeKnn(clause, { boost: 1, name: '' }, encoder);
}

function writeKnn(clause: KnnClause, base: ClauseBase, encoder: ClauseEncoder): void {
  const { filter } = clause;
  const child = filter === undefined ? undefined : () => encoder.child(filter);
  queryNode(encoder, 'knn', base, (writer) => writer.knn(clause, child));
}

function readField(params: Params): string {
  const field = params.raw('field');
  if (field === undefined) throw illegal('[knn] Required [field]');
  if (typeof field === 'string') return field;
  throw malformed(`[knn] field doesn't support values of type: ${tokenName(field)}`);
}

/** `vector` is another name of `query_vector`. */
function readVector(params: Params): readonly number[] {
  const vector = params.raw('vector');
  const queryVector = params.raw('query_vector');
  if (vector === undefined || queryVector === undefined) {
    return readQueryVector(queryVector === undefined ? vector : queryVector);
  }
  throw illegal('[knn] [query_vector] and [vector] are one parameter, give one of them');
}

function readCandidates(params: Params): Pick<KnnClause, 'k' | 'numCandidates'> {
  const given = readCount(params, 'k');
  const candidates = readCount(params, 'num_candidates');
  const k = given ?? DEFAULT_K;
  if (given !== undefined && candidates !== undefined && candidates < k) {
    throw illegal(`[knn] [num_candidates] cannot be less than [k], got [${candidates}] and [${k}]`);
  }
  // Elasticsearch's own default.
  const usual = Math.min(MAX_CANDIDATES, Math.round(k * 1.5));
  return { k, numCandidates: Math.max(k, candidates ?? usual) };
}

function readCount(params: Params, name: string): number | undefined {
  const value = params.raw(name);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw malformed(`[knn] ${name} doesn't support values of type: ${tokenName(value)}`);
  }
  const count = toInteger(value, `[${name}] of [knn]`);
  if (count < 1) throw illegal(`[knn] [${name}] must be greater than 0, got [${count}]`);
  if (count > MAX_CANDIDATES) {
    throw illegal(`[knn] [${name}] cannot exceed [${MAX_CANDIDATES}], got [${count}]`);
  }
  return count;
}

function readFilters(params: Params): readonly Json[] {
  const value = params.raw('filter');
  if (value === undefined) return [];
  if (isArray(value)) return value;
  if (isObject(value)) return [value];
  throw malformed(`[knn] filter doesn't support values of type: ${tokenName(value)}`);
}

function parseFilters(
  filters: readonly Json[],
  parser: ClauseParser,
): Pick<KnnClause, 'filter' | 'level'> {
  const outside = parser.neighbours.length;
  const own = filters.map((filter) => parser.clause(filter));
  const level = 1 + Math.max(-1, ...parser.neighbours.slice(outside).map((inner) => inner.level));
  const all = parser.preFilter === undefined ? own : [...own, parser.preFilter];
  return { filter: allOf(all), level };
}
