// Searches with fused lists, with an engine with manual responses: the requests to shards in each
// round, and the handling of failed shards.
import { describe, expect, test } from 'vitest';
import type { JsonObject, SearchRequest } from '../../src/backend/index.ts';
import { Catalog, readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { Searcher } from '../../src/coordinator/search/search.ts';
import { Gate } from '../../src/coordinator/shards/gate.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { description, ERROR_NUMBERS, FakePool, toError } from './fake-pool.ts';
import { fakeScopes } from './fake-scopes.ts';
import { type ErrorSample, fetchReply, type ShardSample, searchReply } from './replies.ts';

type Sample = ShardSample | ErrorSample;
/** Responses of one round by index number; those of the last round are repeated. */
type Round = Readonly<Record<number, Sample>>;

function world(rounds: readonly Round[]) {
  let requested = 0;
  const pool = new FakePool({
    search: ({ shards }) => {
      const answers = rounds[Math.min(requested++, rounds.length - 1)] ?? {};
      return searchReply(
        [...shards].flatMap((index, i) => (i % 2 === 0 ? (answers[index] ?? []) : [])),
      );
    },
    fetch: ({ fetches }) =>
      // The order of the ids differs from the order of the documents.
      fetches.map(({ index, docs }) =>
        fetchReply([...docs].map((doc) => ({ id: `${(doc * 3) % 10}-${index}` }))),
      ),
  });
  const catalog = new Catalog();
  for (const [i, name] of ['a', 'b'].entries())
    catalog.change([readIndex(description(name, i + 1))], []);
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
    metrics: new Metrics(),
    queryEmbedder: { vectorsOf: async () => [] },
    nowMs: () => 0,
  });
  const search = (body: JsonObject, more: Partial<SearchRequest> = {}) =>
    searcher.prepare({ index: 'a,b', body, ...more }).run(undefined);
  return { pool, search, plans: () => pool.named('search').map(({ plan }) => rootsOf(plan)) };
}

const names = new Map(Object.entries(readOpcodes()).map(([name, number]) => [number, name]));

/** The frames of a plan; for a leg the kind of its query. */
function rootsOf(plan: Uint8Array): readonly string[] {
  const bytes = Buffer.from(plan);
  const found: string[] = [];
  for (let at = 64; at < bytes.length; at += 8 + bytes.readUInt32LE(at + 4)) {
    const name = names.get(bytes.readUInt16LE(at)) ?? '';
    found.push(name === 'leg' ? (names.get(bytes.readUInt16LE(at + 8)) ?? '') : name);
  }
  return found;
}

const leg = (scores: readonly number[], docs: readonly number[]) => ({
  scores,
  docs,
  seqNos: scores.map((_, i) => BigInt(i)),
});
const shard = (
  index: number,
  first: ReturnType<typeof leg>,
  second = leg([], []),
): ShardSample => ({
  index,
  shard: 0,
  generation: BigInt(4 + index),
  ...first,
  moreLegs: [second],
});
const a = shard(1, leg([3, 2, 1], [1, 2, 3]), leg([0.9, 0.5], [2, 4]));
const b = shard(2, leg([2.5], [6]), leg([0.7], [7]));
const term = (value: string) => ({ term: { f: value } });
const near = { knn: { field: 'v', query_vector: [1], k: 3 } };
const hybrid = { queries: [{ query: term('x') }, { query: near }] };
const places = (hits: readonly { readonly index: string; readonly id: string }[]) =>
  hits.map(({ index, id }) => `${index}:${id}`);

