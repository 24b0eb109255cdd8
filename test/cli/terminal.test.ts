import fc from 'fast-check';
import { expect, test } from 'vitest';
import { table } from '../../src/cli/reading.ts';
import { printable } from '../../src/cli/terminal.ts';

test('control characters are spelled out', () => {
  expect(printable('a\x1b[2Jb\r\nc\td')).toBe('a\\x1b[2Jb\\x0d\\x0ac\td');
  expect(printable('\x7f \x9b \u202e \u2069')).toBe('\\u007f \\u009b \\u202e \\u2069');
  expect(printable('Ünïcödé שלום 🙂')).toBe('Ünïcödé שלום 🙂');
});

test('JSON stays JSON of the same content', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(printable(JSON.stringify({ text })))).toEqual({ text });
    }),
  );
});

test('nothing of a cell steers a terminal or begins another line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const lines = table(['A', 'B'], [[text, text]]);
      expect(lines).toHaveLength(2);
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('columns are as wide as their cells are printed', () => {
  const [head, row] = table(['A', 'B'], [['\x1b', '-']]);
  expect(head?.indexOf('B')).toBe(row?.indexOf('-'));
});
