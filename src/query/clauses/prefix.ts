// `prefix`: terms that start with the value, which is not analysed. Scores a constant, or its terms.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, fieldParams } from '../params.js';
import { readRewrite, scoredNode, type TermScores } from '../rewrite.js';
import { illegal } from '../values.js';

export interface PrefixClause extends ClauseBase {
  readonly kind: 'prefix';
  readonly field: string;
  readonly value: string;
  readonly caseInsensitive: boolean;
  /** Undefined: every match scores the boost. */
  readonly scores?: TermScores;
}

export const prefix: ClauseKind<PrefixClause> = {
  parse(body) {
    const { field, params } = fieldParams('prefix', body, 'value');
    const value = params.scalar('value', 'prefix');
    const caseInsensitive = params.flag('case_insensitive') ?? false;
    const scores = readRewrite(params);
    const base = params.base();
    params.finish();
    if (value === undefined || value.kind === 'null') {
      throw illegal(`[prefix] value of field [${field}] cannot be null`);
    }
    return {
      kind: 'prefix',
      boost: base.boost,
      name: base.name,
      field,
      value: value.text,
      caseInsensitive,
      ...(scores && { scores }),
    };
  },
  encode({ scores, ...clause }, encoder) {
    if (scores !== undefined) {
      scoredNode(encoder, clause, scores, clause);
      return;
    }
    queryNode(encoder, 'prefix', clause, (writer) => {
      writer.str(clause.field).str(clause.value).bool(clause.caseInsensitive);
    });
  },
};
