// The parameters of query_string.
import type { Json } from '../../backend.js';
import type { MatchOptions } from '../../wire/plan-writer.js';
import type { ClauseParser } from '../clause.js';
import {
  defaultFields,
  type FieldAndBoost,
  type MultiMatchType,
  readFields,
  readType,
} from '../clauses/multi-match.js';
import { readFuzziness } from '../fuzziness.js';
import { DEFAULT_MATCH_OPTIONS } from '../match-options.js';
import { readMinimumShouldMatch } from '../minimum-should-match.js';
import { type ClauseBase, Params } from '../params.js';
import { readConstantRewrite, readWordRewrite } from '../rewrite.js';
import { readTimeZone } from '../time-zone.js';
import { illegal, malformed } from '../values.js';

const MAX_STATES = 10_000;

export interface QueryStringOptions {
  readonly query: string;
  readonly base: ClauseBase;
  /** `*` stands for all fields. */
  readonly fields: readonly FieldAndBoost[];
  readonly type: MultiMatchType;
  readonly tieBreaker: number | undefined;
  /** operator, analyzer, lenient: of every text; the rest: of fuzzy terms. */
  readonly match: MatchOptions;
  readonly quoteAnalyzer: string;
  /** Phrases ask the field of that longer name, where there is one. */
  readonly quoteFieldSuffix: string;
  readonly minimumShouldMatch: string;
  readonly phraseSlop: number;
  readonly allowLeadingWildcard: boolean;
  readonly analyzeWildcard: boolean;
  readonly maxDeterminizedStates: number;
  readonly timeZone: string;
  readonly escape: boolean;
}

export function readOptions(body: Json, parser: ClauseParser): QueryStringOptions {
  const params = Params.of('query_string', body);
  const query = params.scalar('query');
  const fields = readDefaultFields(params, parser);
  const everyField = fields.some((field) => field.field === '*');
  const options = {
    base: params.base(),
    fields,
    type: readType(params),
    tieBreaker: params.tieBreaker(),
    match: readMatch(params, everyField || parser.defaults.some(({ lenient }) => lenient)),
    quoteAnalyzer: params.text('quote_analyzer') ?? '',
    quoteFieldSuffix: params.text('quote_field_suffix') ?? '',
    minimumShouldMatch: readMinimumShouldMatch(params),
    phraseSlop: params.integer('phrase_slop') ?? 0,
    allowLeadingWildcard: params.flag('allow_leading_wildcard') ?? true,
    analyzeWildcard: params.flag('analyze_wildcard') ?? false,
    maxDeterminizedStates: params.integer('max_determinized_states') ?? MAX_STATES,
    timeZone: readTimeZone(params),
    escape: params.flag('escape') ?? false,
  };
  params.only('enable_position_increments', true);
  readConstantRewrite(params);
  params.finish();
  if (query === undefined || query.kind === 'null') {
    throw malformed('[query_string] must be provided with a [query]');
  }
  return { query: query.text, ...options };
}

function readDefaultFields(params: Params, parser: ClauseParser): readonly FieldAndBoost[] {
  const field = params.text('default_field');
  const fields = params.raw('fields');
  if (field !== undefined && readFields(params.clause, fields).length > 0) {
    throw illegal(
      '[query_string] cannot use [fields] parameter in conjunction with [default_field]',
    );
  }
  return readQueryFields(params, field ?? fields, parser);
}

/** Without any, those of the settings of the searched indexes, or all. */
export function readQueryFields(
  params: Params,
  given: Json | undefined,
  parser: ClauseParser,
): readonly FieldAndBoost[] {
  const fields = readFields(params.clause, given);
  if (fields.length > 0) return fields;
  const byDefault = defaultFields(params.clause, parser);
  return byDefault.length > 0 ? byDefault : readFields(params.clause, '*');
}

/** Over all fields a word cannot fit every type: lenient unless the caller says otherwise. */
function readMatch(params: Params, everyField: boolean): MatchOptions {
  return {
    ...DEFAULT_MATCH_OPTIONS,
    operator: params.choice('default_operator', ['or', 'and']) ?? 'or',
    analyzer: params.text('analyzer') ?? '',
    lenient: params.flag('lenient') ?? everyField,
    fuzziness: readFuzziness(params) || 'AUTO',
    prefixLength: params.integer('fuzzy_prefix_length') ?? 0,
    maxExpansions: Math.min(
      readWordRewrite(params),
      params.integer('fuzzy_max_expansions', 1) ?? DEFAULT_MATCH_OPTIONS.maxExpansions,
    ),
    transpositions: params.flag('fuzzy_transpositions') ?? true,
    synonymPhrases: params.flag('auto_generate_synonyms_phrase_query') ?? true,
  };
}