describe('the rounds', () => {
  test('one plan finds all lists, then documents are fetched', async () => {
    const { search, plans, pool } = world([{ 1: a, 2: b }]);
    const result = await search({ query: { hybrid } });
    expect(plans()).toEqual([['term', 'knn', 'fetch']]);
    // The lists are a1 b6 a2 a3 and a2 b7 a4. Only the second list has ranks 1, 2 and 3 of its own.
    expect(places(result.hits)).toEqual(['a:6-1', 'a:3-1', 'b:1-2', 'b:8-2', 'a:2-1', 'a:9-1']);
    expect(result.hits[0]?.score).toBeCloseTo(1 / 63 + 1 / 61, 12);
    expect(result.total).toEqual({ value: 6, relation: 'eq' });
    // b6 and b7 have equal scores and ranks: their ids are fetched first.
    expect(pool.named('fetch').map(({ fetches }) => fetches.map(({ docs }) => [...docs]))).toEqual([
      [[6, 7]],
      [
        [2, 1, 4, 3],
        [7, 6],
      ],
    ]);
  });

  test('a sort asks the same snapshots with the fused documents', async () => {
    const sorted = (index: number, values: readonly bigint[], docs: readonly number[]) => ({
      ...shard(
        index,
        leg(
          values.map(() => 1),
          docs,
        ),
      ),
      moreLegs: [],
      sort: [{ kind: 'int' as const, values }],
    });
    const { search, plans } = world([
      { 1: a, 2: b },
      { 1: sorted(1, [5n, 7n, 9n, 11n], [3, 2, 1, 4]), 2: sorted(2, [6n, 6n], [6, 7]) },
    ]);
    const { hits } = await search({ query: { hybrid }, sort: ['n'], size: 4 });
    expect(plans()[1]).toEqual(['doc_scores', 'sort', 'fetch', 'snapshots']);
    expect(places(hits)).toEqual(['a:9-1', 'b:8-2', 'b:1-2', 'a:6-1']);
    expect(hits.map(({ sort }) => sort)).toEqual([['5'], ['6'], ['6'], ['7']]);
  });

  test('a post filter asks which of them pass', async () => {
    const { search, plans } = world([
      { 1: a, 2: b },
      { 1: { ...shard(1, leg([0.5], [4])), moreLegs: [] }, 2: shard(2, leg([], [])) },
    ]);
    const result = await search({ query: { hybrid }, post_filter: term('y') });
    expect(plans()[1]).toEqual(['doc_scores', 'post_filter', 'fetch', 'snapshots']);
    expect(places(result.hits)).toEqual(['a:2-1']);
    expect(result.total).toEqual({ value: 1, relation: 'eq' });
    expect(result.maxScore).toBeCloseTo(1 / 63, 12);
  });

  test('nothing found is not asked about again', async () => {
    const { search, pool } = world([{ 1: shard(1, leg([], [])), 2: shard(2, leg([], [])) }]);
    const result = await search({ query: { hybrid }, sort: ['n'] });
    expect(result).toMatchObject({ hits: [], maxScore: null, total: { value: 0, relation: 'eq' } });
    expect(pool.calls.map(({ name }) => name)).toEqual(['search']);
  });

  test('a total of lists that were cut is counted when it is asked for', async () => {
    const scores = Array.from({ length: 51 }, (_, i) => 100 - i);
    const deep = shard(1, leg(scores, [...scores.keys()]));
    const counted = (index: number) => ({ ...shard(index, leg([], [])), moreLegs: [], total: 40 });
    const rounds = [
      { 1: deep, 2: b },
      { 1: counted(1), 2: counted(2) },
    ];
    const plain = world(rounds);
    expect((await plain.search({ query: { hybrid }, size: 0 })).total).toEqual({
      value: 51,
      relation: 'gte',
    });
    expect(plain.plans()).toHaveLength(1);
    const exact = world(rounds);
    const { total } = await exact.search({ query: { hybrid }, size: 0, track_total_hits: true });
    expect(total).toEqual({ value: 80, relation: 'eq' });
    expect(exact.plans()[1]).toEqual(['bool', 'fetch', 'snapshots']);
  });

  test('an explanation asks for each list by itself', async () => {
    const { search, pool } = world([{ 1: a, 2: b }]);
    const { hits } = await search({ query: { hybrid }, size: 1, explain: true });
    expect(JSON.parse(hits[0]?.explanation ?? '')).toMatchObject({
      value: hits[0]?.score,
      details: [
        { value: 1 / 63, description: expect.stringContaining('rank [3], score [2]') },
        { value: 1 / 61, description: expect.stringContaining('rank [1], score [0.9]') },
      ],
    });
    // The nearest vectors are already known.
    expect(pool.named('fetch').map(({ plan }) => rootsOf(plan)[0])).toEqual([
      'term',
      'term',
      'doc_scores',
    ]);
  });
});

describe('failures', () => {
  const failing: ErrorSample = {
    index: 2,
    shard: 0,
    errorType: ERROR_NUMBERS.illegal_argument_exception,
    reason: 'no such order',
  };
  const gone = { ...failing, errorType: ERROR_NUMBERS.search_context_missing_exception };

  test('a shard that fails has no part in the lists and is not asked again', async () => {
    const { search, pool } = world([{ 1: a, 2: failing }, { 1: shard(1, leg([], [])) }]);
    const result = await search({ query: { hybrid }, post_filter: term('y') });
    expect(result.shards).toMatchObject({ total: 2, successful: 1, failed: 1 });
    expect(pool.named('search').map(({ shards }) => [...shards])).toEqual([
      [1, 0, 2, 0],
      [1, 0],
    ]);
  });

  test('a shard that fails in a later round is named', async () => {
    const { search } = world([
      { 1: a, 2: b },
      { 1: { ...shard(1, leg([1], [2])), moreLegs: [] }, 2: failing },
    ]);
    const result = await search({ query: { hybrid }, post_filter: term('y') });
    expect(result.shards).toMatchObject({ total: 2, successful: 1, failed: 1 });
    expect(result.shards.failures?.[0]?.reason.reason).toBe('no such order');
    expect(places(result.hits)).toEqual(['a:6-1']);
  });

  test('a partial failure is refused where it may not be', async () => {
    const { search } = world([{ 1: a, 2: failing }]);
    await expect(search({ query: { hybrid } }, { allowPartialResults: false })).rejects.toThrow(
      'Partial shards failure',
    );
  });

  test('a snapshot that is gone starts the search anew', async () => {
    const passing = { 1: { ...shard(1, leg([1], [2])), moreLegs: [] }, 2: shard(2, leg([], [])) };
    const { search, plans } = world([{ 1: a, 2: b }, { 1: a, 2: gone }, { 1: a, 2: b }, passing]);
    const result = await search({ query: { hybrid }, post_filter: term('y') });
    expect(places(result.hits)).toEqual(['a:6-1']);
    expect(plans()).toHaveLength(4);
  });
});
