// Small requests with long lists, deep trees and awkward strings: each must be rejected with an
// error, or be executed without blocking the main thread. Whether it is rejected is printed, but
// not checked.

export interface SmallRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object | string;
}

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const named = <T>(count: number, make: (i: number) => T): Record<string, T> =>
  Object.fromEntries(many(count, (i) => [`x${i}`, make(i)] as const));
const search = (name: string, body: object, params = ''): SmallRequest => ({
  name,
  method: 'POST',
  path: `/many/_search${params}`,
  body,
});
const query = (name: string, one: object): SmallRequest => search(name, { size: 0, query: one });
const aggs = (name: string, all: object): SmallRequest => search(name, { size: 0, aggs: all });
const get = (name: string, path: string): SmallRequest => ({ name, method: 'GET', path });
const post = (
  name: string,
  path: string,
  body: object | string,
  method = 'POST',
): SmallRequest => ({
  name,
  method,
  path,
  body,
});
const wrapped = (levels: number): object => {
  let inner: object = { match_all: {} };
  for (let i = 0; i < levels; i++) {
    inner = { wrapper: { query: Buffer.from(JSON.stringify(inner)).toString('base64') } };
  }
  return inner;
};

const SIMPLE = ['(', '-"', '(-"', 'a~1 ', '"a ', '"a"~1 ', 'a+b|', '\\(', 'a* ', '()', '-', '~'];
const CLASSIC = [
  '!',
  '(',
  '"a b"~9 ',
  'a:',
  '[a TO b] ',
  '/a',
  'a OR ',
  '\\',
  '^2',
  '~',
  'a~1 ',
  '*:* ',
];
const QUERY_STRINGS: readonly SmallRequest[] = [
  ...SIMPLE.map((piece) =>
    query(`simple_query_string ${piece}`, {
      simple_query_string: { query: piece.repeat(Math.ceil(60_000 / piece.length)) },
    }),
  ),
  ...CLASSIC.map((piece) =>
    query(`query_string ${piece}`, {
      query_string: { query: piece.repeat(Math.ceil(60_000 / piece.length)) },
    }),
  ),
  query('query_string of a megabyte', { query_string: { query: ' '.repeat(1_000_000) } }),
  query('query_string in 2,000 fields', {
    query_string: { query: '"a" "b" "c"', fields: many(2000, (i) => `f${i}`) },
  }),
  query('query_string of 1,000 phrases in 1,000 fields', {
    query_string: { query: '"a b" '.repeat(1000), fields: many(1000, (i) => `f${i}`) },
  }),
];

const CLAUSES: readonly SmallRequest[] = [
  query('60,000 ids', { ids: { values: many(60_000, String) } }),
  query('wrapper in wrapper', wrapped(20)),
  query('wrapper of 9 MB', {
    wrapper: {
      query: Buffer.from(`{"terms":{"n":[${'1,'.repeat(3e6)}1]}}`).toString('base64'),
    },
  }),
  query('multi_match in 5,000 fields', {
    multi_match: { query: 'a b c', fields: many(5000, (i) => `f${i}`) },
  }),
  query('5,000 functions', {
    function_score: { functions: many(5000, () => ({ weight: 2 })) },
  }),
  query('minimum_should_match of blanks', {
    match: { body: { query: 'w1 w2', minimum_should_match: ' '.repeat(60_000) } },
  }),
  query('range of a long date math', { range: { at: { gte: `now${'+1d'.repeat(20_000)}` } } }),
  query('term of a deep field', { term: { ['a.'.repeat(30_000)]: 1 } }),
  search('1,000 sort keys', { sort: many(1000, (i) => `f${i}`) }),
  search('5,000 fields', { fields: many(5000, (i) => `f${i}`) }),
  search('5,000 docvalue_fields', { docvalue_fields: many(5000, (i) => `f${i}`) }),
  search('100 docvalue_fields with formats', {
    size: 1000,
    docvalue_fields: many(100, (i) => ({ field: `n${'*'.repeat(i)}`, format: '#,##0.00' })),
  }),
  search('2,000 highlight fields', {
    query: { match: { body: 'w1' } },
    highlight: { fields: named(2000, () => ({})) },
  }),
  search('1,000 script_fields', { script_fields: named(1000, () => ({ script: '1' })) }),
  search('5,000 indices_boost', { indices_boost: many(5000, (i) => ({ [`i${i}`]: 2 })) }),
  search('a sort by a long name', { sort: [{ ['a:'.repeat(30_000)]: 'asc' }] }),
  search('search_after of 10,000', { sort: ['n'], search_after: many(10_000, String) }),
  search('a preference of 8,000 letters', {}, `?preference=${'a'.repeat(8000)}`),
  search('4,000 routings', {}, `?routing=${'a,'.repeat(4000)}`),
  search('collapse of 1,000 with ten inner_hits', {
    size: 1000,
    collapse: { field: 'n', inner_hits: many(10, (i) => ({ name: `h${i}` })) },
  }),
  search('100 inner_hits', {
    collapse: { field: 'n', inner_hits: many(100, (i) => ({ name: `h${i}` })) },
  }),
  search('2,000 suggesters', {
    size: 0,
    suggest: named(2000, () => ({ text: 'w1x w2x', term: { field: 'body' } })),
  }),
  query('1,000 fuzzy strings of 1,000 terms', {
    bool: {
      should: many(1000, (i) => ({
        fuzzy: { body: { value: `w${i}x`, fuzziness: 2, max_expansions: 1000 } },
      })),
    },
  }),
  query('1,000 lookups of terms', {
    bool: {
      should: many(1000, () => ({ terms: { code: { index: 'many', id: '1', path: 'body' } } })),
    },
  }),
  search('a suggester of 1,000 words with all candidates', {
    size: 0,
    suggest: {
      text: many(1000, (i) => `w${i}x`).join(' '),
      s: {
        term: {
          field: 'body',
          suggest_mode: 'always',
          prefix_length: 0,
          min_word_length: 1,
          size: 1000,
          max_inspections: 1_000_000,
        },
      },
    },
  }),
  search('a suggester of 10,000 words', {
    size: 0,
    suggest: { text: many(10_000, (i) => `w${i}x`).join(' '), s: { term: { field: 'body' } } },
  }),
];

