// The client commands with a service that requires keys: without a key, with an invalid one, and
// with one that lacks privileges.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';
import { makeKey, type Ran, run, runHere } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-asked-'));
const dataDir = join(folder, 'data');
let server: TestServer;
let writer: string;
let reader: string;

function quarry(args: readonly string[], key?: string): Promise<Ran> {
  return run(args, folder, { QUARRY_URL: server.base, QUARRY_API_KEY: key });
}

beforeAll(async () => {
  writer = makeKey(dataDir, '--name', 'writer', '--privileges', 'read,write');
  reader = makeKey(
    dataDir,
    '--name',
    'reader',
    '--indices',
    '.svc-memory-ann*',
    '--privileges',
    'read',
  );
  server = await startServer({ dataDir, args: ['--auth.enabled', '--snapshot.path', folder] });
  for (const namespace of ['ann', 'bob']) {
    const args = ['remember', 'A key opens a door', '--namespace', namespace, '--id', 'm1'];
    expect(await quarry(args, writer)).toMatchObject({ code: 0, out: 'stored as m1\n' });
  }
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['search', ['search', '*']],
  ['recall', ['recall', 'door', '--namespace', 'ann']],
  ['remember', ['remember', 'x', '--namespace', 'ann']],
  ['ego', ['ego', 'm1', '--brain', 'ann']],
  ['link', ['link', 'm1', 'mentions', 'm2', '--brain', 'ann']],
  ['export', ['export', join(folder, 'out.ndjson'), '--namespace', 'ann']],
])('%s', (_, args) => {
  test.each([
    ['without a key', undefined],
    ['with a wrong one', 'qk_wrong'],
  ])('%s fails and says where to give one', async (_how, key) => {
    const ran = await runHere(args, { QUARRY_URL: server.base, QUARRY_API_KEY: key });
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain('--api-key or QUARRY_API_KEY');
    expect(existsSync(join(folder, 'out.ndjson'))).toBe(false);
  });
});

test('a key that may only read one namespace reads it, and nothing else', async () => {
  const recalled = await quarry(['recall', 'door', '--namespace', 'ann', '--json'], reader);
  expect(JSON.parse(recalled.out).hits).toHaveLength(1);
  const exported = await quarry(['export', '-', '--namespace', 'ann'], reader);
  expect(exported).toMatchObject({ code: 0, err: '' });
  expect(exported.out).toContain('A key opens a door');
  for (const args of [
    ['recall', 'door', '--namespace', 'bob'],
    ['export', '-', '--namespace', 'bob'],
    ['remember', 'x', '--namespace', 'ann'],
    ['search', '.svc-memory-bob'],
  ]) {
    const ran = await runHere(args, { QUARRY_URL: server.base, QUARRY_API_KEY: reader });
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).not.toContain('opens');
  }
});

test('export and import with a key carry a namespace over', async () => {
  expect((await quarry(['export', 'ann.ndjson', '--namespace', 'ann'], writer)).code).toBe(0);
  const read = await quarry(['import', 'ann.ndjson', '--namespace', 'copy'], reader);
  expect(read.code).toBe(1);
  const imported = await quarry(['import', 'ann.ndjson', '--namespace', 'copy', '--json'], writer);
  expect(JSON.parse(imported.out)).toMatchObject({ namespace: 'copy' });
  const copied = await quarry(['recall', '--namespace', 'copy', '--json'], writer);
  expect(JSON.parse(copied.out).hits).toMatchObject([{ id: 'm1' }]);
});

test('backup and restore with a key', async () => {
  const to = join(folder, 'backup');
  const without = await quarry(['backup', '--to', to]);
  expect(without).toMatchObject({ code: 1, out: '' });
  expect(without.err).toContain('--api-key or QUARRY_API_KEY');
  const admin = makeKey(dataDir, '--name', 'admin');
  expect(await quarry(['backup', '--to', to, '--json'], admin)).toMatchObject({ code: 0, err: '' });
  const renamed = ['--rename-pattern', '^', '--rename-replacement', 'old-'];
  const names = ['--indices', '.svc-memory-ann'];
  const back = await quarry(['restore', '--from', to, ...names, ...renamed, '--api-key', admin]);
  expect(back).toMatchObject({ code: 0, err: '' });
});

describe.each(['no key', 'a wrong key', 'a key'])('doctor with %s', (which) => {
  const expected = {
    'no key': { code: 0, state: 'warning', found: 'the service asks for one' },
    'a wrong key': { code: 1, state: 'wrong', found: 'the service refuses it' },
    'a key': { code: 0, state: 'good', found: 'reader: read on .svc-memory-ann*' },
  }[which];
  test('says what it is worth', async () => {
    const key = which === 'no key' ? undefined : which === 'a key' ? reader : 'qk_wrong';
    const ran = await quarry(['doctor', '--json', '--data-dir', dataDir], key);
    const { what, state, found } = JSON.parse(ran.out).findings.at(-1);
    expect({ code: ran.code, state, found }).toEqual(expected);
    expect(what).toBe('key');
  });
});
