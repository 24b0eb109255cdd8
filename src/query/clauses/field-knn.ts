// OpenSearch's form of `knn`, `{"FIELD": {"vector": […], "k": 10}}`, in the words of Elasticsearch's,
// `{"field": "FIELD", "query_vector": […], "k": 10}`. What only tunes how OpenSearch finds the
// nearest vectors is checked and changes no answer.
import type { JsonObject } from '../../backend/index.js';
import { fieldAndValue, Params } from '../params.js';
import { illegal, isObject, malformed, shortened, toFlag, toFloat } from '../values.js';
import { MAX_CANDIDATES, readCount } from './vector-clause-params.js';

/** Parameters of Elasticsearch's form that are objects. */
const OBJECTS = ['filter', 'inner_hits', 'query_vector_builder', 'rescore_vector'];

/** Whether the body of a `knn` clause is in that form. A field may have any name, also `field`. */
export function isFieldKnn(body: JsonObject): boolean {
  if (typeof body['field'] === 'string') return false;
  const entries = Object.entries(body);
  const [first] = entries;
  const isAlone = entries.length === 1 && first !== undefined;
  return (
    (isAlone && isObject(first[1]) && !OBJECTS.includes(first[0])) ||
    entries.some(([, value]) => isObject(value) && Object.hasOwn(value, 'vector'))
  );
}

/**
 * The same query in Elasticsearch's form. Throws parsing_exception or illegal_argument_exception for
 * what no query here finds.
 */
export function knnOfField(body: JsonObject): JsonObject {
  const { field, value } = fieldAndValue('knn', body);
  const params = Params.of('knn', value);
  const vector = params.raw('vector');
  const k = readCount(params, 'k');
  const minScore = params.float('min_score');
  const filter = params.raw('filter');
  const boost = params.float('boost');
  const name = params.raw('_name');
  const beam = checkTuning(params);
  if (params.raw('max_distance') !== undefined) {
    throw malformed(
      `[knn] [max_distance] of [${shortened(field)}] is not supported: give a [min_score], 1 / (1 + distance) for the space [l2], 1 - distance / 2 for [cosinesimil]`,
    );
  }
  params.finish();
  if (vector === undefined) throw illegal(`[knn] requires a [vector] for [${shortened(field)}]`);
  if ((k === undefined) === (minScore === undefined)) {
    throw illegal(`[knn] requires one of [k] and [min_score] for [${shortened(field)}]`);
  }
  const shared = {
    ...(boost === undefined ? {} : { boost }),
    ...(name === undefined ? {} : { _name: name }),
  };
  const nearest = { field, query_vector: vector, ...(filter === undefined ? {} : { filter }) };
  if (minScore !== undefined) return { function_score: withMinScore(nearest, minScore, shared) };
  const candidates =
    k === undefined || beam === undefined ? {} : { num_candidates: Math.max(k, beam) };
  return { knn: { ...nearest, ...(k === undefined ? {} : { k }), ...candidates, ...shared } };
}

/**
 * All documents with that score, as far as k reaches; OpenSearch compares it without the boost.
 */
function withMinScore(
  nearest: JsonObject,
  minScore: number,
  shared: { readonly boost?: number },
): JsonObject {
  if (minScore <= 0) {
    throw illegal(`[knn] requires [min_score] to be greater than 0, got [${minScore}]`);
  }
  const { boost = 1 } = shared;
  return {
    query: { knn: { ...nearest, k: MAX_CANDIDATES } },
    min_score: minScore * boost,
    ...shared,
  };
}

/** Returns the width of the search, which has a narrowest one here; undefined: none is given. */
function checkTuning(params: Params): number | undefined {
  params.flag('ignore_unmapped');
  if (params.flag('expand_nested_docs') === true) {
    throw malformed('[knn] [expand_nested_docs] is not supported: use [inner_hits] of [nested]');
  }
  const rescore = params.raw('rescore');
  if (isObject(rescore)) {
    const options = new Params('rescore', rescore);
    const factor = options.raw('oversample_factor');
    options.finish();
    const oversample = factor === undefined ? 1 : toFloat(factor, '[oversample_factor]');
    if (oversample < 1 || oversample > 100) {
      throw illegal(
        `[knn] [rescore] needs an [oversample_factor] of 1 to 100, got [${oversample}]`,
      );
    }
  } else if (rescore !== undefined) toFlag(rescore, '[rescore] of [knn]');
  const given = params.raw('method_parameters');
  if (given === undefined) return undefined;
  const parameters = Params.of('method_parameters', given);
  const beam = parameters.integer('ef_search', 1);
  parameters.integer('nprobes', 1);
  parameters.finish();
  return beam === undefined ? undefined : Math.min(beam, MAX_CANDIDATES);
}
