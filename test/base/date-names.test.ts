// Index names with date math: their resolution, their time zone, and invalid ones.
import { describe, expect, test } from 'vitest';
import { resolveDateNames, withDateNames } from '../../src/base/date-names.ts';

/** A Monday; in Auckland it is Tuesday. */
const NOW = Date.parse('2024-12-30T22:15:07.123Z');

describe('a name with a date', () => {
  test.each([
    ['<logs-{now/d}>', 'logs-2024.12.30'],
    ['<logs-{now/d}-000001>', 'logs-2024.12.30-000001'],
    ['<{now/d}>', '2024.12.30'],
    ['<logs-{now/M}>', 'logs-2024.12.01'],
    ['<logs-{now/M{yyyy.MM}}>', 'logs-2024.12'],
    ['<logs-{now/M-1M{yyyy.MM}}>', 'logs-2024.11'],
    ['<logs-{now/d{yyyy.MM.dd|+12:00}}>', 'logs-2024.12.31'],
    ['<logs-{now/d{yyyy.MM.dd|Pacific/Auckland}}>', 'logs-2024.12.31'],
    ['<logs-{now/d{yyyy.MM.dd|-05:00}}>', 'logs-2024.12.30'],
    ['<logs-{now/w{YYYY.ww}}>', 'logs-2025.01'],
    ['<logs-{now-2w/w{yyyy-MM-dd}}>', 'logs-2024-12-16'],
    ['<logs-{now/y{yy}}>', 'logs-24'],
    ['<logs-{now+2M{yyyy.MM.dd}}>', 'logs-2025.02.28'],
    ['<logs-{now/h{yyyy.MM.dd.HH}}>', 'logs-2024.12.30.22'],
    ["<logs-{now/s{HH'h'mm'm'ss}}>", 'logs-22h15m07'],
    ['<logs-{now{yyyyDDD}}>', 'logs-2024365'],
    ['<a\\{b\\}-{now/d}>', 'a{b}-2024.12.30'],
    ['<logs-{now/d}>,books,-<logs-{now-1d/d}>', 'logs-2024.12.30,books,-logs-2024.12.29'],
    ['<logs-{now/d}*>', 'logs-2024.12.30*'],
    ['<plain>', 'plain'],
    ['books', 'books'],
    ['<open', '<open'],
    ['<>', '<>'],
  ])('%s is %s', (expression, name) => {
    expect(resolveDateNames(expression, NOW)).toBe(name);
  });

  test.each([
    ['<logs-{now/d>', 'parse_exception', 'open ended'],
    ['<logs-{now/d{yyyy}>', 'parse_exception', 'open ended'],
    ['<logs-{now/d{{yyyy}}}>', 'parse_exception', 'open ended'],
    ['<logs-now/d}>', 'parse_exception', 'invalid character at position [10]'],
    ['<logs-{now/d{}}>', 'parse_exception', 'missing date format'],
    ['<logs-{today}>', 'parse_exception', 'must begin with [now]'],
    ['<logs-{now/q}>', 'parse_exception', '[/q] is no step'],
    ['<logs-{now+999999999y}>', 'parse_exception', 'more than four digits'],
    ['<logs-{now/d{xxxx}}>', 'illegal_argument_exception', '[xxxx] is not supported'],
    ['<logs-{now/d{MMM}}>', 'illegal_argument_exception', '[MMM] is not supported'],
    ['<logs-{now/d{yyyy|Mars}}>', 'illegal_argument_exception', 'Unknown time-zone ID: [Mars]'],
  ])('%s is refused as %s', (expression, type, reason) => {
    expect(() => resolveDateNames(expression, NOW)).toThrowError(
      expect.objectContaining({ type, message: expect.stringContaining(reason) }),
    );
  });
});

test('ids are no names', () => {
  const parts = { index: '<a-{now/y{yyyy}}>', id: '<a-{now}>' };
  expect(withDateNames(parts, () => NOW)).toEqual({ index: 'a-2024', id: '<a-{now}>' });
});
