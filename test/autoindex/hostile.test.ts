// Hostile and broken files: each results in at most one line of the report, and the files next to
// them are read.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/autoindex/autoindex.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { makeFolder } from './tools/folder.ts';
import { GOOD, putHostileFiles } from './tools/hostile-files.ts';

const folder = makeFolder();
let server: TestServer;
let outcome: Outcome;
let problems: Readonly<Record<string, string>>;
let skipped: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startServer();
  await putHostileFiles(folder.put);
  mkdirSync(join(folder.root, 'loop'));
  symlinkSync('..', join(folder.root, 'loop/up'));
  symlinkSync('nowhere', join(folder.root, 'loop/dangling'));
  outcome = await folder.run(server.base, { prefix: 'h-' });
  problems = Object.fromEntries(outcome.problems.map(({ path, problem }) => [path, problem]));
  skipped = Object.fromEntries(outcome.skipped.map(({ path, reason }) => [path, reason]));
}, 240_000);

afterAll(async () => {
  await server?.stop();
  folder.remove();
});

/** The records of the file, in order. */
async function docs(path: string): Promise<readonly Record<string, unknown>[]> {
  const body = { size: 1000, query: { term: { 'file.path': path } } };
  const { json } = await server.call('POST', '/h-*/_search', body);
  return json.hits.hits.map((hit: { _source: object }) => hit._source);
}

test('what is whole is read', async () => {
  expect(await docs('good.txt')).toMatchObject([{ body: GOOD }]);
});

describe('is told', () => {
  test.each([
    ['bombs/words.gz', /times its size/],
    ['bombs/words.zip', /times its size/],
    ['bombs/many.zip', /more than 20000 entries/],
    ['nested/twice.gz', /a gzip archive inside another file/],
    ['nested/in.zip', /inner\.zip: a zip archive inside another file/],
    ['climbs/up.zip', /the zip is broken: .*relative path/],
    ['climbs/root.zip', /the zip is broken: .*absolute path/],
    ['cut/cut.gz', /the gzip is broken/],
    ['cut/cut.zip', /the zip is broken/],
    ['endless/line.jsonl', /a line of more than 16 MiB/],
    ['endless/list.json', /a value of more than 16 MiB/],
    ['endless/cell.csv', /after row 3/],
    ['endless/entry.log', /a line of more than 16 MiB/],
    ['deep/elements.xml', /deeper than 200 elements/],
  ])('%s', (path, problem) => {
    expect(problems[path]).toMatch(problem);
  });
});

describe('is read as far as it goes', () => {
  test.each([
    ['endless/line.jsonl', 2],
    ['endless/list.json', 1],
    ['endless/cell.csv', 2],
    ['endless/entry.log', 1],
  ])('%s: %i documents', async (path, count) => {
    expect(await docs(path)).toHaveLength(count);
  });

  test('a text without an end of a line is cut into parts', async () => {
    expect(problems['endless/word.txt']).toBeUndefined();
    expect((await docs('endless/word.txt')).length).toBeGreaterThan(40);
  });

  test('entities are not put in, files are not read', async () => {
    expect(JSON.stringify(await docs('entities/laughs.xml'))).not.toContain('haha');
    expect(await docs('entities/laughs.yaml')).toMatchObject([{ language: 'yaml' }]);
    expect(JSON.stringify(await docs('entities/file.xml'))).not.toContain('root:');
  });

  test('depth is no harm', async () => {
    expect(await docs('deep/tags.html')).toMatchObject([{ title: 'deep' }]);
    expect(await docs('deep/quotes.md')).toHaveLength(5);
    for (const path of ['deep/array.json', 'deep/object.jsonl']) {
      const found = await docs(path);
      expect(found.length > 0 || problems[path] !== undefined, path).toBe(true);
    }
  });
});

describe('letters', () => {
  test('of an older encoding', async () => {
    expect(await docs('wrong/latin.txt')).toMatchObject([
      { body: expect.stringContaining('élèves étaient déjà') },
    ]);
    expect((await docs('wrong/utf16.csv')).map(({ name }) => name).sort()).toEqual(['José', 'Åsa']);
  });

  test('that fit no encoding do not end the file', async () => {
    expect((await docs('wrong/late.txt')).length).toBeGreaterThan(3);
  });

  test('of no text at all are passed over', () => {
    expect(skipped['wrong/named.json']).toBe('an image');
    expect(skipped['wrong/noise.csv']).toBe('binary of an unknown format');
  });
});

test('names that mean something to the language are names', async () => {
  expect((await docs('names/__proto__.jsonl')).map((doc) => doc['toString']).sort()).toEqual([
    'w',
    'z',
  ]);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  expect(await docs('names/new\nline\u202e.txt')).toHaveLength(1);
});

test('links are not followed', () => {
  expect(skipped).toMatchObject({
    'loop/up': 'a symbolic link, which is not followed',
    'loop/dangling': 'a symbolic link, which is not followed',
  });
});

test.skipIf(process.getuid?.() === 0)(
  'what may not be read is told, and read when it may',
  async () => {
    folder.put('secret/a.txt', GOOD);
    folder.put('closed.txt', GOOD);
    await folder.run(server.base, { prefix: 'h-' });
    chmodSync(join(folder.root, 'secret'), 0);
    chmodSync(join(folder.root, 'closed.txt'), 0);
    const closed = await folder.run(server.base, { prefix: 'h-' });
    expect(closed.gone).toBe(0);
    expect(closed.problems.map(({ path }) => path)).toContain('closed.txt');
    expect(closed.skipped.map(({ path }) => path)).toContain('secret');
    expect(await docs('secret/a.txt')).toHaveLength(1);
    chmodSync(join(folder.root, 'secret'), 0o700);
    chmodSync(join(folder.root, 'closed.txt'), 0o600);
    expect((await folder.run(server.base, { prefix: 'h-' })).loaded.files).toBe(1);
  },
);
