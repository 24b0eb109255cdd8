// Clauses that match the nearest vectors. Their k counts over all shards, so a search over several
// shards finds their hits in a phase of its own (coordinator/shards/nearest-vectors.ts).
import type { ClauseEncoder } from './clause.js';
import type { Clause } from './clauses/index.js';
import { encodeKnn, type KnnClause } from './clauses/knn.js';
import { encodeSemantic, type SemanticClause } from './clauses/semantic.js';

export type VectorClause = KnnClause | SemanticClause;

export function isVectorClause(clause: Clause): clause is VectorClause {
  return clause.kind === 'knn' || clause.kind === 'semantic';
}

/**
 * Encodes the clause as a leg of its own, without boost and name: these apply after the hits of all
 * shards are merged.
 */
export function encodeVectorLeg(clause: VectorClause, encoder: ClauseEncoder): void {
  const base = { boost: 1, name: '' };
  if (clause.kind === 'knn') encodeKnn(clause, base, encoder);
  else encodeSemantic(clause, base, encoder);
}

interface ParsedSearch {
  readonly root: Clause;
  readonly ranked: object | undefined;
  readonly postFilter: Clause | undefined;
  readonly vectorClauses: readonly VectorClause[];
}

/**
 * The k of a search that is a single vector clause and nothing else; undefined for other searches.
 */
export function nearestOf({
  root,
  ranked,
  postFilter,
  vectorClauses,
}: ParsedSearch): number | undefined {
  if (!isVectorClause(root) || ranked !== undefined) return undefined;
  return vectorClauses.length === 1 && postFilter === undefined ? root.k : undefined;
}
