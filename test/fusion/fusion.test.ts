// Fusion by examples: ties, duplicates, constant lists, the numbers of the definitions.
import { describe, expect, test } from 'vitest';
import { linear } from '../../src/fusion/linear.ts';
import { l2Norm, minMax } from '../../src/fusion/normalizers.ts';
import { rrf } from '../../src/fusion/rrf.ts';
import { breakTies, tiesOf } from '../../src/fusion/ties.ts';

/** "id:score" of index `i`. */
const hits = (...given: readonly string[]) =>
  given.map((one) => {
    const [id = '', score = '1'] = one.split(':');
    return { index: 'i', id, score: Number(score) };
  });
const ids = (fused: readonly { readonly hit: { readonly id: string } }[]) =>
  fused.map((one) => one.hit.id).join(' ');

test('rrf adds weight over constant plus rank, ranks from 1', () => {
  const fused = rrf([
    { hits: hits('a', 'b'), weight: 1 },
    { hits: hits('b', 'c'), weight: 0.5 },
  ]);
  expect(ids(fused)).toBe('b a c');
  expect(fused[0]?.score).toBeCloseTo(1 / 62 + 0.5 / 61, 12);
  expect(fused[0]?.shares).toEqual([
    { rank: 2, share: 1 / 62 },
    { rank: 1, share: 0.5 / 61 },
  ]);
  expect(fused[2]?.shares[0]).toBeUndefined();
});

test('a smaller rank constant makes the first places count more', () => {
  const lists = [
    { hits: hits('top', 'both'), weight: 1 },
    { hits: hits('x', 'both'), weight: 1 },
  ];
  expect(ids(rrf(lists, 60))).toBe('both top x');
  expect(ids(rrf(lists, 0))).toBe('top x both');
  expect(rrf(lists, 0).map((one) => one.score)).toEqual([1, 1, 1]);
});

test('linear adds scores between the worst and the best of each list', () => {
  const fused = linear([
    { hits: hits('a:10', 'b:6', 'c:2'), weight: 0.5 },
    { hits: hits('c:0.9', 'b:0.8', 'd:0.4'), weight: 0.5 },
  ]);
  expect(ids(fused)).toBe('b a c d');
  expect(fused[0]?.score).toBeCloseTo(0.25 + 0.4, 12);
  expect(fused[3]?.score).toBe(0);
});

test('a list of equal scores counts 1 for its members', () => {
  const fused = linear([{ hits: hits('a:3', 'b:3'), weight: 0.7 }]);
  expect(fused.map((one) => one.score)).toEqual([0.7, 0.7]);
  expect(linear([{ hits: hits('a:0'), weight: 1 }])[0]?.score).toBe(1);
});

test('ties go to the better rank, then to index and id', () => {
  const lists = [
    { hits: [{ index: 'b', id: '2', score: 1 }], weight: 1 },
    { hits: [{ index: 'b', id: '10', score: 1 }], weight: 1 },
    { hits: [{ index: 'a', id: '9', score: 1 }], weight: 1 },
  ];
  const names = rrf(lists).map(({ hit }) => `${hit.index}/${hit.id}`);
  expect(names).toEqual(['a/9', 'b/10', 'b/2']);
  const byRank = linear([{ hits: hits('z:1', 'a:1'), weight: 1 }]);
  expect(ids(byRank)).toBe('z a');
});

test('equal ids of different indexes are different documents, whatever their names', () => {
  const fused = rrf([
    {
      hits: [
        { index: 'a', id: 'b1', score: 2 },
        { index: 'ab', id: '1', score: 1 },
      ],
      weight: 1,
    },
  ]);
  expect(fused).toHaveLength(2);
});

test('of a document that a list has twice the first place counts', () => {
  const [first, ...others] = rrf([{ hits: hits('a:5', 'a:1'), weight: 1 }], 1);
  expect(first?.score).toBe(1 / 2);
  expect(first?.hit.score).toBe(5);
  expect(others).toEqual([]);
});

test('the hit is taken from the list where it ranks best', () => {
  const low = { index: 'i', id: 'x', score: 0.1, from: 'low' };
  const high = { index: 'i', id: 'x', score: 9, from: 'high' };
  const other = { index: 'i', id: 'y', score: 0.2, from: 'low' };
  const fused = rrf([
    { hits: [other, low], weight: 1 },
    { hits: [high], weight: 1 },
  ]);
  expect(fused[0]?.hit.from).toBe('high');
});

test('nothing fuses to nothing', () => {
  expect(rrf([])).toEqual([]);
  expect(linear([{ hits: [], weight: 1 }])).toEqual([]);
});

test('min-max spans 0 to 1, also over the whole range of numbers', () => {
  expect(minMax([3, 2, 1])).toEqual([1, 0.5, 0]);
  expect(minMax([])).toEqual([]);
  const most = Number.MAX_VALUE;
  expect(minMax([most, 0, -most])).toEqual([1, 0.5, 0]);
  expect(minMax([5e-324, 0])).toEqual([1, 0]);
});

test('the l2 norm makes the scores a vector of unit length', () => {
  expect(l2Norm([3, 4])).toEqual([0.6, 0.8]);
  expect(l2Norm([])).toEqual([]);
  expect(l2Norm([0, 0])).toEqual([0, 0]);
});

test('each list has a normalizer of its own', () => {
  const fused = linear([
    { hits: hits('a:3', 'b:4'), weight: 1, normalizer: 'l2_norm' },
    { hits: hits('c:7', 'a:5'), weight: 2, normalizer: 'none' },
    { hits: hits('b:9', 'a:1'), weight: 0.5 },
  ]);
  expect(Object.fromEntries(fused.map((one) => [one.hit.id, one.score]))).toEqual({
    a: 10.6,
    b: 1.3,
    c: 14,
  });
});

describe('ties', () => {
  const lists = [
    { hits: hits('1:2', 'x:1'), weight: 1 },
    { hits: hits('2:2', 'y:1'), weight: 1 },
    { hits: hits('3:2', 'z:1'), weight: 0.5 },
  ];
  const fused = rrf(lists);

  test('are runs of documents that only ids tell apart', () => {
    expect(ids(fused)).toBe('1 2 x y 3 z');
    expect(tiesOf(fused, 6)).toEqual([
      { from: 0, to: 2 },
      { from: 2, to: 4 },
    ]);
  });

  test('beyond the end do not matter, one that crosses it does', () => {
    expect(tiesOf(fused, 0)).toEqual([]);
    expect(tiesOf(fused, 1)).toEqual([{ from: 0, to: 2 }]);
    expect(tiesOf(fused, 100)).toHaveLength(2);
  });

  test('are broken by the ids of their members, and nothing else moves', () => {
    const names: Readonly<Record<string, string>> = { '1': 'b', '2': 'a', x: 'c', y: 'd' };
    const ordered = breakTies(fused, tiesOf(fused, 6), ({ id }) => names[id] ?? '');
    expect(ids(ordered)).toBe('2 1 x y 3 z');
    expect(ordered[0]).toBe(fused[1]);
  });

  test('of different indexes are none', () => {
    const other = [{ hits: [{ index: 'j', id: '1', score: 2 }], weight: 1 }, ...lists.slice(1)];
    expect(tiesOf(rrf(other), 1)).toEqual([]);
  });
});
