// Searches for nearest vectors over several shards, with an engine with manual responses: the
// requests to each shard and their order.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { Catalog, readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { Searcher } from '../../src/coordinator/search/search.ts';
import { Gate } from '../../src/coordinator/shards/gate.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { ByteReader } from '../../src/wire/byte-reader.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { description, ERROR_NUMBERS, FakePool, toError } from './fake-pool.ts';
import { fakeScopes } from './fake-scopes.ts';
import { type ErrorSample, fetchReply, type ShardSample, searchReply } from './replies.ts';

type Sample = ShardSample | ErrorSample;
/** Responses of one round by index number; those of the last round are repeated. */
type Round = Readonly<Record<number, Sample>>;

function world(rounds: readonly Round[], indexes = [description('a', 1), description('b', 2)]) {
  let requested = 0;
  const pool = new FakePool({
    search: ({ shards }) => {
      const answers = rounds[Math.min(requested++, rounds.length - 1)] ?? {};
      const samples: Sample[] = [];
      for (let i = 0; i < shards.length; i += 2) {
        const sample = answers[shards[i] ?? 0];
        if (sample !== undefined) samples.push(sample);
      }
      return searchReply(samples);
    },
    fetch: ({ fetches }) =>
      fetches.map(({ index, docs }) =>
        fetchReply([...docs].map((doc) => ({ id: `${index}-${doc}` }))),
      ),
  });
  const catalog = new Catalog();
  for (const json of indexes) catalog.change([readIndex(json)], []);
  const metrics = new Metrics();
  const searcher = new Searcher({
    maxBuckets: () => 65_536,
    dateTable: () => new ArrayBuffer(0),
    catalog,
    version: () => catalog.version,
    fanOut: { pool },
    scopes: fakeScopes(pool),
    gate: new Gate({ what: 'searches', setting: 'x', limit: () => 10, onRefusal: () => {} }),
    opcodes: readOpcodes(),
    toError,
    metrics,
    queryEmbedder: { vectorsOf: async () => [] },
    nowMs: () => 0,
  });
  const plans = () => pool.named('search').map(({ plan }) => framesOf(plan));
  return {
    pool,
    metrics,
    searcher,
    plans,
    search: (body: JsonObject) => searcher.prepare({ index: 'a,b', body }).run(undefined),
  };
}

const names = new Map(Object.entries(readOpcodes()).map(([name, number]) => [number, name]));

interface Frame {
  readonly name: string;
  readonly bytes: Buffer;
}

function framesOf(plan: Uint8Array): readonly Frame[] {
  const bytes = Buffer.from(plan);
  const frames: Frame[] = [];
  for (let at = 64; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    frames.push({
      name: names.get(bytes.readUInt16LE(at)) ?? '',
      bytes: bytes.subarray(at + 8, end),
    });
    at = end;
  }
  return frames;
}

/** The query node of each leg. */
function legs(frames: readonly Frame[]): readonly (string | undefined)[] {
  return frames
    .filter(({ name }) => name === 'leg')
    .map(({ bytes }) => names.get(bytes.readUInt16LE(0)));
}

function reader(bytes: Uint8Array): ByteReader {
  return new ByteReader(Uint8Array.from(bytes), 'frame');
}

/** (index, shard, generation) of a snapshots frame. */
function snapshots(frames: readonly Frame[]): readonly (readonly number[])[] {
  const frame = frames.find(({ name }) => name === 'snapshots');
  if (frame === undefined) return [];
  const bytes = reader(frame.bytes);
  return Array.from({ length: bytes.u32() }, () => [bytes.u32(), bytes.u32(), bytes.count64()]);
}

/** index -> [doc, score] pairs of the first doc_scores node in the bytes. */
function docScores(bytes: Buffer): Readonly<Record<number, readonly (readonly number[])[]>> {
  const opcode = Buffer.alloc(4);
  opcode.writeUInt16LE(readOpcodes()['doc_scores'] ?? 0);
  // Skips the node's header, its boost and an empty name.
  const payload = reader(bytes.subarray(bytes.indexOf(opcode) + 16));
  return Object.fromEntries(
    Array.from({ length: payload.u32() }, () => {
      const index = payload.u32();
      payload.skip(4);
      return [index, Array.from({ length: payload.u32() }, () => [payload.u32(), payload.f32()])];
    }),
  );
}

