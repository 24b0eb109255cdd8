// Runs that are killed with -9 at random moments: before the service receives a request, or after
// it has executed it without a response. The next run ends with the same counts, and the one after
// that writes nothing.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { some } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { counts, makeFolder, rows, type TestFolder } from './tools/folder.ts';
import { type Between, standBetween, writesOf } from './tools/proxy.ts';

const FILES = 12;
const ROWS = 400;
let server: TestServer;
let proxy: Between;
let folder: TestFolder;

beforeAll(async () => {
  server = await startServer();
  proxy = await standBetween(server.base);
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
});

function fill(): void {
  for (let i = 0; i < FILES; i++) folder.put(`in/orders-${i}.csv`, rows(i * ROWS, (i + 1) * ROWS));
  folder.put('notes/one.md', '# One\n\nSee [two](two.md), **really**.\n');
  folder.put('notes/two.txt', 'The lighthouse keeper counted ships until the fog came in.');
  folder.put('app.log', '2026-01-02T10:00:00Z INFO up\n2026-01-02T10:00:01Z ERROR down\n');
  folder.put('gone.jsonl', '{"colour":"red","size":1}\n{"colour":"blue","size":2}\n');
}

/** The changes between the first run and the killed one. */
function change(): void {
  folder.put('in/orders-3.csv', rows(0, 40));
  renameSync(join(folder.root, 'notes/one.md'), join(folder.root, 'notes/uno.md'));
  rmSync(join(folder.root, 'gone.jsonl'));
  folder.put('in/orders-99.csv', rows(90_000, 90_050));
}

const FIRST = { documents: 2, gone: 2, logs: 2, orders: FILES * ROWS };
const AFTER = { documents: 2, gone: 0, logs: 2, orders: (FILES - 1) * ROWS + 40 + 50 };

/** Runs the command as a process, which ends, or is killed at request number `moment`. */
async function command(prefix: string, moment: number, fate: 'hold' | 'lose'): Promise<void> {
  proxy.seen.length = 0;
  const args = ['autoindex', folder.root, '--url', proxy.base, '--prefix', prefix, '--yes'];
  const child = spawn(process.execPath, [
    resolve('dist/cli/main.js'),
    ...args,
    '--state',
    folder.state,
  ]);
  const ended = new Promise((done) => child.once('exit', done));
  proxy.rule = (_, number) => (number === moment ? fate : 'pass');
  const reached = new Promise<void>((done) => {
    proxy.onSeen = (number) => {
      if (number >= moment) done();
    };
  });
  await Promise.race([ended, reached]);
  // The service completes the forwarded request before the process is killed.
  if (fate === 'lose') await server.call('GET', '/_cluster/health');
  child.kill('SIGKILL');
  await ended;
  proxy.rule = () => 'pass';
  proxy.onSeen = () => undefined;
}

/** Seeded moments, one in each part of a run; the numbers are part of the test's name. */
function moments(seed: number, parts: number, most: number): readonly number[] {
  let state = seed;
  return Array.from({ length: parts }, (_, part) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + Math.floor(((part + state / 2 ** 32) * most) / parts);
  });
}

async function converges(prefix: string, expected: object): Promise<void> {
  await folder.run(proxy.base, { prefix });
  expect(await counts(server, prefix)).toEqual(expected);
  proxy.seen.length = 0;
  await folder.run(proxy.base, { prefix });
  expect(writesOf(proxy.seen)).toEqual([]);
}

/** The first, which is to lose, and the last, which is to hold, are in the short form too. */
const KILLS = moments(20261122, 4, 26).map(
  (moment, i) => [moment, i % 2 === 0 ? 'lose' : 'hold'] as const,
);

test.each(some(KILLS, 3))(
  'killed at request %i, which is one to %s',
  async (moment, fate) => {
    const prefix = `k${moment}${fate}-`;
    folder = makeFolder();
    fill();
    await command(prefix, moment, fate);
    await converges(prefix, FIRST);
    change();
    await command(prefix, 1 + (moment % 14), fate);
    await converges(prefix, AFTER);
    folder.remove();
  },
  120_000,
);

test('a journal whose last line is cut is gone on with', async () => {
  folder = makeFolder();
  fill();
  const prefix = 'cut-';
  await folder.run(proxy.base, { prefix });
  const [name = ''] = readdirSync(folder.state);
  const path = join(folder.state, name);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, Math.floor(text.length / 2)));
  await converges(prefix, FIRST);
  folder.remove();
});

test('a root without a single file, as a disk that is not mounted has one, keeps the documents', async () => {
  folder = makeFolder();
  fill();
  const prefix = 'empty-';
  await folder.run(proxy.base, { prefix });
  for (const name of readdirSync(folder.root)) rmSync(join(folder.root, name), { recursive: true });
  proxy.seen.length = 0;
  for (const dryRun of [false, true]) {
    await expect(folder.run(proxy.base, { prefix, dryRun })).rejects.toThrow(
      /holds no file, and \d+ were indexed from it: .*--remove-all/,
    );
  }
  expect(writesOf(proxy.seen)).toEqual([]);
  expect(await counts(server, prefix)).toEqual(FIRST);
  await folder.run(proxy.base, { prefix, removeAll: true });
  expect(await counts(server, prefix)).toEqual(
    Object.fromEntries(Object.keys(FIRST).map((name) => [name, 0])),
  );
  // A prefix without indexes has nothing to lose.
  await folder.run(proxy.base, { prefix });
  folder.remove();
});

test('two runs of one folder: the second is refused while the first lives', async () => {
  folder = makeFolder();
  fill();
  const prefix = 'two-';
  const args = ['autoindex', folder.root, '--url', proxy.base, '--prefix', prefix, '--yes'];
  const child = spawn(process.execPath, [
    resolve('dist/cli/main.js'),
    ...args,
    '--state',
    folder.state,
  ]);
  const ended = new Promise((done) => child.once('exit', done));
  proxy.rule = () => 'hold';
  await new Promise<void>((done) => {
    proxy.onSeen = () => done();
  });
  await expect(folder.run(proxy.base, { prefix })).rejects.toThrow(/another autoindex .* process/);
  child.kill('SIGKILL');
  await ended;
  proxy.rule = () => 'pass';
  proxy.onSeen = () => undefined;
  await converges(prefix, FIRST);
  folder.remove();
});
