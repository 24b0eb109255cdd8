// Searches over an engine with manual responses: merging, partial failures, retries, filtering
// aliases.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { Catalog, readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { shardOfRouting } from '../../src/coordinator/catalog/routing-hash.ts';
import { Searcher } from '../../src/coordinator/search/search.ts';
import { Gate } from '../../src/coordinator/shards/gate.ts';
import { toEnvelope } from '../../src/errors.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { description, ERROR_NUMBERS, FakePool, toError } from './fake-pool.ts';
import { fakeScopes } from './fake-scopes.ts';
import {
  type ErrorSample,
  fetchError,
  fetchReply,
  type ShardSample,
  searchReply,
} from './replies.ts';

const OPCODES = Object.fromEntries(
  ['leg', 'post_filter', 'sort', 'search_after', 'fetch', 'match_all', 'term', 'bool'].map(
    (name, i) => [name, i + 1],
  ),
);

interface World {
  /** Responses by index number. */
  readonly answers: Record<number, ShardSample | ErrorSample>;
  readonly fetches?: () => ArrayBuffer;
  readonly inline?: ArrayBuffer;
  readonly indexes?: readonly string[];
  readonly limit?: number;
}

function world({ answers, fetches, inline, indexes, limit = 10 }: World) {
  const pool = new FakePool({
    search: ({ shards }) => {
      const samples: (ShardSample | ErrorSample)[] = [];
      for (let i = 0; i < shards.length; i += 2) {
        const sample = answers[shards[i] ?? 0];
        if (sample !== undefined) samples.push(sample);
      }
      return searchReply(samples, inline);
    },
    fetch: ({ fetches: wanted }) =>
      wanted.map(
        (one) =>
          fetches?.() ??
          fetchReply([...one.docs].map((doc) => ({ id: `${one.index}-${doc}`, source: '{}' }))),
      ),
  });
  const catalog = new Catalog();
  for (const json of indexes ?? [description('a', 1), description('b', 2)]) {
    catalog.change([readIndex(json)], []);
  }
  const searcher = new Searcher({
    maxBuckets: () => 65_536,
    dateTable: () => new ArrayBuffer(0),
    catalog,
    version: () => catalog.version,
    fanOut: { pool },
    scopes: fakeScopes(pool),
    gate: new Gate({ what: 'searches', setting: 'x', limit: () => limit, onRefusal: () => {} }),
    opcodes: OPCODES,
    toError,
    metrics: new Metrics(),
    queryEmbedder: { vectorsOf: async () => [] },
    nowMs: () => 0,
  });
  const search = async (index: string, body: JsonObject = {}) =>
    searcher.prepare({ index, body }).run(undefined);
  return { pool, searcher, search };
}

const a: ShardSample = { index: 1, shard: 0, scores: [3, 1], seqNos: [0n, 1n] };
const b: ShardSample = { index: 2, shard: 0, scores: [2], seqNos: [0n] };
const failing: ErrorSample = {
  index: 2,
  shard: 0,
  errorType: ERROR_NUMBERS.query_shard_exception,
  reason: 'no such thing',
};

