// `query_string`: a query in the mini-language of a search box (`title:fox AND -date:[2020 TO *]`).
// The parser replaces it with other clauses. The `q` parameter of URLs is parsed here, too.
import type { Json } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { ClauseParser } from '../clause.js';
import type { Clause } from '../clauses/index.js';
import { withAnalyzers } from '../clauses/with-analyzers.js';
import { withTimeZone } from '../clauses/with-time-zone.js';
import { shortened } from '../values.js';
import { ClauseBuilder } from './build.js';
import { escapeAll, QuerySyntaxError } from './lexer.js';
import { type QueryStringOptions, readOptions } from './options.js';
import { parseQueryString } from './parser.js';

const MAX_GROUP_DEPTH = 32;

/** Throws query_shard_exception for invalid syntax. */
export function parseQueryStringClause(body: Json, parser: ClauseParser): Clause {
  const options = readOptions(body, parser);
  const clause = translate(options, parser);
  const { base, match, quoteAnalyzer, timeZone } = options;
  return withAnalyzers('query_string', withTimeZone(clause, base, timeZone), {
    analyzer: match.analyzer,
    quote_analyzer: quoteAnalyzer,
  });
}

function translate(options: QueryStringOptions, parser: ClauseParser): Clause {
  const text = options.escape ? escapeAll(options.query) : options.query;
  const oneField = options.fields.length === 1 && options.fields[0]?.field.includes('*') === false;
  try {
    const syntax = parseQueryString(text, {
      defaultOperator: options.match.operator,
      joinWords:
        options.minimumShouldMatch === '' || !(oneField || options.type === 'cross_fields'),
      maxDepth: MAX_GROUP_DEPTH,
      countLeaf: () => parser.countWord(),
    });
    if (syntax === undefined) return { kind: 'match_none', boost: 1, name: '' };
    return new ClauseBuilder(options, parser.limits).build(syntax);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    throw new QuarryError('query_shard_exception', `Failed to parse query [${shortened(text)}]`, {
      causedBy: {
        type: 'parse_exception',
        reason: `Cannot parse '${shortened(text)}': ${error.message} at column ${error.at}`,
      },
    });
  }
}
