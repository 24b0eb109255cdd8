// Slices over shards: each document of each shard is in exactly one slice, and shards are split
// only if necessary.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slicedGroups } from '../../src/coordinator/search/slices.ts';
import type { SearchedIndex, TargetGroup } from '../../src/coordinator/shards/search-targets.ts';

function group(...indexes: readonly (readonly [number, number])[]): TargetGroup {
  const entries = indexes.map(([number, shards]) => ({
    name: `i${number}`,
    number,
    shards,
    behaviour: { maxSlices: 1024 },
  }));
  return { filters: [], entries: entries as unknown as readonly SearchedIndex[] };
}

/** `index/shard` and, if the shard is split, the number of the part and the count of parts. */
function partsOf(groups: readonly TargetGroup[]): readonly string[] {
  return groups.flatMap(({ entries, slice }) =>
    entries.flatMap(({ number, searched = [] }) =>
      searched.map((shard) =>
        slice === undefined ? `${number}/${shard}` : `${number}/${shard} ${slice.id}/${slice.max}`,
      ),
    ),
  );
}

test.each<[number, number, readonly string[]]>([
  [5, 2, ['1/0', '1/2', '1/4']],
  [2, 2, ['1/0']],
  [1, 3, ['1/0 0/3']],
  [2, 5, ['1/0 0/3']],
  [3, 4, ['1/0 0/2']],
])('of %i shards the first of %i slices is %j', (shards, max, parts) => {
  expect(partsOf(slicedGroups([group([1, shards])], { id: 0, max }))).toEqual(parts);
});

test('all slices together are every part of every shard once', () => {
  const shards = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(
      fc.array(shards, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 2, max: 30 }),
      (counts, max) => {
        const groups = [group(...counts.map((count, i) => [i, count] as const))];
        const all = Array.from({ length: max }, (_, id) =>
          partsOf(slicedGroups(groups, { id, max })),
        ).flat();
        expect(new Set(all).size).toBe(all.length);
        for (const [index, count] of counts.entries()) {
          for (let shard = 0; shard < count; shard++) {
            const own = all.filter((part) => part.split(' ')[0] === `${index}/${shard}`);
            const [, of] = (own[0] ?? '').split(' ');
            expect(own).toHaveLength(of === undefined ? 1 : Number(of.split('/')[1]));
          }
        }
      },
    ),
  );
});

test('no slice is everything, and too many are refused', () => {
  const groups = [group([1, 2])];
  expect(slicedGroups(groups, undefined)).toBe(groups);
  expect(() => slicedGroups(groups, { id: 0, max: 1025 })).toThrow(
    'The number of slices [1025] is too large. It must be less than [1024].',
  );
});
