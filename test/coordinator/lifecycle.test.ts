// Recovery of shards at the start: damage and unreadable files do not delay other shards.
import { describe, expect, test } from 'vitest';
import { DamageReport } from '../../src/coordinator/catalog/damage.ts';
import {
  type RecoveryOptions,
  recoverLater,
  recoverShards,
} from '../../src/coordinator/node/lifecycle.ts';
import { QuarryError } from '../../src/errors.ts';
import { createLogger } from '../../src/ops/logger.ts';
import { Readiness } from '../../src/ops/readiness.ts';
import type { ShardRef } from '../../src/worker/tasks.ts';
import { FakePool } from './fake-pool.ts';

const SHARDS: readonly ShardRef[] = [1, 2, 3].map((index) => ({ index, shard: 0 }));
const DAMAGE = new QuarryError('corrupt_index_exception', 'damaged');
const UNREADABLE = new QuarryError('store_exception', 'too many open files');

/** Recoveries and flushes of an index fail once for each error that `failures` lists. */
function recovery(failures: Record<string, Error[]>, stopAfterPauses = 10) {
  const fail = (name: string) => (shard: ShardRef) => {
    const error = failures[`${name} ${shard.index}`]?.shift();
    if (error !== undefined) throw error;
    return null;
  };
  const pool = new FakePool({ recover: fail('recover'), flush: fail('flush') });
  const readiness = new Readiness(() => 0);
  let pauses = 0;
  const options: RecoveryOptions = {
    tasks: pool,
    concurrency: 2,
    readiness,
    logger: createLogger('silent'),
    stopping: () => pauses >= stopAfterPauses,
    pause: async () => {
      pauses += 1;
    },
  };
  return { pool, readiness, options };
}

describe('the recovery', () => {
  test('passes over a damaged shard, without a checkpoint of it', async () => {
    const { pool, readiness, options } = recovery({ 'recover 2': [DAMAGE] });
    expect(await recoverShards(SHARDS, options)).toEqual([]);
    expect(pool.named('flush').map(({ index }) => index)).toEqual([1, 3]);
    expect(readiness.progress).toEqual({ shardsTotal: 3, shardsDone: 3 });
  });

  test('gives back what could not be read, which comes later', async () => {
    const { pool, options } = recovery({ 'recover 2': [UNREADABLE, UNREADABLE, UNREADABLE] });
    const left = await recoverShards(SHARDS, options);
    expect(left).toEqual([{ index: 2, shard: 0 }]);
    await recoverLater(left, options);
    expect(pool.named('recover').filter(({ index }) => index === 2).length).toBe(4);
    expect(pool.named('flush').length).toBe(3);
  });

  test('gives up on a shard that turns out damaged, and at the end of the process', async () => {
    const damaged = recovery({ 'recover 2': [UNREADABLE, DAMAGE] });
    await recoverLater(await recoverShards(SHARDS, damaged.options), damaged.options);
    expect(damaged.pool.named('recover').length).toBe(4);
    const ending = recovery({ 'recover 1': Array(20).fill(UNREADABLE) }, 3);
    await recoverLater(await recoverShards(SHARDS, ending.options), ending.options);
    expect(ending.pool.named('recover').length).toBe(3 + 2);
  });

  test('forgets an index that was dropped while it waited', async () => {
    const gone = new QuarryError('index_not_found_exception', 'no such index');
    const { pool, options } = recovery({
      'recover 1': [UNREADABLE, gone],
      'recover 3': [UNREADABLE],
    });
    await recoverLater(await recoverShards(SHARDS, options), options);
    expect(pool.named('flush').map(({ index }) => index)).toEqual([2, 3]);
  });

  test('waits while the disk is full, not for a checkpoint that fails otherwise', async () => {
    const full = new QuarryError('cluster_block_exception', 'full');
    const { pool, options } = recovery({ 'flush 1': [full, full], 'flush 2': [UNREADABLE] });
    expect(await recoverShards(SHARDS, options)).toEqual([]);
    expect(pool.named('flush').length).toBe(3 + 2);
  });

  test('rejects on anything else', async () => {
    const { options } = recovery({ 'recover 2': [new Error('a bug')] });
    await expect(recoverShards(SHARDS, options)).rejects.toThrow('a bug');
  });
});

test('a report of damage is read once, and sorted by index', () => {
  let read = 0;
  const report = new DamageReport(() => {
    read += 1;
    return '[{"index":4,"shard":1,"reason":"a"},{"index":4,"shard":2,"reason":"b"},{"index":9,"shard":null,"reason":"c"}]';
  });
  expect(read).toBe(0);
  expect(report.of(4)).toEqual([
    { shard: 1, reason: 'a' },
    { shard: 2, reason: 'b' },
  ]);
  expect(report.of(9)).toEqual([{ shard: null, reason: 'c' }]);
  expect(report.of(1)).toEqual([]);
  expect([9, 4, 1].map((index) => report.wholeOf(index))).toEqual([true, false, false]);
  const shards = (index: number) => [0, 1].map((shard) => ({ index, shard }));
  expect(report.countAmong([])).toBe(0);
  expect(report.countAmong([...shards(9), ...shards(4)])).toBe(3);
  expect(() => report.countAmong(shards(9))).toThrow('c');
  expect(read).toBe(1);
});
