// The committed Unicode tables of the native core are what their script writes.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('unicode_tables.inc is what unicode_tables.mjs generates', () => {
  const script = fileURLToPath(new URL('../../native/tools/unicode_tables.mjs', import.meta.url));
  // Exits 0 as well when this Node knows another version of Unicode: the script then says "skipped".
  const said = execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(said === '' || said.startsWith('skipped')).toBe(true);
});
