// Narrows clauses to the documents that outer filters match: those of aliases, of a hybrid query
// and of retrievers.
import { boolOf } from './clauses/bool.js';
import type { Clause } from './clauses/index.js';
import { isVectorClause } from './nearest-vectors.js';

/** Adds the filter to the clause. Scores do not change. */
export function narrowed(clause: Clause, filter: Clause | undefined): Clause {
  return filter === undefined ? clause : boolOf({ must: [clause], filter: [filter] });
}

/**
 * Narrows the clause of a ranked list. Vector clauses already have the filter as a pre-filter, so
 * that they still find k hits.
 */
export function narrowedLeg(clause: Clause, filter: Clause | undefined): Clause {
  return isVectorClause(clause) ? clause : narrowed(clause, filter);
}
