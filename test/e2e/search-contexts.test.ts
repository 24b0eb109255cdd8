// Scrolls and points in time over HTTP: their view does not change while documents are written;
// they return every document once, with any sort and batch size; slices are disjoint and complete.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const DOCUMENTS = 60;

let server: TestServer;

interface Hit {
  readonly _id: string;
  readonly _index: string;
  readonly sort?: readonly unknown[];
}

async function load(index: string, from: number, to: number): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    const document = {
      n,
      group: `g${n % 4}`,
      day: `2024-01-0${1 + (n % 3)}T00:00:0${n % 10}Z`,
      text: `word${n % 2} every`,
      ...(n % 5 === 0 ? {} : { price: (n % 7) / 4 }),
    };
    return `${JSON.stringify({ index: { _index: index, _id: `${index}${n}` } })}\n${JSON.stringify(document)}\n`;
  });
  const reply = await server.call('POST', '/_bulk?refresh=true', lines.join(''), {
    'content-type': 'application/x-ndjson',
  });
  expect(reply.json.errors).toBe(false);
}

beforeAll(async () => {
  // Workers compute short answers instead of keeping them, which the counts of the cache would show.
  server = await startServer({ args: ['--pools.http_threads', '1'] });
  const properties = {
    group: { type: 'keyword' },
    day: { type: 'date' },
    text: { type: 'text' },
    n: { type: 'integer' },
    price: { type: 'double' },
  };
  for (const [index, shards] of [
    ['a', 3],
    ['b', 1],
  ] as const) {
    await server.call('PUT', `/${index}`, {
      settings: { number_of_shards: shards, refresh_interval: '-1' },
      mappings: { properties },
    });
    await load(index, 0, DOCUMENTS / 2);
  }
});
afterAll(async () => {
  await server?.stop();
});

async function scrollAll(path: string, body: object): Promise<readonly Hit[]> {
  let reply = await server.call('POST', path, body);
  expect(reply.status, reply.text).toBe(200);
  const { _scroll_id: id } = reply.json;
  const { total } = reply.json.hits;
  const hits: Hit[] = [];
  while (reply.json.hits.hits.length > 0) {
    hits.push(...reply.json.hits.hits);
    expect(hits.length, 'a scroll comes to an end').toBeLessThanOrEqual(2 * DOCUMENTS);
    reply = await server.call('POST', '/_search/scroll', { scroll: '1m', scroll_id: id });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.hits.total).toEqual(total);
  }
  const end = await server.call('DELETE', `/_search/scroll/${id}`);
  expect(end.json.succeeded).toBe(true);
  return hits;
}

const names = (hits: readonly Hit[]): readonly string[] => hits.map(({ _id }) => _id);

const key = fc.constantFrom<object | string>(
  'n',
  '_doc',
  '_score',
  { n: 'desc' },
  { group: 'asc' },
  { price: { order: 'desc', missing: '_first' } },
  { price: 'asc' },
  { day: { order: 'asc', format: 'yyyy-MM' } },
);
const query = fc.constantFrom<object>(
  { match_all: {} },
  { match: { text: 'word1 every' } },
  { term: { group: 'g2' } },
  { range: { price: { gte: 0.5 } } },
);

