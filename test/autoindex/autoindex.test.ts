// A folder into a service and what becomes of it: a second run, changes, moves, removals, hostile files, a run that is killed.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { autoindex, type Outcome } from '../../src/autoindex/autoindex.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-autoindex-'));
const root = join(folder, 'root');
const state = join(folder, 'state');
let server: TestServer;

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

function rows(from: number, to: number): string {
  const lines = Array.from(
    { length: to - from },
    (_, i) => `${from + i},item ${i},${i}.5,2026-01-0${1 + (i % 9)}`,
  );
  return `id,name,price,day\n${lines.join('\n')}\n`;
}

function run(prefix = 'it-'): Promise<Outcome> {
  return autoindex({
    path: root,
    url: server.base,
    prefix,
    apiKey: undefined,
    stateFolder: state,
    dryRun: false,
    onProgress: () => undefined,
  });
}

async function counts(prefix = 'it-'): Promise<Record<string, number>> {
  const { json } = await server.call('GET', `/_cat/indices/${prefix}*?format=json&h=index`);
  const found: Record<string, number> = {};
  for (const { index } of json as { index: string }[]) {
    found[index.slice(prefix.length)] = (await server.call('GET', `/${index}/_count`)).json.count;
  }
  return found;
}

beforeAll(async () => {
  server = await startServer();
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
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

// The settings and the chart are read as text; of the broken file there is what stands before the break.
const ALL = { broken: 1, code: 2, documents: 2, logs: 2, orders: 80, packed: 2 };

test('a mixed folder becomes datasets', async () => {
  const outcome = await run();
  expect(await counts()).toEqual(ALL);
  const mapping = (await server.call('GET', '/it-orders/_mapping')).json['it-orders'].mappings;
  expect(mapping.properties).toMatchObject({
    id: { type: 'long' },
    price: { type: 'double' },
    day: { type: 'date' },
    name: { type: 'text' },
  });
  const told = Object.fromEntries(outcome.problems.map(({ path, problem }) => [path, problem]));
  expect(Object.keys(told).sort()).toEqual(['bomb.gz', 'broken.json']);
  expect(told['bomb.gz']).toMatch(/times its size/);
  const skipped = Object.fromEntries(outcome.skipped.map(({ path, reason }) => [path, reason]));
  expect(skipped).toMatchObject({
    'secret.txt': 'an ignore rule',
    circle: 'a symbolic link, which is not followed',
    node_modules: 'a folder that tools make',
    'noise.bin': 'binary of no known kind',
  });
  const meaning = { query: { semantic: { field: 'meaning', query: 'lighthouse keeper' } } };
  const hits = (await server.call('POST', '/it-documents/_search', meaning)).json.hits.hits;
  expect(hits[0]._source.file.path).toBe('notes/two.txt');
});

test('a second run does nothing, and the map is there', async () => {
  const before = await counts();
  const outcome = await run();
  expect(outcome.loaded.files).toBe(0);
  expect(await counts()).toEqual(before);
  const map = (await server.call('POST', '/.svc-catalog/_search', {})).json.hits.hits;
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
  expect(await counts()).toMatchObject({ documents: 2, orders: 20 });
  expect(await version()).toBe(before);
});

test('an index that was dropped is written again', async () => {
  await server.call('DELETE', '/it-orders');
  await run();
  expect(await counts()).toMatchObject({ orders: 20, logs: ALL.logs });
});

test('a run that is killed at any moment is finished by the next', async () => {
  for (let i = 0; i < 30; i++) put(`many/orders-${i}.csv`, rows(i * 400, i * 400 + 400));
  const args = ['autoindex', root, '--url', server.base, '--prefix', 'kill-', '--state', state];
  // Each run is killed a little later: after so many documents are there.
  for (const least of [0, 1, 3000, 8000]) {
    const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args, '--yes']);
    const ended = new Promise((done) => child.once('exit', done));
    let over = false;
    void ended.then(() => {
      over = true;
    });
    while (!over) {
      const { json } = await server.call('GET', '/_cat/count/kill-*?format=json');
      if (least === 0 || Number(json?.[0]?.count ?? 0) >= least) break;
    }
    child.kill('SIGKILL');
    await ended;
  }
  await run('kill-');
  expect(await counts('kill-')).toMatchObject({ documents: 2, logs: 2, orders: 12_020 });
  expect((await run('kill-')).loaded.files).toBe(0);
}, 120_000);
