// The limit on the requests per second of one caller.
import { expect, test } from 'vitest';
import { RateLimit } from '../../src/ops/rate-limit.ts';

function limited(rate: () => number) {
  const clock = { ms: 0 };
  const limit = new RateLimit(rate, () => clock.ms);
  const took = (caller: string, tries: number): number =>
    Array.from({ length: tries }, () => limit.take(caller)).filter((wait) => wait === 0).length;
  return { clock, limit, took };
}

test('a caller may send as many as the rate at once, and that many each second', () => {
  const { clock, took } = limited(() => 5);
  expect(took('a', 20)).toBe(5);
  clock.ms = 200;
  expect(took('a', 20)).toBe(1);
  clock.ms = 10_200;
  expect(took('a', 20)).toBe(5);
});

test('callers do not mind each other', () => {
  const { took } = limited(() => 2);
  expect([took('a', 3), took('b', 3)]).toEqual([2, 2]);
});

test('refusals cost nothing, and say how long to wait', () => {
  const { clock, limit, took } = limited(() => 1);
  expect(took('a', 100)).toBe(1);
  expect(limit.take('a')).toBe(1);
  clock.ms = 1000;
  expect(limit.take('a')).toBe(0);
});

test('0 is no limit, and a change applies at once', () => {
  let rate = 0;
  const { took } = limited(() => rate);
  expect(took('a', 1000)).toBe(1000);
  rate = 3;
  expect(took('a', 1000)).toBe(3);
});

test('a clock that goes back gives nothing away and takes nothing', () => {
  const { clock, took } = limited(() => 2);
  clock.ms = 5000;
  expect(took('a', 5)).toBe(2);
  clock.ms = 0;
  expect(took('a', 5)).toBe(0);
  clock.ms = 1000;
  expect(took('a', 5)).toBe(2);
});
