// Searches over the fake backend: URL parameters merged into bodies, the form of responses,
// _msearch, _count.
import { availableParallelism } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import type { SearchResult } from '../../src/backend/index.ts';
import { indexNotFound } from '../../src/errors.ts';
import { encode, type FakeServer, fakeServer, json, SEARCHED } from './fake-backend.ts';

let server: FakeServer;
afterEach(() => server.close());

/** The arguments of the i-th call, without the function that waits for the client. */
function requested(i = 0): unknown {
  const { waiter, ...rest } = server.calls[i]?.args[0] ?? {};
  expect(waiter?.signal()).toBeInstanceOf(AbortSignal);
  return rest;
}

const search = (url: string, body?: unknown) =>
  server.app.inject({ method: 'POST', url, ...(body === undefined ? {} : json(body)) });

describe('parameters', () => {
  test.each([
    ['', {}],
    ['?size=3&from=2', { size: 3, from: 2 }],
    ['?sort=a,b:desc,_score', { sort: ['a', { b: { order: 'desc' } }, '_score'] }],
    ['?_source=false', { _source: false }],
    ['?_source=a,b', { _source: { includes: ['a', 'b'], excludes: [] } }],
    ['?_source_excludes=c', { _source: { includes: [], excludes: ['c'] } }],
    ['?track_total_hits=false', { track_total_hits: false }],
    ['?track_total_hits=50', { track_total_hits: 50 }],
    ['?timeout=1s&terminate_after=9', { timeout: '1s', terminate_after: 9 }],
    [
      '?version&explain=true&seq_no_primary_term=false',
      { version: true, explain: true, seq_no_primary_term: false },
    ],
    [
      '?docvalue_fields=a,b&stored_fields=_none_',
      { docvalue_fields: ['a', 'b'], stored_fields: ['_none_'] },
    ],
    ['?q=a:b', { query: { query_string: { query: 'a:b' } } }],
    [
      '?q=x&df=t&default_operator=AND&analyzer=simple&lenient&analyze_wildcard=true',
      {
        query: {
          query_string: {
            query: 'x',
            default_field: 't',
            default_operator: 'AND',
            analyzer: 'simple',
            lenient: true,
            analyze_wildcard: true,
          },
        },
      },
    ],
  ])('%s', async (query, body) => {
    server = await fakeServer();
    expect((await search(`/books/_search${query}`)).statusCode).toBe(200);
    expect(requested()).toEqual({ index: 'books', body, hitsJson: true, totalAsInt: false });
  });

  test('win over the body', async () => {
    server = await fakeServer();
    await search('/_search?size=1&q=x', { size: 5, from: 3, query: { match_all: {} } });
    expect(requested()).toEqual({
      index: '',
      body: { size: 1, from: 3, query: { query_string: { query: 'x' } } },
      hitsJson: true,
      totalAsInt: false,
    });
  });

  test('which indexes, and what of failures', async () => {
    server = await fakeServer();
    await search(
      '/a*,-ab/_search?ignore_unavailable=true&allow_no_indices=false&expand_wildcards=open,hidden' +
        '&allow_partial_search_results=false&search_type=dfs_query_then_fetch&preference=_local&routing=a,b',
    );
    expect(requested()).toEqual({
      index: 'a*,-ab',
      body: {},
      ignoreUnavailable: true,
      allowNoIndices: false,
      expandWildcards: ['open', 'hidden'],
      allowPartialResults: false,
      routing: 'a,b',
      hitsJson: true,
      totalAsInt: false,
    });
  });

  test.each([
    ['?search_type=scan', undefined, 'No search type for [scan]'],
    ['?batched_reduce_size=1', undefined, 'batchedReduceSize must be >= 2'],
    ['?max_concurrent_shard_requests=0', undefined, 'maxConcurrentShardRequests must be >= 1'],
    ['?rest_total_hits_as_int=true&track_total_hits=5', undefined, 'is not accurate, got 5'],
    ['?rest_total_hits_as_int=true', { track_total_hits: 5 }, 'is not accurate, got 5'],
    ['?typed_keys=x', undefined, 'as only [true] or [false] are allowed'],
    ['', [1], 'must be a JSON object, not an array'],
    ['', '{"query":', 'not valid JSON'],
  ])('%s %j is refused', async (query, body, reason) => {
    server = await fakeServer();
    const payload = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    const headers = { 'content-type': 'application/json' };
    const url = `/books/_search${query}`;
    const reply = await server.app.inject({ method: 'POST', url, payload, headers });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.reason).toContain(reason);
    expect(server.calls).toEqual([]);
  });
});

