// The corrections that the search keeps are the best of all combinations, found by enumeration.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runToCompletion } from '../../../src/base/cooperative-task.ts';
import {
  type Channel,
  type Correction,
  correct,
  joinWords,
  neededRuns,
  type WordCandidate,
  type WordSet,
} from '../../../src/query/suggest/corrections.ts';
import {
  likelihood,
  type RunCounts,
  type Smoothing,
} from '../../../src/query/suggest/smoothing.ts';

const smoothing = fc.constantFrom<Smoothing>(
  { kind: 'stupid_backoff', discount: 0.4 },
  { kind: 'laplace', alpha: 0.5 },
  { kind: 'linear_interpolation', trigram: 0.5, bigram: 0.3, unigram: 0.2 },
);
const candidate = (term: string, userInput: boolean): fc.Arbitrary<WordCandidate> =>
  fc
    .record({
      occurrences: fc.nat(20),
      likeness: userInput ? fc.constant(1) : fc.constantFrom(0.6, 0.75, 0.8, 0.95),
    })
    .map(({ occurrences, likeness }) => ({
      term,
      documents: occurrences,
      occurrences,
      likeness,
      score: 0,
      userInput,
    }));
const set = (at: number): fc.Arbitrary<WordSet> =>
  fc.record({
    original: candidate(`w${at}`, true),
    candidates: fc
      .nat(3)
      .chain((count) =>
        fc.tuple(...Array.from({ length: count }, (_, i) => candidate(`w${at}${'abc'[i]}`, false))),
      ),
  });
const sets = fc
  .integer({ min: 1, max: 4 })
  .chain((words) => fc.tuple(...Array.from({ length: words }, (_, at) => set(at))));
const channel = fc.record({
  realWordLikelihood: fc.constant(Math.fround(0.95)),
  gramSize: fc.integer({ min: 1, max: 4 }),
  smoothing,
  maxErrors: fc.constantFrom(0.5, 1, 2, 9),
  confidence: fc.constantFrom(0, 0.5, 1, 2),
  most: fc.integer({ min: 1, max: 8 }),
});

/** All combinations in turn. */
function combinations(words: readonly WordSet[], errors: number): readonly WordCandidate[][] {
  const [first, ...rest] = words;
  if (first === undefined) return [[]];
  const kept = combinations(rest, errors).map((others) => [first.original, ...others]);
  if (errors === 0) return kept;
  const changed = first.candidates.flatMap((one) =>
    combinations(rest, errors - 1).map((others) => [one, ...others]),
  );
  return [...kept, ...changed];
}

function scored(words: readonly WordCandidate[], counts: RunCounts, given: Channel): Correction {
  let logs = 0;
  for (const [at, word] of words.entries()) {
    const depth = Math.min(at, given.gramSize - 1, 2);
    const before = [words[at - 1], words[at - 2]].slice(0, depth) as WordCandidate[];
    const channelScore = word.likeness === 1 ? given.realWordLikelihood : word.likeness;
    logs += Math.log10(channelScore * likelihood(given.smoothing, word, before, counts));
  }
  return { words, score: Math.exp(logs) };
}

test('the best of all combinations, and no other counts are needed than were asked for', () => {
  fc.assert(
    fc.property(sets, channel, fc.nat(1000), (words, given, salt) => {
      const requested = new Set(neededRuns(words, given).map((run) => joinWords(run)));
      const counts: RunCounts = {
        of: (...run) => {
          const text = joinWords(run as readonly WordCandidate[]);
          expect(requested.has(text)).toBe(true);
          return (text.length * 31 + salt + text.charCodeAt(text.length - 1)) % 7;
        },
        words: 500,
        differentTerms: 50,
      };
      const errors =
        given.maxErrors >= 1
          ? given.maxErrors
          : Math.max(1, Math.round(given.maxErrors * words.length));
      const all = combinations(words, errors).map((one) => scored(one, counts, given));
      const text = scored(
        words.map(({ original }) => original),
        counts,
        given,
      );
      const cutoff = given.confidence === 0 ? Number.MIN_VALUE : text.score * given.confidence;
      const best = all
        .filter(({ score }) => score > cutoff)
        .sort((a, b) => b.score - a.score || (joinWords(a.words) < joinWords(b.words) ? -1 : 1))
        .slice(0, given.most);
      const found = runToCompletion(correct(words, counts, given));
      expect(found.cutoff).toBe(cutoff);
      expect(found.corrections.map(({ words: one, score }) => [joinWords(one), score])).toEqual(
        best.map(({ words: one, score }) => [joinWords(one), score]),
      );
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) },
  );
});

test('runs of changed words stand between one pair of tags', () => {
  const word = (term: string, userInput: boolean): WordCandidate => ({
    term,
    documents: 0,
    occurrences: 0,
    likeness: 1,
    score: 0,
    userInput,
  });
  const words = [
    word('a', true),
    word('b', false),
    word('c', false),
    word('d', true),
    word('e', false),
  ];
  expect(joinWords(words)).toBe('a b c d e');
  expect(joinWords(words, { pre: '<', post: '>' })).toBe('a <b c> d <e>');
});

test('a request for too many counts is refused', () => {
  const wide: WordSet = {
    original: { term: 'w', documents: 1, occurrences: 1, likeness: 1, score: 1, userInput: true },
    candidates: Array.from({ length: 60 }, (_, i) => ({
      term: `w${i}`,
      documents: 1,
      occurrences: 1,
      likeness: 0.8,
      score: 1,
      userInput: false,
    })),
  };
  const given: Channel = {
    realWordLikelihood: 0.95,
    gramSize: 3,
    smoothing: { kind: 'laplace', alpha: 0.5 },
    maxErrors: 1,
    confidence: 1,
    most: 5,
  };
  expect(() => neededRuns([wide, wide, wide], given)).toThrow('230763 runs of words');
  const pairs = { ...given, gramSize: 2, maxErrors: 0.5 };
  expect(() => neededRuns(Array(9).fill(wide), { ...pairs, most: 10 })).toThrow('29829 runs');
  expect(neededRuns(Array(9).fill(wide), { ...pairs, most: 1 }).length).toBeGreaterThan(29_829);
  const alone = { ...wide, candidates: [] };
  expect(neededRuns(Array(9).fill(alone), { ...pairs, most: 2_000_000 })).toHaveLength(17);
});
