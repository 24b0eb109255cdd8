// Which searches run on this thread, by a clock of the test's own.
import { expect, test } from 'vitest';
import { QuickSearches } from '../../src/coordinator/quick-searches.ts';

const SHARD = { index: 7, shard: 0 };
const PLAN = new Uint8Array(1);

function world() {
  const state = { now: 0, costs: 0.1, fails: false, searched: 0 };
  const work = (): ArrayBuffer => {
    state.searched++;
    state.now += state.costs;
    if (state.fails) throw new Error('no such index');
    return new ArrayBuffer(3);
  };
  const quick = new QuickSearches({ search: work, fetch: work }, () => state.now);
  return { quick, state, run: () => quick.search(SHARD, PLAN)?.byteLength };
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

test('a failure is the pool’s to tell', () => {
  const { quick, state, run } = world();
  quick.seen(7);
  state.fails = true;
  expect(run()).toBeUndefined();
});