describe('a search over several indexes', () => {
  test('merges, counts and fetches', async () => {
    const { search } = world({ answers: { 1: a, 2: b } });
    const result = await search('_all');
    expect(result).toMatchObject({
      timedOut: false,
      shards: { total: 2, successful: 2, skipped: 0, failed: 0 },
      total: { value: 3, relation: 'eq' },
      maxScore: 3,
    });
    expect(result.hits.map(({ index, id, score }) => [index, id, score])).toEqual([
      ['a', '1-0', 3],
      ['b', '2-0', 2],
      ['a', '1-1', 1],
    ]);
  });

  test('fetches only the page', async () => {
    const { search, pool } = world({ answers: { 1: a, 2: b } });
    const result = await search('a,b', { from: 1, size: 1 });
    expect(result.hits.map((hit) => hit.id)).toEqual(['2-0']);
    expect(pool.named('fetch')[0]?.fetches).toHaveLength(1);
  });

  test('size 0 fetches nothing', async () => {
    const { search, pool } = world({ answers: { 1: a, 2: b } });
    const result = await search('a,b', { size: 0 });
    expect(result).toMatchObject({ hits: [], maxScore: null, total: { value: 3 } });
    expect(pool.named('fetch')).toEqual([]);
  });

  test('shows the failure of one shard beside the hits of the others', async () => {
    const { search } = world({ answers: { 1: a, 2: failing } });
    const result = await search('a,b');
    expect(result.hits).toHaveLength(2);
    expect(result.shards).toEqual({
      total: 2,
      successful: 1,
      skipped: 0,
      failed: 1,
      failures: [
        {
          shard: 0,
          index: 'b',
          reason: {
            type: 'query_shard_exception',
            reason: 'no such thing',
            index: 'b',
            index_uuid: 'uuid-b',
          },
        },
      ],
    });
  });

  test('fails for one shard where partial results are not wanted', async () => {
    const { searcher } = world({ answers: { 1: a, 2: failing } });
    await expect(
      searcher.prepare({ index: 'a,b', body: {}, allowPartialResults: false }).run(undefined),
    ).rejects.toMatchObject({
      type: 'search_phase_execution_exception',
      message: 'Partial shards failure',
      status: 400,
    });
  });

  test('is an error when every shard failed', async () => {
    const { search } = world({ answers: { 2: failing } });
    const error: unknown = await search('b').catch((thrown: unknown) => thrown);
    const cause = {
      type: 'query_shard_exception',
      reason: 'no such thing',
      index: 'b',
      index_uuid: 'uuid-b',
    };
    expect(toEnvelope(error)).toEqual({
      status: 400,
      error: {
        root_cause: [cause],
        type: 'search_phase_execution_exception',
        reason: 'all shards failed',
        phase: 'query',
        grouped: true,
        failed_shards: [{ shard: 0, index: 'b', reason: cause }],
      },
    });
  });

  test('over nothing is empty', async () => {
    const { search, pool } = world({ answers: {} });
    expect(await search('nope*')).toMatchObject({
      shards: { total: 0, successful: 0, failed: 0 },
      total: { value: 0, relation: 'eq' },
      maxScore: null,
      hits: [],
    });
    expect(pool.calls).toEqual([]);
  });

  test('over nothing is still checked', async () => {
    const { search } = world({ answers: {} });
    await expect(search('nope*', { size: -1 })).rejects.toThrow(
      '[size] parameter cannot be negative',
    );
  });
});

describe('a search of one shard', () => {
  test('takes the documents that came along', async () => {
    const { search, pool } = world({
      answers: { 1: a },
      inline: fetchReply([
        { id: 'x', source: '{"n":1}' },
        { id: 'y', source: '{"n":2}' },
      ]),
    });
    const result = await search('a');
    expect(result.hits.map((hit) => hit.id)).toEqual(['x', 'y']);
    expect(Buffer.from(result.hits[0]?.source ?? []).toString()).toBe('{"n":1}');
    expect(pool.named('fetch')).toEqual([]);
  });
});

describe('a snapshot that is gone', () => {
  test('is searched once more', async () => {
    let calls = 0;
    const gone = ERROR_NUMBERS.search_context_missing_exception;
    const { search, pool } = world({
      answers: { 1: a, 2: b },
      fetches: () => (calls++ === 0 ? fetchError(gone, 'gone') : fetchReply([{ id: 'z' }])),
    });
    const result = await search('a,b', { size: 1 });
    expect(result.hits.map((hit) => hit.id)).toEqual(['z']);
    expect(pool.named('search')).toHaveLength(2);
  });

  test('twice is an error', async () => {
    const gone = ERROR_NUMBERS.search_context_missing_exception;
    const { search } = world({ answers: { 1: a, 2: b }, fetches: () => fetchError(gone, 'gone') });
    await expect(search('a,b')).rejects.toThrow('gone');
  });
});

