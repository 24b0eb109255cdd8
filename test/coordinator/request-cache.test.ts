// Results without hits: when they come from the cache, when they must not, and how many are cached.
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, SearchRequest, SearchResult } from '../../src/backend/index.ts';
import type { IndexEntry } from '../../src/coordinator/catalog/catalog.ts';
import { RequestCache } from '../../src/coordinator/search/request-cache.ts';
import type { TargetGroup } from '../../src/coordinator/shards/search-targets.ts';

let marks: Record<number, string>;
let entries: Record<number, IndexEntry>;
let maxBytes: number;
let searches: number;
let cache: RequestCache;

function entry(number: number, requestCache = true): IndexEntry {
  return { name: `i${number}`, number, shards: 2, behaviour: { requestCache } } as IndexEntry;
}

function result(more: Partial<SearchResult> = {}): SearchResult {
  const shards = { total: 2, successful: 2, skipped: 0, failed: 0 };
  return {
    tookMs: 7,
    timedOut: false,
    shards,
    total: { value: 3, relation: 'eq' },
    maxScore: null,
    hits: [],
    ...more,
  };
}

beforeEach(() => {
  marks = { 1: 'a', 2: 'a' };
  entries = { 1: entry(1), 2: entry(2) };
  maxBytes = 100_000;
  searches = 0;
  cache = new RequestCache({
    configVersion: () => 0,
    markOf: (index) => marks[index] ?? '',
    entryOf: (index) => entries[index],
    maxBytes: () => maxBytes,
  });
});

interface CachedRequest {
  readonly body?: JsonObject;
  readonly request?: Partial<SearchRequest>;
  readonly groups?: readonly TargetGroup[];
  readonly answer?: SearchResult;
}

async function ask({ body = {}, request = {}, groups, answer = result() }: CachedRequest = {}) {
  const before = searches;
  const targets = groups ?? [{ filters: [], entries: [entries[1] as IndexEntry] }];
  const search = async (): Promise<SearchResult> => {
    searches += 1;
    return answer;
  };
  const key = cache.keyOf({ index: 'i1', body: { size: 0, ...body }, ...request }, targets);
  await (key === undefined ? search() : cache.through(key, search));
  return searches > before ? 'searched' : 'kept';
}

describe('an answer', () => {
  test('is kept until something is written or published', async () => {
    expect([await ask(), await ask(), await ask()]).toEqual(['searched', 'kept', 'kept']);
    marks[1] = 'b';
    expect([await ask(), await ask()]).toEqual(['searched', 'kept']);
    marks[2] = 'b';
    expect(await ask()).toBe('kept');
    expect(cache.stats(1)).toMatchObject({ request_cache_hits: 4, request_cache_misses: 2 });
  });

  test('is kept until settings or mapping change', async () => {
    await ask();
    entries[1] = entry(1);
    expect([await ask(), await ask()]).toEqual(['searched', 'kept']);
  });

  test.each<[string, CachedRequest]>([
    ['another body', { body: { query: { term: { a: 1 } } } }],
    ['typed keys', { request: { typedKeys: true } }],
    [
      'the filter of an alias',
      { groups: [{ filters: [{ match_none: {} }], entries: [entry(1)] }] },
    ],
    [
      'some of the shards',
      { groups: [{ filters: [], entries: [{ ...entry(1), searched: [0] }] }] },
    ],
    ['another index beside', { groups: [{ filters: [], entries: [entry(1), entry(2)] }] }],
  ])('is not that of %s, which has its own', async (_name, requested) => {
    await ask();
    expect([await ask(requested), await ask(requested)]).toEqual(['searched', 'kept']);
  });

  test.each<[string, CachedRequest]>([
    ['with hits', { body: { size: 1 } }],
    ['that nobody wants kept', { request: { requestCache: false } }],
    [
      'of an index whose settings say no',
      { groups: [{ filters: [], entries: [entry(3, false)] }] },
    ],
    ['about now', { body: { query: { range: { d: { gte: 'now-1d' } } } } }],
    [
      'about now in a query string',
      { body: { query: { query_string: { query: 'd:[* TO now]' } } } },
    ],
    [
      'by an alias about now',
      { groups: [{ filters: [{ range: { d: { lt: 'now' } } }], entries: [entry(1)] }] },
    ],
    ['of chance', { body: { query: { function_score: { random_score: {} } } } }],
    ['with documents inside', { body: { aggs: { a: { top_hits: {} } } } }],
    ['that tells of its work', { body: { profile: true } }],
    ['that ran out of time', { answer: result({ timedOut: true }) }],
    [
      'of which a shard failed',
      { answer: result({ shards: { total: 2, successful: 1, skipped: 0, failed: 1 } }) },
    ],
    ['to a very long body', { body: { query: { ids: { values: ['x'.repeat(70_000)] } } } }],
  ])('%s is never kept', async (_name, requested) => {
    expect([await ask(requested), await ask(requested)]).toEqual(['searched', 'searched']);
  });

  test('of words that only look like now is kept', async () => {
    const body = { query: { match: { known: 'snow nowhere' } } };
    expect([await ask({ body }), await ask({ body })]).toEqual(['searched', 'kept']);
  });

  test('is kept on request against the settings', async () => {
    entries[3] = entry(3, false);
    const requested = {
      request: { requestCache: true },
      groups: [{ filters: [], entries: [entries[3]] }],
    };
    expect([await ask(requested), await ask(requested)]).toEqual(['searched', 'kept']);
  });
});

test('what an index had a part in is forgotten on request', async () => {
  const both = { groups: [{ filters: [], entries: [entry(1), entry(2)] }] };
  await ask();
  await ask(both);
  cache.clear([entry(2)]);
  expect([await ask(), await ask(both)]).toEqual(['kept', 'searched']);
  cache.clear([entry(1)]);
  expect(cache.totals).toMatchObject({ bytes: 0, evictions: 0 });
  expect(await ask()).toBe('searched');
});

test('bytes are bounded, and what was used last stays', async () => {
  maxBytes = 8000;
  const body = (n: number): JsonObject => ({ query: { term: { a: n } } });
  for (let n = 0; n < 50; n++) {
    await ask({ body: body(n) });
    expect(await ask({ body: body(0) })).toBe('kept');
    expect(cache.totals.bytes).toBeLessThanOrEqual(maxBytes);
  }
  expect(cache.totals.evictions).toBeGreaterThan(20);
  expect(await ask({ body: body(1) })).toBe('searched');
  expect(cache.stats(1)['request_cache_bytes']).toBe(cache.totals.bytes);
});

test('a key may be used again and sees what was written since', async () => {
  const groups = [{ filters: [], entries: [entries[1] as IndexEntry] }];
  const key = cache.keyOf({ index: 'i1', body: { size: 0 } }, groups);
  if (key === undefined) throw new Error('the answer is not cached');
  const through = async (): Promise<number> => {
    const before = searches;
    await cache.through(key, () => {
      searches += 1;
      return result();
    });
    return searches - before;
  };
  expect([await through(), await through()]).toEqual([1, 0]);
  marks[1] = 'b';
  expect([await through(), await through()]).toEqual([1, 0]);
  expect(cache.stats(1)).toMatchObject({ request_cache_hits: 2, request_cache_misses: 2 });
});
