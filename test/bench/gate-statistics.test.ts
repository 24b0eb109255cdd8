// The gate's statistics on synthetic samples: it detects a slower side, and reports nothing
// otherwise.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moreWork } from '../../bench/gate/compare.ts';
import {
  isSlower,
  ratioOfMedians,
  ratioOfPairs,
  type Samples,
} from '../../bench/gate/statistics.ts';
import { seeded } from '../../bench/tools/seeded.ts';

const SESSIONS = 4;
const ROUNDS = 8;

/**
 * Times around `mean`, each with an error of up to `noise`, and each start of the program with up
 * to half of it.
 */
function samples(seed: number, mean: number, noise: number): Samples {
  const random = seeded(seed);
  return Array.from({ length: SESSIONS }, () => {
    const start = mean * (1 + (noise / 2) * (random() - 0.5));
    return Array.from({ length: ROUNDS }, () => start * (1 + noise * (random() - 0.5)));
  });
}

test('the same program against itself is silent at any noise of a tenth', () => {
  const runs = Array.from({ length: 30 }, (_, i) =>
    ratioOfPairs(samples(2 * i + 1, 5, 0.1), samples(2 * i + 2, 5, 0.1)),
  );
  expect(runs.filter(isSlower)).toEqual([]);
});

test('a fifth slower is seen through noise of a tenth', () => {
  const runs = Array.from({ length: 8 }, (_, i) =>
    ratioOfPairs(samples(2 * i + 1, 5, 0.1), samples(2 * i + 2, 6, 0.1)),
  );
  expect(runs.filter(isSlower).length).toBe(8);
});

test('the interval holds the ratio, and a faster program is no finding', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.double({ min: 0.5, max: 1, noNaN: true }),
      (seed, share) => {
        const base = samples(seed, 10, 0.05);
        const head = base.map((session) => session.map((time) => time * share));
        const found = ratioOfPairs(base, head);
        expect(found.ratio).toBeCloseTo(share, 6);
        expect(found.low).toBeLessThanOrEqual(found.ratio);
        expect(found.high).toBeGreaterThanOrEqual(found.ratio);
        expect(isSlower(found)).toBe(false);
      },
    ),
    { numRuns: 8 },
  );
});

test('one session out of four that was disturbed is no finding', () => {
  const base = samples(5, 5, 0.02);
  const head = base.map((session, i) => (i === 0 ? session.map((time) => 2 * time) : session));
  expect(isSlower(ratioOfPairs(base, head))).toBe(false);
});

test('a tenth slower is seen on a machine that is busier from session to session and from sample to sample', () => {
  const random = seeded(7);
  const busy = samples(6, 5, 0.02).map((session) => {
    const others = 1 + 2 * random();
    return session.map((time) => time * others * (1 + random()));
  });
  const slowed = busy.map((session) => session.map((time) => 1.1 * time * (1 + 0.02 * random())));
  expect(isSlower(ratioOfPairs(busy, slowed))).toBe(true);
  expect(isSlower(ratioOfPairs(slowed, busy))).toBe(false);
});

test('questions of different length do not widen the interval when they are fixed', () => {
  const lengths = [1, 10, 100, 1000, 10_000];
  const base = Array.from({ length: SESSIONS }, () => lengths);
  const head = base.map((session) => session.map((time) => 2 * time));
  expect(ratioOfMedians(base, head)).toEqual({ ratio: 2, low: 2, high: 2 });
  const other = base.map(() => [2, 10, 100, 1000, 20_000]);
  expect(ratioOfMedians(base, other)).toEqual({ ratio: 1, low: 1, high: 1 });
  expect(ratioOfPairs(base, other).high).toBeGreaterThan(1);
});

test('counts of words may not rise at all, those of a graph by their band', () => {
  expect(moreWork('c', { scored: 100 }, { scored: 100 })).toEqual([]);
  expect(moreWork('c', { scored: 100 }, { scored: 99 })).toEqual([]);
  expect(moreWork('c', { scored: 100 }, { scored: 100.1 })).toHaveLength(1);
  expect(moreWork('c', { distances: 100 }, { distances: 102 })).toEqual([]);
  expect(moreWork('c', { distances: 100 }, { distances: 102.1 })).toHaveLength(1);
});

test('work of a kind that the base did not do is a finding, a new count is none', () => {
  const [finding] = moreWork('c', {}, { hops: 3 });
  expect(finding).toMatchObject({ name: 'c', what: 'hops', base: 0, head: 3 });
  expect(moreWork('c', { hops: Number.NaN }, { hops: 3 })).toEqual([]);
});