describe('limits', () => {
  test('more searches than allowed are refused with 429', async () => {
    const { search } = world({ answers: { 1: a }, limit: 0 });
    await expect(search('a')).rejects.toMatchObject({
      type: 'es_rejected_execution_exception',
      status: 429,
      headers: { 'Retry-After': '1' },
    });
  });

  test('the smallest result window of the searched indexes counts', async () => {
    const { search } = world({
      answers: {},
      indexes: [
        description('a', 1),
        description('b', 2, { settings: { index: { max_result_window: '5' } } }),
      ],
    });
    await expect(search('a,b', { size: 6 })).rejects.toThrow('less than or equal to: [5]');
  });

  test('a blocked or closed index is not searched', async () => {
    const { search } = world({
      answers: {},
      indexes: [
        description('a', 1, { settings: { index: { blocks: { read: 'true' } } } }),
        description('b', 2, { state: 'close' }),
      ],
    });
    await expect(search('a')).rejects.toMatchObject({
      status: 403,
      message: 'index [a] blocked by: [FORBIDDEN/7/index read (api)];',
    });
    await expect(search('b')).rejects.toMatchObject({
      type: 'index_closed_exception',
      status: 400,
    });
  });
});

describe('filtering aliases', () => {
  test('narrow the search of the index behind them only', async () => {
    const { search, pool } = world({
      answers: { 1: a, 2: b },
      indexes: [
        description('a', 1, { aliases: { mine: { filter: { term: { user: 'me' } } } } }),
        description('b', 2),
      ],
    });
    await search('mine,b');
    const plans = pool.named('search').map(({ shards, plan }) => ({
      index: shards[0],
      filtered: Buffer.from(plan).includes('user'),
    }));
    expect(plans).toEqual([
      { index: 1, filtered: true },
      { index: 2, filtered: false },
    ]);
  });

  test('do not count when the index is named itself', async () => {
    const { search, pool } = world({
      answers: { 1: a },
      inline: fetchReply([{ id: 'x' }, { id: 'y' }]),
      indexes: [description('a', 1, { aliases: { mine: { filter: { term: { user: 'me' } } } } })],
    });
    await search('mine,a');
    expect(Buffer.from(pool.named('search')[0]?.plan ?? []).includes('user')).toBe(false);
  });
});

describe('routing', () => {
  const sharded = (aliases: object) => [
    description('a', 1, { number_of_shards: 5, aliases }),
    description('b', 2, { number_of_shards: 2 }),
  ];
  /** The shards of the pool's requests, as [index, shard], for a search without hits. */
  const requested = async (index: string, routing: string | undefined, aliases: object = {}) => {
    const { searcher, pool } = world({ answers: { 1: none, 2: none }, indexes: sharded(aliases) });
    const request = { index, body: {}, ...(routing === undefined ? {} : { routing }) };
    const { shards } = await searcher.prepare(request).run(undefined);
    const searched = pool.named('search').flatMap((call) => [...call.shards]);
    await searcher.count(request);
    const all = pool.named('search').flatMap((call) => [...call.shards]);
    expect(all).toEqual([...searched, ...searched]);
    expect(shards.total).toBe(searched.length / 2);
    return searched;
  };
  const none: ShardSample = { index: 1, shard: 0, scores: [], seqNos: [] };

  test('asks the shards that the values lie on', async () => {
    expect(await requested('a', 'a')).toEqual([1, shardOfRouting('a', 5)]);
    expect(await requested('a,b', '日本語,user-1')).toEqual([
      ...[...new Set(['日本語', 'user-1'].map((value) => shardOfRouting(value, 5)))]
        .sort()
        .flatMap((shard) => [1, shard]),
      ...[...new Set(['日本語', 'user-1'].map((value) => shardOfRouting(value, 2)))]
        .sort()
        .flatMap((shard) => [2, shard]),
    ]);
  });

  test('of an alias narrows the index behind it', async () => {
    const mine = { mine: { index_routing: 'a', search_routing: 'a' } };
    expect(await requested('mine', undefined, mine)).toEqual([1, shardOfRouting('a', 5)]);
    expect(await requested('mine,a', undefined, mine)).toHaveLength(10);
    expect(await requested('m*', undefined, mine)).toHaveLength(2);
  });

  test('that alias and request do not share finds nothing', async () => {
    expect(await requested('mine', 'b', { mine: { search_routing: 'a' } })).toEqual([]);
  });
});

test('a count adds up exact totals', async () => {
  const { searcher } = world({ answers: { 1: a, 2: b } });
  expect(await searcher.count({ index: 'a,b', body: {} })).toEqual({
    count: 3,
    shards: { total: 2, successful: 2, skipped: 0, failed: 0 },
  });
});
