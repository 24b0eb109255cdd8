// `terms_set`: documents whose field has at least some of the terms; how many, each document says
// by a field or a script, or it is the same number for all.
import type { Json } from '../../backend/index.js';
import type { Scalar } from '../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { readMinimumShouldMatch } from '../minimum-should-match.js';
import { type ClauseBase, fieldAndValue, Params } from '../params.js';
import { type Script, writeScript } from '../script/program.js';
import { readScript } from '../script/request.js';
import { illegal, isArray, isObject, malformed, tokenName } from '../values.js';
import { readValues } from './terms.js';

export interface TermsSetClause extends ClauseBase {
  readonly kind: 'terms_set';
  readonly field: string;
  readonly values: readonly Scalar[];
  /** Empty: there is none. */
  readonly minimumField: string;
  /** Empty: there is none. */
  readonly minimum: string;
  readonly minimumScript: Script | undefined;
}

export const termsSet: ClauseKind<TermsSetClause> = {
  parse(body, parser) {
    const { field, value } = fieldAndValue('terms_set', body);
    if (!isObject(value)) throw malformed(`[terms_set] unknown token [${tokenName(value)}]`);
    const params = new Params('terms_set', value);
    const given = params.raw('terms') ?? [];
    if (!isArray(given)) throw params.unsupported('terms');
    const values = readValues('terms_set', field, given, parser.limits.termsCount);
    const minimumField = params.text('minimum_should_match_field') ?? '';
    const minimum = readMinimumShouldMatch(params);
    const script = params.raw('minimum_should_match_script');
    const base = params.base();
    params.finish();
    checkMinimum(minimumField, minimum, script);
    for (let more = values.length; more > 1; more--) parser.countLeaf();
    return {
      kind: 'terms_set',
      ...base,
      field,
      values,
      minimumField,
      minimum,
      minimumScript: script === undefined ? undefined : readMinimum(script, values.length),
    };
  },
  encode(clause, encoder) {
    const { field, values, minimumField, minimum, minimumScript } = clause;
    queryNode(encoder, 'terms_set', clause, (writer) => {
      writer.str(field).list(values, (value) => writer.scalar(value));
      writer.str(minimumField).str(minimum);
      writer.optional(minimumScript && (() => writeScript(writer, minimumScript)));
    });
  },
};

function checkMinimum(field: string, minimum: string, script: Json | undefined): void {
  const given = [field !== '', minimum !== '', script !== undefined].filter(Boolean).length;
  if (given === 0) {
    throw illegal(
      'No minimum should match has been specified: give [terms_set] a [minimum_should_match_field], a [minimum_should_match_script] or [minimum_should_match]',
    );
  }
  if (given === 1) return;
  if (field !== '' && script !== undefined) {
    throw illegal('A field has already been specified. Cannot specify both a field and script');
  }
  throw illegal(
    '[terms_set] takes one of [minimum_should_match_field], [minimum_should_match_script] and [minimum_should_match]',
  );
}

/** The script also has the number of terms, `params.num_terms`. */
function readMinimum(script: Json, terms: number): Script {
  const given = isObject(script) ? script : { source: script };
  const { params = {} } = given;
  const all = isObject(params) ? { ...params, num_terms: terms } : params;
  return readScript('minimum_should_match_script', { ...given, params: all }, []);
}
