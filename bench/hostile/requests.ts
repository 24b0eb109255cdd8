// Requests that would overload an unprotected server, each with its expected outcome: a rejection,
// or an end within its limit.

export interface Hostile {
  readonly name: string;
  readonly path: string;
  readonly body: object | string;
  /** A 4xx is expected; otherwise a response within the time limit. */
  readonly refused: boolean;
}

/** The limit of clauses on a machine with a gigabyte or more. */
const MOST_CLAUSES = 16_384;
/** The time limit in the requests. */
export const LIMIT_MS = 500;

const timeout = `${LIMIT_MS}ms`;
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const words = (count: number): string => many(count, (i) => `w${i}`).join(' ');

function search(name: string, query: object, rest: object = {}, refused = false): Hostile {
  return { name, path: '/many/_search', body: { query, timeout, ...rest }, refused };
}
const refused = (name: string, query: object, rest: object = {}): Hostile =>
  search(name, query, rest, true);
const ALL = { match_all: {} };
const aggs = (name: string, body: object, isRefused = false): Hostile =>
  search(name, ALL, { size: 0, aggs: { a: body } }, isRefused);

/** Nested bool clauses. */
function nested(levels: number): object {
  let query: object = { term: { code: 'x' } };
  for (let i = 0; i < levels; i++) query = { bool: { must: [query] } };
  return query;
}

/** Nested terms aggregations, each on a field with many values. */
function deepTerms(levels: number): object {
  let inner: object = { avg: { field: 'n' } };
  for (let i = 0; i < levels; i++) {
    const field = i % 2 === 0 ? 'code' : 'n';
    inner = { terms: { field, size: 1000 }, aggs: { a: inner } };
  }
  return inner;
}

const CLAUSES: readonly Hostile[] = [
  search('10,000 clauses', {
    bool: { should: many(10_000, (i) => ({ term: { code: `c${i}` } })) },
  }),
  refused('16,385 clauses inside filters', {
    bool: { filter: many(MOST_CLAUSES + 1, (i) => ({ term: { n: i } })) },
  }),
  search('1,024 clauses', { bool: { should: many(1020, (i) => ({ match: { body: `w${i}` } })) } }),
  refused('16,385 words in match', { match: { body: words(MOST_CLAUSES + 1) } }),
  refused('16,385 words in query_string', {
    query_string: { query: words(MOST_CLAUSES + 1), default_field: 'body' },
  }),
  refused('1,000 levels of bool', nested(1000)),
  refused('65,537 terms', { terms: { code: many(65_537, (i) => `c${i}`) } }),
  search('65,536 terms', { terms: { code: many(65_536, (i) => `c${i}`) } }),
  search('a term of 40,000 letters', { prefix: { code: 'x'.repeat(40_000) } }),
  search('phrase of 500 words', { match_phrase: { body: words(500) } }),
  search('phrase of frequent words with slop', {
    match_phrase: { body: { query: 'w0 w1 w2 w3 w4 w5 w6', slop: 1000 } },
  }),
];

const PATTERNS: readonly Hostile[] = [
  search('wildcard of many stars', { wildcard: { code: { value: `${'*a'.repeat(40)}*` } } }),
  search('wildcard that begins with a star', { wildcard: { code: { value: '*z' } } }),
  refused('wildcard of 2,000 letters', { wildcard: { code: { value: '*a'.repeat(1000) } } }),
  search('regexp of nested repeats', { regexp: { code: { value: '((a|b|c)*(a|b)+)*z' } } }),
  search('regexp that begins with anything', { regexp: { code: { value: '.*.*.*.*.*zz' } } }),
  search('regexp of a million states', {
    regexp: { code: { value: '((a{1,100}){1,100}){1,100}' } },
  }),
  search('regexp with an exponential automaton', {
    regexp: { code: { value: '[ab]*a[ab]{40}' } },
  }),
  refused('regexp of 2,000 letters', { regexp: { code: { value: 'a'.repeat(2000) } } }),
  search('fuzzy over all terms', {
    fuzzy: { code: { value: 'aaaaaaaa', fuzziness: 2, prefix_length: 0, max_expansions: 1000 } },
  }),
  search('match_phrase_prefix that expands', {
    match_phrase_prefix: { body: { query: 'w0 w', max_expansions: 1000 } },
  }),
  search('query_string of stars', {
    query_string: { query: many(50, (i) => `*${i}*`).join(' '), fields: ['body', 'code'] },
  }),
];

