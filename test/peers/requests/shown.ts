// Order, pages and presentation of hits: sort, pages, sources, fields, highlights, groups,
// rescoring.
import { books, logs, type PeerRequest, request, type Send } from '../request.ts';

const RIVER = { match: { body: 'river' } };
const TIES = { pages: 'asc' };
type Rows = Readonly<Record<string, object>>;
const family = (name: string, rows: Rows, index = books): readonly PeerRequest[] =>
  Object.entries(rows).map(([row, body]) => index(`${name}: ${row}`, body));

const SORTS = family('sort', {
  'a number': { sort: [{ year: 'asc' }, TIES] },
  'a number, descending': { sort: [{ year: { order: 'desc' } }, TIES] },
  'a keyword': { sort: ['author', TIES] },
  'a date': { sort: [{ published: 'desc' }] },
  'a date with a format': { sort: [{ published: { order: 'desc', format: 'yyyy-MM' } }] },
  'an address': { sort: [{ origin: 'asc' }, TIES] },
  'a boolean': { sort: [{ in_stock: 'desc' }, TIES] },
  'missing last': { sort: [{ price: 'asc' }, TIES], size: 200 },
  'missing first': { sort: [{ price: { order: 'asc', missing: '_first' } }, TIES] },
  'missing as a value': { sort: [{ price: { order: 'desc', missing: 20 } }, TIES], size: 100 },
  'a missing keyword': { sort: [{ tags: { order: 'asc', missing: '_first' } }, TIES] },
  'several values, smallest': { sort: [{ rating: { order: 'asc', mode: 'min' } }, TIES] },
  'several values, largest': { sort: [{ rating: { order: 'asc', mode: 'max' } }, TIES] },
  'a small number, missing last': { sort: [{ rating: { order: 'asc' } }, TIES], size: 200 },
  'a small number, missing first': {
    sort: [{ rating: { order: 'asc', missing: '_first' } }, TIES],
    size: 40,
  },
  'several values, average': { sort: [{ rating: { order: 'desc', mode: 'avg' } }, TIES] },
  'several values, sum': { sort: [{ rating: { order: 'desc', mode: 'sum' } }, TIES] },
  'several values, median': { sort: [{ rating: { order: 'desc', mode: 'median' } }, TIES] },
  'an unmapped field': { sort: [{ nothing: { order: 'asc', unmapped_type: 'long' } }, TIES] },
  'score and a field': { query: RIVER, sort: ['_score', { year: 'asc' }] },
  'score ascending': { query: RIVER, sort: [{ _score: 'asc' }] },
  'a field with scores': { query: RIVER, sort: [{ year: 'asc' }, TIES], track_scores: true },
  'a number as double': { sort: [{ year: { order: 'asc', numeric_type: 'double' } }, TIES] },
  'a subfield': { sort: [{ 'shelf.row': 'desc' }, TIES] },
  'an alias field': { sort: [{ writer: 'desc' }, TIES] },
});
const SHARD_SORTS = family(
  'sort of shards',
  {
    'a date': { sort: [{ '@timestamp': 'desc' }] },
    'a keyword and a date': { sort: ['level', { '@timestamp': 'asc' }] },
    'a missing keyword': {
      sort: [{ user: { order: 'asc', missing: '_last' } }, '@timestamp'],
      size: 60,
    },
    'a number': { sort: [{ latency: 'desc' }], from: 20 },
    'dates as nanoseconds': {
      sort: [{ '@timestamp': { order: 'asc', numeric_type: 'date_nanos' } }],
    },
  },
  logs,
);

const PAGES = family('page', {
  'from and size': { sort: ['year', TIES], from: 30, size: 10 },
  'beyond the end': { sort: ['year', TIES], from: 500 },
  'size 0': { query: RIVER, size: 0 },
  'total counted': { track_total_hits: true },
  'total not counted': { track_total_hits: false, query: RIVER },
  'total up to a number': { track_total_hits: 20 },
  search_after: { sort: ['year', TIES], search_after: [1980, 300] },
  'search_after of a keyword': { sort: ['author', TIES], search_after: ['Eco', 500] },
  'search_after of a date': {
    sort: [{ published: 'desc' }],
    search_after: ['1985-01-01T00:00:00.000Z'],
  },
  min_score: { query: RIVER, min_score: 1.2 },
  post_filter: {
    query: RIVER,
    post_filter: { term: { author: 'Eco' } },
    aggs: { a: { terms: { field: 'author' } } },
  },
  'version and sequence number': {
    version: true,
    seq_no_primary_term: true,
    size: 3,
    sort: ['year', TIES],
  },
  indices_boost: { query: RIVER, indices_boost: [{ books: 2 }] },
});

