// Pages of a fused list are windows of one ranking: the first n are determined by the first n of
// each list.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareFused, type FusedHit, type WeightedList } from '../../src/fusion/fuse.ts';
import { linear } from '../../src/fusion/linear.ts';
import { minMax } from '../../src/fusion/normalizers.ts';
import { rrf } from '../../src/fusion/rrf.ts';

const list = fc
  .record({
    ids: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 50 }),
    scores: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 50, maxLength: 50 }),
    weight: fc.constantFrom(0, 0.1, 0.5, 1, 1, 3),
  })
  .map(({ ids, scores, weight }): WeightedList => {
    const falling = scores.slice(0, ids.length).sort((a, b) => b - a);
    return {
      hits: ids.map((id, i) => ({ index: 'i', id: String(id), score: falling[i] ?? 0 })),
      weight,
    };
  });
const lists = fc.array(list, { minLength: 1, maxLength: 4 });

const scaled =
  (normalizer: 'minmax' | 'l2_norm' | 'none') => (of: readonly WeightedList[], window: number) =>
    linear(
      of.map((one) => ({ ...one, normalizer })),
      window,
    );
const METHODS = [
  ['rrf', (of: readonly WeightedList[], window: number) => rrf(of, 60, window)],
  ['rrf without a constant', (of: readonly WeightedList[], window: number) => rrf(of, 0, window)],
  ['linear by min-max', scaled('minmax')],
  ['linear by length', scaled('l2_norm')],
  ['linear of raw scores', scaled('none')],
] as const;

const shown = (fused: readonly FusedHit[]) => fused.map(({ hit, score }) => [hit.id, score]);

describe.each(METHODS)('%s', (_name, fuseAll) => {
  test('gives the same first n, however deep the lists are beyond n', () => {
    fc.assert(
      fc.property(
        lists,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 50 }),
        (of, window, n) => {
          const depth = Math.max(window, n);
          const cut = of.map((one) => ({ ...one, hits: one.hits.slice(0, depth) }));
          expect(shown(fuseAll(cut, window)).slice(0, n)).toEqual(
            shown(fuseAll(of, window)).slice(0, n),
          );
        },
      ),
    );
  });

  test('never rises from a hit to the next', () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 20 }), (of, window) => {
        const fused = fuseAll(of, window);
        for (const [i, one] of fused.entries()) {
          const next = fused[i + 1];
          if (next !== undefined) expect(compareFused(one, next)).toBeLessThan(0);
        }
      }),
    );
  });
});

test('below the window a document counts by its best place alone', () => {
  const hits = (...ids: string[]) => ids.map((id, i) => ({ index: 'i', id, score: 10 - i }));
  const of = [
    { hits: hits('a', 'b', 'x'), weight: 1 },
    { hits: hits('a', 'c', 'x'), weight: 1 },
  ];
  expect(shown(rrf(of, 1, 2))).toEqual([
    ['a', 1],
    ['b', 1 / 3],
    ['c', 1 / 3],
    ['x', 1 / 4],
  ]);
  expect(shown(rrf(of, 1, 3)).find(([id]) => id === 'x')).toEqual(['x', 1 / 2]);
});

test('below the window nothing is left of a score by min-max', () => {
  expect(minMax([4, 3, 2, 1], 3)).toEqual([1, 0.5, 0, 0]);
  expect(minMax([2, 2, 2, 1], 2)).toEqual([1, 1, 1, 0]);
});
