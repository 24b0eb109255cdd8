// Clauses whose matches are the nearest documents: k counts over all shards, so that over several of them they are
// found first (coordinator/neighbours.ts).
import type { Clause } from './clauses/index.js';
import type { KnnClause } from './clauses/knn.js';

export type NeighbourClause = KnnClause;

export function isNeighbourClause(clause: Clause): clause is NeighbourClause {
  return clause.kind === 'knn';
}
