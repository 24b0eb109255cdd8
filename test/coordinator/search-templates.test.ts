import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LocalSearchTemplates } from '../../src/coordinator/search/search-templates.ts';

let folder: string;
let path: string;
let templates: LocalSearchTemplates;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-search-templates-'));
  path = join(folder, 'search-templates.json');
  templates = new LocalSearchTemplates(path);
});
afterEach(() => rmSync(folder, { recursive: true }));

const script = (source: string) => ({ lang: 'mustache' as const, source });

test('templates outlive the process, and a damaged file is named', async () => {
  await templates.load();
  await templates.put('one', script('{"size":{{n}}}'));
  await templates.put('__proto__', script('{}'));
  const again = new LocalSearchTemplates(path);
  await again.load();
  expect(again.all()).toEqual(templates.all());
  expect(again.all().map(({ id }) => id)).toEqual(['__proto__', 'one']);
  expect(again.render({ id: 'one' }, { n: 12345678901234567890n })).toBe(
    '{"size":12345678901234567890}',
  );
  writeFileSync(path, readFileSync(path, 'utf8').replace('size', 'from'));
  const damaged = new LocalSearchTemplates(path);
  await damaged.load();
  expect(damaged.damaged()).toMatchObject([{ kind: 'file', name: 'search-templates.json' }]);
  expect(() => damaged.get('one')).toThrow('it does not match its checksum');
  await expect(damaged.put('two', script('{}'))).rejects.toThrow('it does not match its checksum');
});

test('what is wrong is not stored', async () => {
  await expect(templates.put('one', script('{{#a}}'))).rejects.toThrow('Unclosed section');
  expect(templates.get('one')).toBeUndefined();
  await expect(templates.remove('one')).rejects.toThrow('does not exist and cannot be deleted');
  expect(() => templates.render({ id: 'one' }, {})).toThrow('unable to find script [one]');
});

test.each(['a\u0000b', '\ud800', 'a\u009f'])('no id has what cannot be printed: %j', async (id) => {
  await expect(templates.put(id, script('{}'))).rejects.toThrow('must not contain control');
});

test('those of a snapshot take the place of what is there', async () => {
  await templates.put('one', script('1'));
  const saved = templates.all();
  await templates.put('one', script('2'));
  await templates.put('two', script('3'));
  await expect(
    templates.restore([...saved, { id: 'bad', script: script('{{#a}}') }]),
  ).rejects.toThrow('Unclosed section');
  expect(templates.all()).toHaveLength(2);
  await templates.restore(saved);
  expect(templates.all()).toEqual(saved);
  await templates.restore([]);
  expect(templates.all()).toEqual(saved);
});
