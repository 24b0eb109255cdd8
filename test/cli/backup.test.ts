// `quarry backup` and `quarry restore`, with a running server and with the data folder of a stopped
// one.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents, type SnapshotServer, startSnapshotServer } from '../tools/repository.ts';
import { runHere } from './run.ts';

const MAIN = resolve('dist/cli/main.js');
const elsewhere = mkdtempSync(join(tmpdir(), 'quarry-backup-'));
let server: SnapshotServer;

beforeAll(async () => {
  server = await startSnapshotServer();
  await server.ok('POST', '/a/_bulk', documents(30));
  await server.ok('POST', '/b/_bulk', documents(5));
});
afterAll(async () => {
  await server?.stop();
  rmSync(elsewhere, { recursive: true });
});

/** Runs asynchronously, because the command may use a server in this process. */
function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (texts.out += String(chunk)));
  child.stderr.on('data', (chunk) => (texts.err += String(chunk)));
  return new Promise((done) => child.once('close', (code) => done({ code, ...texts })));
}

test('a running server is backed up, twice at no cost, and restored', async () => {
  const to = join(server.root, 'daily');
  const first = await run('backup', '--to', to, '--url', server.base, '--name', 'one', '--json');
  expect(first, first.err).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(first.out)).toMatchObject({
    snapshot: 'one',
    state: 'SUCCESS',
    indices: ['a', 'b'],
    stats: { incremental: { file_count: 6 } },
  });
  const second = await run('backup', `--to=${to}`, '--url', server.base, '--name', 'two');
  expect(second.code, second.err).toBe(0);
  expect(second.out).toMatch(
    /^snapshot \[two\] of 2 indexes in .*: 6 files, .*, of which 0 files, 0 bytes, were new/,
  );
  await server.ok('DELETE', '/a');
  const flags = ['--from', to, '--url', server.base];
  const restored = await run('restore', ...flags, '--indices', 'a');
  expect(restored).toMatchObject({ code: 0, out: 'restored from [two]: a\n' });
  expect((await server.ok('GET', '/a/_count')).count).toBe(30);
  const again = await run('restore', ...flags, '--name', 'one');
  expect(again.code).toBe(1);
  expect(again.err).toContain(
    'cannot restore index [a] because an open index with same name already exists',
  );
  const renamed = await run(
    'restore',
    ...flags,
    '--rename-pattern',
    '^',
    '--rename-replacement',
    'old-',
    '--json',
  );
  expect(JSON.parse(renamed.out)).toMatchObject({ indices: ['old-a', 'old-b'] });
});

test('a stopped server is backed up by its data folder, and restored into an empty one', async () => {
  const data = join(elsewhere, 'data');
  const seed = await startSnapshotServer({ dataDir: data });
  await seed.ok('POST', '/a/_bulk', documents(40));
  await seed.ok('POST', '/_memory/ann', { text: 'Rome' });
  await seed.stop();
  const to = join(elsewhere, 'backup');
  const made = await run('backup', '--to', to, '--data-dir', data);
  expect(made, made.err).toMatchObject({ code: 0, err: '' });
  const empty = join(elsewhere, 'empty');
  const restored = await run('restore', '--from', to, '--data-dir', empty, '--json');
  expect(restored.code, restored.err).toBe(0);
  const other = await startSnapshotServer({ dataDir: empty });
  expect((await other.ok('GET', '/a/_count')).count).toBe(40);
  expect((await other.ok('GET', '/_memory/ann')).memories?.length ?? 1).toBe(1);
  expect(await other.stop()).toBe(0);
});

test.each([
  [['backup'], 2, '--to FOLDER or ADDRESS is missing'],
  [['backup', '--from', 'x'], 2, 'backup has no [--from]'],
  [['backup', '--to'], 2, '--to needs a value'],
  [['backup', '--to', 'https://host'], 2, 'is no address of the form https://ENDPOINT/BUCKET/PATH'],
  [['backup', '--to', 'x', '--region', 'y'], 2, '--region is for an address of S3'],
  [['backup', '--to', 'x', '--url', 'y', '--data-dir', 'z'], 2, 'give one'],
  [['restore', '--from', 'x', '--from', 'y'], 2, '--from is given twice'],
  [['restore', 'x'], 2, 'unexpected argument [x]'],
  [
    ['backup', '--to', 'x', '--url', 'http://127.0.0.1:1'],
    1,
    'no service answers at http://127.0.0.1:1',
  ],
])('%o ends with %d', async (args, code, words) => {
  const { code: actual, err } = await runHere(args, {});
  expect({ code: actual, err }).toMatchObject({ code, err: expect.stringContaining(words) });
});

test('a folder beyond the allowed ones, or without a snapshot, is a failure', async () => {
  const outside = await run('backup', '--to', '/etc/x', '--url', server.base);
  expect(outside).toMatchObject({ code: 1, err: expect.stringContaining('snapshot.path') });
  const empty = await run('restore', '--from', join(server.root, 'none'), '--url', server.base);
  expect(empty).toMatchObject({ code: 1, err: expect.stringContaining('there is no snapshot in') });
});