const BUCKETS: readonly Hostile[] = [
  aggs('a million terms', { terms: { field: 'code', size: 1_000_000 } }, false),
  aggs('a histogram of a million buckets', { histogram: { field: 'n', interval: 0.01 } }, true),
  aggs(
    'a histogram of all longs',
    { histogram: { field: 'n', interval: 1, extended_bounds: { min: -1e15, max: 1e15 } } },
    true,
  ),
  aggs('milliseconds', { date_histogram: { field: 'at', fixed_interval: '1ms' } }, true),
  aggs('terms of four levels', deepTerms(4)),
  aggs('terms of 30 levels', deepTerms(30)),
  aggs('composite of 65,536', {
    composite: { size: 65_535, sources: [{ c: { terms: { field: 'code' } } }] },
  }),
  aggs('cardinality of all', { cardinality: { field: 'code', precision_threshold: 40_000 } }),
  aggs('1,000 filters', {
    filters: { filters: many(1000, (i) => ({ match: { body: `w${i % 200}` } })) },
  }),
  aggs('top_hits of every term', {
    terms: { field: 'code', size: 5000 },
    aggs: { t: { top_hits: { size: 100 } } },
  }),
];

const PAGES: readonly Hostile[] = [
  search('the last page', ALL, { from: 9900, size: 100, sort: ['code'] }),
  search('10,000 hits', ALL, { size: 10_000 }),
  refused('beyond the last page', ALL, { from: 9999, size: 2 }),
  refused('a page of a million', ALL, { size: 1_000_000 }),
  search(
    'rescore of 10,000',
    { match: { body: 'w0 w1' } },
    {
      rescore: {
        window_size: 10_000,
        query: { rescore_query: { match_phrase: { body: { query: 'w1 w0', slop: 50 } } } },
      },
    },
  ),
  search('inner hits of 1,000 groups', ALL, {
    size: 1000,
    collapse: { field: 'code', inner_hits: { name: 'i', size: 100 } },
  }),
  search('script for every document', {
    script_score: {
      query: ALL,
      script: { source: `${"Math.log(2 + doc['n'].value) * ".repeat(200)}1` },
    },
  }),
  {
    name: 'highlight of huge texts',
    path: '/huge/_search',
    body: {
      timeout,
      query: { match: { body: 'w0 w1 w2 w3' } },
      highlight: { fields: { body: { number_of_fragments: 100, fragment_size: 1000 } } },
      _source: false,
    },
    refused: false,
  },
  {
    name: 'highlight of all words of huge texts',
    path: '/huge/_search',
    body: {
      timeout,
      query: { wildcard: { body: 'w*' } },
      highlight: { fields: { body: { number_of_fragments: 0 } } },
      _source: false,
    },
    refused: false,
  },
  {
    name: '500 searches in one',
    path: '/_msearch',
    body: many(
      500,
      () => '{"index":"many"}\n{"query":{"wildcard":{"code":"*a*b*"}},"timeout":"500ms"}\n',
    ).join(''),
    refused: false,
  },
];

const lines = (name: string, path: string, count: number, line: string): Hostile => ({
  name,
  path,
  body: line.repeat(count),
  refused: false,
});

const ITEMS: readonly Hostile[] = [
  {
    name: '10,000 ids of _mget',
    path: '/many/_mget',
    body: { ids: many(10_000, (i) => `x${i}`) },
    refused: false,
  },
  lines(
    '10,000 searches that are kept',
    '/_msearch',
    10_000,
    '{"index":"many"}\n{"size":0,"query":{"term":{"n":3}}}\n',
  ),
  lines(
    '10,000 searches that are refused',
    '/_msearch',
    10_000,
    '{"index":"many"}\n{"query":{"nope":{}}}\n',
  ),
  lines(
    '100,000 operations that are refused',
    '/_bulk',
    100_000,
    '{"delete":{"_index":"absent","_id":"1"}}\n',
  ),
];

export const HOSTILE: readonly Hostile[] = [
  ...CLAUSES,
  ...PATTERNS,
  ...BUCKETS,
  ...PAGES,
  ...ITEMS,
];