describe('a scroll', () => {
  test('gives every document once, in the order of one search', async () => {
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.option(fc.array(key, { minLength: 1, maxLength: 3 }), { nil: undefined }),
        fc.integer({ min: 7, max: 40 }),
        async (wanted, sort, size) => {
          const body = { query: wanted, ...(sort === undefined ? {} : { sort }) };
          const whole = await server.call('POST', '/a,b/_search', { ...body, size: 1000 });
          const all: readonly Hit[] = whole.json.hits.hits;
          const hits = await scrollAll('/a,b/_search?scroll=1m', { ...body, size });
          expect(hits.map(({ _id, sort: values }) => [_id, values])).toEqual(
            all.map(({ _id, sort: values }) => [_id, values]),
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  test('shows what was there when it began, aggregations with the first batch alone', async () => {
    const first = await server.call('POST', '/a/_search?scroll=1m', {
      size: 10,
      sort: ['n'],
      aggs: { most: { max: { field: 'n' } } },
    });
    expect(first.json.aggregations.most.value).toBe(29);
    await load('a', 30, 40);
    for (let n = 0; n < 30; n++) await server.call('DELETE', `/a/_doc/a${n}`);
    await server.call('POST', '/a/_refresh');
    await server.call('POST', '/a/_forcemerge?max_num_segments=1');
    const second = await server.call('POST', '/_search/scroll', {
      scroll_id: first.json._scroll_id,
    });
    expect(names(second.json.hits.hits)).toEqual(
      Array.from({ length: 10 }, (_, i) => `a${10 + i}`),
    );
    expect(second.json.hits.hits[0]._source.n).toBe(10);
    expect(second.json.aggregations).toBeUndefined();
    expect(second.json.hits.total).toEqual({ value: 30, relation: 'eq' });
    const ended = await server.call('DELETE', '/_search/scroll', {
      scroll_id: [first.json._scroll_id],
    });
    expect(ended.json).toEqual({ succeeded: true, num_freed: 3 });
    const gone = await server.call('POST', `/_search/scroll?scroll_id=${first.json._scroll_id}`);
    expect(gone.status).toBe(404);
    expect(gone.json.error.root_cause[0].type).toBe('search_context_missing_exception');
    const again = await server.call('DELETE', '/_search/scroll/_all');
    expect(again.json).toEqual({ succeeded: true, num_freed: 0 });
    expect(again.status).toBe(404);
    for (let n = 30; n < 40; n++) await server.call('DELETE', `/a/_doc/a${n}`);
    await load('a', 0, 30);
  });

  test('gives its total as a number when asked to', async () => {
    const reply = await server.call(
      'GET',
      '/b/_search?scroll=1m&size=5&sort=_doc&rest_total_hits_as_int=true',
    );
    expect(reply.json.hits.total).toBe(30);
    const next = await server.call('POST', '/_search/scroll?rest_total_hits_as_int=true', {
      scroll: '1m',
      scroll_id: reply.json._scroll_id,
    });
    expect(next.json.hits.total).toBe(30);
    expect(names(next.json.hits.hits)).toEqual(['b5', 'b6', 'b7', 'b8', 'b9']);
    await server.call('DELETE', '/_search/scroll/_all');
  });

  test('of an index that was dropped is not found', async () => {
    await server.call('PUT', '/c/_doc/1?refresh=true', { n: 1 });
    const reply = await server.call('POST', '/c/_search?scroll=1m', { size: 1 });
    await server.call('DELETE', '/c');
    const next = await server.call('POST', '/_search/scroll', { scroll_id: reply.json._scroll_id });
    expect(next.status).toBe(404);
    expect(next.json.error.type).toBe('index_not_found_exception');
    await server.call('DELETE', '/_search/scroll/_all');
  });

  test.each([2, 3, 7])('in %i slices gives every document once', async (max) => {
    const parts = await Promise.all(
      Array.from({ length: max }, (_, id) =>
        scrollAll('/a,b/_search?scroll=1m', { slice: { id, max }, size: 4, sort: ['_doc'] }),
      ),
    );
    const all = await scrollAll('/a,b/_search?scroll=1m', { size: 50 });
    expect(names(parts.flat()).toSorted()).toEqual(names(all).toSorted());
  });
});

describe('a point in time', () => {
  test('is paged through by search_after, with or without the tie-breaker', async () => {
    const { id } = (await server.call('POST', '/a,b/_pit?keep_alive=1m')).json;
    const expected = await server.call('POST', '/a,b/_search', { size: 1000, sort: ['group'] });
    await load('b', 100, 110);
    const found: Hit[] = [];
    for (let after: readonly unknown[] | undefined; ; ) {
      const reply = await server.call('POST', '/_search', {
        pit: { id, keep_alive: '1m' },
        size: 7,
        sort: [{ group: 'asc' }],
        ...(after === undefined ? {} : { search_after: after }),
      });
      expect(reply.json.pit_id).toBe(id);
      const hits: readonly Hit[] = reply.json.hits.hits;
      if (hits.length === 0) break;
      expect(hits[0]?.sort).toHaveLength(2);
      found.push(...hits);
      after = hits.at(-1)?.sort;
    }
    expect(names(found)).toEqual(names(expected.json.hits.hits));
    const own = await server.call('POST', '/_search', {
      pit: { id },
      sort: ['n'],
      search_after: [28],
    });
    expect(own.json.hits.hits.map(({ sort }: Hit) => sort)).toEqual([[29], [29]]);
    const explicit = await server.call('POST', '/_search', {
      pit: { id },
      size: 1,
      sort: [{ _shard_doc: 'desc' }],
    });
    expect(names(explicit.json.hits.hits)).toEqual(['b29']);
    const count = await server.call('POST', '/_search', { pit: { id }, size: 0 });
    expect(count.json.hits.total.value).toBe(60);
    const sliced = await Promise.all(
      [0, 1].map((slice) =>
        server.call('POST', '/_search', { pit: { id }, slice: { id: slice, max: 2 }, size: 100 }),
      ),
    );
    expect(sliced.flatMap(({ json }) => names(json.hits.hits)).toSorted()).toEqual(
      names(found).toSorted(),
    );
    expect((await server.call('DELETE', '/_pit', { id })).json).toEqual({
      succeeded: true,
      num_freed: 4,
    });
    expect((await server.call('DELETE', '/_pit', { id })).status).toBe(404);
    const gone = await server.call('POST', '/_search', { pit: { id } });
    expect(gone.status).toBe(404);
    expect(gone.json.error.root_cause[0].type).toBe('search_context_missing_exception');
  });

  test('is listed and closed as OpenSearch does it', async () => {
    const opened = await server.call('POST', '/b/_search/point_in_time?keep_alive=2m');
    const { pit_id: id, creation_time: created } = opened.json;
    expect(opened.json._shards.successful).toBe(1);
    const listed = await server.call('GET', '/_search/point_in_time/_all');
    expect(listed.json).toEqual({
      pits: [{ pit_id: id, creation_time: created, keep_alive: 120_000 }],
    });
    const found = await server.call('POST', '/_search', { pit: { id }, size: 1 });
    expect(found.json.pit_id).toBe(id);
    const closed = await server.call('DELETE', '/_search/point_in_time', { pit_id: [id] });
    expect(closed.json).toEqual({ pits: [{ successful: true, pit_id: id }] });
    await server.call('POST', '/b/_search/point_in_time?keep_alive=2m');
    const all = await server.call('DELETE', '/_search/point_in_time/_all');
    expect(all.json.pits).toHaveLength(1);
  });

  test('holds the filter of its alias', async () => {
    await server.call('POST', '/_aliases', {
      actions: [{ add: { index: 'b', alias: 'odd', filter: { term: { group: 'g1' } } } }],
    });
    const { id } = (await server.call('POST', '/odd/_pit?keep_alive=1m')).json;
    await server.call('DELETE', '/b/_alias/odd');
    const found = await server.call('POST', '/_search', { pit: { id }, size: 100 });
    const groups: readonly { _source: { group: string } }[] = found.json.hits.hits;
    expect(new Set(groups.map(({ _source }) => _source.group))).toEqual(new Set(['g1']));
    await server.call('DELETE', '/_pit', { id });
  });
});

test('an answer without hits is kept until a refresh shows something else', async () => {
  const counted = { size: 0, aggs: { most: { max: { field: 'n' } } } };
  await server.call('PUT', '/kept/_doc/1?refresh=true', { n: 1 });
  const most = async (query = ''): Promise<number> =>
    (await server.call('POST', `/kept/_search${query}`, counted)).json.aggregations.most.value;
  const cache = async () =>
    (await server.call('GET', '/kept/_stats/request_cache')).json._all.primaries.request_cache;
  expect([await most(), await most(), await most('?request_cache=false')]).toEqual([1, 1, 1]);
  expect(await cache()).toMatchObject({ hit_count: 1, miss_count: 1, evictions: 0 });
  await server.call('PUT', '/kept/_doc/2', { n: 2 });
  expect(await most()).toBe(1);
  await server.call('POST', '/kept/_refresh');
  expect([await most(), await most()]).toEqual([2, 2]);
  await server.call('PUT', '/kept/_doc/3', { n: 3 });
  await server.call('POST', '/kept/_flush');
  expect(await most()).toBe(3);
  await server.call('PUT', '/kept/_settings', { 'index.requests.cache.enable': false });
  const before = await cache();
  expect([await most(), await most()]).toEqual([3, 3]);
  expect(await cache()).toEqual(before);
});
