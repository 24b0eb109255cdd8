// The selection of terms of `more_like_this`: the terms and boosts that Elasticsearch 8.19 selects
// among words of equal scores, and a naive selection.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  frequentWords,
  type InterestingTerm,
  interestingTerms,
  isNoise,
  type WordDocuments,
} from '../../src/query/interesting-terms.ts';
import type { TermSelection } from '../../src/query/more-like-this.ts';

const WORDS =
  'amber birch cedar delta ember fjord grove haven islet joust karst lemon maple nylon ochre pearl quartz raven sable tulip umber vapor willow xenon yucca zephyr Aa BB AaAa BBBB AaBB'.split(
    ' ',
  );
const every: TermSelection = {
  maxQueryTerms: 25,
  minTermFreq: 1,
  minDocFreq: 1,
  maxDocFreq: 2 ** 31 - 1,
  minWordLength: 0,
  maxWordLength: 0,
  stopWords: new Set(),
  boostTerms: 0,
};

/** Every third word is in both of two documents, the others in one. */
const documentsOf: ReadonlyMap<string, WordDocuments> = new Map(
  WORDS.map((word, at) => [word, { field: 't', documents: at % 3 === 0 ? 2 : 1 }]),
);

function select(
  words: ReadonlyMap<string, number>,
  of: ReadonlyMap<string, WordDocuments>,
  documents: number,
  selection: TermSelection,
): readonly InterestingTerm[] {
  return interestingTerms(frequentWords(words, selection), words, of, documents, selection);
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

describe('among words of equal scores', () => {
  const selected = (words: readonly string[], maxQueryTerms: number): string =>
    select(counted(words), documentsOf, 2, { ...every, maxQueryTerms })
      .map(({ term }) => term)
      .join(' ');

  test.each([
    [WORDS, 7, 'fjord zephyr ochre islet xenon cedar Aa'],
    [WORDS.slice(0, 9), 4, 'ember haven fjord cedar'],
    [WORDS.toSorted(), 12, 'haven umber lemon fjord cedar zephyr AaAa ochre islet xenon BBBB Aa'],
    [[...WORDS, 'lemon', 'lemon', 'maple'], 5, 'xenon islet ochre maple lemon'],
  ])('those of Elasticsearch are selected, in its order (%#)', (words, most, terms) => {
    expect(selected(words, most)).toBe(terms);
  });
});

test('a word is noise by its length in UTF-16 units, or as a stop word', () => {
  const selection = { ...every, minWordLength: 2, maxWordLength: 4, stopWords: new Set(['the']) };
  const noise = ['a', 'ab', '😀', 'the', 'four', 'fiver'].filter((word) =>
    isNoise(word, selection),
  );
  expect(noise).toEqual(['a', 'the', 'fiver']);
  expect(isNoise('a'.repeat(1000), every)).toBe(false);
});

test('words that are too rare in the examples are not looked up', () => {
  const words = new Map([
    ['once', 1],
    ['twice', 2],
  ]);
  expect(frequentWords(words, { ...every, minTermFreq: 2 })).toEqual(['twice']);
});

const counts = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 3 }),
  fc.record({ count: fc.integer({ min: 1, max: 6 }), having: fc.integer({ min: 0, max: 40 }) }),
  { maxKeys: 80 },
);
const limits = fc.record({
  maxQueryTerms: fc.integer({ min: 1, max: 30 }),
  minTermFreq: fc.integer({ min: 0, max: 3 }),
  minDocFreq: fc.integer({ min: 0, max: 5 }),
  maxDocFreq: fc.integer({ min: 10, max: 50 }),
});

test('the scores of the selected terms are the best of all, as by sorting them', () => {
  fc.assert(
    fc.property(counts, limits, (given, limit) => {
      const documents = 1000;
      const selection = { ...every, ...limit };
      const naive = Object.values(given)
        .filter(({ count }) => count >= limit.minTermFreq)
        .filter(({ having }) => having > 0 && having >= limit.minDocFreq)
        .filter(({ having }) => having <= limit.maxDocFreq)
        .map(({ count, having }) =>
          Math.fround(count * Math.fround(Math.log((documents + 1) / (having + 1)) + 1)),
        )
        .sort((a, b) => b - a)
        .slice(0, limit.maxQueryTerms);
      const entries = Object.entries(given);
      const found = select(
        new Map(entries.map(([word, { count }]) => [word, count])),
        new Map(entries.map(([word, { having }]) => [word, { field: 't', documents: having }])),
        documents,
        selection,
      );
      expect(found.map(({ score }) => score)).toEqual(naive.toReversed());
      expect(new Set(found.map(({ term }) => term)).size).toBe(found.length);
    }),
  );
});
