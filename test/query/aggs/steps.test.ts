// Sorting and mapping as cooperative tasks return the same as the built-in functions, and yield
// every few items.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce, BUCKETS_PER_YIELD, mapSteps, sortSteps } from '../../../src/query/aggs/steps.ts';

function stepsOf(work: Generator<undefined, unknown, undefined>): number {
  let steps = 0;
  while (work.next().done !== true) steps += 1;
  return steps;
}

describe('sortSteps', () => {
  test('is a stable sort', () => {
    const rows = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 9000, size: 'max' });
    fc.assert(
      fc.property(rows, (keys) => {
        const items = keys.map((key, at) => ({ key, at }));
        const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;
        expect(atOnce(sortSteps(items, byKey))).toEqual(items.toSorted(byKey));
      }),
      { numRuns: 30 },
    );
  });

  test('compares few between two steps', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 20_000);
    let compared = 0;
    let most = 0;
    const work = sortSteps(items, (a, b) => {
      compared += 1;
      return a - b;
    });
    for (let step = work.next(); step.done !== true; step = work.next()) {
      most = Math.max(most, compared);
      compared = 0;
    }
    expect(most).toBeLessThan(12_000);
  });

  test('leaves what is sorted as it is', () => {
    const items = Array.from({ length: 5000 }, (_, at) => at);
    let compared = 0;
    const work = sortSteps(items, (a, b) => {
      compared += 1;
      return a - b;
    });
    expect(atOnce(work)).toEqual(items);
    expect(compared).toBeLessThan(2 * items.length);
  });
});

describe('mapSteps', () => {
  test('yields every few items', () => {
    const items = Array.from({ length: 10 * BUCKETS_PER_YIELD }, (_, at) => at);
    expect(stepsOf(mapSteps(items, String))).toBe(10);
    expect(atOnce(mapSteps(items, String))).toEqual(items.map(String));
  });
});
