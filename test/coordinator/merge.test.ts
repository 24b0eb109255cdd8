// Merging the lists of shards: the same order as sorting everything together, for any distribution
// over shards.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkMergeable,
  mergeRanked,
  type RankedList,
} from '../../src/coordinator/shards/merge.ts';
import { compareHits } from '../../src/wire/hit-order.ts';
import { readSearchReply } from '../../src/wire/hits-reader.ts';
import { type ShardSample, searchReply } from './replies.ts';

function lists(samples: readonly (ShardSample & { readonly name: string })[]): RankedList[] {
  const { shards } = readSearchReply(searchReply(samples));
  return shards.map((shard, i) => {
    const leg = shard.ok ? shard.legs[0] : undefined;
    if (leg === undefined) throw new Error('no leg');
    return { indexName: samples[i]?.name ?? '', hits: leg };
  });
}

const seqNos = (merged: ReturnType<typeof mergeRanked>, input: RankedList[]): unknown[] =>
  merged.map(({ list, hit }) => [input[list]?.indexName, input[list]?.hits.seqNos[hit]]);

describe('merging by score', () => {
  test('ties fall to the index name, then to insertion order', () => {
    const input = lists([
      { name: 'b', index: 2, shard: 0, scores: [2, 1], seqNos: [0n, 1n] },
      { name: 'a', index: 1, shard: 1, scores: [2, 1], seqNos: [5n, 9n] },
      { name: 'a', index: 1, shard: 0, scores: [2, 1], seqNos: [4n, 10n] },
    ]);
    expect(seqNos(mergeRanked(input, [], 0, 10), input)).toEqual([
      ['a', 4n],
      ['a', 5n],
      ['b', 0n],
      ['a', 9n],
      ['a', 10n],
      ['b', 1n],
    ]);
  });

  test('pages are cuts of one order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.nat(20),
        fc.nat(10),
        (shards, from, size) => {
          let next = 0n;
          const input = lists(
            shards.map((scores, i) => ({
              name: i % 2 === 0 ? 'a' : 'b',
              index: i % 2,
              shard: i,
              scores: [...scores].sort((x, y) => y - x),
              seqNos: scores.map(() => next++),
            })),
          );
          const all = input.flatMap((list, i) =>
            Array.from({ length: list.hits.hits }, (_, hit) => ({ list: i, hit })),
          );
          const sorted = all.sort((x, y) =>
            compareHits(input[x.list] as RankedList, x.hit, input[y.list] as RankedList, y.hit, []),
          );
          expect(mergeRanked(input, [], from, size)).toEqual(sorted.slice(from, from + size));
        },
      ),
    );
  });
});

describe('merging by sort keys', () => {
  const sorted = (values: readonly (bigint | null)[], name: string, shard: number) => ({
    name,
    index: 1,
    shard,
    scores: values.map(() => Number.NaN),
    seqNos: values.map((_, i) => BigInt(shard * 10 + i)),
    sort: [{ kind: 'int' as const, values }],
  });

  test('descending with missing values last', () => {
    const input = lists([sorted([9n, 3n, null], 'a', 0), sorted([5n, null], 'a', 1)]);
    const order = [{ descending: true, missingFirst: false }];
    expect(
      seqNos(mergeRanked(input, order, 0, 10), input).map((row) => (row as unknown[])[1]),
    ).toEqual([0n, 10n, 1n, 2n, 11n]);
  });

  test('missing values first', () => {
    const input = lists([sorted([null, 3n], 'a', 0), sorted([null, 1n], 'a', 1)]);
    const order = [{ descending: false, missingFirst: true }];
    expect(
      seqNos(mergeRanked(input, order, 0, 10), input).map((row) => (row as unknown[])[1]),
    ).toEqual([0n, 10n, 11n, 1n]);
  });

  test('numbers and texts under one key are refused by name', () => {
    const input = lists([
      sorted([1n], 'a', 0),
      {
        name: 'b',
        index: 2,
        shard: 0,
        scores: [Number.NaN],
        seqNos: [0n],
        sort: [{ kind: 'string', values: ['x'] }],
      },
    ]);
    expect(() => checkMergeable(input, ['price'])).toThrowError(
      "Can't sort on field [price]; the field has incompatible sort types: [number] in [a] and [string] in [b]",
    );
  });

  test('a column of nulls fits any other', () => {
    const input = lists([
      sorted([null], 'a', 0),
      {
        name: 'b',
        index: 2,
        shard: 0,
        scores: [Number.NaN],
        seqNos: [0n],
        sort: [{ kind: 'string', values: ['x'] }],
      },
    ]);
    expect(() => checkMergeable(input, ['price'])).not.toThrow();
  });
});
