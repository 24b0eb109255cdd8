// `match_bool_prefix`: like match, but the last word is a prefix.
import type { MatchOptions, Scalar } from '../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { readTermOptions, requireText } from '../match-options.js';
import { type ClauseBase, fieldParams } from '../params.js';

export interface MatchBoolPrefixClause extends ClauseBase {
  readonly kind: 'match_bool_prefix';
  readonly field: string;
  readonly text: Scalar;
  readonly options: MatchOptions;
}

export const matchBoolPrefix: ClauseKind<MatchBoolPrefixClause> = {
  parse(body) {
    const { field, params } = fieldParams('match_bool_prefix', body, 'query');
    const text = params.scalar('query');
    const options = readTermOptions(params);
    const base = params.base();
    params.finish();
    return {
      kind: 'match_bool_prefix',
      boost: base.boost,
      name: base.name,
      field,
      text: requireText(params, text),
      options,
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'match_bool_prefix', clause, (writer) => {
      writer.str(clause.field).scalar(clause.text).matchOptions(clause.options);
    });
  },
};
