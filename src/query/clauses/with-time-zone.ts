// `with_time_zone`: a query string with a time zone for dates that name none. Only query strings
// produce it, because only the core can tell which of its words are dates.
import { type ClauseEncoder, queryNode } from '../clause.js';
import type { ClauseBase } from '../params.js';
import type { Clause } from './index.js';

export interface WithTimeZoneClause extends ClauseBase {
  readonly kind: 'with_time_zone';
  readonly timeZone: string;
  readonly query: Clause;
}

/** Returns the query itself, with the boost and name of `base`, if no time zone is given. */
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
