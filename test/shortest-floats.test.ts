// The shortest decimal digits of a float32: known values, and that fewer digits are not sufficient.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortestFloat } from '../src/base/shortest-floats.ts';

test.each([
  [0, 0],
  [1, 1],
  [Math.fround(0.1), 0.1],
  [Math.fround(1 / 3), 0.33333334],
  [123_456_792, 123_456_790],
  [2 ** -149, 1e-45],
  [Math.fround(-12.345678), -12.345678],
])('%d is %d', (float, shown) => {
  expect(shortestFloat(float)).toBe(shown);
});

const digitsOf = (value: number): number =>
  value.toExponential().split('e')[0]?.replace(/[-.]/g, '').length ?? 0;

test('reads back as itself, and fewer digits do not', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (float) => {
      const shown = shortestFloat(float);
      expect(Math.fround(shown)).toBe(float);
      const digits = digitsOf(shown);
      if (digits > 1) expect(Math.fround(Number(shown.toPrecision(digits - 1)))).not.toBe(float);
    }),
    { numRuns: 2000 },
  );
});
