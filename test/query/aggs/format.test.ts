// Formatted numbers: as Java prints doubles, and by DecimalFormat patterns.
import { expect, test } from 'vitest';
import { decimalFormat, doubleText } from '../../../src/query/aggs/format.ts';

test.each([
  [1, '1.0'],
  [-0, '-0.0'],
  [0.5, '0.5'],
  [0.001, '0.001'],
  [0.0001, '1.0E-4'],
  [9_999_999, '9999999.0'],
  [12_345_678, '1.2345678E7'],
  [1e21, '1.0E21'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NaN, 'NaN'],
])('%s is %s', (value, text) => {
  expect(doubleText(value)).toBe(text);
});

test.each([
  [1234.567, '#,##0.00', '1,234.57'],
  [1234.567, '0', '1235'],
  [7, '000', '007'],
  [0.5, '#.##', '.5'],
  [2.5, '0', '2'],
  [3.5, '0', '4'],
  [-1.25, '0.0', '-1.2'],
  [0.35, '#.0', '.3'],
  [0.15, '0.0', '0.1'],
  [0.45, '0.0', '0.5'],
  [0.256, '0.0%', '25.6%'],
  [12, "'No. '0", 'No. 12'],
  [12.5, '$0.00', '$12.50'],
  [12, '0.## EUR', '12 EUR'],
  [-12.5, '$0.00', '-$12.50'],
  [-1234.5, '#,##0.00;(#,##0.00)', '(1,234.50)'],
  [1234.5, '#,##0.00;(#,##0.00)', '1,234.50'],
  [-0.5, '#.00', '-.50'],
  [-0.256, '0.0%', '-25.6%'],
])('%s by %s', (value, pattern, text) => {
  expect(decimalFormat(pattern)(value)).toBe(text);
});
