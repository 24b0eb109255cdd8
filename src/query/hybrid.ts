// `hybrid`: several queries, each a ranked list, fused into one. It is the whole query of a search,
// never part of another. `{"queries": [{"query": {…}, "weight": 2}]}` is Quarry's own form;
// OpenSearch has plain queries in the array.
import type { Json, JsonObject } from '../backend/index.js';
import { type FusionChoice, parseFusion, parseWeight } from './fusion-choice.js';
import { narrowedLeg } from './narrowed.js';
import { isVectorClause } from './nearest-vectors.js';
import { Params } from './params.js';
import type { QueryParser } from './parse.js';
import { ALL_SCORES, type FusedPart, MAX_LISTS, type RankingTree } from './ranking.js';
import { NORMALIZED_MEAN, parseSearchPipeline } from './search-pipeline.js';
import { illegal, isArray, isObject, malformed, shortened, tokenName } from './values.js';

/**
 * The smallest fusion window in hits of each list. `pagination_depth` and the `k` of a vector list
 * raise it.
 */
const LEAST_WINDOW = 50;

interface Item {
  readonly query: Json;
  /** Undefined if the request has no weight. */
  readonly weight: number | undefined;
}

/**
 * `pipeline` is the value at `search_pipeline` of the body. `reach` is the last rank that the page
 * needs.
 */
export function parseHybrid(
  body: Json,
  pipeline: Json | undefined,
  reach: number,
  parser: QueryParser,
): RankingTree {
  const params = Params.of('hybrid', body);
  const fusion = params.raw('fusion');
  const rrfK = params.raw('rrf_k');
  const filters = params.queries('filter');
  const pagination = params.depth('pagination_depth') ?? 0;
  const queries = readQueries(params);
  params.finish();
  const plain = arePlain(queries);
  const given = fusion !== undefined || rrfK !== undefined;
  const choice = chooseFusion(given ? parseFusion(fusion, rrfK) : undefined, pipeline, plain);
  const items = queries.map((item, i) =>
    plain ? { query: item, weight: undefined } : read(item, i),
  );
  const clauses = parser.filtered(filters, () =>
    items.map(({ query }) => narrowedLeg(parser.clause(query), parser.preFilter)),
  );
  const counts = clauses.map((clause) => (isVectorClause(clause) ? clause.k : 0));
  // At least the longest vector list: otherwise a fusion of scores would normalize a shorter list's
  // last hit as its worst.
  const window = Math.max(LEAST_WINDOW, pagination, ...counts);
  const depth = Math.max(window, reach);
  return {
    legs: clauses.map((clause, i) => ({
      clause,
      depth: counts[i] || depth,
      minScore: ALL_SCORES,
    })),
    root: {
      kind: 'fusion',
      method: choice.method,
      parts: toParts(items, choice),
      window,
      depth: Number.POSITIVE_INFINITY,
      minScore: ALL_SCORES,
    },
  };
}

function readQueries(params: Params): readonly JsonObject[] {
  const value = params.raw('queries');
  if (value === undefined) throw malformed('[hybrid] requires [queries], an array of queries');
  if (!isArray(value)) {
    throw malformed(`[hybrid] [queries] must be an array of queries, found [${tokenName(value)}]`);
  }
  if (value.length === 0) throw malformed('[hybrid] [queries] is empty, it needs a query');
  if (value.length > MAX_LISTS) {
    throw illegal(`[hybrid] takes at most [${MAX_LISTS}] queries, got [${value.length}]`);
  }
  return value.map((item, i) => {
    if (isObject(item)) return item;
    throw malformed(`[hybrid] [queries][${i}] must be an object, found [${tokenName(item)}]`);
  });
}

/** Whether the queries are in OpenSearch's form, without a wrapper object that has a weight. */
function arePlain(queries: readonly JsonObject[]): boolean {
  const wrapped = queries.map(
    (item) => Object.hasOwn(item, 'query') || Object.hasOwn(item, 'weight'),
  );
  if (wrapped.every((one) => one)) return false;
  if (wrapped.every((one) => !one)) return true;
  throw malformed(
    '[hybrid] [queries] must be plain queries or objects of [query] and [weight], found both',
  );
}

function read(item: JsonObject, i: number): Item {
  const where = `[hybrid] [queries][${i}]`;
  const { query, weight, ...rest } = item;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw malformed(
      `${where} does not support [${shortened(unknown)}], it has [query] and [weight]`,
    );
  }
  if (query === undefined) throw malformed(`${where} requires a [query]`);
  return {
    query,
    weight: weight === undefined ? undefined : parseWeight(weight, `[weight] of ${where}`),
  };
}

function chooseFusion(
  own: FusionChoice | undefined,
  pipeline: Json | undefined,
  plain: boolean,
): FusionChoice {
  if (pipeline === undefined) {
    return own ?? (plain ? NORMALIZED_MEAN : parseFusion(undefined, undefined));
  }
  const piped = parseSearchPipeline(pipeline);
  if (own === undefined) return piped;
  throw illegal('[hybrid] [fusion] and [search_pipeline] both say how to fuse, give one of them');
}

function toParts(items: readonly Item[], choice: FusionChoice): readonly FusedPart[] {
  const { weights, normalizer, mean } = choice;
  if (weights !== undefined && weights.length !== items.length) {
    throw illegal(
      `[hybrid] has [${items.length}] queries but [${weights.length}] [weights], give one for each`,
    );
  }
  if (weights !== undefined && items.some(({ weight }) => weight !== undefined)) {
    throw illegal(
      '[hybrid] [weights] and the [weight] of a query are one parameter, give one of them',
    );
  }
  const all = items.map(({ weight }, i) => weight ?? weights?.[i] ?? 1);
  const sum = mean ? all.reduce((total, weight) => total + weight, 0) : 1;
  return all.map((weight, leg) => ({
    ranking: { kind: 'leg', leg },
    weight: sum === 0 ? 0 : weight / sum,
    normalizer,
  }));
}
