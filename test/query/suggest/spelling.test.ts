// Selection of candidate words: thresholds, modes, order, and the number of words examined.
import { expect, test } from 'vitest';
import {
  compareTerms,
  DEFAULT_CHECKER,
  type SpellChecker,
  spell,
} from '../../../src/query/suggest/spelling.ts';

const CANDIDATES = [
  { term: 'lucene', edits: 0, documents: 2 },
  { term: 'lucena', edits: 1, documents: 1 },
  { term: 'lucenes', edits: 1, documents: 4 },
  { term: 'ducene', edits: 1, documents: 9 },
  { term: 'lumens', edits: 2, documents: 7 },
  { term: 'ducens', edits: 2, documents: 8 },
];

function words(given: Partial<SpellChecker>, documents = 1000, most = 5): string {
  const checker = { ...DEFAULT_CHECKER, mode: 'always' as const, ...given };
  return spell('lucene', CANDIDATES, documents, checker, most)
    .map(({ term, documents: count }) => `${term}:${count}`)
    .join(' ');
}

test('the best are the nearest, then the most frequent, then by name', () => {
  expect(words({})).toBe('ducene:9 lucenes:4 lucena:1 lumens:7');
  expect(words({ sort: 'frequency' })).toBe('ducene:9 lumens:7 lucenes:4 lucena:1');
  expect(words({}, 1000, 2)).toBe('ducene:9 lucenes:4');
});

test('two edits count behind a first letter that is the same, and where one leaves room', () => {
  expect(words({ maxEdits: 1 })).toBe('ducene:9 lucenes:4 lucena:1');
  expect(words({ maxInspections: 1 }, 1000, 3)).toBe('ducene:9 lucenes:4 lucena:1');
  expect(words({ accuracy: 0.9 })).toBe('');
});

test('what is frequent enough is not corrected', () => {
  expect(words({ mode: 'missing' })).toBe('');
  expect(words({ mode: 'popular' })).toBe('ducene:9 lucenes:4 lumens:7');
  expect(words({}, 100)).toBe('');
  expect(words({}, 101)).toBe('ducene:9 lucenes:4 lucena:1 lumens:7');
  expect(words({ maxTermFreq: 1 })).toBe('');
  expect(words({ maxTermFreq: 2 })).toBe('ducene:9 lucenes:4 lucena:1 lumens:7');
});

test('suggestions are frequent enough', () => {
  expect(words({ minDocFreq: 4 })).toBe('ducene:9 lumens:7');
  expect(words({ minDocFreq: Math.fround(0.006) })).toBe('ducene:9 lumens:7');
  expect(words({ minWordLength: 7 })).toBe('');
  expect(words({ minWordLength: 6 })).not.toBe('');
});

test('terms are compared by their bytes', () => {
  expect(compareTerms('a', 'a')).toBe(0);
  expect(compareTerms('a', 'ab')).toBe(-1);
  expect(compareTerms('ab', 'a')).toBe(1);
  expect(compareTerms('\u{1f98a}', '\uffee')).toBeGreaterThan(0);
});