const histogram = (inner: object, interval = 10): object => ({
  a: {
    histogram: { field: 'n', interval },
    aggs: { s: { sum: { field: 'n' } }, ...inner },
  },
});
const moving = (window: number, script: string): object => ({
  moving_fn: { buckets_path: 's', window, script },
});
const FUNCTIONS = ['max', 'min', 'sum', 'unweightedAvg', 'linearWeightedAvg', 'ewma', 'holt'];
const SERIES = ['derivative', 'cumulative_sum', 'serial_diff'];
const SIBLINGS = ['avg_bucket', 'max_bucket', 'stats_bucket', 'extended_stats_bucket'];
const PIPELINES: readonly SmallRequest[] = [
  ...FUNCTIONS.map((one) =>
    aggs(
      `moving_fn ${one} over all`,
      histogram({ m: moving(2 ** 31 - 1, `MovingFunctions.${one}(values)`) }),
    ),
  ),
  aggs(
    'moving_fn holtWinters over all',
    histogram({ m: moving(5000, 'MovingFunctions.holtWinters(values, 0.3, 0.1, 0.3, 2, false)') }),
  ),
  aggs('twenty moving_fn', histogram(named(20, () => moving(5000, 'MovingFunctions.sum(values)')))),
  aggs(
    'moving_fn of 400 calls',
    histogram({ m: moving(5000, many(400, () => 'MovingFunctions.sum(values)').join('+')) }),
  ),
  ...SERIES.map((one) =>
    aggs(`1,000 ${one}`, histogram(named(1000, () => ({ [one]: { buckets_path: 's' } })))),
  ),
  aggs(
    'a tower of 500 derivatives',
    histogram(
      Object.fromEntries(
        many(500, (i) => [`d${i}`, { derivative: { buckets_path: i === 0 ? 's' : `d${i - 1}` } }]),
      ),
      100,
    ),
  ),
  ...SIBLINGS.map((one) =>
    aggs(`1,000 ${one}`, {
      ...histogram({}, 100),
      ...named(1000, () => ({ [one]: { buckets_path: 'a>s' } })),
    }),
  ),
  aggs('percentiles_bucket of 100,000', {
    ...histogram({}),
    p: { percentiles_bucket: { buckets_path: 'a>s', percents: many(100_000, (i) => i / 1000) } },
  }),
  aggs(
    'bucket_sort of 1,000 keys',
    histogram({ b: { bucket_sort: { sort: many(1000, () => ({ s: 'asc' })) } } }),
  ),
  aggs(
    'bucket_script of 16,000 letters',
    histogram({
      b: { bucket_script: { buckets_path: { s: 's' }, script: `s${'+s'.repeat(8000)}` } },
    }),
  ),
  aggs(
    'bucket_selector of 2,000 paths',
    histogram({
      b: { bucket_selector: { buckets_path: named(2000, () => 's'), script: 'x1 > 0' } },
    }),
  ),
  aggs('terms around pipelines', {
    t: {
      terms: { field: 'code', size: 50 },
      aggs: histogram({ m: moving(1000, 'MovingFunctions.sum(values)') }, 100),
    },
  }),
  ...["['", '[', '>', '.', 's>', "s['a']"].map((piece) =>
    aggs(
      `buckets_path ${piece}`,
      histogram({ c: { cumulative_sum: { buckets_path: piece.repeat(60_000 / piece.length) } } }),
    ),
  ),
  ...['[', '>', '.', ']', 'a['].map((piece) =>
    aggs(`order ${piece}`, {
      t: { terms: { field: 'n', order: { [piece.repeat(60_000 / piece.length)]: 'asc' } } },
    }),
  ),
];

