// Percentiles of an HdrHistogram, compared with the values of Elasticsearch 8.19 for 51.3, 102.6
// ... 615.6.
import { describe, expect, test } from 'vitest';
import { HdrBins, HdrRanks } from '../../../src/query/aggs/hdr.ts';
import { Ranks } from '../../../src/query/aggs/sketch.ts';

function ranks(digits: number, values: readonly number[]): HdrRanks {
  const bins = new HdrBins(digits);
  const means = Float64Array.from(values, (value) => bins.lowest(value));
  const all = new Ranks();
  all.add(
    {
      exact: Uint8Array.of(1),
      starts: [0],
      points: Uint32Array.of(values.length),
      min: Float64Array.of(Math.min(...means)),
      max: Float64Array.of(Math.max(...means)),
      means,
      weights: new Float64Array(values.length).fill(1),
    },
    0,
  );
  return new HdrRanks(all, bins);
}

const VALUES = Array.from({ length: 12 }, (_, at) => (at + 1) * 51.3);

describe('percentiles', () => {
  test.each<[number, readonly number[]]>([
    [0, [32, 224, 480, 480, 992, 992]],
    [2, [51.25, 153.75, 307.75, 461.75, 567.75, 615.75]],
    [3, [51.28125, 153.96875, 307.96875, 461.71875, 564.46875, 615.96875]],
  ])('with %i digits', (digits, expected) => {
    const hdr = ranks(digits, VALUES);
    expect([1, 25, 50, 75, 95, 99].map((percent) => hdr.percentile(percent))).toEqual(expected);
  });

  test('of zeros are zero', () => {
    expect(ranks(3, [0, 0, 8]).percentile(50)).toBe(0);
    expect(ranks(3, [0, 0, 8]).percentile(100)).toBe(8);
  });
});

test('ranks count the bin of the value', () => {
  expect(ranks(3, VALUES).percentileRank(102.6)).toBeCloseTo(16.666, 2);
  expect(ranks(0, VALUES).percentileRank(33)).toBeCloseTo(8.333, 2);
  expect(ranks(3, VALUES).percentileRank(0)).toBe(0);
});
