// hits.total over several shards.
import { expect, test } from 'vitest';
import { sumTotals, totalOf } from '../../src/coordinator/shards/totals.ts';

const eq = (total: number) => ({ total, totalRelation: 'eq' as const });
const gte = (total: number) => ({ total, totalRelation: 'gte' as const });

test.each([
  [[eq(3), eq(4)], true, { value: 7, relation: 'eq' }],
  [[eq(3), eq(4)], 7, { value: 7, relation: 'eq' }],
  [[eq(3), eq(4)], 6, { value: 6, relation: 'gte' }],
  [[gte(10_000), eq(4)], 10_000, { value: 10_000, relation: 'gte' }],
  [[gte(5), eq(4)], 100, { value: 9, relation: 'gte' }],
  [[], 10_000, { value: 0, relation: 'eq' }],
] as const)('%o tracked to %s', (shards, track, expected) => {
  expect(sumTotals(shards, track)).toEqual({ total: expected });
});

test('no total when it is not tracked', () => {
  expect(sumTotals([eq(3)], false)).toEqual({});
});

test.each([
  [[eq(3), eq(4)], 5, { value: 5, relation: 'eq' }],
  [[eq(3), eq(4)], 8, { value: 7, relation: 'eq' }],
  [[gte(30)], 10, { value: 10, relation: 'eq' }],
  [[gte(30)], undefined, { value: 30, relation: 'gte' }],
] as const)('%o of which the nearest %s are hits', (shards, nearest, expected) => {
  expect(totalOf(shards, { nearest, trackTotalHits: true })).toEqual(expected);
  expect(totalOf(shards, { nearest, trackTotalHits: false })).toBeUndefined();
});
