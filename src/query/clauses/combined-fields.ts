// `combined_fields`: one text in several text fields, scored as if those were one field.
import type { MatchOptions, Scalar } from '../../wire/plan-writer.js';
import type { ClauseKind } from '../clause.js';
import { DEFAULT_MATCH_OPTIONS, readZeroTerms, requireText } from '../match-options.js';
import { readMinimumShouldMatch } from '../minimum-should-match.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal, malformed } from '../values.js';
import { encodeMultiMatch, type FieldAndBoost, readFields } from './multi-match.js';

export interface CombinedFieldsClause extends ClauseBase {
  readonly kind: 'combined_fields';
  readonly fields: readonly FieldAndBoost[];
  readonly text: Scalar;
  readonly options: MatchOptions;
}

/** Names of values that are no fields of a mapping. */
const METADATA: readonly string[] = ['_id', '_index'];

export const combinedFields: ClauseKind<CombinedFieldsClause> = {
  parse(body) {
    const params = Params.of('combined_fields', body);
    const text = params.scalar('query');
    const fields = readFields('combined_fields', params.raw('fields'));
    const options: MatchOptions = {
      ...DEFAULT_MATCH_OPTIONS,
      operator: params.choice('operator', ['or', 'and']) ?? 'or',
      minimumShouldMatch: readMinimumShouldMatch(params),
      zeroTerms: readZeroTerms(params),
      synonymPhrases: params.flag('auto_generate_synonyms_phrase_query') ?? true,
    };
    const base = params.base();
    params.finish();
    const given = requireText(params, text);
    if (given.kind !== 'string') {
      throw malformed(
        `[combined_fields] query doesn't support values of type: [${given.kind}], give a text`,
      );
    }
    if (fields.length === 0) {
      throw illegal('In [combined_fields] query, at least one field must be provided');
    }
    const metadata = fields.find(({ field }) => METADATA.includes(field));
    if (metadata !== undefined) {
      throw illegal(
        `Field [${metadata.field}] of type [${metadata.field}] does not support [combined_fields] queries, name text fields`,
      );
    }
    const light = fields.find(({ boost }) => boost < 1);
    if (light !== undefined) {
      throw illegal(
        `[combined_fields] requires field boosts to be >= 1.0, got [${light.field}^${light.boost}]`,
      );
    }
    return {
      kind: 'combined_fields',
      boost: base.boost,
      name: base.name,
      fields,
      text: given,
      options,
    };
  },
  encode: ({ kind: type, ...clause }, encoder) =>
    encodeMultiMatch({ ...clause, type, tieBreaker: undefined, slop: 0 }, encoder),
};
