// Orders of buckets: keys in the order of their bytes, ties by key, missing numbers last or at the
// extreme value; and paths.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AggResult, Inside } from '../../../src/query/aggs/agg.ts';
import {
  compareBuckets,
  compareKeys,
  type OrderKey,
  type Sortable,
  splitPath,
} from '../../../src/query/aggs/order.ts';

test('texts compare as their bytes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\u{ffff}', '\u{e000}', '😀', '𐀀') });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareKeys(a, b))).toBe(bytes);
    }),
  );
});

test.each([
  [1, 2, -1],
  [2n ** 60n, 3, 1],
  [2n ** 60n + 1n, 2n ** 60n, 1],
  [7, 7, 0],
])('%s and %s', (a, b, order) => {
  expect(compareKeys(a, b)).toBe(order);
});

interface Bucket {
  readonly key: string;
  readonly docCount: number;
  readonly inside: Inside;
}

function bucket(key: string, docCount: number, value: number | null): Bucket {
  const result: AggResult = {
    agg: { name: 'm', type: 'max', meta: undefined },
    typed: 'max',
    members: {},
    value: () => value,
  };
  return { key, docCount, inside: new Map([['m', result]]) };
}

const BUCKETS = [bucket('d', 1, 5), bucket('b', 2, null), bucket('a', 2, 9), bucket('c', 2, 5)];
const at = (number: number): Bucket => BUCKETS[number] as Bucket;
const SORTABLE: Sortable = {
  docCount: (number) => at(number).docCount,
  compareKeys: (a, b) => compareKeys(at(a).key, at(b).key),
  inside: (number) => at(number).inside,
};
const by = (by: OrderKey['by'], descending: boolean): OrderKey => ({
  by,
  descending,
  path: by === 'metric' ? ['m'] : [],
  property: '',
});

test.each([
  ['count', true, 'abcd'],
  ['count', false, 'dabc'],
  ['key', true, 'dcba'],
  ['metric', false, 'cdab'],
  ['metric', true, 'acdb'],
] as const)('by %s, descending %s', (what, descending, expected) => {
  const sorted = [0, 1, 2, 3].sort(compareBuckets([by(what, descending)], SORTABLE));
  expect(sorted.map((number) => at(number).key).join('')).toBe(expected);
});

test.each([
  ['a', ['a'], ''],
  ['a.avg', ['a'], 'avg'],
  ['a>b>c.99.5', ['a', 'b', 'c'], '99.5'],
  ['a>b[99]', ['a', 'b'], '99'],
  ['.a', ['.a'], ''],
])('path %s', (path, steps, property) => {
  expect(splitPath(path)).toEqual({ path: steps, property });
});
