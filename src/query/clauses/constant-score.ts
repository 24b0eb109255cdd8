// `constant_score`: the documents that the filter matches, with the boost as their score.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { isArray, malformed } from '../values.js';
import type { Clause } from './index.js';

export interface ConstantScoreClause extends ClauseBase {
  readonly kind: 'constant_score';
  readonly filter: Clause;
}

export const constantScore: ClauseKind<ConstantScoreClause> = {
  parse(body, parser) {
    if (isArray(body)) throw malformed('[constant_score] unexpected token [START_ARRAY]');
    const params = Params.of('constant_score', body);
    const filter = params.raw('filter');
    const base = params.base();
    params.finish();
    if (filter === undefined) throw malformed("[constant_score] requires a 'filter' element");
    if (isArray(filter)) throw malformed('[constant_score] unexpected token [START_ARRAY]');
    return {
      kind: 'constant_score',
      boost: base.boost,
      name: base.name,
      filter: parser.clause(filter),
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'constant_score', clause, () => encoder.child(clause.filter));
  },
};
