// The queries of a body as checked trees: `query`, `knn` and `post_filter`, narrowed to what the filters of aliases
// let through.
import type { JsonObject } from '../backend.js';
import { boolOf } from './clauses/bool.js';
import type { Clause } from './clauses/index.js';
import type { KnnClause } from './clauses/knn.js';
import { parseTopLevelKnn, union } from './knn.js';
import { QueryParser } from './parse.js';
import { malformed } from './values.js';

export interface Queries {
  /** What matches and scores. */
  readonly root: Clause;
  readonly postFilter: Clause | undefined;
  /** Some clause has a `_name`. */
  readonly named: boolean;
  /** Every knn clause of the trees, inner ones first. */
  readonly knn: readonly KnnClause[];
}

/** `filters`: any of these has to match; none: everything does. */
export function readQueries(body: JsonObject, filters: readonly JsonObject[]): Queries {
  const preFilter = readPreFilter(filters);
  const parser = new QueryParser(preFilter);
  const { query, knn, post_filter: post } = body;
  const matching = query === undefined ? undefined : narrowed(parser.clause(query), preFilter);
  const nearest = knn === undefined ? [] : parseTopLevelKnn(knn, parser);
  const root =
    union(matching === undefined ? nearest : [matching, ...nearest]) ??
    narrowed({ kind: 'match_all', boost: 1, name: '' }, preFilter);
  const postParser = new QueryParser(preFilter);
  const postFilter = post === undefined ? undefined : postParser.clause(post);
  return {
    root,
    postFilter,
    named: parser.named || postParser.named,
    knn: [...parser.knn, ...postParser.knn],
  };
}

/** Refuses what searches through the alias could not use. */
export function checkAliasFilter(filter: JsonObject): void {
  const parser = new QueryParser();
  parser.clause(filter);
  if (parser.knn.length === 0) return;
  throw malformed('[knn] is not supported in the filter of an alias, put it into the search');
}

/** Filters were checked when their alias was made: none has a knn clause. */
function readPreFilter(filters: readonly JsonObject[]): Clause | undefined {
  const parser = new QueryParser();
  return union(filters.map((filter) => parser.clause(filter)));
}

/** Scores stay as they are. */
function narrowed(clause: Clause, preFilter: Clause | undefined): Clause {
  return preFilter === undefined ? clause : boolOf({ must: [clause], filter: [preFilter] });
}
