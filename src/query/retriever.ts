// `retriever`: Elasticsearch's form of a hybrid search. rrf and linear fuse the lists of their
// retrievers, which may fuse other lists; standard and knn are lists. As the outermost retriever,
// standard and knn are only another form of a plain search.
import type { Json, JsonObject } from '../backend/index.js';
import { didYouMean } from '../base/similar-names.js';
import type { Clause } from './clauses/index.js';
import { parseWeight } from './fusion-choice.js';
import { narrowedLeg } from './narrowed.js';
import { isVectorClause } from './nearest-vectors.js';
import { Params } from './params.js';
import type { QueryParser } from './parse.js';
import {
  ALL_SCORES,
  type FusedPart,
  type Fusion,
  type Leg,
  MAX_LISTS,
  type Normalizer,
  type Ranking,
  type RankingTree,
} from './ranking.js';
import { illegal, isArray, isObject, malformed, shortened, toFloat, tokenName } from './values.js';

const KNOWN = ['standard', 'knn', 'rrf', 'linear'];
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'diversify',
  'pinned',
  'random_reranker',
  'rescorer',
  'rule',
  'test',
]);
/** Puts the hits of another retriever in order: text-reranker.ts. */
const RERANKER = 'text_similarity_reranker';
/** Nesting levels of retrievers. */
const MAX_DEPTH = 8;

/** Returns the only retriever in the object. */
export function splitRetriever(value: Json): { readonly name: string; readonly body: JsonObject } {
  if (!isObject(value)) {
    throw malformed(`[retriever] must be an object, found [${tokenName(value)}]`);
  }
  const [first, second] = Object.entries(value);
  if (first === undefined) throw malformed('[retriever] is empty, it needs one of its kinds');
  const [name, body] = first;
  if (second !== undefined) {
    throw malformed(
      `[retriever] must be one retriever, found [${shortened(name)}] and [${shortened(second[0])}]`,
    );
  }
  if (UNSUPPORTED.has(name)) {
    throw malformed(`[${name}] retriever is not supported by this server`);
  }
  if (!KNOWN.includes(name) && name !== RERANKER) {
    throw malformed(`unknown retriever [${shortened(name)}]${didYouMean(name, KNOWN)}`);
  }
  if (isObject(body)) return { name, body };
  throw malformed(`[${name}] retriever must be an object, found [${tokenName(body)}]`);
}

export function isFusing(name: string): boolean {
  return name === 'rrf' || name === 'linear';
}

/** The number of hits of each list whose shares are summed by default, as in Elasticsearch. */
const DEFAULT_WINDOW = 10;

/**
 * `rank_window_size` limits a ranking and its lists. An outermost retriever without it has no
 * limit: its ranking is read down to `reach`, the last rank that the page needs.
 */
export function parseFusingRetriever(
  name: string,
  body: JsonObject,
  reach: number,
  parser: QueryParser,
): RankingTree {
  const reader = new RetrieverReader(parser);
  const root = reader.fusion(name, body, reach);
  return { legs: reader.legs, root };
}

/**
 * How deep the parts of a fusion are read. `below` applies to nested fusions without a
 * `rank_window_size`.
 */
interface Extent {
  readonly depth: number;
  readonly below: number;
}

class RetrieverReader {
  readonly legs: Leg[] = [];
  readonly #parser: QueryParser;
  #depth = 0;

  constructor(parser: QueryParser) {
    this.#parser = parser;
  }

  /** `reach` is the depth of the fusion if it has no `rank_window_size`. */
  fusion(name: string, body: JsonObject, reach: number): Fusion {
    if (++this.#depth > MAX_DEPTH) {
      throw illegal(`[retriever] is nested deeper than [${MAX_DEPTH}] levels, use fewer levels`);
    }
    const params = new Params(name, body, 'retriever');
    for (const key of ['fields', 'query']) {
      if (params.raw(key) === undefined) continue;
      throw malformed(`[${name}] [${key}] is not supported by this server, give [retrievers]`);
    }
    const items = readItems(params);
    const rankConstant = name === 'rrf' ? params.integer('rank_constant', 1) : undefined;
    const normalizer = name === 'linear' ? (readNormalizer(params) ?? 'none') : 'none';
    const given = params.depth('rank_window_size');
    const window = given ?? DEFAULT_WINDOW;
    const depth = given ?? Math.max(DEFAULT_WINDOW, reach);
    const below = given === undefined ? depth : DEFAULT_WINDOW;
    const minScore = params.float('min_score') ?? ALL_SCORES;
    const filters = params.queries('filter');
    params.finish();
    const parts = this.#parser.filtered(filters, () =>
      items.map((item, i) => this.#part(name, item, i, { depth, below }, normalizer)),
    );
    this.#depth--;
    const method = name === 'rrf' ? ({ kind: name, rankConstant } as const) : LINEAR;
    return { kind: 'fusion', method, parts, window, depth, minScore };
  }