const near = { field: 'v', query_vector: [1, 2], k: 3 };
const a: ShardSample = {
  index: 1,
  shard: 0,
  generation: 5n,
  scores: [0.875, 0.5, 0.25],
  seqNos: [0n, 1n, 2n],
  docs: [9, 4, 6],
};
const b: ShardSample = {
  index: 2,
  shard: 0,
  generation: 7n,
  scores: [0.75, 0.5, 0.125],
  seqNos: [3n, 0n, 1n],
};
const none = (index: number): ShardSample => ({ index, shard: 0, scores: [], seqNos: [] });

describe('a search for neighbours alone', () => {
  test('takes one round and cuts what the shards found', async () => {
    const { search, plans } = world([{ 1: a, 2: b }]);
    const result = await search({ knn: near });
    expect(result).toMatchObject({ total: { value: 3, relation: 'eq' }, maxScore: 0.875 });
    // Ties are resolved by the index name.
    expect(result.hits.map(({ id, score }) => [id, score])).toEqual([
      ['1-9', 0.875],
      ['2-0', 0.75],
      ['1-4', 0.5],
    ]);
    expect(plans().map(legs)).toEqual([['knn']]);
  });

  test('pages within the neighbours', async () => {
    const { search } = world([{ 1: a, 2: b }]);
    const second = await search({ knn: near, from: 2, size: 5 });
    expect(second.hits.map(({ id }) => id)).toEqual(['1-4']);
    expect((await search({ knn: near, from: 3 })).hits).toEqual([]);
    expect((await search({ knn: near, size: 0 })).total).toEqual({ value: 3, relation: 'eq' });
  });

  test('counts fewer than k as they are', async () => {
    const { search } = world([{ 1: none(1), 2: { ...none(2), scores: [1], seqNos: [0n] } }]);
    expect((await search({ knn: near })).total).toEqual({ value: 1, relation: 'eq' });
    const { total } = await search({ knn: near, track_total_hits: false });
    expect(total).toBeUndefined();
  });
});

describe('a search in phases', () => {
  const body = { query: { match_all: {} }, knn: near };

  test('gives every shard the best k of all', async () => {
    const { search, plans } = world([{ 1: a, 2: b }]);
    await search(body);
    const [first, second] = plans();
    expect(legs(first ?? [])).toEqual(['knn']);
    expect(snapshots(first ?? [])).toEqual([]);
    expect(legs(second ?? [])).toEqual(['bool']);
    expect(snapshots(second ?? [])).toEqual([
      [1, 0, 5],
      [2, 0, 7],
    ]);
    expect(docScores(second?.[0]?.bytes ?? Buffer.alloc(0))).toEqual({
      1: [
        [4, 0.5],
        [9, 0.875],
      ],
      2: [[0, 0.75]],
    });
  });

  test('fetches with the plan that has the neighbours', async () => {
    const { search, pool } = world([{ 1: a, 2: b }]);
    await search(body);
    const [, second] = pool.named('search');
    const fetched = pool.named('fetch')[0]?.plan ?? new Uint8Array();
    expect(snapshots(framesOf(fetched))).toEqual(snapshots(framesOf(second?.plan ?? fetched)));
    expect(legs(framesOf(fetched))).toEqual(['bool']);
  });

  test('asks for all clauses at once', async () => {
    const more = { moreLegs: [{ scores: [1], seqNos: [0n], docs: [2] }] };
    const { search, plans } = world([{ 1: { ...a, ...more }, 2: { ...b, ...more } }]);
    await search({ knn: [near, { ...near, k: 1 }] });
    expect(plans().map(legs)).toEqual([['knn', 'knn'], ['bool']]);
  });

  test('asks for at most 64 clauses at once', async () => {
    const leg = { scores: [1], seqNos: [0n] };
    const many = { moreLegs: Array.from({ length: 63 }, () => leg) };
    const { search, plans } = world([{ 1: { ...a, ...many }, 2: { ...b, ...many } }]);
    await search({ knn: Array.from({ length: 65 }, () => near) });
    expect(plans().map((plan) => legs(plan).length)).toEqual([64, 1, 1]);
    expect(plans().map((plan) => snapshots(plan).length)).toEqual([0, 2, 2]);
  });

  test('asks for the clauses in a filter before the clause', async () => {
    const { search, plans } = world([{ 1: a, 2: b }]);
    await search({ knn: { ...near, filter: { knn: near } } });
    expect(plans().map(legs)).toEqual([['knn'], ['knn'], ['doc_scores']]);
    const inner = plans()[1]?.[0]?.bytes ?? Buffer.alloc(0);
    expect(docScores(inner)[2]).toEqual([[0, 0.75]]);
  });

  test('counts in phases, too', async () => {
    const { searcher, plans } = world([{ 1: a, 2: b }]);
    const counted = await searcher.count({ index: 'a,b', body: { query: { knn: near } } });
    expect(counted.count).toBe(6);
    expect(plans().map(legs)).toEqual([['knn'], ['doc_scores']]);
  });

  test('one shard needs no phase', async () => {
    const { searcher, plans } = world([{ 1: { ...a, scores: [], seqNos: [], docs: [] } }]);
    await searcher.prepare({ index: 'a', body }).run(undefined);
    expect(plans().map(legs)).toEqual([['bool']]);
  });

  test('a profile adds up the phases of each shard', async () => {
    const { search } = world([{ 1: a, 2: b }]);
    const { profile } = await search({ ...body, profile: true });
    expect(profile?.['shards']).toMatchObject([
      { id: '[a][0]', index: 'a', work: { phases: 2, documents_scored: 10, graph_hops: 0 } },
      { id: '[b][0]', shard_id: 0, searches: [], work: { vector_distances: { float: 0 } } },
    ]);
    expect((await search(body)).profile).toBeUndefined();
  });

  test('the work is counted', async () => {
    const { search, metrics } = world([{ 1: a, 2: b }]);
    await search(body);
    expect(await metrics.text()).toContain('quarry_search_vector_distances_total{codes="float"} 0');
  });
});

