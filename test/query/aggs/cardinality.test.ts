// Unions of sketches compared with exact counts.
import { expect, test } from 'vitest';
import { DistinctCounter } from '../../../src/query/aggs/cardinality.ts';

/** splitmix64: well distributed hashes of 0, 1, 2 and so on. */
function hash(at: number): bigint {
  let z = BigInt.asUintN(64, BigInt(at + 1) * 0x9e3779b97f4a7c15n);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

function hashes(from: number, to: number): BigUint64Array {
  return BigUint64Array.from({ length: to - from }, (_, at) => hash(from + at)).sort();
}

/** Registers as the core computes them. */
function registers(from: number, to: number, precision: number): Uint8Array {
  const made = new Uint8Array(2 ** precision);
  const most = 64 - precision;
  for (const one of hashes(from, to)) {
    const register = Number(one >> BigInt(most));
    const rest = (one & ((1n << BigInt(most)) - 1n)).toString(2).padStart(most, '0');
    const first = rest.indexOf('1');
    made[register] = Math.max(made[register] ?? 0, (first < 0 ? most : first) + 1);
  }
  return made;
}

function distinct(
  threshold: number,
  owners: readonly (BigUint64Array | Uint8Array | number)[],
): number {
  const union = new DistinctCounter(threshold);
  for (const owner of owners.keys()) union.add({ precision: 14, owners }, owner);
  return union.count();
}

test('sets of hashes are counted exactly up to the threshold', () => {
  expect(distinct(3000, [])).toBe(0);
  expect(distinct(3000, [hashes(0, 2000), hashes(1000, 3000)])).toBe(3000);
});

test.each([5000, 20_000, 100_000])('%i values are estimated within 3 %%', (count) => {
  const half = Math.floor(count / 2);
  const parts = [
    registers(0, half + 500, 14),
    registers(half, count, 14),
    hashes(count - 1000, count),
  ];
  const found = distinct(3000, parts);
  expect(Math.abs(found - count) / count).toBeLessThan(0.03);
  expect(distinct(3000, parts.toReversed())).toBe(found);
});

test('what the only shard has counted is taken as it is', () => {
  expect(distinct(3000, [123_456])).toBe(123_456);
});

test('sets above the threshold give the registers of their union', () => {
  const sets = [hashes(0, 2500), hashes(2000, 6000)];
  expect(distinct(3000, sets)).toBe(distinct(3000, [registers(0, 6000, 14)]));
});
