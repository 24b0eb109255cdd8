// Work ends when its client disconnects and at its timeout, and the memory for collecting a
// response is limited.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
const MIB = 1024 * 1024;

beforeAll(async () => {
  server = await startServer({
    args: ['--limits.in_flight_bytes', String(64 * MIB), '--pools.search_threads', '2'],
  });
  const lines = Array.from({ length: 300 }, (_, i) => [
    { index: { _id: String(i) } },
    { t: `w${i} common`, long: i < 20 ? 'aa ab aaa '.repeat(8000) : 'x', n: i },
  ]).flat();
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await post('/big/_bulk?refresh=true', body, 'application/x-ndjson');
  const large = 'word '.repeat(600_000);
  for (let n = 0; n < 8; n++) {
    await server.call('PUT', `/large/_doc/${n}?refresh=true`, { large, n });
  }
}, 120_000);

afterAll(async () => {
  await server.stop();
});

async function post(
  path: string,
  body: string,
  type = 'application/json',
  signal?: AbortSignal,
): Promise<Response> {
  const headers = { 'content-type': type };
  return fetch(`${server.base}${path}`, {
    method: 'POST',
    body,
    headers,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A phrase of several words that repeat, with unlimited slop. */
const PHRASE = {
  match_phrase: { long: { query: 'aa ab aaa '.repeat(50), slop: 100_000 } },
} as const;

/** Each takes about 50 ms without scoring. */
const FILTERS = Array.from({ length: 100 }, (_, i) => ({
  match_phrase: { long: { ...PHRASE.match_phrase.long, slop: 100_000 + i } },
}));

async function busySearches(): Promise<number> {
  const { text } = await server.call('GET', '/v1/metrics');
  return Number(/quarry_pool_threads_busy\{pool="search"\} (\d+)/.exec(text)?.[1] ?? Number.NaN);
}

/**
 * Waits for a condition, for at most 60 s, in which such a search would not have ended by itself.
 */
async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let i = 0; i < 1200; i++) {
    if (await isSo()) return true;
    await sleep(50);
  }
  return false;
}

interface Begun {
  readonly leaving: AbortController;
  readonly answer: Promise<'answered' | 'gone'>;
}

/**
 * Sends the request until a pool thread works on it: one that is classified as an inline search may
 * be executed by the thread that read it.
 */
async function begin(path: string, body: string): Promise<Begun> {
  const type = path === '/_msearch' ? 'application/x-ndjson' : 'application/json';
  for (let attempt = 0; attempt < 20; attempt++) {
    const leaving = new AbortController();
    let isAnswered = false;
    const answer = post(path, body, type, leaving.signal).then(
      ({ status }) => {
        if (status !== 200) throw new Error(`answered with ${status}`);
        isAnswered = true;
        return 'answered' as const;
      },
      (error) => {
        if (!leaving.signal.aborted) throw error;
        return 'gone' as const;
      },
    );
    await until(async () => isAnswered || (await busySearches()) > 0);
    if (!isAnswered) return { leaving, answer };
    await answer;
  }
  throw new Error('no thread of the pool was seen at work');
}

describe('a client that leaves', () => {
  const hostile: readonly [string, string, string][] = [
    ['a search', '/big/_search', JSON.stringify({ query: PHRASE })],
    [
      'a count',
      '/big/_count',
      JSON.stringify({ query: { bool: { filter: FILTERS.slice(0, 6) } } }),
    ],
    [
      'a search of many searches',
      '/_msearch',
      Array.from({ length: 20 }, () => [{ index: 'big' }, { query: PHRASE }])
        .flat()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    ],
    [
      'aggregations',
      '/big/_search?request_cache=false',
      JSON.stringify({ size: 0, aggs: { phrases: { filters: { filters: FILTERS } } } }),
    ],
    [
      'rescorers',
      '/big/_search',
      JSON.stringify({
        rescore: Array.from({ length: 10 }, () => ({
          window_size: 300,
          query: { rescore_query: PHRASE },
        })),
      }),
    ],
    [
      'highlights',
      '/big/_search',
      JSON.stringify({ query: PHRASE, highlight: { fields: { long: {} } } }),
    ],
    [
      'fused lists',
      '/big/_search',
      JSON.stringify({
        retriever: {
          rrf: {
            retrievers: [{ standard: { query: PHRASE } }, { standard: { query: PHRASE } }],
          },
        },
      }),
    ],
  ];
  test.each(hostile)('of %s leaves the threads of searches idle', async (_name, path, body) => {
    const { leaving, answer } = await begin(path, body);
    leaving.abort();
    expect(await answer).toBe('gone');
    expect(await until(async () => (await busySearches()) === 0)).toBe(true);
  });
});

test('a timeout ends a search within one document, and what was found is answered', async () => {
  const { status, json } = await server.call('POST', '/big/_search', {
    query: { bool: { should: [{ match: { t: 'common' } }, PHRASE] } },
    timeout: '100ms',
  });
  expect([status, json.timed_out]).toEqual([200, true]);
});

test('a timeout ends rescoring, and the order of the query stands', async () => {
  const { status, json } = await server.call('POST', '/big/_search', {
    query: { function_score: { field_value_factor: { field: 'n' } } },
    rescore: { window_size: 300, query: { rescore_query: PHRASE, rescore_query_weight: 1000 } },
    timeout: '100ms',
    size: 2,
  });
  expect([status, json.timed_out]).toEqual([200, true]);
  expect(json.hits.hits.map(({ _id: id }: { _id: string }) => id)).toEqual(['299', '298']);
});

describe('what is gathered for an answer', () => {
  const filters = (count: number) => ({
    size: 0,
    aggs: {
      all: {
        filters: {
          filters: Object.fromEntries(
            Array.from({ length: count }, (_, i) => [`f${i}`, { match_all: {} }]),
          ),
        },
        aggs: { top: { top_hits: { size: 8 } } },
      },
    },
  });

  test('of top_hits in many buckets is refused by name', async () => {
    const few = await server.call('POST', '/large/_search', filters(2));
    expect(few.status).toBe(200);
    const many = await server.call('POST', '/large/_search', filters(60));
    expect(many.status).toBe(429);
    expect(many.json.error).toMatchObject({
      type: 'circuit_breaking_exception',
      reason:
        'the answer would be larger than [limits.in_flight_bytes] of 67108864 bytes: ask for fewer documents, buckets or searches in one request',
    });
  });

  test('of _msearch is refused from the search on that has no room', async () => {
    const lines = (times: number) => '{}\n{"size":8}\n'.repeat(times);
    const headers = { 'content-type': 'application/x-ndjson' };
    const few = await server.call('POST', '/large/_msearch', lines(2), headers);
    expect(few.json.responses.map(({ status }: { status: number }) => status)).toEqual([200, 200]);
    const many = await server.call('POST', '/large/_msearch', lines(50), headers);
    const statuses = many.json.responses.map(({ status }: { status: number }) => status);
    const first = statuses.indexOf(429);
    expect(first).toBeGreaterThan(1);
    // A search that began before the first refusal may be answered.
    expect(new Set(statuses.slice(first + 4))).toEqual(new Set([429]));
    expect(many.json.responses.at(-1).error.type).toBe('circuit_breaking_exception');
  });

  test('of _mget is refused, whole documents are read piece by piece', async () => {
    const ids = (times: number) => ({
      ids: Array.from({ length: 8 * times }, (_, i) => String(i % 8)),
    });
    const few = await server.call('POST', '/large/_mget', ids(2));
    expect([few.status, few.json.docs.length]).toEqual([200, 16]);
    expect(few.json.docs.every(({ found }: { found: boolean }) => found)).toBe(true);
    const many = await server.call('POST', '/large/_mget', ids(10));
    expect([many.status, many.json.error.type]).toEqual([429, 'circuit_breaking_exception']);
  });

  test('is a page of several pieces, in its order', async () => {
    const { status, json } = await server.call('POST', '/large/_search', {
      size: 8,
      sort: [{ n: 'desc' }],
    });
    expect(status).toBe(200);
    const shown = json.hits.hits as { _id: string; _source: { large: string } }[];
    expect(shown.map(({ _id: id }) => id)).toEqual(['7', '6', '5', '4', '3', '2', '1', '0']);
    expect(shown.every(({ _source: { large } }) => large.length === 3_000_000)).toBe(true);
  });
});
