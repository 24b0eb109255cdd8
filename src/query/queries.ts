// Parses the queries of a body to checked clause trees: `query`, `knn` and `post_filter`, narrowed
// to the filters of aliases.
import type { JsonObject } from '../backend/index.js';
import type { QueryDefaults } from './clause.js';
import type { Clause } from './clauses/index.js';
import type { SemanticClause } from './clauses/semantic.js';
import type { SliceClause } from './clauses/slice.js';
import type { NestedInnerHits } from './inner-hits.js';
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
  /**
   * The clause that matches and scores. In a search for fused lists it matches the documents of any
   * list.
   */
  readonly root: Clause;
  /** The ranked lists, if the search fuses any. */
  readonly ranked: RankingTree | undefined;
  readonly postFilter: Clause | undefined;
  /** The filters of aliases, to which the root is narrowed; undefined if all documents pass. */
  readonly aliasFilter: Clause | undefined;
  /**
   * The clause that highlights mark if the filters of aliases narrow the root, whose terms must not
   * be marked.
   */
  readonly marked: Clause | undefined;
  /** Whether any clause has a `_name`. */
  readonly named: boolean;
  /** Every vector clause of the trees, inner ones first. */
  readonly vectorClauses: readonly VectorClause[];
  /** The vector clauses that have a text. */
  readonly semantic: readonly SemanticClause[];
  /** The inner hits that nested clauses ask for. */
  readonly innerHits: readonly NestedInnerHits[];
}

/**
 * `filters`: a document must match any of them; none: all documents pass. `page` determines the
 * depth of fused lists. `slice` selects a part of the documents.
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
  const vectorClauses = [...parser.vectorClauses, ...postParser.vectorClauses];
  return {
    root,
    ranked,
    postFilter,
    aliasFilter,
    marked: ranked === undefined && filters.length > 0 ? readMarked(body, setting) : undefined,
    named: parser.named || postParser.named,
    vectorClauses,
    semantic: vectorClauses.filter((clause) => clause.kind === 'semantic'),
    innerHits: [...parser.innerHits, ...postParser.innerHits],
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

/** Returns undefined if the query has vector clauses: then all terms of the root are marked. */
function readMarked({ query, knn }: JsonObject, setting: ParserSetting): Clause | undefined {
  if (query === undefined) return knn === undefined ? MATCH_ALL : undefined;
  const parser = new QueryParser({ ...setting, preFilter: undefined });
  const clause = parser.clause(query);
  return parser.allVectorClauses.length === 0 && knn === undefined ? clause : undefined;
}

/** Rejects filters that a search through the alias could not use. */
export function checkAliasFilter(filter: JsonObject): void {
  const parser = new QueryParser();
  parser.clause(filter);
  const [first] = parser.allVectorClauses;
  if (first === undefined) return;
  throw malformed(
    `[${first.kind}] is not supported in the filter of an alias, put it into the search`,
  );
}

/** The filters were checked when their alias was created, so none of them has a vector clause. */
export function readAliasFilter(
  filters: readonly JsonObject[],
  limits: SearchLimits,
): Clause | undefined {
  const parser = new QueryParser({ limits });
  return union(filters.map((filter) => parser.clause(filter)));
}
