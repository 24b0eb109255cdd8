// Strings of responses are quoted as by JSON.stringify().
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AggText, quotedText } from '../../../src/query/aggs/json.ts';

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

test('memory is accounted for while buckets are written', () => {
  const most = 10_000_000;
  let held = 0;
  const out = new AggText((bytes) => {
    held += bytes;
    if (held > most) throw new Error('no room');
  });
  let written = 0;
  const write = (): void => {
    for (;;) {
      out.add('x'.repeat(1000));
      written += 1000;
      out.counted();
    }
  };
  expect(write).toThrow('no room');
  // It was noticed before much more than that was written.
  expect(written).toBeLessThan(most * 1.1);
});
