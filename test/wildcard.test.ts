// Patterns with stars.
import { expect, test } from 'vitest';
import { patternMatcher } from '../src/base/wildcard.ts';

test.each([
  ['*', '', true],
  ['*', 'anything', true],
  ['a*', 'a', true],
  ['a*', 'ba', false],
  ['*a', 'ba', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'axbxc', true],
  ['a*b*c', 'axcxb', false],
  ['*ab*ab*', 'abab', true],
  ['*ab*ab*', 'aba', false],
  ['a*bc*c', 'abc', false],
  ['plain', 'plain', true],
  ['a.b', 'axb', false],
])('[%s] against [%s] is %s', (pattern, name, expected) => {
  expect(patternMatcher(pattern)(name)).toBe(expected);
});

test('many stars do not make it slow', () => {
  expect(patternMatcher('*a'.repeat(500))('a'.repeat(499))).toBe(false);
});
