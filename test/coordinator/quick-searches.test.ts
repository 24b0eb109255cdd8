// Which searches run inline on this thread, with a clock of the test.
import { expect, test } from 'vitest';
import { QuickSearches } from '../../src/coordinator/shards/quick-searches.ts';

const SHARD = { index: 7, shard: 0 };
const PLAN = new Uint8Array(1);

function world() {
  const state = {
    now: 0,
    costs: 0.1,
    fails: false,
    searched: 0,
    documents: 1000,
    counted: 0,
    busy: false,
    writes: false,
  };
  const work = (): ArrayBuffer => {
    state.searched++;
    state.now += state.costs;
    if (state.fails) throw new Error('no such index');
    return new ArrayBuffer(3);
  };
  const documents = async (): Promise<number> => {
    state.counted++;
    return state.documents;
  };
  const quick = new QuickSearches(
    {
      search: work,
      fetch: work,
      get: work,
      writes: () => state.writes,
      documents,
      busy: () => state.busy,
    },
    () => state.now,
  );
  const run = (weight = 0) => quick.search([SHARD], PLAN, weight)?.byteLength;
  return { quick, state, run };
}

test('only what the pool has opened of late', () => {
  const { quick, state, run } = world();
  expect(run()).toBeUndefined();
  quick.seen(7);
  expect(run()).toBe(3);
  state.now += 4999;
  expect(run()).toBe(3);
  state.now += 5001;
  expect(run()).toBeUndefined();
  expect(state.searched).toBe(2);
  quick.seen(7);
  const fetch = { ...SHARD, generation: 1n, docs: new Uint32Array() };
  expect(quick.fetch(fetch, PLAN)?.byteLength).toBe(3);
});

test('slow three times in a row, and the pool has it for a while', () => {
  const { quick, state, run } = world();
  quick.seen(7);
  state.costs = 2;
  expect([run(), run()]).toEqual([3, 3]);
  state.costs = 0.1;
  expect(run()).toBe(3);
  state.costs = 2;
  expect([run(), run(), run(), run()]).toEqual([3, 3, 3, undefined]);
  state.now += 5001;
  quick.seen(7);
  expect(run()).toBe(3);
});

test('a few shards of one index are searched together', () => {
  const { quick, state } = world();
  quick.seen(7);
  const of = (index: number, count: number) =>
    Array.from({ length: count }, (_, shard) => ({ index, shard }));
  expect(quick.search(of(7, 8), PLAN, 0)?.byteLength).toBe(3);
  expect(quick.search(of(7, 9), PLAN, 0)).toBeUndefined();
  expect(quick.search([...of(7, 1), ...of(8, 1)], PLAN, 0)).toBeUndefined();
  expect(quick.search([], PLAN, 0)).toBeUndefined();
  expect(state.searched).toBe(1);
});

test('a failure is the pool’s to tell', () => {
  const { quick, state, run } = world();
  quick.seen(7);
  state.fails = true;
  expect(run()).toBeUndefined();
});

test('a light search runs here once it is known that the index is small', async () => {
  const { quick, state, run } = world();
  expect(run(3)).toBeUndefined();
  quick.seen(7);
  expect(run(3)).toBeUndefined();
  await Promise.resolve();
  expect(run(3)).toBe(3);
  expect(run(1000)).toBe(3);
  expect(run(1001)).toBeUndefined();
  expect(run(Number.POSITIVE_INFINITY)).toBeUndefined();
  expect(state.counted).toBe(1);
});

