import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolderWarning } from '../../src/config/data-folder.ts';

test.each([
  [0o700, false],
  [0o770, false],
  [0o2770, false],
  [0o755, true],
  [0o701, true],
  [0o704, true],
])('a folder of mode %o: warned of %s, and left as it is', (mode, isOpen) => {
  const path = mkdtempSync(join(tmpdir(), 'quarry-mode-'));
  chmodSync(path, mode);
  const shown = mode.toString(8).padStart(4, '0');
  const warning = `the data folder [${path}] may be read by every user of this machine (mode ${shown})`;
  expect(openFolderWarning(path)).toBe(isOpen ? warning : undefined);
  expect(openFolderWarning(path)).toBe(isOpen ? warning : undefined);
  rmSync(path, { recursive: true });
});

test('a folder that is not there is nobody’s', () => {
  expect(openFolderWarning('/nowhere/at/all')).toBeUndefined();
});
