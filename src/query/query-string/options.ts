// The parameters of query_string.
import type { Json } from '../../backend/index.js';
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
import { readBlendedRewrite, readRewrite, type TermScores } from '../rewrite.js';
import { readTimeZone } from '../time-zone.js';
import { illegal, malformed } from '../values.js';

const MAX_STATES = 10_000;

/**
 * Characters of a query string. It is parsed in one synchronous step, which blocks the event loop.
 */
export const MAX_QUERY_STRING = 262_144;

/** `what` names the text in the error message. */
export function checkLength(text: string, what: string): void {
  if (text.length <= MAX_QUERY_STRING) return;
  throw illegal(
    `${what} has [${text.length}] characters, more than [${MAX_QUERY_STRING}]: split it into several queries`,
  );
}

/**
 * The default tie breaker by the type of the query. It combines the fields of every part of the
 * query, even of parts with another type, such as phrases.
 */
const TIE_BREAKERS: Readonly<Record<MultiMatchType, number>> = {
  best_fields: 0,
  most_fields: 1,
  cross_fields: 0,
  phrase: 0,
  phrase_prefix: 0,
  bool_prefix: 1,
};

export interface QueryStringOptions {
  readonly query: string;
  readonly base: ClauseBase;
  /** `*` stands for all fields. */
  readonly fields: readonly FieldAndBoost[];
  readonly type: MultiMatchType;
  /** For the fields of each word, phrase and pattern. */
  readonly tieBreaker: number;
  /** For the fields of a phrase, if it differs. */
  readonly phraseTieBreaker?: number;
  /** Patterns on keyword fields are normalized by `analyzer` as well. */
  readonly analyzesKeywords?: boolean;
  /** operator, analyzer and lenient apply to every text; the other options apply to fuzzy terms. */
  readonly match: MatchOptions;
  readonly quoteAnalyzer: string;
  /** Phrases are searched in the field with this suffix, if it exists. */
  readonly quoteFieldSuffix: string;
  readonly minimumShouldMatch: string;
  readonly phraseSlop: number;
  readonly allowLeadingWildcard: boolean;
  readonly analyzeWildcard: boolean;
  /** Of prefixes, wildcards and regular expressions; undefined: they score a constant. */
  readonly scores?: TermScores;
  readonly maxDeterminizedStates: number;
  readonly timeZone: string;
  readonly escape: boolean;
}

export function readOptions(body: Json, parser: ClauseParser): QueryStringOptions {
  const params = Params.of('query_string', body);
  const query = params.scalar('query');
  const fields = readDefaultFields(params, parser);
  const type = readType(params);
  const everyField = fields.some((field) => field.field === '*');
  const options = {
    base: params.base(),
    fields,
    type,
    tieBreaker: params.tieBreaker() ?? TIE_BREAKERS[type],
    match: readMatch(params, everyField || parser.defaults.some(({ lenient }) => lenient)),
    quoteAnalyzer: params.analyzer('quote_analyzer'),
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
  const scores = readRewrite(params);
  params.finish();
  if (query === undefined || query.kind === 'null') {
    throw malformed('[query_string] must be provided with a [query]');
  }
  checkLength(query.text, '[query_string] query');
  return { query: query.text, ...options, ...(scores && { scores }) };
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

/**
 * Returns the given fields; without any, those of the settings of the searched indexes, or all
 * fields.
 */
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

/**
 * The text cannot be valid for every field type, so a query over all fields is lenient by default.
 */
function readMatch(params: Params, everyField: boolean): MatchOptions {
  const expansions =
    params.integer('fuzzy_max_expansions', 1) ?? DEFAULT_MATCH_OPTIONS.maxExpansions;
  return {
    ...DEFAULT_MATCH_OPTIONS,
    operator: params.choice('default_operator', ['or', 'and']) ?? 'or',
    analyzer: params.analyzer(),
    lenient: params.flag('lenient') ?? everyField,
    fuzziness: readFuzziness(params) || 'AUTO',
    prefixLength: params.integer('fuzzy_prefix_length') ?? 0,
    maxExpansions: Math.min(expansions, readBlendedRewrite(params, expansions).terms),
    transpositions: params.flag('fuzzy_transpositions') ?? true,
    synonymPhrases: params.flag('auto_generate_synonyms_phrase_query') ?? true,
  };
}
