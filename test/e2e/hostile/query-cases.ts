// Requests that cost more than their size suggests: patterns, clauses, depths, lists, pages and
// scripts.
import { type Exchange, request } from './exchange.ts';

const search = (name: string, body: unknown, ...status: number[]): Exchange => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return request(`search: ${name}`, 'POST /t/_search', text, status.length === 0 ? [400] : status);
};
const query = (name: string, clause: unknown, ...status: number[]): Exchange =>
  search(name, { query: clause }, ...status);

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

function nested(depth: number): string {
  return `${'{"bool":{"must":['.repeat(depth)}{"match_all":{}}${']}}'.repeat(depth)}`;
}
function nestedAggs(depth: number): string {
  return `${'{"a":{"filter":{"match_all":{}},"aggs":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
}

export const QUERIES: readonly Exchange[] = [
  query('a pattern of 1,001 letters', { wildcard: { a: 'a'.repeat(1001) } }),
  query('a pattern of 1,000 stars', { wildcard: { a: '*a'.repeat(500) } }, 200),
  query('a pattern of question marks', { wildcard: { a: `${'?'.repeat(500)}*b` } }, 200),
  query('an expression that doubles', { regexp: { a: '(a+)+(b+)+c' } }, 200, 400),
  query('an expression of 2,000 letters', { regexp: { a: 'a'.repeat(2000) } }),
  query('an expression with a huge repetition', { regexp: { a: '(a{1,1000}){1,1000}' } }, 200, 400),
  query(
    'an expression of 500 choices in a loop',
    { regexp: { a: `(${many(120, (i) => `a${i}`).join('|')})*x` } },
    200,
    400,
  ),
  query('an expression that never ends', { regexp: { a: '((((((((((' } }),
  query('2,000 clauses', { bool: { should: many(2000, (i) => ({ term: { a: `x${i}` } })) } }),
  query('70,000 terms', { terms: { a: many(70_000, (i) => `x${i}`) } }),
  query('70,000 ids', { ids: { values: many(70_000, (i) => `x${i}`) } }, 200, 400),
  search('90 levels of bool', `{"query":${nested(45)}}`, 200, 400),
  search('1,000 levels of bool', `{"query":${nested(1000)}}`),
  query('a string of 5,000 words', {
    query_string: { query: many(5000, (i) => `a:w${i}`).join(' OR ') },
  }),
  query('a string of 5,000 brackets', {
    query_string: { query: `${'('.repeat(5000)}a${')'.repeat(5000)}` },
  }),
  query(
    'a simple string of 5,000 brackets',
    { simple_query_string: { query: '('.repeat(5000) } },
    200,
    400,
  ),
  query('a string of stars', { query_string: { query: `a:${'*a'.repeat(600)}` } }, 200, 400),
  query(
    'a fuzzy word of 10,000 letters',
    { fuzzy: { a: { value: 'a'.repeat(10_000) } } },
    200,
    400,
  ),
  query('a phrase of 20,000 words', { match_phrase: { a: 'x '.repeat(20_000) } }, 200, 400),
  query('a slop beyond 32 bits', { match_phrase: { a: { query: 'a b', slop: 4_294_967_296 } } }),
  query('a date of nonsense', { range: { d: { gte: `now${'+1d'.repeat(5000)}` } } }, 200, 400),
  query('a year beyond all', { range: { d: { gte: '999999999-01-01' } } }, 200, 400),
  query(
    'a wrapper in a wrapper',
    { wrapper: { query: Buffer.from('{"wrapper":{"query":"e30="}}').toString('base64') } },
    200,
    400,
  ),
  query('a wrapper of nonsense', { wrapper: { query: '////' } }),
  query('a script that loops', {
    script_score: { query: { match_all: {} }, script: { source: 'while(true){}' } },
  }),
  query('a script query that loops', { script: { script: { source: 'while(true){}' } } }),
  query(
    'a script query of 1,500 strings',
    { script: { script: { source: `(${"'x' + ".repeat(1500)}'x').empty` } } },
    200,
    400,
  ),
  query(
    'a script query that doubles a string',
    {
      script: {
        script: {
          source: `${'params.t + '.repeat(1000)}params.t == 'x'`,
          params: { t: 'x'.repeat(10_000) },
        },
      },
    },
    200,
    400,
  ),
  query(
    'a terms_set of 100,000 terms',
    { terms_set: { a: { terms: many(100_000, (i) => `t${i}`), minimum_should_match: 1 } } },
    200,
    400,
  ),
  search(
    'script fields of a large text',
    {
      script_fields: {
        a: {
          script: { source: `${'params.t + '.repeat(90)}'x'`, params: { t: 'x'.repeat(10_000) } },
        },
      },
    },
    200,
    400,
  ),
  query('a script that starts a process', {
    script_score: {
      query: { match_all: {} },
      script: { source: "process.mainModule.require('child_process')" },
    },
  }),
  query('a script of the constructor', {
    script_score: {
      query: { match_all: {} },
      script: { source: "''.constructor.constructor('return 1')()" },
    },
  }),
  query('a script of 100,000 brackets', {
    script_score: { query: { match_all: {} }, script: { source: '('.repeat(100_000) } },
  }),
  query(
    'a script of 20,000 sums',
    { script_score: { query: { match_all: {} }, script: { source: `1${'+1'.repeat(20_000)}` } } },
    200,
    400,
  ),
  search('a page beyond the window', { from: 9_999, size: 10 }),
  search('a page of 2^31', { size: 2_147_483_648 }),
  search('a page of -1', { size: -1 }),
  search('a page that starts before the first', { from: -1 }),
  search('a page of a half', { size: 0.5 }),
  search('1,000 keys to sort by', { sort: many(1000, (i) => `f${i}`) }, 200, 400),
  search('100 levels of aggregations', `{"aggs":${nestedAggs(45)}}`, 200, 400),
  search(
    '2,000 aggregations',
    { aggs: Object.fromEntries(many(2000, (i) => [`a${i}`, { terms: { field: 'a' } }])) },
    200,
    400,
  ),
  search(
    'a billion buckets',
    { aggs: { a: { terms: { field: 'a.keyword', size: 1_000_000_000 } } } },
    200,
    400,
  ),
  search(
    'a histogram of a tiny interval',
    { aggs: { a: { histogram: { field: 'n', interval: 1e-300 } } } },
    200,
    400,
  ),
  search('a histogram of no interval', { aggs: { a: { histogram: { field: 'n', interval: 0 } } } }),
  search('a histogram of endless bounds', {
    aggs: { a: { histogram: { field: 'n', interval: 1, extended_bounds: { min: 0, max: 1e15 } } } },
  }),
  search('dates by the millisecond for ever', {
    aggs: {
      a: {
        date_histogram: {
          field: 'd',
          fixed_interval: '1ms',
          extended_bounds: { min: '0001-01-01', max: '9999-01-01' },
        },
      },
    },
  }),
  search(
    'include as an expression that doubles',
    { aggs: { a: { terms: { field: 'a.keyword', include: '(a*)*b' } } } },
    200,
    400,
  ),
  search('k of a million', {
    knn: { field: 'v', query_vector: [1, 1], k: 1_000_000, num_candidates: 1_000_000 },
  }),
  search('a highlight of 2^31 fragments', {
    query: { match: { a: 'x' } },
    highlight: { fields: { a: { number_of_fragments: 2_147_483_648 } } },
  }),
  search('10,000 fields', { docvalue_fields: many(10_000, (i) => `f${i}`) }, 200, 400),
  search('a timeout before now', { timeout: '-5s' }, 200, 400),
  search('a keep-alive of a century', { pit: { id: 'x', keep_alive: '36500d' } }, 400, 404),
  search('a slice of slices', { slice: { id: 5, max: 2 } }),
  request(
    '5,000 names of indexes',
    `GET /${many(2000, () => 'x').join()}/_search`,
    undefined,
    [400, 404],
  ),
  request('1,000 stars for an index', `GET /${'*a'.repeat(1000)}/_search`, undefined, [200, 400]),
  request(
    'a filter of paths of 1,000 stars',
    `GET /t/_search?filter_path=${'**.'.repeat(1000)}x`,
    undefined,
    [200, 400],
  ),
  request(
    'fields by 1,000 stars',
    `GET /t/_field_caps?fields=${'*a'.repeat(1000)}`,
    undefined,
    [200, 400],
  ),
  request('100,001 shards', 'PUT /s1', '{"settings":{"number_of_shards":100001}}', [400]),
  request(
    'a template for everything by 1,000 stars',
    'PUT /_index_template/x',
    JSON.stringify({ index_patterns: ['*a'.repeat(3000)], template: {} }),
    [200, 400],
  ),
  request(
    'an analyzer of an expression that doubles',
    'POST /_analyze',
    JSON.stringify({
      tokenizer: { type: 'pattern', pattern: '(a+)+$' },
      text: `${'a'.repeat(40)}b`,
    }),
    [200, 400],
  ),
  request(
    'an analyzer of endless grams',
    'POST /_analyze',
    JSON.stringify({
      tokenizer: { type: 'ngram', min_gram: 1, max_gram: 100_000 },
      text: 'x'.repeat(100_000),
    }),
    [400],
  ),
  request(
    '10,000 searches of nothing',
    'POST /_msearch',
    '{}\n'.repeat(10_001),
    [200, 400],
    ['Content-Type: application/x-ndjson'],
  ),
  request(
    '2,000 lists of documents',
    'POST /_mget',
    JSON.stringify({ docs: many(2000, () => []) }),
    [400],
  ),
];
