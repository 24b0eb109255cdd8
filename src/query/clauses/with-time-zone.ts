// with_time_zone: a query string whose dates are of a time zone, where they name none. Only query strings make it: which of its words
// are dates is known to the core alone.
import { type ClauseEncoder, queryNode } from '../clause.js';
import type { ClauseBase } from '../params.js';
import type { Clause } from './index.js';

export interface WithTimeZoneClause extends ClauseBase {
  readonly kind: 'with_time_zone';
  readonly timeZone: string;
  readonly query: Clause;
}

/** The query itself, with the boost and name of `base`, where no zone is named. A named query is looked at with its zone. */
export function withTimeZone(query: Clause, { boost, name }: ClauseBase, timeZone: string): Clause {
  if (timeZone === '') return { ...query, boost: query.boost * boost, name };
  return { kind: 'with_time_zone', boost, name, timeZone, query };
}

export function encodeWithTimeZone(clause: WithTimeZoneClause, encoder: ClauseEncoder): void {
  queryNode(encoder, 'with_time_zone', clause, (writer) => {
    writer.str(clause.timeZone);
    encoder.child(clause.query);
  });
}
