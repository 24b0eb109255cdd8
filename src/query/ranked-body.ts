// Search bodies that request fused lists, by a hybrid query or a retriever, and the other keys that
// such a body may have.
import type { Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { parseHybrid } from './hybrid.js';
import type { Page } from './paging.js';
import { Params } from './params.js';
import { type QueryParser, splitClause } from './parse.js';
import { MAX_LIST_DEPTH, type RankingTree } from './ranking.js';
import { isFusing, parseFusingRetriever, splitRetriever } from './retriever.js';
import { TEXT_RERANKER } from './text-reranker.js';
import { isArray, isObject, malformed } from './values.js';

/** Keys that Elasticsearch accepts inside a retriever but not next to it. */
const EXCLUDED_BY_RETRIEVER = [
  'query',
  'knn',
  'search_after',
  'terminate_after',
  'sort',
  'rescore',
  'min_score',
  'rank',
];

/** Keys that are not supported with a fused list, and what to do instead. */
const NOT_WITH_LISTS: Readonly<Record<string, string>> = {
  aggregations:
    'a fused list is no set of matches to aggregate, send them with a search of their own',
  aggs: 'a fused list is no set of matches to aggregate, send them with a search of their own',
  collapse: 'leave it out',
  indices_boost: 'give the lists weights',
  knn: 'make it one of the lists',
  rescore: 'leave it out',
  search_after: 'use [from] and [size]',
  terminate_after: 'lists have to be complete, use [timeout]',
};

/**
 * Returns `hybrid` or the name of the fusing retriever; undefined if the body requests no fusion.
 */
export function fusingName({ query, retriever }: JsonObject): string | undefined {
  if (retriever !== undefined) return splitRetriever(retriever).name;
  return isObject(query) && Object.keys(query)[0] === 'hybrid' ? 'hybrid' : undefined;
}

/**
 * Rewrites a `standard` or `knn` retriever to the equivalent search body. Rejects keys that cannot
 * be combined with a retriever.
 */
export function withoutPlainRetriever(body: JsonObject): JsonObject {
  if (body['retriever'] === undefined) return body;
  const conflicting = EXCLUDED_BY_RETRIEVER.filter((key) => body[key] !== undefined);
  if (conflicting.length > 0) {
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: cannot specify [retriever] and [${conflicting.join(', ')}];`,
    );
  }
  const { retriever, ...rest } = body;
  const { name, body: options } = splitRetriever(retriever ?? null);
  if (isFusing(name)) return body;
  if (name === TEXT_RERANKER) {
    throw malformed(`[${name}] is supported in searches only, as the outermost retriever`);
  }
  return { ...rest, ...(name === 'knn' ? plainKnn(options) : plainStandard(options)) };
}

function plainKnn({ min_score: minScore, ...knn }: JsonObject): JsonObject {
  return { knn, ...(minScore === undefined ? {} : { min_score: minScore }) };
}

function plainStandard(options: JsonObject): JsonObject {
  const params = new Params('standard', options, 'retriever');
  const query = params.raw('query');
  const filter = params.queries('filter');
  const kept = ['collapse', 'min_score', 'search_after', 'sort', 'terminate_after'].flatMap(
    (key) => {
      const value = params.raw(key);
      return value === undefined ? [] : [[key, value] as const];
    },
  );
  params.finish();
  const must = query === undefined ? {} : { must: [query] };
  const whole = filter.length === 0 ? query : { bool: { ...must, filter } };
  return { ...(whole === undefined ? {} : { query: whole }), ...Object.fromEntries(kept) };
}

/** Rejects keys that cannot be combined with `name` in one body. */
export function checkCombination(body: JsonObject, name: string): void {
  for (const [key, remedy] of Object.entries(NOT_WITH_LISTS)) {
    const value = body[key];
    if (value === undefined || (isObject(value) && Object.keys(value).length === 0)) continue;
    throw malformed(`[${key}] is not supported together with [${name}]: ${remedy}`);
  }
}

/** Parses the fused lists of the body; undefined if it has none. */
export function readRanked(
  body: JsonObject,
  page: Page,
  parser: QueryParser,
): RankingTree | undefined {
  const { query, retriever, search_pipeline: pipeline } = body;
  if (query !== undefined && fusingName(body) === 'hybrid') {
    return parseHybrid(splitClause(query).body, pipeline, reachOf(body, page), parser);
  }
  if (retriever === undefined) return undefined;
  const { name, body: options } = splitRetriever(retriever);
  const ranked = parseFusingRetriever(name, options, reachOf(body, page), parser);
  if (ranked.root.depth >= page.size) return ranked;
  throw new QuarryError(
    'action_request_validation_exception',
    `Validation Failed: 1: [${name}] requires [rank_window_size: ${ranked.root.depth}] be greater than or equal to [size: ${page.size}];`,
  );
}

/**
 * Returns the last rank that the page needs. With a sort or a post filter, hits are selected from a
 * ranking whose depth does not depend on the page.
 */
function reachOf({ sort, post_filter: filter }: JsonObject, { from, size }: Page): number {
  const selects = filter !== undefined || (sort !== undefined && !isByScore(sort));
  return selects ? Math.max(MAX_LIST_DEPTH, from + size) : from + size;
}

/** Whether the sort is the order of the ranking itself. */
function isByScore(sort: Json): boolean {
  const keys = isArray(sort) ? sort : [sort];
  return keys.every((key) => key === '_score');
}
