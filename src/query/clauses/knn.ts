// `knn`: the k documents whose vectors are nearest to a vector. It is a clause of a query and, with
// the same parameters, a key at the top level of a search (../knn.ts).
import { type ClauseEncoder, type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { readQueryVector } from '../query-vector.js';
import { illegal, malformed } from '../values.js';
import type { Clause } from './index.js';
import {
  MAX_CANDIDATES,
  parseFilters,
  readCounts,
  readField,
  readFilters,
  type VectorClauseBase,
} from './vector-clause-params.js';

export interface KnnClause extends VectorClauseBase {
  readonly kind: 'knn';
  readonly vector: readonly number[];
  /** At least k. */
  readonly numCandidates: number;
  /** Hits with a lower similarity are left out. NaN: none are. */
  readonly similarity: number;
  /**
   * A filter of whole documents, which is apart from `filter` inside a `nested` clause: there that
   * one matches the documents around those that have the vectors.
   */
  readonly rootFilter: Clause | undefined;
}

/** Parameters of Elasticsearch that this server lacks. */
const UNSUPPORTED = ['query_vector_builder', 'visit_percentage'];

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
    checkRescore(params);
    const filters = readFilters(params);
    const innerHits = params.raw('inner_hits');
    const base = params.namedBase();
    params.finish();
    if (innerHits !== undefined) {
      if (!field.includes('.')) {
        throw malformed(
          `[knn] [inner_hits] is not supported for [${field}], which is in no [nested] object: leave it out`,
        );
      }
      // Inside a document all its vectors are compared.
      const query = { knn: { field, query_vector: vector, k: 1 } };
      parser.showInside(field, field.replace(/\.[^.]*$/, ''), query, innerHits);
    }
    return {
      kind: 'knn',
      ...base,
      field,
      vector,
      ...candidates,
      similarity,
      ...parseFilters(filters, parser),
      rootFilter: parser.isNested ? parser.preFilter : undefined,
    };
  },
  encode(clause, encoder) {
    const found = encoder.known?.nearest.get(clause);
    if (found === undefined) encodeKnn(clause, clause, encoder);
    else queryNode(encoder, 'doc_scores', clause, (writer) => writer.shardScores(found));
  },
};

/** Encodes the clause as a vector search; `base` has the boost and name to encode. */
export function encodeKnn(clause: KnnClause, base: ClauseBase, encoder: ClauseEncoder): void {
  const childOf = (filter: Clause | undefined) =>
    filter === undefined ? undefined : () => encoder.child(filter);
  const { filter, rootFilter } = clause;
  queryNode(encoder, 'knn', base, (writer) =>
    writer.knn(clause, childOf(filter), childOf(rootFilter)),
  );
}

/**
 * Checks `rescore_vector`, which improves answers that were found through codes. Here the vectors
 * themselves are compared after every search through codes, so there is nothing to improve.
 */
function checkRescore(params: Params): void {
  const given = params.raw('rescore_vector');
  if (given === undefined) return;
  const rescore = Params.of('rescore_vector', given);
  const oversample = rescore.float('oversample');
  rescore.finish();
  if (oversample === undefined || (oversample !== 0 && oversample < 1)) {
    throw illegal(
      `[knn] [rescore_vector] needs an [oversample], 0 or at least 1, got [${oversample ?? 'none'}]`,
    );
  }
}

/** Reads `query_vector` or its alias `vector`. */
function readVector(params: Params): readonly number[] {
  const vector = params.raw('vector');
  const queryVector = params.raw('query_vector');
  if (vector === undefined || queryVector === undefined) {
    return readQueryVector(queryVector === undefined ? vector : queryVector);
  }
  throw illegal('[knn] [query_vector] and [vector] are one parameter, give one of them');
}

function readCandidates(params: Params): Pick<KnnClause, 'k' | 'numCandidates'> {
  const { k, candidates } = readCounts(params);
  // Elasticsearch's default.
  const usual = Math.min(MAX_CANDIDATES, Math.round(k * 1.5));
  return { k, numCandidates: Math.max(k, candidates ?? usual) };
}
