// The distribution of shards over tasks.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fanOut, splitEvenly } from '../../src/coordinator/shards/fan-out.ts';
import { encodeShards } from '../../src/coordinator/shards/inline-execution.ts';
import type { ShardRef } from '../../src/worker/tasks.ts';
import { FakePool } from './fake-pool.ts';
import { searchReply } from './replies.ts';

const shards = (count: number): ShardRef[] =>
  Array.from({ length: count }, (_, shard) => ({ index: 1, shard }));

describe('shards are split', () => {
  test('over the threads that are idle', () => {
    expect(splitEvenly(shards(3), 8)).toEqual(shards(3).map((shard) => [shard]));
    expect(splitEvenly(shards(3), 2).map((run) => run.length)).toEqual([2, 1]);
  });

  test('not where no thread is idle', () => {
    expect(splitEvenly(shards(3), 0)).toEqual([shards(3)]);
  });

  test('so that none is lost, in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 10 }),
        (count, idle) => {
          const runs = splitEvenly(shards(count), idle);
          expect(runs.flat()).toEqual(shards(count));
          expect(runs.every((run) => run.length > 0)).toBe(true);
          expect(runs.length).toBe(Math.max(1, Math.min(count, idle)));
        },
      ),
    );
  });
});

test('replies come back in the order of the shards', async () => {
  const pool = new FakePool({
    search: ({ shards: pairs }) =>
      searchReply([{ index: pairs[0] ?? 0, shard: pairs[1] ?? 0, scores: [1], seqNos: [0n] }]),
  });
  pool.idle = 2;
  const reply = await fanOut({ pool }, shards(2), new Uint8Array(64));
  expect(pool.named('search').map((args) => args.shards)).toEqual([
    encodeShards([{ index: 1, shard: 0 }]),
    encodeShards([{ index: 1, shard: 1 }]),
  ]);
  expect(reply.shards.map((shard) => shard.shard)).toEqual([0, 1]);
});
