// Human-readable statistics.
import { describe, expect, test } from 'vitest';
import { inWords } from '../../src/api/kit/human.ts';
import { printSize, printTime } from '../../src/base/units.ts';

describe('words', () => {
  test.each([
    [0, '0b'],
    [1023, '1023b'],
    [1024, '1kb'],
    [1234, '1.2kb'],
    [1024 ** 2 - 1, '1023.9kb'],
    [1024 ** 3, '1gb'],
    [1.55 * 1024 ** 4, '1.5tb'],
  ])('%d bytes', (bytes, text) => {
    expect(printSize(bytes)).toBe(text);
  });

  test.each([
    [0, '0s'],
    [90, '90ms'],
    [1290, '1.2s'],
    [60_000, '1m'],
    [5_400_000, '1.5h'],
    [864_000_000, '10d'],
  ])('%d ms', (ms, text) => {
    expect(printTime(ms)).toBe(text);
  });

  test('stand before their numbers, at any depth, and replace nothing', () => {
    const body = { a: [{ size_in_bytes: 2048 }], time: 'x', time_in_millis: 5, n_in_bytes: 'y' };
    const answer = inWords({ status: 200, body });
    expect(JSON.stringify(answer.body)).toBe(
      '{"a":[{"size":"2kb","size_in_bytes":2048}],"time":"x","time_in_millis":5,"n_in_bytes":"y"}',
    );
  });

  test('leave bytes alone', () => {
    const answer = { status: 200, raw: Buffer.from('{"x_in_bytes":1}') };
    expect(inWords(answer)).toBe(answer);
  });
});