describe('answers', () => {
  const full: SearchResult = {
    ...SEARCHED,
    terminatedEarly: true,
    shards: {
      total: 2,
      successful: 1,
      skipped: 0,
      failed: 1,
      failures: [{ shard: 1, index: 'books', reason: { type: 'store_exception', reason: 'gone' } }],
    },
    total: { value: 10_000, relation: 'gte' },
    maxScore: null,
    hits: [
      {
        index: 'books',
        id: 'ä"',
        score: null,
        version: 9_007_199_254_740_993n,
        seqNo: 4n,
        primaryTerm: 1,
        routing: 'r',
        source: encode('{ "a" : 1.0 }'),
        fields: '{"a":[1.0]}',
        highlight: '{"a":["<em>x</em>"]}',
        sort: ['12345678901234567890', '"b"', 'null'],
        matchedQueries: '["who"]',
        ignored: '["c"]',
        explanation: '{"value":1.0}',
      },
      { index: 'books', id: '2', score: 0.5, withoutId: true },
    ],
  };

  test('everything that a hit can have, bytes untouched', async () => {
    server = await fakeServer({ search: async () => full });
    expect((await search('/books/_search')).body).toBe(
      '{"took":3,"timed_out":false,"terminated_early":true,"_shards":{"total":2,"successful":1,' +
        '"skipped":0,"failed":1,"failures":[{"shard":1,"index":"books","reason":' +
        '{"type":"store_exception","reason":"gone"}}]},"hits":{"total":{"value":10000,' +
        '"relation":"gte"},"max_score":null,"hits":[{"_index":"books","_id":"ä\\"",' +
        '"_version":9007199254740993,"_seq_no":4,"_primary_term":1,"_score":null,"_routing":"r",' +
        '"_ignored":["c"],"_source":{ "a" : 1.0 },"fields":{"a":[1.0]},' +
        '"highlight":{"a":["<em>x</em>"]},"sort":[12345678901234567890,"b",null],' +
        '"matched_queries":["who"],"_explanation":{"value":1.0}},' +
        '{"_index":"books","_score":0.5}]}}',
    );
  });

  test('totals as integers, and none', async () => {
    const { total: _total, ...untracked } = SEARCHED;
    server = await fakeServer({
      search: async ({ body }) => (body['size'] === 1 ? untracked : SEARCHED),
    });
    const total = async (query: string) =>
      (await search(`/books/_search?${query}`)).json().hits.total;
    expect(await total('')).toEqual({ value: 1, relation: 'eq' });
    expect(await total('rest_total_hits_as_int=true')).toBe(1);
    expect(await total('size=1')).toBeUndefined();
    expect(await total('size=1&rest_total_hits_as_int=true')).toBe(-1);
  });

  test.each([
    ['took', '{"took":3}'],
    ['hits.hits._id,hits.total.value', '{"hits":{"total":{"value":1},"hits":[{"_id":"1"}]}}'],
    ['hits.hits._source', '{"hits":{"hits":[{"_source":{"price":1.50}}]}}'],
    ['**.price', '{"hits":{"hits":[{"_source":{"price":1.50}}]}}'],
    ['h*.max_score', '{"hits":{"max_score":1.0}}'],
    ['-hits,-_shards', '{"took":3,"timed_out":false}'],
    ['hits,-hits.hits', '{"hits":{"total":{"value":1,"relation":"eq"},"max_score":1.0}}'],
    ['nobody', '{}'],
  ])('filter_path=%s', async (path, body) => {
    server = await fakeServer();
    expect((await search(`/books/_search?filter_path=${path}`)).body).toBe(body);
  });
});

