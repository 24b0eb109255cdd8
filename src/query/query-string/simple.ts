// `simple_query_string`: a query string that never fails to parse, with the grammar of Lucene's
// SimpleQueryParser. Misplaced operators are dropped or read as text.
import type { Json } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { ClauseParser } from '../clause.js';
import type { Clause } from '../clauses/index.js';
import { withAnalyzers } from '../clauses/with-analyzers.js';
import { readFuzziness } from '../fuzziness.js';
import { DEFAULT_MATCH_OPTIONS } from '../match-options.js';
import { readMinimumShouldMatch } from '../minimum-should-match.js';
import { Params } from '../params.js';
import { readConstantRewrite } from '../rewrite.js';
import { illegal, malformed, printed, shortened, toText } from '../values.js';
import { ClauseBuilder } from './build.js';
import { checkLength, type QueryStringOptions, readQueryFields } from './options.js';
import { FLAGS, type Flag, parseSimple } from './simple-parser.js';

const EDITS = 2;
const NAME = 'simple_query_string';

export function parseSimpleQueryString(body: Json, parser: ClauseParser): Clause {
  const params = Params.of(NAME, body);
  const query = params.scalar('query');
  const flags = readFlags(params.raw('flags'));
  const options = readSimpleOptions(params, parser);
  params.finish();
  if (query === undefined || query.kind === 'null') {
    throw malformed(`[${NAME}] query text missing`);
  }
  checkLength(query.text, `[${NAME}] query`);
  const syntax = parseSimple(query.text, {
    flags,
    defaultOperator: options.match.operator,
    countLeaf: () => parser.countWord(),
  });
  const clause =
    syntax === undefined
      ? ({ kind: 'match_none', boost: 1, name: '' } as const)
      : new ClauseBuilder(options, parser.limits).build(syntax);
  return withAnalyzers(
    NAME,
    { ...clause, boost: clause.boost * options.base.boost, name: options.base.name },
    { analyzer: options.match.analyzer },
  );
}

function readSimpleOptions(params: Params, parser: ClauseParser): QueryStringOptions {
  const fields = readQueryFields(params, params.raw('fields'), parser);
  if (readFuzziness(params) !== '') {
    throw malformed(`[${NAME}] query does not support [fuzziness], write [word~1]`);
  }
  readConstantRewrite(params);
  return {
    query: '',
    base: params.base(),
    fields,
    type: 'most_fields',
    tieBreaker: 1,
    phraseTieBreaker: 0,
    analyzesKeywords: true,
    match: {
      ...DEFAULT_MATCH_OPTIONS,
      operator: params.choice('default_operator', ['or', 'and']) ?? 'or',
      analyzer: params.analyzer(),
      lenient: params.flag('lenient') ?? fields.some(({ field }) => field === '*'),
      fuzziness: String(EDITS),
      prefixLength: params.integer('fuzzy_prefix_length') ?? 0,
      maxExpansions:
        params.integer('fuzzy_max_expansions', 1) ?? DEFAULT_MATCH_OPTIONS.maxExpansions,
      transpositions: params.flag('fuzzy_transpositions') ?? true,
      synonymPhrases: params.flag('auto_generate_synonyms_phrase_query') ?? true,
    },
    quoteAnalyzer: '',
    quoteFieldSuffix: params.text('quote_field_suffix') ?? '',
    minimumShouldMatch: readMinimumShouldMatch(params),
    phraseSlop: 0,
    allowLeadingWildcard: true,
    analyzeWildcard: params.flag('analyze_wildcard') ?? false,
    maxDeterminizedStates: 0,
    timeZone: '',
    escape: false,
  };
}

/** Reads flags: "AND|OR" or a sum of bits; all flags if absent. */
function readFlags(value: Json | undefined): ReadonlySet<Flag> {
  const names = Object.keys(FLAGS) as Flag[];
  if (value === undefined) return new Set(names);
  const text = toText(value);
  const bits = typeof value === 'number' ? value : maskOf(text ?? '');
  if (text === undefined || (bits | 0) !== bits) {
    throw illegal(`[${NAME}] [flags] must be a whole number or names, got [${printed(value)}]`);
  }
  const all = bits < 0;
  return new Set(names.filter((name) => all || (bits & FLAGS[name]) !== 0));
}

function maskOf(text: string): number {
  const given = text
    .toUpperCase()
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (given.length === 0) return -1;
  let mask = 0;
  for (const name of given) {
    if (name === 'ALL') return -1;
    if (name === 'NONE') continue;
    const known = name === 'SLOP' ? 'NEAR' : name;
    if (!Object.hasOwn(FLAGS, known)) {
      throw new QuarryError(
        'illegal_argument_exception',
        `Unknown simple_query_string flag [${shortened(name, 100)}], expected some of [ALL, NONE, ${Object.keys(FLAGS).join(', ')}, SLOP]`,
      );
    }
    mask |= FLAGS[known as Flag];
  }
  return mask;
}