const SHOWN = family('shown', {
  _source: { _source: true, sort: ['year', TIES], size: 4 },
  'explained, with shard and node': { query: RIVER, explain: true, size: 3 },
  'fields by pattern, aliases among them': { fields: ['w*'], sort: ['year', TIES], size: 4 },
  '_source of one field': { _source: 'title', sort: ['year', TIES] },
  '_source by pattern': { _source: ['sh*', 'title'], sort: ['year', TIES] },
  '_source includes and excludes': {
    _source: { includes: ['*'], excludes: ['body', 'emb', 'shelf.row'] },
    sort: ['year', TIES],
  },
  fields: { fields: ['title', 'year', 'tags'], sort: ['year', TIES] },
  'fields by pattern': { fields: ['shelf.*', 'pub*'], sort: ['year', TIES] },
  'fields with a format': {
    fields: [{ field: 'published', format: 'yyyy/MM/dd' }],
    sort: ['year', TIES],
  },
  'fields of an alias': { fields: ['writer'], sort: ['year', TIES] },
  docvalue_fields: { docvalue_fields: ['author', 'year', 'rating', 'price'], sort: ['year', TIES] },
  'docvalue_fields with formats': {
    docvalue_fields: [
      { field: 'published', format: 'epoch_millis' },
      { field: 'price', format: '#.0' },
    ],
    sort: ['year', TIES],
  },
  'docvalue_fields of booleans and addresses': {
    docvalue_fields: ['in_stock', 'origin'],
    sort: ['year', TIES],
  },
  'stored_fields none': { stored_fields: '_none_', sort: ['year', TIES], _source: undefined },
  'matched queries': {
    query: {
      bool: {
        should: [
          { match: { body: { query: 'river', _name: 'body' } } },
          { match: { title: { query: 'river', _name: 'title' } } },
        ],
      },
    },
  },
});

const hl = (fields: object, options: object = {}): object => ({
  query: RIVER,
  highlight: { fields, ...options },
});
const HIGHLIGHTS = family('highlight', {
  defaults: hl({ body: {} }),
  'whole field': hl({ body: { number_of_fragments: 0 } }),
  'one fragment': hl({ body: { number_of_fragments: 1 } }),
  'small fragments': hl({ body: { fragment_size: 40 } }),
  'large fragments': hl({ body: { fragment_size: 300, number_of_fragments: 2 } }),
  tags: hl({ body: {} }, { pre_tags: ['<b>'], post_tags: ['</b>'] }),
  'by score': hl({ body: { order: 'score', fragment_size: 50 } }),
  'two fields': {
    query: { multi_match: { query: 'river', fields: ['title', 'body'] } },
    highlight: { fields: { title: {}, body: {} } },
  },
  'another field': hl({ title: {} }),
  'fields need not match': hl({ title: { require_field_match: false } }),
  'no match': hl({ title: { no_match_size: 30 } }),
  'a query of its own': hl({ body: { highlight_query: { match: { body: 'garden' } } } }),
  html: hl({ body: {} }, { encoder: 'html' }),
  'a phrase': {
    query: { match_phrase: { body: 'river stone' } },
    highlight: { fields: { body: { number_of_fragments: 0 } } },
  },
  'a prefix': {
    query: { prefix: { body: 'sear' } },
    highlight: { fields: { body: { number_of_fragments: 0 } } },
  },
  'a wildcard': {
    query: { wildcard: { body: 's*h*' } },
    highlight: { fields: { body: { number_of_fragments: 0 } } },
  },
  'a fuzzy word': {
    query: { match: { body: { query: 'rivr', fuzziness: 1 } } },
    highlight: { fields: { body: { number_of_fragments: 0 } } },
  },
  stems: {
    query: { match: { 'body.english': 'running searches' } },
    highlight: { fields: { 'body.english': { number_of_fragments: 0 } } },
  },
  'by pattern': hl({ '*': {} }),
  'a keyword': { query: { term: { author: 'Eco' } }, highlight: { fields: { author: {} } } },
  plain: hl({ body: { type: 'plain', number_of_fragments: 0 } }),
  'bool parts': {
    query: {
      bool: {
        must: [RIVER],
        should: [{ match: { body: 'garden' } }],
        must_not: [{ match: { body: 'stone' } }],
      },
    },
    highlight: { fields: { body: { number_of_fragments: 0 } } },
  },
  'words as boundaries': hl({ body: { boundary_scanner: 'word', number_of_fragments: 2 } }),
  'a list of fields': {
    query: RIVER,
    highlight: { fields: [{ body: {} }, { title: { no_match_size: 10 } }] },
  },
  'beside a filter': {
    query: { bool: { must: [RIVER], filter: [{ match: { title: 'stone' } }] } },
    highlight: { fields: { title: {}, body: {} } },
  },
});