  #part(
    fusion: string,
    item: JsonObject,
    i: number,
    extent: Extent,
    normalizer: Normalizer,
  ): FusedPart {
    const wrapped = Object.hasOwn(item, 'retriever');
    const given = wrapped ? item : { retriever: item };
    const params = new Params(`${fusion}] [retrievers][${i}`, given, 'retriever');
    const retriever = params.raw('retriever') ?? null;
    const weight = params.raw('weight');
    const own = fusion === 'linear' ? readNormalizer(params) : undefined;
    params.finish();
    const what = `[weight] of [${fusion}] [retrievers][${i}]`;
    return {
      ranking: this.#ranking(retriever, extent),
      weight: weight === undefined ? 1 : parseWeight(weight, what),
      normalizer: own ?? normalizer,
    };
  }

  #ranking(value: Json, { depth: most, below }: Extent): Ranking {
    const { name, body } = splitRetriever(value);
    if (name === RERANKER) {
      throw malformed(`[${RERANKER}] is not supported inside another retriever, put it outermost`);
    }
    if (isFusing(name)) {
      const inner = this.fusion(name, body, below);
      return { ...inner, depth: Math.min(inner.depth, most) };
    }
    const { clause, minScore } = name === 'knn' ? this.#nearest(body) : this.#standard(body);
    if (this.legs.length === MAX_LISTS) {
      throw illegal(`[retriever] takes at most [${MAX_LISTS}] lists`);
    }
    const depth = isVectorClause(clause) ? Math.min(clause.k, most) : most;
    return { kind: 'leg', leg: this.legs.push({ clause, depth, minScore }) - 1 };
  }

  #standard(body: JsonObject): Pick<Leg, 'clause' | 'minScore'> {
    const params = new Params('standard', body, 'retriever');
    for (const key of ['collapse', 'search_after', 'sort', 'terminate_after']) {
      if (params.raw(key) === undefined) continue;
      throw malformed(
        `[standard] [${key}] is not supported inside another retriever, whose lists are in the order of their scores`,
      );
    }
    const query = params.raw('query') ?? { match_all: {} };
    const minScore = params.float('min_score') ?? ALL_SCORES;
    const filters = params.queries('filter');
    params.finish();
    return { clause: this.#leg(filters, () => this.#parser.clause(query)), minScore };
  }

  #nearest(body: JsonObject): Pick<Leg, 'clause' | 'minScore'> {
    const { min_score: least, ...rest } = body;
    const minScore = least === undefined ? ALL_SCORES : toFloat(least, '[min_score] of [knn]');
    return { clause: this.#parser.topLevelKnn(rest), minScore };
  }

  #leg(filters: readonly Json[], parse: () => Clause): Clause {
    const parser = this.#parser;
    return parser.filtered(filters, () => narrowedLeg(parse(), parser.preFilter));
  }
}

const LINEAR = { kind: 'linear' } as const;
const NORMALIZERS = ['minmax', 'l2_norm', 'none'] as const;

function readNormalizer(params: Params): Normalizer | undefined {
  return params.choice('normalizer', NORMALIZERS);
}

function readItems(params: Params): readonly JsonObject[] {
  const name = params.clause;
  const value = params.raw('retrievers');
  if (value === undefined) throw malformed(`[${name}] requires [retrievers]`);
  if (!isArray(value)) {
    throw malformed(`[${name}] [retrievers] must be an array, found [${tokenName(value)}]`);
  }
  if (value.length === 0) throw malformed(`[${name}] [retrievers] is empty, it needs a retriever`);
  return value.map((item, i) => {
    if (isObject(item)) return item;
    throw malformed(`[${name}] [retrievers][${i}] must be an object, found [${tokenName(item)}]`);
  });
}
