// Other read endpoints, requests that change many documents, and invalid requests.
import { type PeerRequest, request, type Send } from '../request.ts';

const RIVER = { match: { body: 'river' } };
const query = RIVER;

const READS: readonly PeerRequest[] = [
  request('count', 'POST', '/books/_count', { query }),
  request('count of all', 'GET', '/books,logs/_count'),
  request('count by q', 'GET', '/books/_count?q=author:Eco'),
  request('q', 'GET', '/books/_search?q=title:river&_source=false&size=20'),
  request(
    'q with df',
    'GET',
    '/books/_search?q=river+garden&df=body&default_operator=AND&_source=false',
  ),
  request('sort in the URL', 'GET', '/books/_search?sort=year:desc,pages&_source=title&size=5'),
  request(
    'filter_path',
    'GET',
    '/books/_search?q=title:river&filter_path=hits.total,hits.hits._id',
  ),
  request('total as a number', 'GET', '/books/_search?rest_total_hits_as_int=true&size=0'),
  request('reduced in batches', 'POST', '/logs/_search?batched_reduce_size=2', {
    size: 0,
    aggs: { a: { terms: { field: 'level' } } },
  }),
  request('typed_keys', 'POST', '/books/_search?typed_keys=true', {
    size: 0,
    aggs: {
      a: { terms: { field: 'author' } },
      y: { terms: { field: 'year', size: 2 } },
      m: { avg: { field: 'pages' } },
      c: { cardinality: { field: 'author' } },
    },
  }),
  request(
    'msearch',
    'POST',
    '/_msearch',
    `{"index":"books"}\n{"query":{"term":{"author":"Eco"}},"_source":false}\n{"index":"nothing"}\n{}\n{"index":"logs"}\n{"size":0}\n`,
  ),
  request('get', 'GET', '/books/_doc/d10'),
  request('get of nothing', 'GET', '/books/_doc/d999'),
  request('get parts', 'GET', '/books/_doc/d10?_source_includes=title,shelf.*'),
  request('get a source', 'GET', '/books/_source/d10'),
  request('mget', 'POST', '/books/_mget', { ids: ['d1', 'd2', 'd999'] }),
  request('mget of indexes', 'POST', '/_mget', {
    docs: [
      { _index: 'books', _id: 'd1', _source: 'title' },
      { _index: 'nothing', _id: 'd1' },
    ],
  }),
  request('explain', 'POST', '/books/_explain/d10', { query: { match: { body: 'river garden' } } }),
  request('explain of no match', 'POST', '/books/_explain/d10', {
    query: { term: { author: 'Nobody' } },
  }),
  request('validate', 'POST', '/books/_validate/query', { query }),
  request('validate a broken one', 'POST', '/books/_validate/query', {
    query: { term: { year: 'x' } },
  }),
  request('field_caps', 'GET', '/books,logs/_field_caps?fields=*'),
  request('field_caps of some', 'GET', '/books/_field_caps?fields=title,shelf.*'),
  request('analyze', 'POST', '/_analyze', {
    analyzer: 'standard',
    text: 'The Quick brown-Foxes 3.14',
  }),
  request('analyze english', 'POST', '/_analyze', {
    analyzer: 'english',
    text: 'The running foxes',
  }),
  request('analyze a field', 'POST', '/books/_analyze', {
    field: 'body.english',
    text: 'Searching windows',
  }),
  request('analyze by parts', 'POST', '/_analyze', {
    tokenizer: 'whitespace',
    filter: ['lowercase'],
    text: 'A b-C d',
  }),
  request('mapping', 'GET', '/logs/_mapping'),
  request('field mapping', 'GET', '/books/_mapping/field/title,shelf.room'),
  request('alias', 'GET', '/_alias/errors'),
  request('alias that filters', 'POST', '/errors/_search', {
    size: 5,
    sort: ['@timestamp'],
    _source: false,
  }),
  request('alias count', 'GET', '/errors/_count'),
  request('several indexes', 'POST', '/books,logs/_search?search_type=dfs_query_then_fetch', {
    query: { bool: { should: [{ term: { level: 'error' } }, { term: { author: 'Eco' } }] } },
    size: 0,
    aggs: { i: { terms: { field: '_index' } } },
  }),
  request('resolve', 'GET', '/_resolve/index/b*'),
  request('hits of an index', 'POST', '/b*,l*/_search', {
    query: { term: { _index: 'books' } },
    size: 0,
  }),
  request('routing that finds all', 'POST', '/books/_search?preference=_local', { size: 0 }),
];

const BOOKS = '/books/_search';
const refused = (name: string, body: object, path = BOOKS): PeerRequest =>
  request(`refused: ${name}`, 'POST', path, body);
