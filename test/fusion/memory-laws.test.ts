// Recency and the graph's contribution: laws that hold for any list.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runToCompletion } from '../../src/base/cooperative-task.ts';
import { graphShares, overBest, type SeedLink } from '../../src/fusion/graph-blend.ts';
import { withRecency } from '../../src/fusion/recency.ts';

const scored = fc.array(
  fc.tuple(fc.double({ min: -100, max: 100, noNaN: true }), fc.integer({ min: 0, max: 1e12 })),
  { minLength: 1, maxLength: 20 },
);

describe('recency', () => {
  test('of weight 1 orders by time, of weight 0 by score, and parts add up', () => {
    fc.assert(
      fc.property(scored, fc.double({ min: 0, max: 1, noNaN: true }), (pool, weight) => {
        const scores = pool.map(([score]) => score);
        const times = pool.map(([, time]) => time);
        for (const [list, values] of [
          [withRecency(scores, times, 1), times],
          [withRecency(scores, times, 0), scores],
        ] as const) {
          for (const [i, one] of list.entries())
            for (const [j, other] of list.entries())
              if ((values[i] ?? 0) > (values[j] ?? 0))
                expect(one.score).toBeGreaterThanOrEqual(other.score);
        }
        for (const { score, relevance, recency } of withRecency(scores, times, weight)) {
          expect(score).toBe(relevance + recency);
          expect(relevance).toBeLessThanOrEqual(1 - weight + 1e-12);
          expect(recency).toBeLessThanOrEqual(weight);
        }
      }),
    );
  });

  test('is what the formula says', () => {
    const [first, second, third] = withRecency([4, 2, 0], [0, 50, 100], 0.25);
    expect(first?.score).toBe(0.75);
    expect(second?.score).toBe(0.75 * 0.5 + 0.25 * 0.5);
    expect(third?.score).toBe(0.25);
    expect(withRecency([3, 3], [7, 7], 0.5).map(({ score }) => score)).toEqual([1, 1]);
  });
});

describe('the share of the graph', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd');
  const links = fc.array(
    fc.record({
      seed: id,
      node: id,
      hop: fc.constantFrom(1, 2),
      strength: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  );
  const seeds = fc.dictionary(id, fc.double({ min: 0, max: 1, noNaN: true }));

  test('is the largest of seed times strength times weight, whatever the order', () => {
    fc.assert(
      fc.property(
        links,
        seeds,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, worth, weight) => {
          const map = new Map(Object.entries(worth));
          const shares = runToCompletion(graphShares(map, all, weight));
          const backwards = runToCompletion(graphShares(map, [...all].reverse(), weight));
          for (const node of ['a', 'b', 'c', 'd']) {
            const own = ({ seed }: SeedLink): number => weight * (map.get(seed) ?? 0);
            const best = all
              .filter((link) => link.node === node && link.seed !== node)
              .reduce((most, link) => Math.max(most, own(link) * link.strength), 0);
            expect(shares.get(node)?.share ?? 0).toBe(best);
            expect(backwards.get(node)?.share ?? 0).toBe(best);
          }
        },
      ),
    );
  });

  test('scores over the best one', () => {
    expect(overBest([4, 2, 0])).toEqual([1, 0.5, 0]);
    expect(overBest([0, 0])).toEqual([0, 0]);
    expect(overBest([])).toEqual([]);
  });
});
