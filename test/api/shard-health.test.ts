// The colour of an index and of the cluster, derived from damage.
import { describe, expect, test } from 'vitest';
import {
  activePercent,
  healthOf,
  isDamaged,
  shardCounts,
  shardsInService,
  statusOf,
} from '../../src/api/indices/shard-health.ts';
import type { IndexDescription, ShardDamage } from '../../src/backend/index.ts';
import { BOOKS } from './fake-backend.ts';

const books = (replicas: number, damage?: readonly ShardDamage[]): IndexDescription => ({
  ...BOOKS,
  shards: 4,
  settings: { index: { number_of_replicas: String(replicas) } },
  ...(damage === undefined ? {} : { damage }),
});
const SHARD = { shard: 2, reason: 'a byte' };
const ALL = { shard: null, reason: 'META' };

describe('an index', () => {
  test.each([
    [books(0), 'green', 4],
    [books(0, []), 'green', 4],
    [books(1), 'yellow', 4],
    [books(0, [SHARD]), 'red', 3],
    [books(1, [SHARD, { shard: 0, reason: 'another' }]), 'red', 2],
    [books(0, [ALL]), 'red', 0],
  ] as const)('%#: is %s', (index, health, inService) => {
    expect(healthOf(index)).toBe(health);
    expect(shardsInService(index)).toBe(inService);
  });

  test('has some shards damaged, and others not', () => {
    const index = books(0, [SHARD]);
    expect([0, 1, 2, 3].map((shard) => isDamaged(index, shard))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(isDamaged(books(0, [ALL]), 3)).toBe(true);
  });
});

describe('the cluster', () => {
  test('is as bad as its worst index', () => {
    expect(statusOf(shardCounts([]))).toBe('green');
    expect(statusOf(shardCounts([books(0), books(0)]))).toBe('green');
    expect(statusOf(shardCounts([books(0), books(2)]))).toBe('yellow');
    expect(statusOf(shardCounts([books(2), books(0, [SHARD])]))).toBe('red');
  });

  test('counts shards that answer', () => {
    expect(shardCounts([books(1, [SHARD]), books(0)])).toEqual({
      primaries: 7,
      damaged: 1,
      unassigned: 5,
    });
    expect(activePercent(shardCounts([books(0, [ALL]), books(0)]))).toBe(50);
    expect(activePercent(shardCounts([]))).toBe(100);
  });
});
