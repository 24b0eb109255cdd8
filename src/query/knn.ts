// The top-level `knn` of a search, one clause or an array of them, and how it is combined with
// `query`: documents of either are hits, and their scores are added.
import type { Json } from '../backend/index.js';
import { boolOf } from './clauses/bool.js';
import type { Clause } from './clauses/index.js';
import type { KnnClause } from './clauses/knn.js';
import type { QueryParser } from './parse.js';
import { isArray, isObject, malformed, tokenName } from './values.js';

export function parseTopLevelKnn(value: Json, parser: QueryParser): readonly KnnClause[] {
  if (isObject(value)) return [parser.topLevelKnn(value)];
  if (!isArray(value)) throw malformed(`Unknown key for a ${tokenName(value)} in [knn].`);
  return value.map((item) => {
    if (isObject(item)) return parser.topLevelKnn(item);
    throw malformed(
      `malformed knn format, within the knn search array only objects are allowed; found ${tokenName(item)}`,
    );
  });
}

/**
 * Returns one clause that matches the documents of any of `clauses`; undefined if there are none.
 */
export function union(clauses: readonly Clause[]): Clause | undefined {
  return clauses.length < 2 ? clauses[0] : boolOf({ should: clauses });
}
