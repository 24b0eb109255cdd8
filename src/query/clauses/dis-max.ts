// `dis_max`: the best clause's score, plus tie_breaker times the scores of the others.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { isArray, malformed } from '../values.js';
import type { Clause } from './index.js';

export interface DisMaxClause extends ClauseBase {
  readonly kind: 'dis_max';
  readonly tieBreaker: number;
  readonly queries: readonly Clause[];
}

export const disMax: ClauseKind<DisMaxClause> = {
  parse(body, parser) {
    const params = Params.of('dis_max', body);
    const queries = params.raw('queries');
    const tieBreaker = params.tieBreaker() ?? 0;
    const base = params.base();
    params.finish();
    const list = queries === undefined ? [] : isArray(queries) ? queries : [queries];
    if (list.length === 0) {
      throw malformed("[dis_max] requires 'queries' field with at least one clause");
    }
    return {
      kind: 'dis_max',
      boost: base.boost,
      name: base.name,
      tieBreaker,
      queries: list.map((query) => parser.clause(query)),
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'dis_max', clause, (writer) => {
      writer.f32(clause.tieBreaker).list(clause.queries, (query) => encoder.child(query));
    });
  },
};
