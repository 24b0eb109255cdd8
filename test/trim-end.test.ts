// Removing certain characters from the end of a string.
import { expect, test } from 'vitest';
import { trimEndOf } from '../src/base/trim-end.ts';

test.each([
  ['http://host//', '/', 'http://host'],
  ['a.b.,;', '.,;', 'a.b'],
  ['...', '.', ''],
  ['', '.', ''],
  ['a', '.', 'a'],
])('%s without %s at its end is %s', (text, chars, expected) => {
  expect(trimEndOf(text, chars)).toBe(expected);
});
