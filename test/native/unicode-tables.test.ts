// The committed Unicode tables of the native core are equal to the output of their script.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { asciiFolding } from '../../native/tools/ascii_folding.mjs';

test('unicode_tables.inc is what unicode_tables.mjs generates', () => {
  const script = fileURLToPath(new URL('../../native/tools/unicode_tables.mjs', import.meta.url));
  // Also exits with 0 if this Node has another version of Unicode: the script then prints
  // "skipped".
  const said = execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(said === '' || said.startsWith('skipped')).toBe(true);
});

test('asciifolding folds the characters that Lucene 9.12 folds, to the same text', () => {
  const folds: readonly (readonly [number, string])[] = asciiFolding();
  const lines = folds.map(([character, text]) => `${character.toString(16)}\t${text}\n`).join('');
  expect(folds).toHaveLength(1242);
  // Hash of the lines that ASCIIFoldingFilter produces for every character that it changes.
  expect(createHash('sha256').update(lines).digest('hex')).toBe(
    '956f5af2aa3f178829077ae13dd50a6897b82e58ef77a17f73fa601f1c940e7b',
  );
});