const BUCKETS: readonly SmallRequest[] = [
  aggs(
    '1,000 calendars in a zone',
    named(1000, (i) => ({
      date_histogram: {
        field: 'at',
        calendar_interval: 'month',
        time_zone: 'America/New_York',
        offset: `+${i}s`,
      },
    })),
  ),
  aggs('composite of 64 sources', {
    c: {
      composite: {
        size: 1000,
        sources: many(64, (i) => ({ [`s${i}`]: { terms: { field: 'n' } } })),
      },
    },
  }),
  aggs('composite of 1,000 sources', {
    c: { composite: { sources: many(1000, (i) => ({ [`s${i}`]: { terms: { field: 'n' } } })) } },
  }),
  aggs('10,000 ranges', {
    r: { range: { field: 'n', ranges: many(10_000, (i) => ({ from: i, to: i + 100 })) } },
  }),
  aggs('60,000 ranges', {
    r: { range: { field: 'n', ranges: many(60_000, (i) => ({ from: i })) } },
  }),
  aggs('10,000 ranges of dates', {
    r: { date_range: { field: 'at', ranges: many(10_000, (i) => ({ from: `now-${i}d` })) } },
  }),
  aggs('1,000 filters by name', {
    f: { filters: { filters: named(1000, (i) => ({ term: { n: i } })) } },
  }),
  aggs('100,000 percents', {
    p: { percentiles: { field: 'n', percents: many(100_000, (i) => i / 1000) } },
  }),
  aggs('60,000 terms to include', {
    t: { terms: { field: 'code', include: many(60_000, (i) => `c${i}`) } },
  }),
  aggs(
    '2,000 aggregations',
    named(2000, () => ({ max: { field: 'n' } })),
  ),
  aggs(
    '10,000 aggregations',
    named(10_000, () => ({ max: { field: 'n' } })),
  ),
  aggs('a format of 100,000 letters', {
    h: { histogram: { field: 'n', interval: 10, format: "'".repeat(100_000) } },
  }),
  aggs('a format of 1,000 digits', {
    h: { histogram: { field: 'n', interval: 10, format: `0.${'0'.repeat(1000)}` } },
  }),
  aggs('a name of a megabyte', { ['a'.repeat(1_000_000)]: { max: { field: 'n' } } }),
];

