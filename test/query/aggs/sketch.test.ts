// Percentiles of several shards compared with those of all their sorted values.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ranks, type SketchColumns } from '../../../src/query/aggs/sketch.ts';

function columns(values: readonly number[]): SketchColumns {
  const sorted = Float64Array.from(values).sort();
  const means = [...new Set(sorted)];
  return {
    exact: Uint8Array.of(1),
    starts: [0],
    points: Uint32Array.of(means.length),
    min: Float64Array.of(sorted[0] ?? Number.POSITIVE_INFINITY),
    max: Float64Array.of(sorted.at(-1) ?? Number.NEGATIVE_INFINITY),
    means: Float64Array.from(means),
    weights: Float64Array.from(means, (mean) => values.filter((value) => value === mean).length),
  };
}

/** Linear between the closest ranks. */
function naive(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = (percent / 100) * (sorted.length - 1);
  const low = sorted[Math.floor(rank)] ?? 0;
  const high = sorted[Math.ceil(rank)] ?? 0;
  return low + (high - low) * (rank - Math.floor(rank));
}

const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 60 });

test('shards together have the percentiles and ranks of all values', () => {
  fc.assert(
    fc.property(values, values, fc.integer({ min: 0, max: 100 }), (left, right, percent) => {
      const ranks = new Ranks();
      ranks.add(columns(left), 0);
      ranks.add(columns(right), 0);
      const all = [...left, ...right];
      expect(ranks.percentile(percent)).toBeCloseTo(naive(all, percent), 9);
      const below = all.filter((value) => value <= percent).length;
      expect(ranks.percentileRank(percent)).toBeCloseTo((100 * below) / all.length, 9);
      const median = naive(all, 50);
      const distances = all.map((value) => Math.abs(value - median));
      expect(ranks.medianAbsoluteDeviation()).toBeCloseTo(naive(distances, 50), 9);
    }),
    { numRuns: 300 },
  );
});

test('no values have no percentiles', () => {
  const ranks = new Ranks();
  ranks.add(columns([]), 0);
  expect([ranks.percentile(50), ranks.percentileRank(1), ranks.medianAbsoluteDeviation()]).toEqual([
    null,
    null,
    null,
  ]);
});

test('centroids stand in the middle of their values', () => {
  const ranks = new Ranks();
  ranks.add(
    {
      exact: Uint8Array.of(0),
      starts: [0],
      points: Uint32Array.of(3),
      min: Float64Array.of(0),
      max: Float64Array.of(100),
      means: Float64Array.of(0, 50, 100),
      weights: Float64Array.of(1, 99, 1),
    },
    0,
  );
  expect([0, 50, 100].map((percent) => ranks.percentile(percent))).toEqual([0, 50, 100]);
  expect(ranks.percentile(25)).toBeCloseTo(25, 0);
});
