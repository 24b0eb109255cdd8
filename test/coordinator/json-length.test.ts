// The length of a JSON text, computed without creating it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runToCompletion } from '../../src/base/cooperative-task.ts';
import { jsonLengthOf } from '../../src/coordinator/shards/json-length.ts';

const characters = (value: unknown, most = Number.MAX_SAFE_INTEGER): number =>
  runToCompletion(jsonLengthOf(value, most));

test('is that of the text, but for commas at ends and escapes', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'abc 019é') });
  const values = fc.jsonValue({ stringUnit: fc.constantFrom(...'abc 019é'), maxDepth: 5 });
  fc.assert(
    fc.property(fc.record({ value: values, text: plain }), (value) => {
      const exact = JSON.stringify(value).length;
      expect(characters(value)).toBeGreaterThanOrEqual(exact);
      expect(characters(value)).toBeLessThanOrEqual(exact * 2);
    }),
  );
});

test('stops when it is more than enough, and may be left on the way', () => {
  const long = Array.from({ length: 10_000 }, (_, key) => ({ key }));
  const all = [...jsonLengthOf(long, Number.MAX_SAFE_INTEGER)].length;
  const some = [...jsonLengthOf(long, 30_000)].length;
  expect(all).toBeGreaterThan(300);
  expect(some).toBeLessThan(all / 2);
  expect(characters(long, 30_000)).toBeGreaterThan(30_000);
});

test('counts whole numbers beyond 2^53 and bytes', () => {
  expect(characters(12345678901234567890n)).toBe(20);
  expect(characters(new Uint8Array(1000))).toBe(1000);
});
