// `match_none`: no document.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';

export interface MatchNoneClause extends ClauseBase {
  readonly kind: 'match_none';
}

export const matchNone: ClauseKind<MatchNoneClause> = {
  parse(body) {
    const params = Params.of('match_none', body);
    const base = params.base();
    params.finish();
    return { kind: 'match_none', ...base };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'match_none', clause, () => {});
  },
};
