// `match`: documents with the words of an analysed text.
import type { MatchOptions, Scalar } from '../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { readMatchOptions, requireText } from '../match-options.js';
import { type ClauseBase, fieldParams } from '../params.js';

export interface MatchClause extends ClauseBase {
  readonly kind: 'match';
  readonly field: string;
  readonly text: Scalar;
  readonly options: MatchOptions;
}

export const match: ClauseKind<MatchClause> = {
  parse(body) {
    const { field, params } = fieldParams('match', body, 'query');
    const text = params.scalar('query');
    const options = readMatchOptions(params);
    const base = params.base();
    params.finish();
    return {
      kind: 'match',
      boost: base.boost,
      name: base.name,
      field,
      text: requireText(params, text),
      options,
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'match', clause, (writer) => {
      writer.str(clause.field).scalar(clause.text).matchOptions(clause.options);
    });
  },
};
