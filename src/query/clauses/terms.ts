// `terms`: documents whose field has one of the values. Scores a constant.
import type { Json, JsonObject } from '../../backend/index.js';
import type { Scalar } from '../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal, isArray, isObject, malformed, tokenName, toScalar } from '../values.js';

export interface TermsClause extends ClauseBase {
  readonly kind: 'terms';
  readonly field: string;
  readonly values: readonly Scalar[];
}

export const terms: ClauseKind<TermsClause> = {
  parse(body, { limits }) {
    const params = Params.of('terms', body);
    const base = params.base();
    let found: { field: string; values: readonly Scalar[] } | undefined;
    for (const [field, value] of Object.entries(body as Record<string, Json>)) {
      if (field === 'boost' || field === '_name') continue;
      if (isObject(value)) throw lookup(field, value);
      if (!isArray(value)) throw params.unsupported(field);
      if (found !== undefined) throw malformed('[terms] query does not support multiple fields');
      found = { field, values: readValues('terms', field, value, limits.termsCount) };
    }
    if (found === undefined || found.field === '') {
      throw malformed(
        '[terms] query requires a field name, followed by array of terms or a document lookup specification',
      );
    }
    return {
      kind: 'terms',
      boost: base.boost,
      name: base.name,
      field: found.field,
      values: found.values,
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'terms', clause, (writer) => {
      writer.str(clause.field).list(clause.values, (value) => writer.scalar(value));
    });
  },
};

/**
 * The error for a terms lookup. Where lookups are supported, complete ones have been replaced by
 * their values before parsing.
 */
function lookup(field: string, value: JsonObject): Error {
  const whole = ['index', 'id', 'path'].every((key) => value[key] !== undefined);
  return whole
    ? malformed(
        `[terms] a terms lookup (object in place of an array at [${field}]) is not supported here, send the values`,
      )
    : illegal(
        `[terms] query lookup element at [${field}] requires specifying the index, id and path`,
      );
}

/** The values of `clause`, [terms] or [terms_set]. */
export function readValues(
  clause: 'terms' | 'terms_set',
  field: string,
  values: readonly Json[],
  most: number,
): readonly Scalar[] {
  if (values.length > most) {
    const query = clause === 'terms' ? 'Terms Query' : 'Terms Set Query';
    throw illegal(
      `The number of terms [${values.length}] used in the ${query} request has exceeded the allowed maximum of [${most}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
    );
  }
  return values.map((value) => {
    const scalar = toScalar(value);
    if (scalar === undefined) {
      throw malformed(
        `[${clause}] values of [${field}] must be scalars, found [${tokenName(value)}]`,
      );
    }
    if (scalar.kind === 'null') throw malformed('No value specified for terms query');
    return scalar;
  });
}
