// Clauses narrowed to what filters from outside let through: those of aliases, of a hybrid query, of retrievers.
import { boolOf } from './clauses/bool.js';
import type { Clause } from './clauses/index.js';
import { isVectorClause } from './nearest-vectors.js';

/** Scores stay as they are. */
export function narrowed(clause: Clause, filter: Clause | undefined): Clause {
  return filter === undefined ? clause : boolOf({ must: [clause], filter: [filter] });
}

/** A list of its own. Neighbours have the filter in theirs, so that as many are found as were asked for. */
export function narrowedLeg(clause: Clause, filter: Clause | undefined): Clause {
  return isVectorClause(clause) ? clause : narrowed(clause, filter);
}
