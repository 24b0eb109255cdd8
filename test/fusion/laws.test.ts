// Laws of fusion that hold for rrf and linear, and both compared with naive references written from
// their definitions.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareFused, type FusedHit, type WeightedList } from '../../src/fusion/fuse.ts';
import { linear } from '../../src/fusion/linear.ts';
import { rrf } from '../../src/fusion/rrf.ts';

const RANK_CONSTANT = 7;
const fusions = [
  ['rrf', (lists: readonly WeightedList[]) => rrf(lists, RANK_CONSTANT)],
  ['linear', (lists: readonly WeightedList[]) => linear(lists)],
] as const;

const hit = fc.record({
  index: fc.constantFrom('a', 'b', 'ab'),
  id: fc.constantFrom('1', '2', '3', 'b1', '10', ''),
  // Few different values, so that ties are common, and a wide range.
  score: fc.oneof(fc.constantFrom(0, 1, 2, -3), fc.double({ noNaN: true, min: -1e6, max: 1e6 })),
});
const hits = fc
  .uniqueArray(hit, { maxLength: 12, selector: (one) => `${one.index}/${one.id}` })
  .map((list) => list.sort((a, b) => b.score - a.score));
const weight = fc.constantFrom(0, 0.3, 0.5, 0.7, 1, 2.5);
const list: fc.Arbitrary<WeightedList> = fc.record({ hits, weight });
const lists = fc.array(list, { maxLength: 4 });

const keyOf = (one: { readonly index: string; readonly id: string }): string =>
  JSON.stringify([one.index, one.id]);
const outline = (fused: readonly FusedHit[]): readonly unknown[] =>
  fused.map((one) => [keyOf(one.hit), one.score, one.bestRank]);

/** By the definitions, one document at a time. */
function referenceScore(name: string, given: readonly WeightedList[], key: string): number {
  let sum = 0;
  for (const one of given) {
    const at = one.hits.findIndex((candidate) => keyOf(candidate) === key);
    if (at < 0) continue;
    const scores = one.hits.map(({ score }) => score);
    const low = Math.min(...scores);
    const high = Math.max(...scores);
    const scaled = low === high ? 1 : ((scores[at] ?? 0) - low) / (high - low);
    sum += one.weight * (name === 'rrf' ? 1 / (RANK_CONSTANT + at + 1) : scaled);
  }
  return sum;
}

for (const [name, fuseBy] of fusions) {
  describe(name, () => {
    test('fusing one list keeps its order', () => {
      fc.assert(
        fc.property(hits, (given) => {
          const fused = fuseBy([{ hits: given, weight: 0.7 }]);
          expect(fused.map((one) => one.hit)).toEqual(given);
          expect(fused.map((one) => one.bestRank)).toEqual(given.map((_, i) => i + 1));
        }),
      );
    });

    test('a list of weight 0 is as good as not given', () => {
      fc.assert(
        fc.property(lists, hits, (given, extra) => {
          const fused = fuseBy([...given, { hits: extra, weight: 0 }]);
          expect(outline(fused)).toEqual(outline(fuseBy(given)));
          expect(fused.every((one) => one.shares[given.length] === undefined)).toBe(true);
        }),
      );
    });

    test('the order of the lists changes nothing', () => {
      fc.assert(
        fc.property(lists, fc.integer({ min: 0, max: 3 }), (given, turn) => {
          const turned = [...given.slice(turn), ...given.slice(0, turn)];
          expect(outline(fuseBy(turned))).toEqual(outline(fuseBy(given)));
          expect(outline(fuseBy([...given].reverse()))).toEqual(outline(fuseBy(given)));
        }),
      );
    });

    test('the order is total', () => {
      fc.assert(
        fc.property(lists, (given) => {
          const fused = fuseBy(given);
          for (const [i, one] of fused.entries()) {
            for (const later of fused.slice(i + 1))
              expect(compareFused(one, later)).toBeLessThan(0);
          }
        }),
      );
    });

    test('every document of a list that counts comes once', () => {
      fc.assert(
        fc.property(lists, (given) => {
          const expected = given.flatMap((one) => (one.weight === 0 ? [] : one.hits.map(keyOf)));
          const actual = fuseBy(given).map((one) => keyOf(one.hit));
          expect(actual.sort()).toEqual([...new Set(expected)].sort());
        }),
      );
    });

    test('scores equal the reference, shares add up to them', () => {
      fc.assert(
        fc.property(lists, (given) => {
          for (const one of fuseBy(given)) {
            const expected = referenceScore(name, given, keyOf(one.hit));
            expect(Math.abs(one.score - expected)).toBeLessThan(1e-9);
            const shared = one.shares.reduce((sum, share) => sum + (share?.share ?? 0), 0);
            expect(Math.abs(one.score - shared)).toBeLessThan(1e-9);
          }
        }),
      );
    });

    test('shares say the rank in each list', () => {
      fc.assert(
        fc.property(lists, (given) => {
          for (const one of fuseBy(given)) {
            for (const [i, share] of one.shares.entries()) {
              if (share === undefined) continue;
              const named = given[i]?.hits[share.rank - 1];
              expect(named && keyOf(named)).toBe(keyOf(one.hit));
            }
          }
        }),
      );
    });
  });
}
