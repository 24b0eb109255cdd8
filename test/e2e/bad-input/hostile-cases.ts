// Rejected searches that would cost too much: by clauses, terms, characters, levels, buckets and
// hits.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const CLAUSES = 'too_many_nested_clauses';
const BUCKETS = 'too_many_buckets_exception';
const PHASE = 'search_phase_execution_exception';
const PARSE = 'x_content_parse_exception';

const list = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const words = (count: number): string => list(count, (i) => `w${i}`).join(' ');
const terms = (count: number): object[] => list(count, (year) => ({ term: { year } }));

const refused = (name: string, body: unknown, type: string, word: string, cause = type): BadCase =>
  bad(name, ['POST', '/books/_search', body], [400, type, word], cause);
const query = (name: string, given: object, type: string, word: string, cause = type): BadCase =>
  refused(name, { query: given }, type, word, cause);
const aggs = (name: string, given: object, type: string, word: string, cause = type): BadCase =>
  refused(name, { size: 0, aggs: { a: given } }, type, word, cause);

/** Nested bool clauses. */
function nested(levels: number): object {
  let inner: object = { term: { year: 1 } };
  for (let i = 0; i < levels; i++) inner = { bool: { must: [inner] } };
  return inner;
}

/** Nested terms aggregations. */
function deep(levels: number): object {
  let inner: object = { avg: { field: 'year' } };
  for (let i = 0; i < levels; i++) inner = { terms: { field: 'author' }, aggs: { a: inner } };
  return inner;
}

const tree = { bool: { must: list(100, () => ({ bool: { should: terms(100) } })) } };
/** The server of these tests is started with it. */
export const CLAUSE_LIMIT = 1024;
const MOST_CLAUSES = `maxClauseCount is set to ${CLAUSE_LIMIT}`;

export const HOSTILE_CASES: readonly BadCase[] = [
  query('1,025 clauses of filter', { bool: { filter: terms(1025) } }, PHASE, MOST_CLAUSES, CLAUSES),
  query(
    '1,025 clauses of must_not',
    { bool: { must_not: terms(1025) } },
    PHASE,
    MOST_CLAUSES,
    CLAUSES,
  ),
  query('10,000 clauses in a tree', tree, PHASE, MOST_CLAUSES, CLAUSES),
  query(
    '1,025 queries of dis_max',
    { dis_max: { queries: terms(1025) } },
    PHASE,
    MOST_CLAUSES,
    CLAUSES,
  ),
  query(
    '1,025 functions',
    {
      function_score: {
        functions: list(1025, (i) => ({ filter: { term: { year: i } }, weight: 2 })),
      },
    },
    ILLEGAL,
    '[functions] of [function_score] has [1025] entries, more than [1024]',
  ),
  query('1,025 words', { match: { title: words(1025) } }, PHASE, MOST_CLAUSES, CLAUSES),
  query(
    '1,025 words of query_string',
    { query_string: { query: words(1025), default_field: 'title' } },
    PHASE,
    MOST_CLAUSES,
    CLAUSES,
  ),
  query(
    '1,025 words of simple_query_string',
    { simple_query_string: { query: words(1025), fields: ['title'] } },
    PHASE,
    MOST_CLAUSES,
    CLAUSES,
  ),
  query('65 levels of bool', nested(65), PARSE, 'nested deeper than 100 levels'),
  query('1,000 levels of bool', nested(1000), PARSE, 'nested deeper than 100 levels'),
  query('65,537 terms', { terms: { author: list(65_537, String) } }, ILLEGAL, '[65537]'),
  query(
    'a wildcard of 1,001 letters',
    { wildcard: { author: `${'*a'.repeat(500)}*` } },
    ILLEGAL,
    '[1001]',
  ),
  query('a regexp of 1,001 letters', { regexp: { author: 'a'.repeat(1001) } }, ILLEGAL, '[1001]'),
  query(
    'a slop beyond int',
    { match_phrase: { title: { query: 'a b', slop: 2_147_483_648 } } },
    ILLEGAL,
    'out of range of int',
  ),
  query(
    'a script of 50,000 sums',
    { script_score: { query: { match_all: {} }, script: { source: `${'1 + '.repeat(50_000)}1` } } },
    ILLEGAL,
    'compile error',
  ),
  aggs(
    '1,025 clauses of a filter',
    { filter: { bool: { should: terms(1025) } } },
    PHASE,
    MOST_CLAUSES,
    CLAUSES,
  ),
  aggs(
    '2,000 filters',
    { filters: { filters: terms(2000) } },
    PHASE,
    'Number of filters is too large in [a], must be at most [1024]',
    ILLEGAL,
  ),
  aggs('200 levels of terms', deep(200), PARSE, 'nested deeper than 100 levels'),
  aggs(
    'a histogram without end',
    { histogram: { field: 'year', interval: 1, extended_bounds: { min: -1e15, max: 1e15 } } },
    PHASE,
    '[65536]',
    BUCKETS,
  ),
  aggs(
    'milliseconds of a century',
    {
      date_histogram: {
        field: 'bought',
        fixed_interval: '1ms',
        extended_bounds: { min: '1970-01-01', max: '2070-01-01' },
      },
    },
    PHASE,
    '[65536]',
    BUCKETS,
  ),
  aggs(
    'a composite page of 65,537',
    { composite: { size: 65_537, sources: [{ y: { terms: { field: 'year' } } }] } },
    PHASE,
    '[65537]',
    BUCKETS,
  ),
  aggs(
    '65,537 ranges',
    { range: { field: 'year', ranges: list(65_537, (from) => ({ from })) } },
    ILLEGAL,
    '[ranges] has [65537] entries, more than [1000]',
  ),
  aggs(
    'terms of a size beyond int',
    { terms: { field: 'author', size: 2 ** 31 } },
    ILLEGAL,
    'out of range of int',
  ),
  refused('a page behind the last', { from: 9999, size: 2 }, ILLEGAL, 'Result window is too large'),
  refused('a page of a million', { size: 1_000_000 }, ILLEGAL, '[1000000]'),
  refused(
    'a window of 10,001 rescores',
    { rescore: { window_size: 10_001, query: { rescore_query: { match_all: {} } } } },
    ILLEGAL,
    'Rescore window [10001] is too large',
  ),
  refused(
    'inner hits of 101',
    { collapse: { field: 'author', inner_hits: { name: 'i', size: 101 } } },
    ILLEGAL,
    'Inner result window is too large',
  ),
  refused('101 docvalue_fields', { docvalue_fields: list(101, (i) => `f${i}`) }, ILLEGAL, '[101]'),
  refused(
    '10,001 neighbours',
    { knn: { field: 'v', query_vector: [1], k: 10_001, num_candidates: 10_001 } },
    ILLEGAL,
    '[k] cannot exceed [10000]',
  ),
];
