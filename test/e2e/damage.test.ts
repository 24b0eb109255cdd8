// Files damaged while the service was down, over HTTP: the index concerned returns 503 with the
// reason and is red, other indexes are served, start and shutdown work, and `quarry check` reports
// the same offline and saves the documents.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadAddon } from '../../src/native/addon.ts';
import { some } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const MAIN = resolve('dist/cli/main.js');
const root = mkdtempSync(join(tmpdir(), 'quarry-damage-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let dataDir: string;
let folders = 0;

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  writeFileSync(path, bytes);
}

/** A path in the folder of index number 2, [bad]. */
const bad = (...parts: string[]): string => join(dataDir, 'indices', '2', ...parts);
const segment = (ending: string): string =>
  bad('0', readdirSync(bad('0')).find((name) => name.endsWith(ending)) ?? 'none');

function runCheck(...more: string[]): { status: number | null; out: string; err: string } {
  const args = [MAIN, 'check', dataDir, ...more];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

/** [good] and [bad] with five documents each, on disk: written once, and copied for each case. */
const written = join(root, 'written');
beforeAll(async () => {
  const server = await startServer({ dataDir: written });
  for (const index of ['good', 'bad']) {
    for (let n = 1; n <= 5; n++) {
      await server.call('PUT', `/${index}/_doc/${n}?routing=r${n}`, { n, text: `words of ${n}` });
    }
  }
  expect(await server.stop()).toBe(0);
});
beforeEach(() => {
  dataDir = join(root, String(folders++));
  cpSync(written, dataDir, { recursive: true });
});

async function expectQuarantine(server: TestServer, named: string): Promise<void> {
  const search = await server.call('POST', '/bad/_search', {});
  expect(search.status).toBe(503);
  expect(search.json.error.root_cause[0].type).toBe('corrupt_index_exception');
  expect(search.json.error.root_cause[0].reason).toContain(named);
  const put = await server.call('PUT', '/bad/_doc/9', {});
  expect(put.status).toBe(503);
  expect(put.json.error.reason).toContain(named);
  expect((await server.call('GET', '/bad/_doc/1?routing=r1')).status).toBe(503);
  expect((await server.call('GET', '/good/_doc/1?routing=r1')).json.found).toBe(true);

  const both = await server.call('POST', '/_all/_search', { query: { match: { text: 'words' } } });
  expect(both.status).toBe(200);
  expect(both.json.hits.total.value).toBe(5);
  expect(both.json._shards).toMatchObject({ total: 2, successful: 1, failed: 1 });
  expect(both.json._shards.failures[0]).toMatchObject({ index: 'bad', shard: 0 });
  expect(both.json._shards.failures[0].reason.reason).toContain(named);
  const strict = '/_all/_search?allow_partial_search_results=false';
  expect((await server.call('POST', strict, {})).status).toBe(503);

  const listed = (await server.call('GET', '/_cat/indices?format=json')).json;
  const health = listed.map((row: { index: string; health: string }) => [row.index, row.health]);
  expect(Object.fromEntries(health)).toEqual({ good: 'yellow', bad: 'red' });
  const cluster = (await server.call('GET', '/_cluster/health?level=indices')).json;
  expect(cluster).toMatchObject({ status: 'red', unassigned_primary_shards: 1 });
  expect(cluster.indices.bad).toMatchObject({ status: 'red', active_primary_shards: 0 });
  expect((await server.call('GET', '/_cluster/health/good')).json.status).toBe('yellow');
  const shards = (await server.call('GET', '/_cat/shards/bad?format=json')).json;
  expect(shards[0].state).toBe('UNASSIGNED');
  for (const path of ['/_stats', '/_cat/count', '/_refresh', '/_flush']) {
    expect((await server.call('GET', path)).status, path).toBe(200);
  }
  expect((await server.call('POST', '/bad/_flush')).status).toBe(503);
}

async function expectDeletable(server: TestServer): Promise<void> {
  expect((await server.call('DELETE', '/bad')).status).toBe(200);
  expect((await server.call('GET', '/_cluster/health')).json.status).toBe('yellow');
  expect((await server.call('PUT', '/bad/_doc/1', { n: 1 })).status).toBe(201);
  expect(await server.stop()).toBe(0);
  expect(runCheck()).toMatchObject({ status: 0 });
}

describe('a file that is cut while the service runs', () => {
  const cuts = ['.data', '.sidx', '.ids'].flatMap((ending) =>
    [0, 100].map((to) => ({ ending, to })),
  );
  test.each(some(cuts, 3))('$ending to $to bytes', async ({ ending, to }) => {
    const server = await startServer({ dataDir });
    expect((await server.call('POST', '/bad/_search', {})).json.hits.total.value).toBe(5);
    truncateSync(segment(ending), to);
    await expectQuarantine(server, `${ending}], offset`);
    await expectDeletable(server);
  });
});

describe('a quarantined index', () => {
  const damages: readonly [string, string, () => void][] = [
    ['a flipped byte in a segment', 'data', () => flip(segment('.data'), 70)],
    ['a cut segment', 'sidx', () => truncateSync(segment('.sidx'), 100)],
    ['a missing file of a segment', 'is missing', () => unlinkSync(segment('.ids'))],
    ['a flipped byte in the manifest', 'MANIFEST', () => flip(bad('0', 'MANIFEST'), 21)],
    ['a missing manifest', 'MANIFEST', () => unlinkSync(bad('0', 'MANIFEST'))],
    [
      'metadata damaged twice',
      'META',
      () => {
        flip(bad('META'), 2);
        flip(bad('META.copy'), 2);
      },
    ],
  ];
  test.each(
    some(damages, 2),
  )('%s: is refused with the reason, and can be deleted', async (_what, named, damage) => {
    damage();
    const checked = runCheck('--json');
    expect(checked.status).toBe(1);
    const report = JSON.parse(checked.out);
    expect(report.sound).toBe(false);
    expect(report.findings[0].file).toContain('indices/2/');
    const server = await startServer({ dataDir });
    await expectQuarantine(server, named);
    await expectDeletable(server);
  });
});

describe('an index whose description cannot be read', () => {
  /**
   * Index number 3, [odd], with metadata that the core stores without a check, and a document that
   * is only in the log.
   */
  async function makeOdd(members: object): Promise<void> {
    const addon = loadAddon();
    addon.open(dataDir, '{}');
    const spec = {
      name: 'odd',
      number_of_shards: 1,
      creation_date: 17,
      state: 'open',
      mappings: {},
    };
    addon.createIndex(JSON.stringify({ settings: {}, aliases: {}, ...spec, ...members }));
    addon.close(1000);
  }

  const oddities: readonly [string, string, object][] = [
    ['a setting', 'soon', { settings: { index: { refresh_interval: 'soon' } } }],
    ['a tree of settings', '__proto__', { settings: JSON.parse('{"__proto__":{"a":"1"}}') }],
    ['an alias', '[filter] must be a query object', { aliases: { of: { filter: 3 } } }],
    ['the name of an alias', 'Invalid alias name', { aliases: { 'o*f': {} } }],
    ['the list of aliases', 'its properties must be an object', { aliases: { of: [] } }],
  ];
  test.each(
    some(oddities, 2),
  )('%s: is out of service alone, keeps its name, and can be deleted', async (_what, named, odd) => {
    await makeOdd(odd);
    const server = await startServer({ dataDir });
    await expect.poll(() => server.log()).toContain('odd');
    expect((await server.call('GET', '/good/_doc/1?routing=r1')).json.found).toBe(true);
    const search = await server.call('POST', '/odd/_search', {});
    expect(search.status).toBe(503);
    expect(search.json.error.root_cause[0].reason).toContain(named);
    expect((await server.call('PUT', '/odd/_doc/1', {})).status).toBe(503);
    expect((await server.call('PUT', '/odd', {})).status).toBe(400);
    expect((await server.call('PUT', '/odd/_settings', { refresh_interval: '1s' })).status).toBe(
      503,
    );
    const health = (await server.call('GET', '/_cluster/health?level=indices')).json;
    expect(health).toMatchObject({ status: 'red', indices: { odd: { status: 'red' } } });
    expect(health.damaged).toMatchObject([{ kind: 'index', name: 'odd' }]);
    expect(health.damaged[0].reason).toContain(named);
    const doctor = spawnSync(process.execPath, [MAIN, 'doctor', '--url', server.base], {
      encoding: 'utf8',
    });
    expect(doctor.stdout).toContain('index odd');
    const all = await server.call('POST', '/_all/_search', {});
    expect(all.json._shards).toMatchObject({ total: 3, successful: 2, failed: 1 });
    expect(await server.stop()).toBe(0);

    const again = await startServer({ dataDir });
    expect((await again.call('DELETE', '/odd')).status).toBe(200);
    expect((await again.call('GET', '/_cluster/health')).json).not.toHaveProperty('damaged');
    expect((await again.call('PUT', '/odd/_doc/1', { n: 1 })).status).toBe(201);
    expect(await again.stop()).toBe(0);
  });

  test('a filter of an alias that is no query any more fails what goes by the alias', async () => {
    await makeOdd({ aliases: { fence: { filter: { gone: {} } }, free: {} } });
    const server = await startServer({ dataDir });
    expect((await server.call('PUT', '/odd/_doc/1', { n: 1 })).status).toBe(201);
    expect((await server.call('POST', '/free/_search', {})).status).toBe(200);
    expect((await server.call('POST', '/fence/_search', {})).status).toBe(400);
    const health = (await server.call('GET', '/_cluster/health')).json;
    expect(health.damaged).toMatchObject([{ kind: 'alias', name: 'fence' }]);
    const again = await server.call('PUT', '/odd/_alias/fence', { filter: { term: { n: 1 } } });
    expect(again.status).toBe(200);
    expect((await server.call('GET', '/_cluster/health')).json).not.toHaveProperty('damaged');
    expect(await server.stop()).toBe(0);
  });
});

test('documents that anybody wrote into indexes of services hold up no start', async () => {
  const first = await startServer({ dataDir });
  const bodies = { intents: { x: 1 }, namespaces: { dims: 'x' }, expiries: { at: 'z' } };
  for (const [name, body] of Object.entries({ ...bodies, brains: { nodes_index: 5 } })) {
    expect((await first.call('PUT', `/.svc-${name}/_doc/1`, body)).status).toBe(201);
  }
  expect((await first.call('POST', '/.svc-intents/_close')).status).toBe(200);
  expect(await first.stop()).toBe(0);
  const server = await startServer({ dataDir });
  await expect.poll(() => server.log()).toContain('stays in [.svc-intents]');
  await expect.poll(() => server.log()).toContain('expired memories stay');
  expect((await server.call('GET', '/good/_doc/1?routing=r1')).json.found).toBe(true);
  expect((await server.call('POST', '/_memory/mine', { text: 'a word' })).status).toBeLessThan(300);
  expect(await server.stop()).toBe(0);
});

test('forged state of services does nothing at a start, and is told to who needs it', async () => {
  const first = await startServer({ dataDir });
  const kept = { text: 'kept', stored_at: 1, own_time: 1 };
  expect((await first.call('PUT', '/.svc-memory-forged/_doc/m', kept)).status).toBe(201);
  const action = { create: { _index: 'planted', _id: '1' } };
  const forged = {
    intents: {
      namespace: 'forged',
      id: 'm',
      stored_at: 1,
      retired: [],
      links: `${JSON.stringify(action)}\n{"src":"a","dst":"b","type":"t"}\n`,
    },
    namespaces: { inference_endpoint: { url: 'http://127.0.0.1:1/v1' }, dims: 'x' },
    brains: { nodes_index: 'good,bad' },
    expiries: { next: 'soon' },
  };
  for (const [name, body] of Object.entries(forged)) {
    const at = `/.svc-${name}/_doc/forged?refresh=true`;
    expect((await first.call('PUT', at, body)).status).toBeLessThan(300);
  }
  expect(await first.stop()).toBe(0);
  const server = await startServer({ dataDir });
  await expect.poll(() => server.log()).toContain('document [forged] of [.svc-intents] is damaged');
  expect((await server.call('HEAD', '/planted')).status).toBe(404);
  for (const [method, path, body, named] of [
    ['POST', '/_memory/forged', { text: 'a word' }, '.svc-namespaces'],
    ['GET', '/_memory/forged/_export', undefined, '.svc-namespaces'],
    ['GET', '/_graph/forged/overview', undefined, '.svc-brains'],
  ] as const) {
    const reply = await server.call(method, path, body);
    expect([reply.status, reply.json.error.type], reply.text).toEqual([
      503,
      'corrupt_index_exception',
    ]);
    expect(reply.json.error.reason).toContain(`document [forged] of [${named}] is damaged`);
  }
  // The settings are set again, as the reasons recommend.
  expect((await server.call('PUT', '/_memory/forged', { detect: false })).status).toBe(200);
  expect((await server.call('PUT', '/_graph/forged', { nodes_index: 'good' })).status).toBe(200);
  const stored = { text: 'a word', expires_at: '2100-01-01T00:00:00Z' };
  expect((await server.call('POST', '/_memory/forged', stored)).status).toBeLessThan(300);
  expect((await server.call('GET', '/_graph/forged/overview')).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test('metadata is mended from its copy', async () => {
  flip(bad('META'), 2);
  flip(join(dataDir, 'NODE'), 9);
  expect(runCheck().status).toBe(1);
  const server = await startServer({ dataDir });
  expect((await server.call('GET', '/bad/_count')).json.count).toBe(5);
  expect(await server.stop()).toBe(0);
  expect(runCheck().status).toBe(0);
});

test('a damaged frame of the log refuses the start, and salvage saves what it can', async () => {
  const server = await startServer({ dataDir });
  await server.call('PUT', '/bad/_doc/6?routing=r6', { n: 6 });
  await server.call('PUT', '/bad/_doc/1?routing=r1', { n: 100 });
  await server.call('DELETE', '/bad/_doc/2?routing=r2');
  await server.kill('SIGKILL');
  flip(segment('.data'), 70);
  const out = join(root, 'salvaged');
  const checked = runCheck('--salvage', out);
  expect(checked.status).toBe(1);
  expect(checked.out).toContain('salvaged bad: 5 documents, 2 of them from the log');
  const lines = readFileSync(join(out, 'bad.ndjson'), 'utf8').trim().split('\n');
  expect(lines.at(-2)).toBe('{"index":{"_id":"1","routing":"r1"}}');
  expect(lines.at(-1)).toBe('{"n":100}');

  const log = join(dataDir, 'wal', readdirSync(join(dataDir, 'wal')).at(-1) ?? '');
  flip(log, 64 + 40);
  expect(runCheck().out).toContain('frame');
  await expect(startServer({ dataDir })).rejects.toThrow('damaged at offset 64');

  const fresh = await startServer();
  const body = JSON.parse(readFileSync(join(out, 'bad.json'), 'utf8'));
  expect((await fresh.call('PUT', '/bad', body)).status).toBe(200);
  const bulk = await fresh.call('POST', '/bad/_bulk?refresh=true', `${lines.join('\n')}\n`, {
    'content-type': 'application/x-ndjson',
  });
  expect(bulk.json.errors).toBe(false);
  expect((await fresh.call('GET', '/bad/_count')).json.count).toBe(5);
  expect((await fresh.call('GET', '/bad/_doc/1?routing=r1')).json._source).toEqual({ n: 100 });
  await fresh.stop();
});

test('a folder in use, or of something else, is not checked', async () => {
  const server = await startServer({ dataDir });
  expect(runCheck()).toMatchObject({ status: 2, err: expect.stringContaining(dataDir) });
  await server.stop();
  dataDir = root;
  expect(runCheck()).toMatchObject({ status: 2, err: expect.stringContaining('no data folder') });
});
