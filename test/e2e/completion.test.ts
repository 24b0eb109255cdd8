// Completions over the life of an index: changes, deletions, merges, restarts, several indexes; and
// `quarry check` reports no errors.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-completion-'));
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ dataDir: folder });
  const mappings = { properties: { c: { type: 'completion' } } };
  for (const [index, shards] of [
    ['one', 1],
    ['two', 2],
  ] as const) {
    await server.call('PUT', `/${index}`, { settings: { number_of_shards: shards }, mappings });
    const lines = Array.from({ length: 300 }, (_, i) => [
      JSON.stringify({ index: { _id: `${i}` } }),
      JSON.stringify({ c: { input: `${index} ${i}x${i % 10}`, weight: (i * 7) % 300 } }),
    ]).flat();
    for (const part of [lines.slice(0, 200), lines.slice(200)])
      await bulk(server, `/${index}/_bulk?refresh=true`, part);
  }
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function best(path: string, prefix: string, options: object = {}): Promise<string[]> {
  const reply = await server.call('POST', `${path}/_search`, {
    _source: false,
    suggest: { s: { prefix, completion: { field: 'c', analyzer: 'simple', ...options } } },
  });
  expect(reply.json.error).toBeUndefined();
  return reply.json.suggest.s[0].options.map(
    (one: { _index: string; _id: string; _score: number }) =>
      `${one._index}/${one._id}:${one._score}`,
  );
}

test('the best of what is there, whatever happened to it', async () => {
  expect(await best('/one', 'one', { size: 3 })).toEqual([
    'one/257:299',
    'one/214:298',
    'one/171:297',
  ]);
  await server.call('DELETE', '/one/_doc/257');
  await server.call('PUT', '/one/_doc/171?refresh=true', { c: { input: 'one 171', weight: 1 } });
  const left = ['one/214:298', 'one/128:296', 'one/85:295'];
  expect(await best('/one', 'ONE', { size: 3 })).toEqual(left);
  await server.call('POST', '/_flush');
  await server.call('POST', '/_forcemerge?max_num_segments=1');
  expect(await best('/one', 'one', { size: 3 })).toEqual(left);
  await server.stop();
  server = await startServer({ dataDir: folder });
  expect(await best('/one', 'one', { size: 3 })).toEqual(left);
});

test('of several indexes and shards together', async () => {
  expect(await best('/one,two', 'o', { size: 1 })).toEqual(['one/214:298']);
  const both = await server.call(
    'POST',
    '/_msearch',
    [
      '{"index":"two"}',
      '{"suggest":{"s":{"prefix":"two","completion":{"field":"c","size":2}}}}',
      '{"index":"one"}',
      '{"suggest":{"s":{"prefix":"two","completion":{"field":"c"}}}}',
      '',
    ].join('\n'),
    { 'content-type': 'application/x-ndjson' },
  );
  const [two, one] = both.json.responses;
  expect(two.suggest.s[0].options.map((option: { _score: number }) => option._score)).toEqual([
    299, 298,
  ]);
  expect(one.suggest.s[0].options).toEqual([]);
});

test('a point in time keeps its completions', async () => {
  const { id } = (await server.call('POST', '/two/_pit?keep_alive=1m')).json;
  await server.call('POST', '/two/_delete_by_query?refresh=true', { query: { match_all: {} } });
  const suggest = { s: { prefix: 'two', completion: { field: 'c', size: 1 } } };
  const then = await server.call('POST', '/_search', { pit: { id }, suggest });
  expect(then.json.suggest.s[0].options[0]._score).toBe(299);
  const now = await server.call('POST', '/two/_search', { suggest });
  expect(now.json.suggest.s[0].options).toEqual([]);
});

test('the folder is sound', async () => {
  await server.stop();
  const check = spawnSync(process.execPath, [resolve('dist/cli/main.js'), 'check', folder], {
    encoding: 'utf8',
  });
  server = await startServer({ dataDir: folder });
  expect(check.stdout + check.stderr).toContain('sound');
  expect(check.status).toBe(0);
});