test('on a busy thread only what costs less than handing it over', async () => {
  const { quick, state, run } = world();
  quick.seen(7);
  run(1);
  await Promise.resolve();
  state.busy = true;
  const ranOf = async (costs: number, weight: number): Promise<number> => {
    let ran = 0;
    state.costs = costs;
    for (let i = 0; i < 30; i++) {
      if (run(weight) !== undefined) ran++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ran;
  };
  expect(await ranOf(0.05, 1)).toBe(30);
  expect(await ranOf(0.15, 2)).toBe(2);
  expect(await ranOf(0.05, 1)).toBe(30);
  expect(await ranOf(0.15, 0)).toBe(30);
  state.busy = false;
  expect(await ranOf(0.15, 2)).toBe(30);
});

test('how many documents there are is asked again, the old number holds meanwhile', async () => {
  const { quick, state, run } = world();
  quick.seen(7);
  run(3);
  await Promise.resolve();
  state.documents = 1_000_000;
  state.now += 5001;
  quick.seen(7);
  expect(run(3)).toBe(3);
  await Promise.resolve();
  expect(state.counted).toBe(2);
  expect(run(3)).toBeUndefined();
  expect(run(1)).toBe(3);
  expect(run(0)).toBe(3);
});

test('light searches leave the turn to others after a while', async () => {
  const { quick, state, run } = world();
  quick.seen(7);
  run(1);
  await Promise.resolve();
  state.costs = 0.12;
  const ran = Array.from({ length: 30 }, () => run(1)).filter((reply) => reply !== undefined);
  expect(ran.length).toBe(17);
  await new Promise((resolve) => setImmediate(resolve));
  expect(run(1)).toBe(3);
});

test('light searches that mostly take long are the pool’s', async () => {
  const { quick, state, run } = world();
  const ranOf = async (costs: readonly number[], weight = 1): Promise<number> => {
    let ran = 0;
    for (const one of costs) {
      state.costs = one;
      if (run(weight) !== undefined) ran++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ran;
  };
  const times = (count: number, costs: number): number[] =>
    Array.from({ length: count }, () => costs);
  quick.seen(7);
  expect(await ranOf([0.1])).toBe(0);
  expect(await ranOf(times(30, 1.3))).toBe(19);
  // Other searches of the same index are not affected.
  expect(await ranOf(times(30, 0.1), 2)).toBe(30);
  state.now += 5001;
  quick.seen(7);
  expect(await ranOf(times(60, 0.1).map((one, i) => (i % 3 === 0 ? 4 : one)))).toBe(60);
  expect(await ranOf([0.1, 9, 0.1, 0.1])).toBe(2);
});

test('what they cost is what the watch says, not the clock', () => {
  const state = { now: 0, cost: 0.05 };
  const quick = new QuickSearches(
    {
      search: () => {
        state.now += 50;
        return new ArrayBuffer(3);
      },
      fetch: () => new ArrayBuffer(3),
      get: () => new ArrayBuffer(3),
      writes: () => false,
      documents: async () => 10,
      busy: () => false,
    },
    () => state.now,
    { watch: { start: () => {}, ms: () => state.cost }, turnMs: 1000 },
  );
  quick.learnOpen([{ index: 7, documents: 1000 }]);
  expect(quick.open()).toEqual([{ index: 7, documents: 1000 }]);
  for (let i = 0; i < 20; i++) expect(quick.search([SHARD], PLAN, 1)).toBeDefined();
  state.cost = 0.8;
  for (let i = 0; i < 40; i++) expect(quick.search([SHARD], PLAN, 1)).toBeDefined();
  state.cost = 6;
  expect(quick.search([SHARD], PLAN, 1)).toBeDefined();
  // After a search that took long by the clock, the next one is measured.
  expect(quick.search([SHARD], PLAN, 1)).toBeUndefined();
  state.now += 5001;
  expect(quick.open()).toEqual([]);
});

test('documents are read here where the index is open and nobody writes', () => {
  const { quick, state } = world();
  const get = (index: number) => ({ index, id: 'a', routing: '', realtime: true, plan: PLAN });
  expect(quick.get([get(7)])).toBeUndefined();
  quick.seen(7);
  expect(quick.get([get(7), get(7)])).toHaveLength(2);
  expect(quick.get([get(7), get(8)])).toBeUndefined();
  expect(quick.get(Array.from({ length: 11 }, () => get(7)))).toBeUndefined();
  expect(quick.get([])).toBeUndefined();
  state.writes = true;
  expect(quick.get([get(7)])).toBeUndefined();
  state.writes = false;
  state.costs = 0.6;
  for (let i = 0; i < 3; i++) expect(quick.get([get(7)])).toHaveLength(1);
  expect(quick.get([get(7)])).toBeUndefined();
});
