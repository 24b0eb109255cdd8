// `with_analyzers`: a query string that names analyzers, which must exist even if none of its words
// needs them. Only query strings produce it; the core checks the names against the analyzers of an
// index.
import { type ClauseEncoder, queryNode } from '../clause.js';
import type { ClauseBase } from '../params.js';
import type { Clause } from './index.js';

export interface WithAnalyzersClause extends ClauseBase {
  readonly kind: 'with_analyzers';
  /** The clause of the request, for error messages. */
  readonly clause: string;
  /** Pairs of parameter and analyzer name. */
  readonly analyzers: readonly (readonly [string, string])[];
  readonly query: Clause;
}

/** Returns the query itself if no analyzer is named. */
export function withAnalyzers(
  clause: string,
  query: Clause,
  named: Readonly<Record<string, string>>,
): Clause {
  const analyzers = Object.entries(named).filter(([, analyzer]) => analyzer !== '');
  if (analyzers.length === 0) return query;
  return { kind: 'with_analyzers', boost: 1, name: '', clause, analyzers, query };
}

export function encodeWithAnalyzers(clause: WithAnalyzersClause, encoder: ClauseEncoder): void {
  queryNode(encoder, 'with_analyzers', clause, (writer) => {
    writer
      .str(clause.clause)
      .list(clause.analyzers, ([parameter, analyzer]) => writer.str(parameter).str(analyzer));
    encoder.child(clause.query);
  });
}
