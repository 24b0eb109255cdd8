// The distribution of shards over tasks.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fanOut, ShardCosts, splitByCost } from '../../src/coordinator/shards/fan-out.ts';
import { encodeShards } from '../../src/coordinator/shards/quick-searches.ts';
import type { ShardRef } from '../../src/worker/tasks.ts';
import { FakePool } from './fake-pool.ts';
import { searchReply } from './replies.ts';

const shards = (count: number): ShardRef[] =>
  Array.from({ length: count }, (_, shard) => ({ index: 1, shard }));

describe('splitting by cost', () => {
  test('small shards stay together', () => {
    expect(splitByCost(shards(2), () => 0.01, 8)).toEqual([shards(2)]);
  });

  test('big shards get a task each', () => {
    expect(splitByCost(shards(3), () => 50, 8)).toEqual(shards(3).map((shard) => [shard]));
  });

  test('a busy pool gets one task', () => {
    expect(splitByCost(shards(3), () => 50, 0)).toEqual([shards(3)]);
  });

  test('keeps every shard, in order, in at most as many tasks as threads', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: 10 }),
        (costs, idle) => {
          const all = costs.map((_, index) => ({ index, shard: 0 }));
          const runs = splitByCost(all, (index) => costs[index] ?? 0, idle);
          expect(runs.flat()).toEqual(all);
          expect(runs.every((run) => run.length > 0)).toBe(true);
          expect(runs.length).toBeLessThanOrEqual(Math.max(1, idle));
        },
      ),
    );
  });
});

test('costs follow what was measured', () => {
  const costs = new ShardCosts();
  const before = costs.of(1);
  costs.learn(shards(2), 40);
  expect(costs.of(1)).toBe(20);
  costs.learn(shards(2), 0);
  expect(costs.of(1)).toBeCloseTo(14);
  expect(costs.of(2)).toBe(before);
});

test('replies come back in the order of the shards', async () => {
  const pool = new FakePool({
    search: ({ shards: pairs }) =>
      searchReply([{ index: pairs[0] ?? 0, shard: pairs[1] ?? 0, scores: [1], seqNos: [0n] }]),
  });
  const costs = new ShardCosts();
  costs.learn(shards(1), 50);
  const reply = await fanOut({ pool, costs, now: () => 0 }, shards(2), new Uint8Array(4));
  expect(pool.named('search').map((args) => args.shards)).toEqual([
    encodeShards([{ index: 1, shard: 0 }]),
    encodeShards([{ index: 1, shard: 1 }]),
  ]);
  expect(reply.shards.map((shard) => shard.shard)).toEqual([0, 1]);
});
