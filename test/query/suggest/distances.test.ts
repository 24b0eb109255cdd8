// String distances compared with the values of their authors and of Lucene's tests.
import { expect, test } from 'vitest';
import { editLikeness, measureOf } from '../../../src/query/suggest/distances.ts';

const of = (distance: Parameters<typeof measureOf>[0], a: string, b: string): number =>
  measureOf(distance)?.(a, b) ?? Number.NaN;

test.each([
  ['levenshtein', 'al', 'al', 1],
  ['levenshtein', 'martha', 'marhta', 0.66667],
  ['levenshtein', 'jones', 'johnson', 0.42857],
  ['levenshtein', 'abcvwxyz', 'cabvwxyz', 0.75],
  ['levenshtein', 'dwayne', 'duane', 0.66667],
  ['levenshtein', 'dixon', 'dicksonx', 0.5],
  ['levenshtein', 'six', 'ten', 0],
  ['damerau_levenshtein', 'al', 'al', 1],
  ['damerau_levenshtein', 'martha', 'marhta', 0.83333],
  ['damerau_levenshtein', 'jones', 'johnson', 0.2],
  ['damerau_levenshtein', 'fghij', 'gfhij', 0.8],
  ['damerau_levenshtein', '🦊ab', 'a🦊b', 0.66667],
  ['jaro_winkler', 'al', 'al', 1],
  ['jaro_winkler', 'martha', 'marhta', 0.96111],
  ['jaro_winkler', 'jones', 'johnson', 0.83238],
  ['jaro_winkler', 'abcvwxyz', 'cabvwxyz', 0.95833],
  ['jaro_winkler', 'dwayne', 'duane', 0.84],
  ['jaro_winkler', 'dixon', 'dicksonx', 0.8133],
  ['jaro_winkler', 'six', 'ten', 0],
  ['ngram', 'al', 'al', 1],
  ['ngram', 'a', 'a', 1],
  ['ngram', 'b', 'a', 0],
  ['ngram', 'martha', 'marhta', 0.66667],
  ['ngram', 'natural', 'contrary', 0.25],
  ['ngram', 'abcvwxyz', 'cabvwxyz', 0.625],
  ['ngram', 'dwayne', 'duane', 0.58333],
  ['ngram', 'dixon', 'dicksonx', 0.5],
  ['ngram', 'six', 'ten', 0],
] as const)('%s of %s and %s', (distance, a, b, expected) => {
  expect(of(distance, a, b)).toBeCloseTo(expected, 3);
  expect(of(distance, b, a)).toBeCloseTo(expected, 3);
});

test('edits count against the shorter word, in characters', () => {
  expect(editLikeness(1, 'amsterdma', 'amsterdam')).toBe(Math.fround(1 - Math.fround(1 / 9)));
  expect(editLikeness(2, '🦊🦊🦊🦊', '🦊🦊')).toBe(0);
});
