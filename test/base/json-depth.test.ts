// The nesting of JSON texts, against a count of levels of the parsed value.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact } from '../../src/base/exact-json.ts';
import { isNestedDeeper } from '../../src/base/json-depth.ts';

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

test('is that of the value, whatever its strings contain', () => {
  const strings = fc.string({ unit: fc.constantFrom(...'[]{}"\\a') });
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      strings,
      fc.integer(),
      fc.array(tie('value')),
      fc.dictionary(strings, tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 6 }), (value, most) => {
      expect(isNestedDeeper(JSON.stringify(value), most)).toBe(levelsOf(value) > most);
    }),
  );
});

test.each([1001, 100_000])('%i levels are invalid, not an overflow of the stack', (levels) => {
  const number = '12345678901234567890';
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const text = open.repeat(levels) + number + close.repeat(levels);
    expect(() => parseExact(text)).toThrow('the JSON is nested deeper than 1000 levels');
  }
});

test('1,000 levels are parsed', () => {
  expect(levelsOf(parseExact('['.repeat(1000) + ']'.repeat(1000)))).toBe(1000);
});
