// `match_all`: every document, with the boost as its score.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';

export interface MatchAllClause extends ClauseBase {
  readonly kind: 'match_all';
}

export const matchAll: ClauseKind<MatchAllClause> = {
  parse(body) {
    const params = Params.of('match_all', body);
    const base = params.namedBase();
    params.finish();
    return { kind: 'match_all', boost: base.boost, name: base.name };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'match_all', clause, () => {});
  },
};