const GROUPS = family('collapse', {
  'a keyword': { collapse: { field: 'author' }, sort: ['year', TIES] },
  'by score': { query: RIVER, collapse: { field: 'author' } },
  'a number': { collapse: { field: 'year' }, sort: [{ pages: 'desc' }], size: 20 },
  'a page': { collapse: { field: 'author' }, sort: ['year', TIES], from: 2, size: 2 },
  'inner hits': {
    query: RIVER,
    collapse: {
      field: 'author',
      inner_hits: { name: 'i', size: 2, sort: ['year', TIES], _source: false },
    },
    sort: ['year', TIES],
  },
  'missing values': { collapse: { field: 'price' }, sort: ['year', TIES], size: 40 },
});

const rescore = (body: object, window = 50): object => ({
  query: RIVER,
  rescore: {
    window_size: window,
    query: { rescore_query: { match: { body: 'garden' } }, ...body },
  },
});
const RESCORES = family('rescore', {
  total: rescore({}),
  weights: rescore({ query_weight: 0.3, rescore_query_weight: 1.9 }),
  multiply: rescore({ score_mode: 'multiply' }),
  average: rescore({ score_mode: 'avg' }),
  largest: rescore({ score_mode: 'max' }),
  smallest: rescore({ score_mode: 'min' }),
  'a small window': rescore({ rescore_query_weight: 5 }, 16),
  'a phrase': {
    query: { match: { body: 'river stone' } },
    rescore: {
      window_size: 30,
      query: { rescore_query: { match_phrase: { body: { query: 'river stone', slop: 2 } } } },
    },
  },
  'two in a row': {
    query: RIVER,
    rescore: [
      { window_size: 50, query: { rescore_query: { match: { body: 'garden' } } } },
      { window_size: 20, query: { rescore_query: { term: { author: 'Eco' } } } },
    ],
  },
});

const hitsOf = (json: unknown): readonly { readonly sort: unknown }[] =>
  (json as { hits: { hits: { sort: unknown }[] } }).hits.hits;

async function scroll(send: Send): Promise<unknown> {
  const answers = [
    await send('POST', '/logs/_search?scroll=1m', {
      sort: ['@timestamp'],
      size: 90,
      _source: false,
    }),
  ];
  for (let i = 0; i < 3; i++) {
    const id = (answers.at(-1)?.json as { _scroll_id: string })._scroll_id;
    answers.push(await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: id }));
  }
  const id = (answers.at(-1)?.json as { _scroll_id: string })._scroll_id;
  return [...answers, await send('DELETE', '/_search/scroll', { scroll_id: id })];
}

async function pointInTime(send: Send): Promise<unknown> {
  const opened = await send('POST', '/logs/_pit?keep_alive=1m');
  const { id } = opened.json as { id: string };
  const pit = { id, keep_alive: '1m' };
  const body = { pit, sort: [{ '@timestamp': 'asc' }], size: 100, _source: false };
  const first = await send('POST', '/_search', body);
  const after = hitsOf(first.json).at(-1)?.sort;
  const second = await send('POST', '/_search', { ...body, search_after: after });
  // The point in time adds a sort value for ties, whose number is specific to each server.
  const shown = [first, second].map(({ json }) =>
    hitsOf(json).map((hit) => ({ ...hit, sort: (hit.sort as unknown[])[0] })),
  );
  return [...shown, await send('DELETE', '/_pit', { id })];
}

async function eachPage(send: Send): Promise<unknown> {
  const pages: unknown[] = [];
  let after: unknown;
  for (let i = 0; i < 6; i++) {
    const body = { sort: ['level', '@timestamp'], size: 50, _source: false };
    const page = await send(
      'POST',
      '/logs/_search',
      after === undefined ? body : { ...body, search_after: after },
    );
    pages.push(page);
    after = hitsOf(page.json).at(-1)?.sort ?? after;
  }
  return pages;
}

const CONTEXTS: readonly PeerRequest[] = [
  { name: 'lasting: scroll', needs: [], run: scroll },
  { name: 'lasting: point in time', needs: ['elasticsearch'], run: pointInTime },
  { name: 'lasting: search_after to the end', needs: [], run: eachPage },
  request('lasting: slices of a scroll', 'POST', '/logs/_search?scroll=1m', {
    slice: { id: 0, max: 1 },
    sort: ['@timestamp'],
    _source: false,
  }),
];

export const SHOWN_REQUESTS = [
  ...SORTS,
  ...SHARD_SORTS,
  ...PAGES,
  ...SHOWN,
  ...HIGHLIGHTS,
  ...GROUPS,
  ...RESCORES,
  ...CONTEXTS,
];