describe('failures', () => {
  const failing: ErrorSample = {
    index: 2,
    shard: 0,
    errorType: ERROR_NUMBERS.illegal_argument_exception,
    reason: 'wrong length',
  };
  const gone = { ...failing, errorType: ERROR_NUMBERS.search_context_missing_exception };
  const body = { query: { match_all: {} }, knn: near };

  test('a shard that fails in the first phase is not asked again', async () => {
    const { search, pool } = world([{ 1: a, 2: failing }]);
    const result = await search(body);
    expect(result.shards).toMatchObject({ total: 2, successful: 1, failed: 1 });
    expect(result.shards.failures?.[0]).toMatchObject({
      index: 'b',
      reason: { reason: 'wrong length' },
    });
    expect(pool.named('search').map(({ shards }) => [...shards])).toEqual([
      [1, 0, 2, 0],
      [1, 0],
    ]);
  });

  test('all shards failing fail the search', async () => {
    const { search } = world([{ 1: { ...failing, index: 1 }, 2: failing }]);
    await expect(search(body)).rejects.toMatchObject({ type: 'search_phase_execution_exception' });
  });

  test('a partial failure is refused where it may not be', async () => {
    const { searcher } = world([{ 1: a, 2: failing }]);
    const request = { index: 'a,b', body, allowPartialResults: false };
    await expect(searcher.prepare(request).run(undefined)).rejects.toThrow(
      'Partial shards failure',
    );
  });

  test('a snapshot that is gone between the phases starts the search anew', async () => {
    const { search, plans } = world([
      { 1: a, 2: b },
      { 1: a, 2: gone },
      { 1: a, 2: b },
    ]);
    expect((await search(body)).shards.failed).toBe(0);
    expect(plans().map(legs)).toEqual([['knn'], ['bool'], ['knn'], ['bool']]);
  });
});

test('filters of aliases narrow the neighbours of the index behind them', async () => {
  const mine = { mine: { filter: { term: { user: 'me' } } } };
  const { searcher, pool } = world(
    [{ 1: a, 2: b }],
    [description('a', 1, { aliases: mine }), description('b', 2)],
  );
  await searcher
    .prepare({ index: 'mine,b', body: { query: { match_all: {} }, knn: near } })
    .run(undefined);
  const plans = pool.named('search').map(({ shards, plan }) => ({
    index: shards[0],
    filtered: Buffer.from(plan).toString('latin1').split('user').length - 1,
  }));
  expect(plans).toEqual([
    { index: 1, filtered: 1 },
    { index: 2, filtered: 0 },
    // The nearest vectors are already filtered, the query is not.
    { index: 1, filtered: 1 },
    { index: 2, filtered: 0 },
  ]);
});
