// Timestamps are formatted as by Date.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoKeyMembers, isoText } from '../../../src/query/aggs/iso-text.ts';

const FIRST = Date.UTC(0, 0, 1) - 1900 * 31_556_952_000;
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

test('of all years of four digits', () => {
  const moments = fc.oneof(
    fc.integer({ min: FIRST, max: LAST }),
    fc.integer({ min: -720_000, max: 2_900_000 }).map((day) => day * 86_400_000),
  );
  fc.assert(
    fc.property(moments, (ms) => {
      expect(isoText(ms)).toBe(new Date(ms).toISOString());
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '0000-01-01T00:00:00.000Z',
  '0000-02-29T00:00:00.000Z',
  '1600-02-29T12:00:00.001Z',
  '1900-02-28T23:59:59.999Z',
  '1900-03-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '2000-02-29T00:00:00.000Z',
  '2024-12-31T23:59:59.000Z',
  '9999-12-31T23:59:59.999Z',
])('%s', (text) => {
  expect(isoText(Date.parse(text))).toBe(text);
});

test('fractions of milliseconds and other years are left to Date', () => {
  expect(isoText(1.5)).toBe('1970-01-01T00:00:00.001Z');
  expect(isoText(LAST + 1)).toBe('+010000-01-01T00:00:00.000Z');
});

test('only days have members that are kept', () => {
  fc.assert(
    fc.property(fc.integer({ min: -719_528, max: 2_900_000 }), (day) => {
      const ms = day * 86_400_000;
      const members = `"key_as_string":${JSON.stringify(new Date(ms).toISOString())},"key":${ms}`;
      expect(isoKeyMembers(ms)).toBe(members);
      expect(isoKeyMembers(ms)).toBe(members);
      expect(isoKeyMembers(ms + 1)).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
  expect(isoKeyMembers(LAST + 1)).toBeUndefined();
  expect(isoKeyMembers(86_400_000 * 2 ** 40)).toBeUndefined();
});
