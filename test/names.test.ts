// Characters that no name may contain, in every place that accepts one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../src/base/durable-file.ts';
import { checkPrintable, unprintable } from '../src/base/names.ts';
import { readTemplate } from '../src/coordinator/admin/template-bodies.ts';
import { checkAliasName, checkIndexName } from '../src/coordinator/catalog/index-names.ts';
import { checkBrain } from '../src/graph/names.ts';
import { checkNamespace } from '../src/memory/names.ts';
import { checkLocation } from '../src/snapshot/location.ts';
import { checkRepositoryName, checkSnapshotName } from '../src/snapshot/names.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-names-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BAD = ['\u0000', '\u0007', '\u001b', '\u007f', '\u0085', '\ud800', '\udfff'];

describe.each(BAD)('%j', (character) => {
  const name = `a${character}b`;
  const template = (given: object) =>
    readTemplate('index', 'good', { index_patterns: ['x'], ...given }, () => {});
  test.each<[string, () => unknown]>([
    ['an index', () => checkIndexName(name)],
    ['an alias', () => checkAliasName(name)],
    ['a template', () => readTemplate('index', name, { index_patterns: ['x'] }, () => {})],
    ['a pattern of a template', () => template({ index_patterns: [name] })],
    ['a component', () => template({ ignore_missing_component_templates: [name] })],
    ['a repository', () => checkRepositoryName(name)],
    ['a snapshot', () => checkSnapshotName('r', name)],
    ['anything else', () => checkPrintable(name, 'name of it')],
  ])('names not %s', (_what, check) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const says = `must not contain control characters or halves of surrogate pairs, it has U+${code} at position 1`;
    expect(check).toThrowError(
      expect.objectContaining({ status: 400, message: expect.stringContaining(says) }),
    );
  });

  test.each([
    ['a namespace', () => checkNamespace(name)],
    ['a brain', () => checkBrain(name)],
  ])('names not %s, of which fewer characters are allowed', (_what, check) => {
    expect(check).toThrowError('must start with a-z or 0-9 and go on with a-z, 0-9');
  });

  test('is in no location', async () => {
    await expect(checkLocation('r', name, [folder])).rejects.toThrow('halves of surrogate pairs');
  });
});

test('whole pairs, marks and other scripts are names', () => {
  for (const name of ['😀', 'é', 'e\u0301', '日本語', 'a\u200db', ' ']) {
    expect(unprintable(name)).toBeUndefined();
  }
});

test.each([
  '\ud800',
  'x/\ud800/y',
  '\udfff/z',
  'plain/below',
  'deep/\ud800\ud801',
])('a folder %j is made, whatever the system makes of its name', async (name) => {
  await makeFolder(join(folder, name));
  await makeFolder(join(folder, name));
});
