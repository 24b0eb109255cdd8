// The parameters that match, match_bool_prefix and multi_match share.
import type { MatchOptions, Scalar } from '../wire/plan-writer.js';
import { readFuzziness } from './fuzziness.js';
import { readMinimumShouldMatch } from './minimum-should-match.js';
import type { Params } from './params.js';
import { readBlendedRewrite } from './rewrite.js';
import { illegal, malformed } from './values.js';

const MAX_EXPANSIONS = 50;

export const DEFAULT_MATCH_OPTIONS: MatchOptions = {
  operator: 'or',
  minimumShouldMatch: '',
  analyzer: '',
  fuzziness: '',
  prefixLength: 0,
  maxExpansions: MAX_EXPANSIONS,
  transpositions: true,
  zeroTerms: 'none',
  lenient: false,
  synonymPhrases: true,
  constantWords: false,
};

/** The options of match_bool_prefix. */
export function readTermOptions(params: Params): MatchOptions {
  const expansions = params.integer('max_expansions', 1) ?? MAX_EXPANSIONS;
  const rewrite = readBlendedRewrite(params, expansions);
  const fuzziness = readFuzziness(params);
  // Copied member by member because spread is slow, and most searches have a match clause.
  return {
    operator: params.choice('operator', ['or', 'and']) ?? 'or',
    minimumShouldMatch: readMinimumShouldMatch(params),
    analyzer: params.analyzer(),
    fuzziness,
    prefixLength: params.integer('prefix_length') ?? 0,
    maxExpansions: fuzziness === '' ? expansions : rewrite.terms,
    transpositions: params.flag('fuzzy_transpositions') ?? true,
    zeroTerms: 'none',
    lenient: false,
    synonymPhrases: true,
    constantWords: rewrite.constant,
  };
}

/** The options of match and multi_match. */
export function readMatchOptions(params: Params, lenient = false): MatchOptions {
  if (params.isShort && !lenient) return DEFAULT_MATCH_OPTIONS;
  const options = readTermOptions(params);
  return {
    operator: options.operator,
    minimumShouldMatch: options.minimumShouldMatch,
    analyzer: options.analyzer,
    fuzziness: options.fuzziness,
    prefixLength: options.prefixLength,
    maxExpansions: options.maxExpansions,
    transpositions: options.transpositions,
    constantWords: options.constantWords,
    zeroTerms: readZeroTerms(params),
    lenient: params.flag('lenient') ?? lenient,
    synonymPhrases: params.flag('auto_generate_synonyms_phrase_query') ?? true,
  };
}

export function readZeroTerms(params: Params): MatchOptions['zeroTerms'] {
  const requested = params.text('zero_terms_query')?.toLowerCase() ?? 'none';
  if (requested === 'none' || requested === 'all') return requested;
  throw malformed(
    `[${params.clause}] Unsupported zero_terms_query value [${requested}], expected one of [none, all]`,
  );
}

/** Returns the text to analyse. Call it after finish(). */
export function requireText(params: Params, text: Scalar | undefined): Scalar {
  if (text !== undefined && text.kind !== 'null') return text;
  // Elasticsearch rejects a missing text in these two clauses while it parses them, in others
  // later.
  if (params.clause !== 'match' && params.clause !== 'multi_match') {
    throw illegal(`[${params.clause}] requires query value`);
  }
  throw malformed(`[${params.clause}] No text specified for text query, give it as [query]`);
}
