// Query strings with the analyzers, types and limits that apply to each of their parts, fuzzy words
// with a constant score, and unused options in URLs and bodies: the request is its own name.
import { books, type PeerRequest, request } from '../request.ts';

/** Every book. */
const ALL = 150;
const TYPES = ['best_fields', 'most_fields', 'cross_fields', 'phrase', 'bool_prefix'];
const STRING = 'river (stone garden) "winter window"~2 s* title:copper^2 rivr~ /st.ne/';
const BOTH = ['title^2', 'body'];
const FUZZY = { query: 'rivre stoen', fuzziness: 2 };
const CONSTANT = ['constant_score', 'constant_score_boolean', 'constant_score_blended'];

const STRINGS: readonly unknown[] = [
  ...TYPES.map((type) => ({ query_string: { query: STRING, fields: BOTH, type } })),
  { query_string: { query: STRING, fields: BOTH, type: 'most_fields', tie_breaker: 0.3 } },
  ...TYPES.map((type) => ({
    query_string: { query: 'title:(stone garden) co', fields: ['body'], type },
  })),
  ...['STO*', 'STONE~', 'Wi?dow', '/WIND.*/', '[R TO S]', '[r TO s]'].flatMap((query) => [
    { query_string: { query, default_field: 'body' } },
    { query_string: { query, default_field: 'body', analyzer: 'keyword' } },
  ]),
  ...['E?o', 'Ecoo~', '/E.o/', '[A TO E]', 'Ec*'].map((query) => ({
    query_string: { query, default_field: 'author', analyzer: 'standard' },
  })),
  { query_string: { query: '/WIND.*/', default_field: 'body', analyzer: 'standard' } },
  { query_string: { query: 'year:[1980 TO 1990]', analyzer: 'standard' } },
  { query_string: { query: 'river~', default_field: 'body', analyzer: 'nope' } },
  { query_string: { query: '_exists_:price', analyzer: 'nope' } },
  { query_string: { query: 'river', default_field: 'body', quote_analyzer: 'nope' } },
  { query_string: { query: 'river AND stone', default_field: 'body', minimum_should_match: 1 } },
  {
    query_string: { query: 'river AND stone', default_field: 'body', minimum_should_match: '50%' },
  },
  { query_string: { query: 'NOT river', default_field: 'body', minimum_should_match: 1 } },
  { query_string: { query: 'river~1.0 stone~AUTO', default_field: 'body' } },
  { query_string: { query: '"river stone"~x', default_field: 'body' } },
  { query_string: { query: '"river stone"~99999999999', default_field: 'body' } },
  { query_string: { query: 'river', lenient: false } },
  { multi_match: { query: 'river', fields: ['*'], lenient: false } },
  ...['*', ' * ', '"river stone"', '"river stone"~3', '-river', 'sto* + "winter garden"'].flatMap(
    (query) => [
      { simple_query_string: { query, fields: BOTH } },
      { simple_query_string: { query } },
      { simple_query_string: { query, fields: BOTH, minimum_should_match: 1 } },
    ],
  ),
  { simple_query_string: { query: 'STO*', fields: ['body'], analyzer: 'keyword' } },
  { simple_query_string: { query: 'Ec*', fields: ['author'], analyzer: 'standard' } },
  { simple_query_string: { query: 'Ecoo~1', fields: ['author'], analyzer: 'standard' } },
  { simple_query_string: { query: 'river*', fields: ['nope'], analyzer: 'nope' } },
  ...[...CONSTANT, 'top_terms_1', 'top_terms_blended_freqs_1', 'scoring_boolean'].flatMap(
    (fuzzy_rewrite) => [
      { match: { body: { ...FUZZY, fuzzy_rewrite, max_expansions: 1 } } },
      { match_bool_prefix: { body: { ...FUZZY, fuzzy_rewrite } } },
      { multi_match: { ...FUZZY, fuzzy_rewrite, fields: BOTH } },
    ],
  ),
  { bool: { must_not: { term: { author: 'Eco' } }, minimum_should_match: 1 } },
  { bool: { filter: { term: { author: 'Eco' } }, minimum_should_match: 1 } },
];

/** In the body and in the URL. */
const REFUSED: readonly (readonly [string, object | undefined])[] = [
  ['/books/_search?df=title', undefined],
  ['/books/_search?lenient=true', undefined],
  ['/books/_count?default_operator=and', undefined],
  ['/books/_search?ignore_throttled=often', undefined],
  ['/books/_mapping?local=here', undefined],
  ['/books/_settings?master_timeout=soon', undefined],
  ['/books/_search?human=very', undefined],
  ['/_cluster/health?wait_for_events=nap', undefined],
  ['/books/_source/d1?stored_fields=title', undefined],
  ['/books/_search', { stored_fields: '_none_', _source: ['title'] }],
  ['/books/_search', { stored_fields: '_none_', version: true, _source: false }],
];

const TAGS: readonly object[] = [
  { pre_tags: ['<b>'], post_tags: ['</b>'], tags_schema: 'styled', fields: { title: {} } },
  { tags_schema: 'styled', pre_tags: ['<b>'], post_tags: ['</b>'], fields: { title: {} } },
];

export const QUERY_STRING_REQUESTS: readonly PeerRequest[] = [
  ...STRINGS.map((query) => books(`query strings: ${JSON.stringify(query)}`, { query, size: ALL })),
  ...TAGS.map((highlight) =>
    books(`query strings: ${JSON.stringify(highlight)}`, {
      query: { match: { title: 'river' } },
      highlight,
      sort: ['pages'],
    }),
  ),
  ...REFUSED.map(([path, body]) =>
    request(
      `query strings: ${path} ${JSON.stringify(body ?? '')}`,
      body === undefined ? 'GET' : 'POST',
      path,
      body,
    ),
  ),
];
