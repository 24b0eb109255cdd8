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

/** Beside [good], of number 1: as many as there are kinds of damage, of the numbers from 2 on. */
const BAD = ['bad', 'bad-3', 'bad-4', 'bad-5', 'bad-6', 'bad-7'];

/** A path in the folder of an index. */
const pathIn = (number: number, ...parts: string[]): string =>
  join(dataDir, 'indices', String(number), ...parts);
const segment = (ending: string, number = 2): string => {
  const names = readdirSync(pathIn(number, '0'));
  return pathIn(number, '0', names.find((name) => name.endsWith(ending)) ?? 'none');
};

function runCheck(...more: string[]): { status: number | null; out: string; err: string } {
  const args = [MAIN, 'check', dataDir, ...more];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

/** [good] and those of BAD with five documents each, on disk: written once, and copied for each test. */
const written = join(root, 'written');
beforeAll(async () => {
  const server = await startServer({ dataDir: written });
  for (const index of ['good', ...BAD]) {
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

/** Each index of BAD is out of service for its reason, and [good] is served. */
async function expectQuarantine(server: TestServer, named: readonly string[]): Promise<void> {
  for (const [i, index] of BAD.entries()) {
    const reason = named[i] ?? 'none';
    const search = await server.call('POST', `/${index}/_search`, {});
    expect(search.status, reason).toBe(503);
    expect(search.json.error.root_cause[0].type).toBe('corrupt_index_exception');
    expect(search.json.error.root_cause[0].reason).toContain(reason);
    const put = await server.call('PUT', `/${index}/_doc/9`, {});
    expect(put.status, reason).toBe(503);
    expect(put.json.error.reason).toContain(reason);
    expect((await server.call('GET', `/${index}/_doc/1?routing=r1`)).status).toBe(503);
    expect((await server.call('POST', `/${index}/_flush`)).status).toBe(503);
    const shards = (await server.call('GET', `/_cat/shards/${index}?format=json`)).json;
    expect(shards[0].state).toBe('UNASSIGNED');
  }
  expect((await server.call('GET', '/good/_doc/1?routing=r1')).json.found).toBe(true);

  const all = await server.call('POST', '/_all/_search', { query: { match: { text: 'words' } } });
  expect(all.status).toBe(200);
  expect(all.json.hits.total.value).toBe(5);
  const [total, failed] = [1 + BAD.length, BAD.length];
  expect(all.json._shards).toMatchObject({ total, successful: 1, failed });
  for (const { index, shard, reason } of all.json._shards.failures) {
    expect(shard).toBe(0);
    expect(reason.reason).toContain(named[BAD.indexOf(index)]);
  }
  const strict = '/_all/_search?allow_partial_search_results=false';
  expect((await server.call('POST', strict, {})).status).toBe(503);

  const listed = (await server.call('GET', '/_cat/indices?format=json')).json;
  const health = listed.map((row: { index: string; health: string }) => [row.index, row.health]);
  const red = Object.fromEntries(BAD.map((index) => [index, 'red']));
  expect(Object.fromEntries(health)).toEqual({ good: 'yellow', ...red });
  const cluster = (await server.call('GET', '/_cluster/health?level=indices')).json;
  expect(cluster).toMatchObject({ status: 'red', unassigned_primary_shards: BAD.length });
  for (const index of BAD) {
    expect(cluster.indices[index]).toMatchObject({ status: 'red', active_primary_shards: 0 });
  }
  expect((await server.call('GET', '/_cluster/health/good')).json.status).toBe('yellow');
  for (const path of ['/_stats', '/_cat/count', '/_refresh', '/_flush']) {
    expect((await server.call('GET', path)).status, path).toBe(200);
  }
}

async function expectDeletable(server: TestServer): Promise<void> {
  for (const index of BAD) {
    expect((await server.call('DELETE', `/${index}`)).status, index).toBe(200);
  }
  expect((await server.call('GET', '/_cluster/health')).json.status).toBe('yellow');
  for (const index of BAD) {
    expect((await server.call('PUT', `/${index}/_doc/1`, { n: 1 })).status, index).toBe(201);
  }
  expect(await server.stop()).toBe(0);
  expect(runCheck()).toMatchObject({ status: 0 });
}

test('files that are cut while the service runs put their indexes out of service', async () => {
  const cuts = ['.data', '.sidx', '.ids'].flatMap((ending) =>
    [0, 100].map((to) => ({ ending, to })),
  );
  expect(cuts).toHaveLength(BAD.length);
  const server = await startServer({ dataDir });
  for (const index of BAD) {
    const found = await server.call('POST', `/${index}/_search`, {});
    expect(found.json.hits.total.value).toBe(5);
  }
  for (const [i, { ending, to }] of cuts.entries()) truncateSync(segment(ending, i + 2), to);
  await expectQuarantine(
    server,
    cuts.map(({ ending }) => `${ending}], offset`),
  );
  await expectDeletable(server);
});

test('damaged files are named by check, their indexes refused with the reason, and deletable', async () => {
  const damages: readonly (readonly [string, (number: number) => void])[] = [
    ['data', (number) => flip(segment('.data', number), 70)],
    ['sidx', (number) => truncateSync(segment('.sidx', number), 100)],
    ['is missing', (number) => unlinkSync(segment('.ids', number))],
    ['MANIFEST', (number) => flip(pathIn(number, '0', 'MANIFEST'), 21)],
    ['MANIFEST', (number) => unlinkSync(pathIn(number, '0', 'MANIFEST'))],
    [
      'META',
      (number) => {
        flip(pathIn(number, 'META'), 2);
        flip(pathIn(number, 'META.copy'), 2);
      },
    ],
  ];
  expect(damages).toHaveLength(BAD.length);
  for (const [i, [, damage]] of damages.entries()) damage(i + 2);
  const checked = runCheck('--json');
  expect(checked.status).toBe(1);
  const { sound, findings } = JSON.parse(checked.out);
  expect(sound).toBe(false);
  const files: readonly string[] = findings.map(({ file }: { file: string }) => file);
  for (const i of BAD.keys()) expect(files.join()).toContain(`indices/${i + 2}/`);
  const server = await startServer({ dataDir });
  await expectQuarantine(
    server,
    damages.map(([named]) => named),
  );
  await expectDeletable(server);
});

describe('an index whose description cannot be read', () => {
  /** Indexes with metadata that the core stores without a check. */
  function makeOdd(indexes: readonly (readonly [string, object])[]): void {
    const addon = loadAddon();
    addon.open(dataDir, '{}');
    for (const [name, members] of indexes) {
      const spec = { name, number_of_shards: 1, creation_date: 17, state: 'open', mappings: {} };
      addon.createIndex(JSON.stringify({ settings: {}, aliases: {}, ...spec, ...members }));
    }
    addon.close(1000);
  }

  const oddities: readonly (readonly [string, string, object])[] = [
    ['odd-setting', 'soon', { settings: { index: { refresh_interval: 'soon' } } }],
    ['odd-tree', '__proto__', { settings: JSON.parse('{"__proto__":{"a":"1"}}') }],
    ['odd-alias', '[filter] must be a query object', { aliases: { of: { filter: 3 } } }],
    ['odd-alias-name', 'Invalid alias name', { aliases: { 'o*f': {} } }],
    ['odd-aliases', 'its properties must be an object', { aliases: { of: [] } }],
  ];
  test('is out of service alone, keeps its name, and can be deleted', async () => {
    makeOdd(oddities.map(([index, , members]) => [index, members]));
    const server = await startServer({ dataDir });
    expect((await server.call('GET', '/good/_doc/1?routing=r1')).json.found).toBe(true);
    const health = (await server.call('GET', '/_cluster/health?level=indices')).json;
    expect(health.status).toBe('red');
    expect(health.damaged).toHaveLength(oddities.length);
    const doctor = spawnSync(process.execPath, [MAIN, 'doctor', '--url', server.base], {
      encoding: 'utf8',
    });
    for (const [index, named] of oddities) {
      await expect.poll(() => server.log()).toContain(index);
      const search = await server.call('POST', `/${index}/_search`, {});
      expect(search.status, index).toBe(503);
      expect(search.json.error.root_cause[0].reason).toContain(named);
      expect((await server.call('PUT', `/${index}/_doc/1`, {})).status, index).toBe(503);
      expect((await server.call('PUT', `/${index}`, {})).status, index).toBe(400);
      const set = await server.call('PUT', `/${index}/_settings`, { refresh_interval: '1s' });
      expect(set.status, index).toBe(503);
      expect(health.indices[index].status).toBe('red');
      const reported = health.damaged.find(({ name }: { name: string }) => name === index);
      expect(reported).toMatchObject({ kind: 'index', reason: expect.stringContaining(named) });
      expect(doctor.stdout).toContain(`index ${index}`);
    }
    const all = await server.call('POST', '/_all/_search', {});
    const [served, failed] = [1 + BAD.length, oddities.length];
    expect(all.json._shards).toMatchObject({ total: served + failed, successful: served, failed });
    expect(await server.stop()).toBe(0);

    const again = await startServer({ dataDir });
    for (const [index] of oddities) {
      expect((await again.call('DELETE', `/${index}`)).status, index).toBe(200);
    }
    expect((await again.call('GET', '/_cluster/health')).json).not.toHaveProperty('damaged');
    for (const [index] of oddities) {
      expect((await again.call('PUT', `/${index}/_doc/1`, { n: 1 })).status, index).toBe(201);
    }
    expect(await again.stop()).toBe(0);
  });

  test('a filter of an alias that is no query any more fails what goes by the alias', async () => {
    makeOdd([['odd', { aliases: { fence: { filter: { gone: {} } }, free: {} } }]]);
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

test('forged state of services does nothing at a start, and is reported to who needs it', async () => {
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
  flip(pathIn(2, 'META'), 2);
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
