// `exists`: documents with any value in the field. A pattern or an object name covers all fields
// that match it or lie below it.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal, malformed } from '../values.js';

export interface ExistsClause extends ClauseBase {
  readonly kind: 'exists';
  readonly field: string;
}

export const exists: ClauseKind<ExistsClause> = {
  parse(body) {
    const params = Params.of('exists', body);
    const field = params.text('field');
    const base = params.base();
    params.finish();
    if (field === undefined) throw malformed('[exists] must be provided with a [field]');
    if (field === '') throw illegal('[exists] field name is null or empty');
    return { kind: 'exists', boost: base.boost, name: base.name, field };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'exists', clause, (writer) => writer.str(clause.field));
  },
};