const REFUSED: readonly PeerRequest[] = [
  refused('unknown query', { query: { mtch: { title: 'x' } } }),
  refused('a query of two', { query: { term: { a: 1 }, match: { b: 2 } } }),
  refused('a text as a number', { query: { term: { year: 'x' } } }),
  refused('a broken range', { query: { range: { year: { gte: 'x' } } } }),
  refused('a broken date', { query: { range: { published: { gte: 'x' } } } }),
  refused('a broken address', { query: { term: { origin: 'x' } } }),
  refused('unknown option of match', { query: { match: { title: { query: 'x', fuzzy: 1 } } } }),
  refused('unknown aggregation', { aggs: { a: { trms: { field: 'author' } } } }),
  refused('terms of text', { aggs: { a: { terms: { field: 'title' } } } }),
  refused('avg of keywords', { aggs: { a: { avg: { field: 'author' } } } }),
  refused('interval of zero', { aggs: { a: { histogram: { field: 'year', interval: 0 } } } }),
  refused('unknown zone', {
    aggs: {
      a: { date_histogram: { field: 'published', calendar_interval: 'day', time_zone: 'Mars' } },
    },
  }),
  refused('unknown interval', {
    aggs: { a: { date_histogram: { field: 'published', calendar_interval: 'fortnight' } } },
  }),
  refused('too many buckets', { aggs: { a: { histogram: { field: 'pages', interval: 0.001 } } } }),
  refused('sort by text', { sort: ['title'] }),
  refused('sort by nothing', { sort: ['nothing'] }),
  refused('deep page', { from: 9999, size: 2 }),
  refused('negative size', { size: -1 }),
  refused('negative from', { from: -1 }),
  refused('search_after without sort', { search_after: [1] }),
  refused('search_after of another length', { sort: ['year'], search_after: [1, 2] }),
  refused('broken query_string', { query: { query_string: { query: 'title:(river' } } }),
  refused('broken regexp', { query: { regexp: { title: '(' } } }),
  refused('collapse of text', { collapse: { field: 'title' } }),
  refused('broken timeout', { timeout: 'soon' }),
  refused('no such index', { size: 0 }, '/nothing/_search'),
  refused('pipeline of nothing', { aggs: { p: { avg_bucket: { buckets_path: 'x>y' } } } }),
  refused('composite without sources', { aggs: { a: { composite: {} } } }),
  refused('negative boost', { query: { term: { author: { value: 'Eco', boost: -1 } } } }),
  refused('top_hits too deep', { aggs: { a: { top_hits: { size: 101 } } } }),
  refused('rescore with sort', { sort: ['year'], rescore: { query: { rescore_query: RIVER } } }),
  request('refused: broken scroll', 'POST', '/_search/scroll', { scroll: '1m', scroll_id: 'x' }),
  request('refused: unknown method', 'DELETE', '/books/_search'),
  request('refused: no such document', 'POST', '/books/_update/nothing', { doc: { a: 1 } }),
  request('refused: broken JSON', 'POST', BOOKS, '{"query":'),
];

/**
 * Creates a copy of some books, sends a request that changes it, and reads the remaining documents.
 */
function changing(name: string, change: (send: Send) => Promise<unknown>): PeerRequest {
  const run = async (send: Send): Promise<unknown> => {
    await send('DELETE', '/copy?ignore_unavailable=true');
    await send('PUT', '/copy', { settings: { number_of_shards: 1 } });
    const filled = await send('POST', '/_reindex?refresh=true', {
      source: {
        index: 'books',
        query: { term: { author: 'Eco' } },
        _source: ['title', 'year', 'tags'],
      },
      dest: { index: 'copy' },
    });
    const changed = await change(send);
    await send('POST', '/copy/_refresh');
    return [filled, changed, await send('POST', '/copy/_search', { sort: ['year'], size: 50 })];
  };
  return { name: `by query: ${name}`, needs: ['by-query'], run };
}

const CHANGES: readonly PeerRequest[] = [
  changing('reindex', async () => null),
  changing('delete', (send) =>
    send('POST', '/copy/_delete_by_query?refresh=true', {
      query: { range: { year: { lt: 1980 } } },
    }),
  ),
  changing('delete at most', (send) =>
    send('POST', '/copy/_delete_by_query?refresh=true&max_docs=1', {
      query: { match_all: {} },
      sort: ['year'],
    }),
  ),
  changing('update', (send) =>
    send('POST', '/copy/_update_by_query?refresh=true', {
      query: { range: { year: { lt: 1980 } } },
    }),
  ),
  changing('update by script', (send) =>
    send('POST', '/copy/_update_by_query?refresh=true', {
      script: { source: 'ctx._source.year = ctx._source.year + 1' },
    }),
  ),
  changing('reindex onto itself', (send) =>
    send('POST', '/_reindex?refresh=true', {
      conflicts: 'proceed',
      source: { index: 'books', size: 10, sort: ['pages'], _source: ['title', 'year'] },
      max_docs: 20,
      dest: { index: 'copy', op_type: 'create' },
    }),
  ),
];

/** Writes to a separate index whose responses are compared. */
async function writes(send: Send): Promise<unknown> {
  await send('DELETE', '/copy?ignore_unavailable=true');
  const bulk = [
    '{"index":{"_id":"1"}}',
    '{"a":1}',
    '{"create":{"_id":"1"}}',
    '{"a":2}',
    '{"update":{"_id":"1"}}',
    '{"doc":{"b":2}}',
    '{"delete":{"_id":"9"}}',
  ];
  return [
    await send('PUT', '/copy', { settings: { number_of_shards: 1, number_of_replicas: 0 } }),
    await send('PUT', '/copy/_doc/0', {
      n: 1,
      s: 'text',
      d: '2024-01-02',
      list: [1, 2],
      o: { x: 1.5 },
      t: true,
    }),
    await send('PUT', '/copy/_doc/0?if_seq_no=7&if_primary_term=1', { n: 2 }),
    await send('PUT', '/copy/_create/0', { n: 2 }),
    await send('POST', '/copy/_update/0', { doc: { n: 2 } }),
    await send('POST', '/copy/_update/0', { doc: { n: 2 } }),
    await send('POST', '/copy/_update/5', { doc: { n: 2 }, doc_as_upsert: true }),
    await send('DELETE', '/copy/_doc/5'),
    await send('POST', '/copy/_bulk', `${bulk.join('\n')}\n`),
    await send('GET', '/copy/_mapping'),
    await send('PUT', '/copy/_doc/8', { n: 'no number' }),
    await send('POST', '/copy/_refresh'),
    await send('GET', '/copy/_count'),
  ];
}

export const ENDPOINT_REQUESTS: readonly PeerRequest[] = [
  ...READS,
  ...REFUSED,
  ...CHANGES,
  { name: 'writes', needs: [], run: writes },
];
