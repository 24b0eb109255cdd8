// Durations and sizes with units.
import { describe, expect, test } from 'vitest';
import { parseSize, parseTime } from '../../src/base/units.ts';

describe('sizes', () => {
  test.each([
    ['40mb', 41_943_040],
    ['1.5kb', 1536],
    ['512b', 512],
    ['2g', 2 ** 31],
    [' 2GB ', 2 ** 31],
    ['1 mb', 1_048_576],
    ['0', 0],
    ['-1', -1],
  ])('%s is %d bytes', (text, bytes) => {
    expect(parseSize(text, 'x')).toBe(bytes);
  });

  test.each(['40', 'mb', '-5mb', '1e9b', '99999999999pb', '', '1xb'])('[%s] is none', (text) => {
    expect(() => parseSize(text, 'x')).toThrow('failed to parse setting [x]');
  });
});

describe('times', () => {
  test.each([
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['500ms', 500],
    ['2 D', 172_800_000],
    ['500micros', 0.5],
    ['0', 0],
    ['-1', -1],
  ])('%s is %d ms', (text, ms) => {
    expect(parseTime(text, 'x')).toBe(ms);
  });

  test.each(['30', 's', '-5s', '1e3s', '', '1w'])('[%s] is none', (text) => {
    expect(() => parseTime(text, 'x')).toThrow('failed to parse setting [x]');
  });
});
