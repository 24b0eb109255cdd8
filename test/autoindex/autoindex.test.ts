// Indexing a folder into a service: a second run, changes, moves, removals, and an index that was
// deleted.
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome } from '../../src/autoindex/autoindex.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { counts, makeFolder, rows } from './tools/folder.ts';
import { type Between, standBetween, writesOf } from './tools/proxy.ts';

const folder = makeFolder();
const { root, put } = folder;
let server: TestServer;
let proxy: Between;

function run(): Promise<Outcome> {
  proxy.seen.length = 0;
  return folder.run(proxy.base);
}

beforeAll(async () => {
  server = await startServer();
  proxy = await standBetween(server.base);
  put('orders-2025.csv', rows(0, 50));
  put('deep/orders-2026.csv', rows(50, 80));
  put('notes/one.md', '# One\n\nSee [two](two.md), **really**.\n');
  put('notes/two.txt', 'The lighthouse keeper counted ships until the fog came in from the sea.');
  put('app.log', '2026-01-02T10:00:00Z INFO up\n2026-01-02T10:00:01Z ERROR down\n');
  put('packed.json.gz', gzipSync('{"colour":"red","size":1}\n{"colour":"blue","size":2}\n'));
  put('.gitignore', 'secret*\n');
  put('secret.txt', 'nobody should read this');
  put('node_modules/x/index.js', 'export const x = 1;');
  put('broken.json', '[{"a": 1}, {"a": ');
  put('bomb.gz', gzipSync(Buffer.alloc(40 << 20, 'a')));
  put('settings.json', '{\n "port": 9200, "name": "one"\n}');
  put('chart.yaml', 'name: x\nvalue: {{ .Values.x }}\nlist:\n  - {{- y }}\n');
  put('noise.bin', new Uint8Array([0, 1, 2, 0, 255, 0, 7]));
  symlinkSync('.', join(root, 'circle'));
});

afterAll(async () => {
  await proxy.close();
  await server.stop();
  folder.remove();
});

// The settings and the chart are read as text; of the broken file the part before the error is
// read.
const ALL = { broken: 1, code: 2, documents: 2, logs: 2, orders: 80, packed: 2 };

test('a mixed folder becomes datasets', async () => {
  const outcome = await run();
  expect(await counts(server, 'it-')).toEqual(ALL);
  const mapping = (await server.call('GET', '/it-orders/_mapping')).json['it-orders'].mappings;
  expect(mapping.properties).toMatchObject({
    id: { type: 'long' },
    price: { type: 'double' },
    day: { type: 'date' },
    name: { type: 'text' },
  });
  const reported = Object.fromEntries(outcome.problems.map(({ path, problem }) => [path, problem]));
  expect(Object.keys(reported).sort()).toEqual(['bomb.gz', 'broken.json']);
  expect(reported['bomb.gz']).toMatch(/times its size/);
  const skipped = Object.fromEntries(outcome.skipped.map(({ path, reason }) => [path, reason]));
  expect(skipped).toMatchObject({
    'secret.txt': 'an ignore rule',
    circle: 'a symbolic link, which is not followed',
    node_modules: 'a folder that tools make',
    'noise.bin': 'binary of an unknown format',
  });
  const meaning = { query: { semantic: { field: 'meaning', query: 'lighthouse keeper' } } };
  const hits = (await server.call('POST', '/it-documents/_search', meaning)).json.hits.hits;
  expect(hits[0]._source.file.path).toBe('notes/two.txt');
});

test('a second run does nothing, and the map is there', async () => {
  const before = await counts(server, 'it-');
  const outcome = await run();
  expect(outcome.loaded.files).toBe(0);
  expect(writesOf(proxy.seen)).toEqual([]);
  expect(await counts(server, 'it-')).toEqual(before);
  const query = { exists: { field: 'name' } };
  const map = (await server.call('POST', '/.svc-catalog/_search', { query })).json.hits.hits;
  expect(map.map((hit: { _source: { name: string } }) => hit._source.name)).toContain('orders');
  for (const hit of map) {
    for (const { path, body } of hit._source.queries) {
      expect((await server.call('POST', path, body)).status).toBe(200);
    }
  }
});

test('a changed, a moved and a removed file change only themselves', async () => {
  const version = async (): Promise<string> =>
    JSON.stringify((await server.call('GET', '/it-logs/_search?version=true')).json.hits.hits);
  const before = await version();
  put('orders-2025.csv', rows(0, 20));
  renameSync(join(root, 'notes/one.md'), join(root, 'first.md'));
  rmSync(join(root, 'deep'), { recursive: true });
  const outcome = await run();
  expect(outcome.loaded.files).toBe(2);
  expect(outcome.gone).toBe(2);
  expect(await counts(server, 'it-')).toMatchObject({ documents: 2, orders: 20 });
  expect(await version()).toBe(before);
  // No request concerns the indexes of other files.
  const touched = new Set(
    writesOf(proxy.seen).map((write) => write.replace(/\/(?:_bulk|\.svc-catalog\/).*/, '/')),
  );
  expect([...touched].filter((write) => /it-(?!orders|documents)/.test(write))).toEqual([]);
});

test('an index that was dropped is written again', async () => {
  await server.call('DELETE', '/it-orders');
  await run();
  expect(await counts(server, 'it-')).toMatchObject({ orders: 20, logs: ALL.logs });
});

test('a file that cannot be opened keeps what the service has of it', async () => {
  const path = join(root, 'zz-last.jsonl');
  put('zz-last.jsonl', '{"shade":"red","depth":1}\n{"shade":"blue","depth":2}\n');
  await run();
  expect(await counts(server, 'it-')).toMatchObject({ 'zz-last': 2 });
  put('zz-last.jsonl', '{"shade":"red","depth":1}\n');
  put('0-first.txt', 'Something that is looked at before, so that there is a moment to act.');
  // The file is removed after it was listed and before it is read.
  const outcome = await folder.run(proxy.base, { onProgress: () => rmSync(path, { force: true }) });
  expect(outcome.problems.find((one) => one.path === 'zz-last.jsonl')?.problem).toMatch(
    /cannot be read: ENOENT/,
  );
  expect(await counts(server, 'it-')).toMatchObject({ 'zz-last': 2 });
  // The next run detects that it is gone.
  expect((await run()).gone).toBe(1);
  expect(await counts(server, 'it-')).toMatchObject({ 'zz-last': 0 });
});

test('the folder of what runs remember is no content, nor is that of a server', async () => {
  const outcome = await folder.run(proxy.base, {
    stateFolder: join(root, 'state'),
    prefix: 'own-',
  });
  const skipped = Object.fromEntries(outcome.skipped.map(({ path, reason }) => [path, reason]));
  expect(skipped['state']).toBe('what autoindex remembers of its runs');
  put('data/NODE', 'x');
  put('data/node.lock', 'x');
  const { skipped: more } = await run();
  expect(more.find(({ path }) => path === 'data')?.reason).toBe('the data folder of a server');
  rmSync(join(root, 'data'), { recursive: true });
  rmSync(join(root, 'state'), { recursive: true });
});