describe('count', () => {
  test('body and parameters', async () => {
    server = await fakeServer();
    const reply = await search('/books/_count?min_score=0.5&terminate_after=3&routing=r', {
      query: {},
    });
    expect(reply.json()).toEqual({ count: 42, _shards: SEARCHED.shards });
    expect(requested()).toEqual({
      index: 'books',
      body: { query: {}, min_score: 0.5, terminate_after: 3 },
      routing: 'r',
    });
  });

  test('a min_score that is no number is refused', async () => {
    server = await fakeServer();
    const reply = await search('/books/_count?min_score=high');
    expect(reply.json().error.reason).toContain('float parameter [min_score] with value [high]');
  });
});

describe('_msearch', () => {
  const send = (url: string, payload: string) =>
    server.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/x-ndjson' },
    });

  test('headers over the defaults of path and URL', async () => {
    server = await fakeServer();
    const lines = [
      '{}',
      '{"size":1}',
      '',
      '{"size":2}',
      '{"index":["a","b"],"ignore_unavailable":true,"expand_wildcards":["open","hidden"]}',
      '{"size":3}',
      '{"index":"c","preference":null,"allow_partial_search_results":false,"routing":1}',
      '{}',
    ];
    const url = '/books/_msearch?ignore_unavailable=false&routing=r';
    const reply = await send(url, `${lines.join('\n')}\n`);
    expect(reply.json().responses).toHaveLength(4);
    expect(reply.json().responses[0]).toMatchObject({ took: 3, status: 200 });
    expect(server.calls.map((_call, i) => requested(i))).toEqual(
      [
        { index: 'books', body: { size: 1 }, ignoreUnavailable: false, routing: 'r' },
        { index: 'books', body: { size: 2 }, ignoreUnavailable: false, routing: 'r' },
        {
          index: 'a,b',
          body: { size: 3 },
          ignoreUnavailable: true,
          expandWildcards: ['open', 'hidden'],
          routing: 'r',
        },
        {
          index: 'c',
          body: {},
          ignoreUnavailable: false,
          allowPartialResults: false,
          routing: '1',
        },
      ].map((one) => ({ ...one, hitsJson: true, totalAsInt: false })),
    );
  });

  test('answers in order, errors in their place', async () => {
    server = await fakeServer({
      search: async ({ index }) => {
        if (index === 'nobody') throw indexNotFound('nobody');
        if (index === 'broken') throw new Error('secret');
        return SEARCHED;
      },
    });
    const body = '{"index":"nobody"}\n{}\n{"index":"books"}\n{}\n{"index":"broken"}\n{}\n';
    const { responses } = (await send('/_msearch', body)).json();
    expect(responses.map(({ status }: { status: number }) => status)).toEqual([404, 200, 500]);
    expect(responses[0].error.type).toBe('index_not_found_exception');
    expect(JSON.stringify(responses)).not.toContain('secret');
    expect(JSON.stringify(server.log)).toContain('secret');
  });

  test('runs no more at once than it may', async () => {
    let running = 0;
    let most = 0;
    server = await fakeServer({
      search: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return SEARCHED;
      },
    });
    const body = '{}\n{}\n'.repeat(30);
    expect((await send('/_msearch?max_concurrent_searches=3', body)).json().responses).toHaveLength(
      30,
    );
    expect(most).toBe(3);
    most = 0;
    await send('/_msearch', body);
    expect(most).toBe(Math.min(10, availableParallelism()));
  });

  test.each([
    ['{}\n{}', 'must be terminated by a newline'],
    ['{}\n', 'has no search after it'],
    ['\n', 'no requests added'],
    ['{"colour":1}\n{}\n', 'key [colour] is not supported in the metadata section'],
    ['{"index":true}\n{}\n', 'must be a name or a list of names'],
    ['{"ignore_unavailable":"often"}\n{}\n', 'parameter [ignore_unavailable]'],
    ['{"expand_wildcards":"some"}\n{}\n', 'No valid expand wildcard value [some]'],
    ['{"search_type":"scan"}\n{}\n', 'No search type for [scan]'],
    ['{}\n[]\n', 'must be a JSON object, not an array'],
    ['{\n{}\n', 'not valid JSON'],
  ])('%j is refused', async (body, reason) => {
    server = await fakeServer();
    const reply = await send('/_msearch', body);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.reason).toContain(reason);
    expect(server.calls).toEqual([]);
  });
});
