// Strings of responses are quoted as by JSON.stringify().
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotedText } from '../../../src/query/aggs/json.ts';

test('of any letters, short and long', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  );
  fc.assert(
    fc.property(text, (any) => {
      expect(quotedText(any)).toBe(JSON.stringify(any));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '',
  ' ',
  '~',
  '"',
  '\\',
  '\u001f',
  '\u007f',
  '\u2028',
  '\ud800',
  'a\nb',
])('%j', (text) => {
  expect(quotedText(text)).toBe(JSON.stringify(text));
});
