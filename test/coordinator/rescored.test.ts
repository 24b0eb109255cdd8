// The page of a search with `rescore`: it is in the order of the new scores, and a time slice does
// not grow with the number of hits.
import { describe, expect, it } from 'vitest';
import { type RescoredHit, rescored } from '../../src/coordinator/page/rescored.js';
import { atOnce, type CooperativeTask } from '../../src/query/aggs/steps.js';
import type { Rescore } from '../../src/query/rescore.js';
import type { RankedList } from '../../src/wire/hit-order.js';

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A shard's list, best first; every third hit does not match the rescore query. */
function list(indexName: string, size: number, seed: number): RankedList {
  const next = random(seed);
  const scores = Float32Array.from({ length: size }, () => Math.fround(next() * 10))
    .sort()
    .reverse();
  const seconds = Array.from({ length: size }, (_, i) => (i % 3 === 0 ? null : next() * 10));
  const column = { reader: () => (hit: number) => seconds[hit] ?? null };
  const hits = {
    hits: size,
    maxScore: scores[0] ?? null,
    scores,
    docs: Uint32Array.from(scores.keys()),
    seqNos: BigUint64Array.from(scores, (_, i) => BigInt(i)),
    sort: [column],
  };
  return { indexName, hits } as unknown as RankedList;
}

const TOTAL = {
  mode: 'total',
  queryWeight: 1,
  rescoreWeight: 2,
  window: 50,
} as unknown as Rescore;

function stepsOf(work: CooperativeTask<readonly RescoredHit[]>): number {
  let steps = 0;
  while (work.next().done !== true) steps += 1;
  return steps;
}

describe('rescored', () => {
  it('adds to the first of all lists, and to those alone', () => {
    const lists = [list('a', 60, 1), list('b', 60, 2)];
    const hits = atOnce(rescored(lists, [TOTAL], 80));
    expect(hits).toHaveLength(80);
    expect(hits.filter(({ seconds }) => seconds[0] !== undefined)).toHaveLength(50);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const { list: at, hit, score, seconds } of hits) {
      const first = lists[at]?.hits.scores[hit] ?? Number.NaN;
      const second = Math.fround(2 * (seconds[0] ?? 0));
      expect(score).toBe(Math.fround(first + second));
    }
  });

  it('may be left after every few hits', () => {
    const steps = (size: number): number =>
      stepsOf(rescored([list('a', size, 3), list('b', size, 4)], [TOTAL], 2 * size));
    expect(steps(5000)).toBeGreaterThan(2 * (10_000 / 64));
    expect(steps(5000)).toBeGreaterThan(8 * steps(500));
  });
});
