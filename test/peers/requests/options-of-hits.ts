// Compound queries, sort orders and highlights with each of their options: the name of the request
// is the tested option.
import { books, type PeerRequest } from '../request.ts';

/** Every book. */
const ALL = 150;
const WORDS = { match: { body: 'river garden' } };

const COMPOUND: readonly unknown[] = [
  { bool: {} },
  { bool: { filter: [{ term: { author: 'Eco' } }], should: [{ match: { body: 'river' } }] } },
  { bool: { must_not: { term: { author: 'Eco' } } } },
  { bool: { must: [{ match: { body: 'river' } }], boost: 3, _name: 'b' } },
  { bool: { must: null } },
  { bool: { mustNot: [{ term: { author: 'Eco' } }] } },
  { dis_max: { queries: [] } },
  { dis_max: {} },
  { boosting: { positive: { match: { body: 'river' } }, negative: { term: { author: 'Eco' } } } },
  { boosting: { negative: { term: { author: 'Eco' } }, negative_boost: 0.5 } },
  { function_score: { query: { match: { body: 'river' } }, functions: [] } },
  { function_score: { query: { match: { body: 'river' } }, functions: [{}] } },
  { function_score: { query: { match: { body: 'river' } }, weight: -2 } },
  { function_score: { query: { match: { body: 'river' } }, gauss: { year: { scale: 10 } } } },
  { function_score: { weight: 2 } },
  { has_child: { type: 'x', query: { match: { body: 'river' } } } },
  { knn: { field: 'emb', query_vector: [1, 0, 0, 0], k: 5, num_candidates: 20 } },
  { knn: { field: 'emb', query_vector: [1, 0], k: 5 } },
  { knn: { field: 'emb', query_vector: [0, 0, 0, 0], k: 5 } },
  { knn: { field: 'title', query_vector: [1], k: 5 } },
  { knn: { field: 'nope', query_vector: [1], k: 5 } },
];

const SORTS: readonly unknown[] = [
  [{ in_stock: { order: 'asc', missing: '_first' } }, 'pages'],
  [{ price: { missing: '12.5' } }, 'pages'],
  [{ price: { missing: 'abc' } }],
  [{ tags: { missing: 'poetry' } }, 'pages'],
  [{ origin: { missing: '10.0.0.5' } }, 'pages'],
  [{ nope: { unmapped_type: 'keyword' } }, 'pages'],
  [{ nope: { unmapped_type: 'date' } }, 'pages'],
  [{ nope: { unmapped_type: 'boolean', missing: '_first' } }, 'pages'],
  [{ nope: { unmapped_type: 'foo' } }],
  [{ nope: { unmapped_type: 'text' } }],
  [{ price: { numeric_type: 'long' } }, 'pages'],
  [{ pages: { numeric_type: 'date' } }],
  [{ author: { numeric_type: 'long' } }, 'pages'],
  [{ tags: { mode: 'avg' } }],
  [{ tags: { mode: 'max' } }, 'pages'],
  [{ tags: { mode: 'min', order: 'desc' } }, 'pages'],
  [{ published: { mode: 'avg' } }],
  [{ in_stock: { mode: 'sum' } }, 'pages'],
  [{ year: { order: 'DESC' } }, 'pages'],
  [{ year: { format: '#,##0' } }, 'pages'],
  [{ author: { format: 'yyyy' } }, 'pages'],
  [{ published: { format: 'epoch_second' } }],
  [{ published: { format: 'qqqqqq' } }],
  ['_doc'],
  [{ _doc: 'desc' }],
  ['_index', 'pages'],
  ['shelf'],
  ['emb'],
  ['year', 'year', 'pages'],
  [],
  [5],
  [{ year: 'asc', pages: 'desc' }],
  { year: 'asc', pages: 'desc' },
];

