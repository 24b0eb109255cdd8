// `prefix`: terms that start with the value, which is not analysed. Scores a constant.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, fieldParams } from '../params.js';
import { readConstantRewrite } from '../rewrite.js';
import { illegal } from '../values.js';

export interface PrefixClause extends ClauseBase {
  readonly kind: 'prefix';
  readonly field: string;
  readonly value: string;
  readonly caseInsensitive: boolean;
}

export const prefix: ClauseKind<PrefixClause> = {
  parse(body) {
    const { field, params } = fieldParams('prefix', body, 'value');
    const value = params.scalar('value', 'prefix');
    const caseInsensitive = params.flag('case_insensitive') ?? false;
    readConstantRewrite(params);
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
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'prefix', clause, (writer) => {
      writer.str(clause.field).str(clause.value).bool(clause.caseInsensitive);
    });
  },
};