const DOCUMENT_LINES = '{"index":{"_index":"tiny"}}\n{"n":1}\n';
const ITEMS: readonly SmallRequest[] = [
  post('_mget of 100,000 ids', '/many/_mget', { ids: many(100_000, String) }),
  post('_mget of 100,000 docs without an index', '/_mget', {
    docs: many(100_000, () => ({ _id: '1' })),
  }),
  post('_bulk of 100,000 items', '/_bulk', DOCUMENT_LINES.repeat(100_000)),
  post('_msearch of 20,000', '/_msearch', '{"index":"many"}\n{"size":0}\n'.repeat(20_000)),
  post(
    '_msearch of 2,000 expressions',
    '/_msearch',
    many(2000, (i) => `{"index":"a${i}*,b*,-c*"}\n{"size":0}\n`).join(''),
  ),
  post(
    'an expression of 5,000 patterns',
    '/_msearch',
    `{"index":[${many(5000, (i) => `"a${i}*"`).join()}]}\n{}\n`,
  ),
  post(
    'an expression of 5,000 names',
    '/_msearch',
    `{"index":[${many(5000, (i) => `"a${i}"`).join()}]}\n{}\n`,
  ),
  post('_analyze of 10,000 texts', '/_analyze', {
    analyzer: 'standard',
    text: many(10_000, (i) => `w${i}`),
  }),
  post('_analyze, explained, of 1,000 texts', '/_analyze', {
    tokenizer: 'standard',
    char_filter: ['html_strip'],
    text: many(1000, (i) => `w${i}`),
    explain: true,
  }),
  post('5,000 alias actions', '/_aliases', {
    actions: many(5000, (i) => ({ add: { index: 'many', alias: `al${i}` } })),
  }),
  post('alias actions of 1,000 by 1,000', '/_aliases', {
    actions: [
      { add: { indices: many(1000, (i) => `i${i}`), aliases: many(1000, (i) => `a${i}`) } },
    ],
  }),
  post(
    'a mapping of 50,000 fields',
    '/wide',
    { mappings: { properties: named(50_000, () => ({ type: 'keyword' })) } },
    'PUT',
  ),
  post(
    'a document of 50,000 fields',
    '/wide2/_doc/1',
    named(50_000, () => 1),
    'PUT',
  ),
  post(
    'a template of 20,000 patterns',
    '/_index_template/t',
    { index_patterns: many(20_000, (i) => `p${i}*`) },
    'PUT',
  ),
  post(
    'a template composed of 5,000',
    '/_index_template/t',
    { index_patterns: ['q*'], composed_of: many(5000, (i) => `c${i}`) },
    'PUT',
  ),
  post('_render of open tags', '/_render/template', { source: '{{#a}}'.repeat(10_000) }),
  post('_render of blanks', '/_render/template', {
    source: `{{#join ${' '.repeat(60_000)}x}}a{{/join}}`,
  }),
  post('_render of braces', '/_render/template', { source: '{{{'.repeat(20_000) }),
  post('_render of lists in lists', '/_render/template', {
    source: '{{#a}}{{#a}}{{#a}}x{{/a}}{{/a}}{{/a}}',
    params: { a: many(1000, () => 1) },
  }),
  post('a body of commas', '/many/_search', { query: many(1_000_000, () => 0) }),
  post('_field_caps of 5,000 patterns', '/_field_caps', { fields: many(5000, (i) => `*a${i}*`) }),
  get(
    '500 patterns of mapped fields',
    `/*/_mapping/field/${many(500, (i) => `*a*${i}*`).join(',')}`,
  ),
  post(
    '20,000 names that are no indexes',
    '/_bulk',
    many(20_000, (i) => `{"index":{"_index":"BAD${i}"}}\n{}\n`).join(''),
  ),
  get('_field_caps of everything', '/_field_caps?fields=*'),
];

const TEXTS = [
  '<pre',
  '<!--',
  '`',
  '```\n',
  '[[',
  '[a](',
  '**a',
  '#1 ',
  'a@b.',
  'http://',
  '10.1234/',
  '"',
  '.',
  'Re: ',
  '> ',
];
const MEMORIES: readonly SmallRequest[] = [
  post('a brain that detects', '/_memory/hostile', { detect: true }, 'PUT'),
  ...TEXTS.map((piece) =>
    post(`detection over ${JSON.stringify(piece)}`, '/_memory/hostile', {
      text: piece.repeat(Math.ceil(60_000 / piece.length)),
    }),
  ),
  post('a recall of 200,000 words', '/_memory/hostile/_recall', { query: 'word '.repeat(200_000) }),
  post('a recall with 2,000 filters', '/_memory/hostile/_recall', {
    query: 'word',
    filter: named(2000, () => 'x'),
  }),
];

const TABLES: readonly SmallRequest[] = [
  ...['indices', 'shards', 'segments', 'nodes', 'aliases', 'thread_pool'].flatMap((table) => [
    get(`_cat/${table} h of stars`, `/_cat/${table}?h=${'*,'.repeat(2000)}`),
    get(
      `_cat/${table} h of patterns`,
      `/_cat/${table}?h=${many(400, (i) => `*${i % 10}*`).join(',')}`,
    ),
  ]),
  get('_cat/indices s of 1,000', `/_cat/indices?s=${'index,'.repeat(1000)}`),
  get('a path of patterns', `/${'*a*b*c,'.repeat(500)}/_search?ignore_unavailable=true`),
  get('a path of exclusions', `/*,${'-a*,'.repeat(900)}/_search`),
  get(
    'a path of date math',
    `/${encodeURIComponent('<a-{now/d}>,').repeat(100)}/_search?ignore_unavailable=true`,
  ),
  get('3,000 parameters', `/_search?${many(1500, (i) => `a${i}=1`).join('&')}`),
  get('templates by 1,000 names', `/_index_template/${'a*,'.repeat(1000)}`),
  get('settings by 1,000 names', `/many/_settings/${'index.a*,'.repeat(400)}`),
];

export const SMALL: readonly SmallRequest[] = [
  ...QUERY_STRINGS,
  ...CLAUSES,
  ...PIPELINES,
  ...BUCKETS,
  ...ITEMS,
  ...MEMORIES,
  ...TABLES,
];