const AFTER: readonly object[] = [
  { sort: [{ published: 'asc' }], search_after: ['1990-01-01T00:00:00.000Z'] },
  { sort: [{ published: { order: 'asc', format: 'yyyy-MM-dd' } }], search_after: ['1990-01-01'] },
  { sort: ['year'], search_after: ['abc'] },
  { sort: ['in_stock', 'pages'], search_after: [false, 300] },
  { sort: ['in_stock', 'pages'], search_after: [0, 300] },
  { sort: ['origin', 'pages'], search_after: ['10.0.1.5', 300] },
  { sort: ['year'], search_after: { a: 1 } },
  { sort: ['year'], search_after: [] },
  { sort: ['year'], search_after: [1980] },
];

const HIGHLIGHTS: readonly object[] = [
  { fields: [{ body: {} }, { title: {} }] },
  { fields: { title: { max_analyzed_offset: 6, number_of_fragments: 0 } } },
  { fields: { body: { max_analyzed_offset: 90 } } },
  { order: 'score', fields: { body: { fragment_size: 60, number_of_fragments: 2 } } },
  { fields: { body: { number_of_fragments: 0 } } },
  { fields: { title: { no_match_size: 10 } } },
  { fields: { title: { no_match_size: 1000 }, body: { fragment_size: 20 } } },
  { require_field_match: false, fields: { title: {}, body: {} } },
  { type: 'foo', fields: { body: {} } },
  { tags_schema: 'styled', fields: { body: { number_of_fragments: 1 } } },
  { pre_tags: ['<b>'], fields: { body: {} } },
  { highlight_query: { match: { body: 'stone' } }, fields: { body: { number_of_fragments: 1 } } },
  { fields: { body: { number_of_fragments: 1, highlight_query: { match: { body: 'stone' } } } } },
  { fields: { body: { matched_fields: ['body', 'body.english'], number_of_fragments: 1 } } },
  { boundary_scanner: 'word', fields: { body: { fragment_size: 30 } } },
  { boundary_chars: '.,', boundary_max_scan: 10, fields: { body: { fragment_size: 30 } } },
  { phrase_limit: 1, fields: { body: {} } },
  { encoder: 'html', fields: { body: { number_of_fragments: 1 } } },
  { force_source: true, fields: { body: { number_of_fragments: 1 } } },
  {},
  { fields: { '*': {} } },
  { require_field_match: false, fields: { '*': { number_of_fragments: 1 } } },
  { fields: { body: { fragment_offset: 5 } } },
  { fields: { body: { number_of_fragments: -1 } } },
  { fields: { body: { fragment_size: -1 } } },
  { fields: { body: { fragment_size: 0 } } },
  { order: 'none', fields: { body: {} } },
];

const MARKED: readonly object[] = [
  { query: { range: { year: { gte: 1980 } } }, highlight: { fields: { year: {} } } },
  { query: { range: { published: { gte: 1980 } } }, highlight: { fields: { published: {} } } },
  { query: { term: { origin: '10.0.1.0/24' } }, highlight: { fields: { origin: {} } } },
  { query: { term: { writer: 'Eco' } }, highlight: { fields: { writer: {} } } },
  { query: { match_phrase: { body: 'river stone' } }, highlight: { fields: { body: {} } } },
  { query: { match_phrase_prefix: { body: 'river st' } }, highlight: { fields: { body: {} } } },
  { query: { range: { body: { gte: 'r', lt: 's' } } }, highlight: { fields: { body: {} } } },
];

const requests = <T>(
  family: string,
  rows: readonly T[],
  body: (row: T) => object,
): readonly PeerRequest[] =>
  rows.map((row) => books(`options of ${family}: ${JSON.stringify(row)}`, body(row)));

const BY_SCORE = { sort: ['_score', 'pages'] };

export const HIT_OPTION_REQUESTS: readonly PeerRequest[] = [
  ...requests('queries in queries', COMPOUND, (query) => ({ query, size: ALL })),
  ...requests('orders', SORTS, (sort) => ({ sort, size: ALL })),
  ...requests('orders', AFTER, (body) => body),
  ...requests('highlights', HIGHLIGHTS, (highlight) => ({ query: WORDS, highlight, ...BY_SCORE })),
  ...requests('highlights', MARKED, (body) => ({ ...body, ...BY_SCORE })),
];
