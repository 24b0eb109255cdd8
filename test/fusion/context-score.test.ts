// Scores of memories in their context: every part by hand, links between them, and laws.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ContextScorer,
  type ContextWeights,
  type Findings,
  type Link,
} from '../../src/fusion/context-score.ts';

const WEIGHTS: ContextWeights = { neighbours: 0.3, session: 0.5, speaker: 0.3, phrase: 0.2 };
const NONE: ContextWeights = { neighbours: 0, session: 0, speaker: 0, phrase: 0 };
const LISTS = { words: 0.5, semantic: 0.5 };

function memory(id: string, more: Partial<Findings> = {}): Findings {
  return { id, words: 0, cosine: 0, phrase: 0, session: 0, isSpeaker: false, ...more };
}

const follows = (src: string, dst: string, strength = 1): Link => {
  return { src, dst, type: 'follows', strength };
};

function scores(
  pool: readonly Findings[],
  links: readonly Link[] = [],
  weights: ContextWeights | undefined = WEIGHTS,
) {
  const scorer = new ContextScorer(pool, LISTS, weights);
  return new Map(scorer.scores(pool, links).map((one, i) => [pool[i]?.id ?? '', one]));
}

describe('a memory by itself', () => {
  const pool = [
    memory('a', { words: 4, cosine: 0.2 }),
    memory('b', { words: 2, cosine: 0.4, phrase: 3 }),
    memory('c', { words: 1, cosine: -0.4, isSpeaker: true }),
  ];

  test('without context: half words and half meaning, each divided by its best', () => {
    const scorer = new ContextScorer(pool, LISTS, undefined);
    const sums = scorer.scores(pool, []).map(({ score }) => score);
    expect(sums).toEqual([0.5 + 0.25, 0.25 + 0.5, 0.125]);
    expect(pool.map((one) => scorer.base(one))).toEqual(sums);
  });

  test('with context: phrases add, the speaker multiplies, the best memory has 1', () => {
    const all = scores(pool);
    const best = 0.25 + 0.5 + 0.2;
    expect(all.get('b')).toMatchObject({ own: 1, words: 0.25, semantic: 0.5, phrase: 0.2 });
    expect(all.get('a')?.own).toBeCloseTo(0.75 / best, 12);
    expect(all.get('c')?.own).toBeCloseTo((0.125 * 1.3) / best, 12);
    expect(all.get('c')?.speaker).toBe(1.3);
  });

  test('a pool in which nothing fits scores 0', () => {
    const [only] = scores([memory('a')]).values();
    expect(only).toMatchObject({ score: 0, own: 0, session: 0 });
  });
});

describe('neighbours', () => {
  const pool = [memory('a', { words: 4 }), memory('b', { words: 2 }), memory('c')];

  test('the memory before and the one after add a share of their own scores', () => {
    const all = scores(pool, [follows('b', 'a'), follows('c', 'b', 0.5)]);
    expect(all.get('a')?.score).toBeCloseTo(1 + 0.3 * 0.5, 12);
    expect(all.get('b')?.score).toBeCloseTo(0.5 + 0.3, 12);
    expect(all.get('c')?.score).toBeCloseTo(0.3 * 0.5 * 0.5, 12);
    expect(all.get('b')?.neighbours).toEqual([{ id: 'a', type: 'follows', share: 0.3 }]);
  });

  test('one on each side: the best of several', () => {
    const all = scores(pool, [follows('c', 'b'), follows('c', 'a')]);
    expect(all.get('c')?.neighbours).toEqual([{ id: 'a', type: 'follows', share: 0.3 }]);
  });

  test('of links of other types the best counts, in both directions', () => {
    const because = (src: string, dst: string): Link => {
      return { src, dst, type: 'because_of', strength: 1 };
    };
    const all = scores(pool, [because('c', 'b'), because('a', 'c')]);
    expect(all.get('c')?.neighbours).toEqual([{ id: 'a', type: 'because_of', share: 0.3 }]);
    expect(all.get('a')?.neighbours).toEqual([]);
    expect(all.get('b')?.neighbours).toEqual([]);
  });

  test('links to others, and to itself, count nothing', () => {
    const all = scores(pool, [follows('a', 'x'), follows('a', 'a')]);
    expect(all.get('a')?.score).toBe(1);
  });
});

describe('the session', () => {
  test('adds its share to a memory that counts already, and to no other', () => {
    const pool = [
      memory('a', { words: 4, session: 2 }),
      memory('b', { words: 2, session: 8 }),
      memory('c', { session: 8 }),
    ];
    const all = scores(pool);
    expect(all.get('a')?.score).toBeCloseTo(1 + 0.125, 12);
    expect(all.get('b')?.score).toBeCloseTo(0.5 + 0.5, 12);
    expect(all.get('c')?.score).toBe(0);
  });
});

const findings = fc
  .array(
    fc.record({
      words: fc.double({ min: 0, max: 50, noNaN: true }),
      cosine: fc.double({ min: -1, max: 1, noNaN: true }),
      phrase: fc.double({ min: 0, max: 50, noNaN: true }),
      session: fc.double({ min: 0, max: 50, noNaN: true }),
      isSpeaker: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list) => list.map((one, i) => ({ id: String(i), ...one })));
const links = fc.array(
  fc.record({
    src: fc.nat(12).map(String),
    dst: fc.nat(12).map(String),
    type: fc.constantFrom('follows', 'mentions'),
    strength: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 20 },
);

describe('laws', () => {
  test('the score is the sum of its parts, finite and not negative', () => {
    fc.assert(
      fc.property(findings, links, (pool, joined) => {
        for (const one of scores(pool, joined).values()) {
          const around = one.neighbours.reduce((sum, { share }) => sum + share, one.own);
          expect(one.score).toBe(around + one.session);
          expect(Number.isFinite(one.score) && one.score >= 0).toBe(true);
          expect(one.own).toBeLessThanOrEqual(1);
          expect(one.neighbours.length).toBeLessThanOrEqual(3);
        }
      }),
    );
  });

  test('weights of 0 keep the order of words and meaning', () => {
    fc.assert(
      fc.property(findings, links, (pool, joined) => {
        const scorer = new ContextScorer(pool, LISTS, NONE);
        const all = scorer.scores(pool, joined);
        for (const [i, one] of pool.entries()) {
          for (const [j, other] of pool.entries()) {
            if (scorer.base(one) > scorer.base(other))
              expect(all[i]?.score).toBeGreaterThanOrEqual(all[j]?.score ?? 0);
          }
        }
      }),
    );
  });
});
