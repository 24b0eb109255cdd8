// The predictor of attempts: how soon it gives up, and how soon it hopes again.
import { expect, test } from 'vitest';
import { AttemptPredictor } from '../../src/coordinator/shards/attempt-predictor.ts';

/** Attempts among `tasks`, of which every n-th is long. */
function attempts(predictor: AttemptPredictor, tasks: number, everyLong: number): number {
  let made = 0;
  for (let i = 1; i <= tasks; i++) {
    if (!predictor.isWorthwhile(5)) continue;
    made += 1;
    predictor.ended(5, i % everyLong === 0);
  }
  return made;
}

test.each([
  [1, 0, 0.05],
  [2, 0, 0.4],
  [10, 0.95, 1],
  [100, 0.99, 1],
])('of tasks of which every %s. is long, a share of %s to %s is attempted', (every, least, most) => {
  const share = attempts(new AttemptPredictor(), 10_000, every) / 10_000;
  expect(share).toBeGreaterThanOrEqual(least);
  expect(share).toBeLessThanOrEqual(most);
});

test('a kind that has changed is attempted again', () => {
  const predictor = new AttemptPredictor();
  attempts(predictor, 1000, 1);
  expect(predictor.isLikely(5)).toBe(false);
  expect(attempts(predictor, 1000, Number.POSITIVE_INFINITY)).toBeGreaterThan(950);
  expect(predictor.isLikely(5)).toBe(true);
});

test('kinds are told apart', () => {
  const predictor = new AttemptPredictor();
  attempts(predictor, 1000, 1);
  expect(predictor.isWorthwhile(6)).toBe(true);
  expect(predictor.isWorthwhile(-5)).toBe(true);
});
