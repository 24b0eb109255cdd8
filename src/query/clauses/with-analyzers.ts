// with_analyzers: a query string that names analyzers, which have to exist even where no word of it needs them. Only query
// strings make it; the core knows the analyzers of an index.
import { type ClauseEncoder, queryNode } from '../clause.js';
import type { ClauseBase } from '../params.js';
import type { Clause } from './index.js';

export interface WithAnalyzersClause extends ClauseBase {
  readonly kind: 'with_analyzers';
  /** Of the request, for the refusal. */
  readonly clause: string;
  /** Names by the parameters that gave them. */
  readonly analyzers: readonly (readonly [string, string])[];
  readonly query: Clause;
}

/** The query itself where no analyzer is named: empty ones are not. */
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
