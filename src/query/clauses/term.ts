// `term`: documents whose field has exactly this value, which is not analysed.
import type { Scalar } from '../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, fieldAndValue, fieldParams } from '../params.js';
import { illegal, isArray, malformed } from '../values.js';

export interface TermClause extends ClauseBase {
  readonly kind: 'term';
  readonly field: string;
  readonly value: Scalar;
  readonly caseInsensitive: boolean;
}

export const term: ClauseKind<TermClause> = {
  parse(body) {
    if (isArray(fieldAndValue('term', body).value)) {
      throw malformed('[term] query does not support array of values');
    }
    const { field, params } = fieldParams('term', body, 'value');
    const value = params.scalar('value', 'term');
    const caseInsensitive = params.flag('case_insensitive') ?? false;
    const base = params.base();
    params.finish();
    if (value === undefined || value.kind === 'null') {
      throw illegal(`[term] value of field [${field}] cannot be null`);
    }
    return { kind: 'term', boost: base.boost, name: base.name, field, value, caseInsensitive };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'term', clause, (writer) => {
      writer.str(clause.field).scalar(clause.value).bool(clause.caseInsensitive);
    });
  },
};
