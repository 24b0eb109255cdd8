// The queries of a body as checked trees: `query`, `knn` and `post_filter`, narrowed to what the filters of aliases
// let through.
import type { JsonObject } from '../backend/index.js';
import type { QueryDefaults } from './clause.js';
import type { Clause } from './clauses/index.js';
import type { SemanticClause } from './clauses/semantic.js';
import type { SliceClause } from './clauses/slice.js';
import { parseTopLevelKnn, union } from './knn.js';
import type { SearchLimits } from './limits.js';
import { narrowed } from './narrowed.js';
import type { VectorClause } from './nearest-vectors.js';
import type { Page } from './paging.js';
import { type ParserSetting, QueryParser } from './parse.js';
import { readRanked } from './ranked-body.js';
import type { RankingTree } from './ranking.js';
import { malformed } from './values.js';

export interface Queries {
  /** What matches and scores. Of a search for fused lists: what stands in any of them. */
  readonly root: Clause;
  /** The lists, where there are any to fuse. */
  readonly ranked: RankingTree | undefined;
  readonly postFilter: Clause | undefined;
  /** What the filters of aliases let through, to which the root is narrowed; undefined: everything. */
  readonly aliasFilter: Clause | undefined;
  /** What highlights mark where the filters of aliases narrow the root: the terms of those are none of the search. */
  readonly marked: Clause | undefined;
  /** Some clause has a `_name`. */
  readonly named: boolean;
  /** Every clause for neighbours of the trees, inner ones first. */
  readonly neighbours: readonly VectorClause[];
  /** Those of them that are of a text. */
  readonly semantic: readonly SemanticClause[];
}

/**
 * `filters`: any of these has to match; none: everything does. `page`: what the depth of fused lists goes by. `slice`:
 * the part of the documents that is looked at.
 */
export function readQueries(
  body: JsonObject,
  filters: readonly JsonObject[],
  limits: SearchLimits,
  page: Page = { from: 0, size: 0 },
  defaults: readonly QueryDefaults[] = [],
  slice?: SliceClause,
): Queries {
  const aliasFilter = readAliasFilter(filters, limits);
  const preFilter = both(aliasFilter, slice);
  const setting = { preFilter, defaults, limits };
  const parser = new QueryParser(setting);
  const ranked = readRanked(body, page, parser);
  const root =
    (ranked === undefined
      ? readRoot(body, parser)
      : union(ranked.legs.map(({ clause }) => clause))) ?? narrowed(MATCH_ALL, preFilter);
  const { post_filter: post } = body;
  const postParser = new QueryParser(setting);
  const postFilter = post === undefined ? undefined : postParser.clause(post);
  const neighbours = [...parser.neighbours, ...postParser.neighbours];
  return {
    root,
    ranked,
    postFilter,
    aliasFilter,
    marked: ranked === undefined && filters.length > 0 ? readMarked(body, setting) : undefined,
    named: parser.named || postParser.named,
    neighbours,
    semantic: neighbours.filter((clause) => clause.kind === 'semantic'),
  };
}

function both(filter: Clause | undefined, slice: SliceClause | undefined): Clause | undefined {
  return slice === undefined ? filter : narrowed(slice, filter);
}

const MATCH_ALL: Clause = { kind: 'match_all', boost: 1, name: '' };

function readRoot({ query, knn }: JsonObject, parser: QueryParser): Clause | undefined {
  const matching =
    query === undefined ? undefined : narrowed(parser.clause(query), parser.preFilter);
  const nearest = knn === undefined ? [] : parseTopLevelKnn(knn, parser);
  return union(matching === undefined ? nearest : [matching, ...nearest]);
}

/** Undefined: a query for neighbours or meaning is marked by all that it became. */
function readMarked({ query, knn }: JsonObject, setting: ParserSetting): Clause | undefined {
  if (query === undefined) return knn === undefined ? MATCH_ALL : undefined;
  const parser = new QueryParser({ ...setting, preFilter: undefined });
  const clause = parser.clause(query);
  return parser.neighbours.length === 0 && knn === undefined ? clause : undefined;
}

/** Refuses what searches through the alias could not use. */
export function checkAliasFilter(filter: JsonObject): void {
  const parser = new QueryParser();
  parser.clause(filter);
  const [first] = parser.neighbours;
  if (first === undefined) return;
  throw malformed(
    `[${first.kind}] is not supported in the filter of an alias, put it into the search`,
  );
}

/** Filters were checked when their alias was made: none has a knn clause. */
export function readAliasFilter(
  filters: readonly JsonObject[],
  limits: SearchLimits,
): Clause | undefined {
  const parser = new QueryParser({ limits });
  return union(filters.map((filter) => parser.clause(filter)));
}
