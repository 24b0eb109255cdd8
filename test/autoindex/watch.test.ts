// Runs in watch mode: the files they see, and how often they run. Files are real; most runs only
// list them.
import { spawn } from 'node:child_process';
import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { walk } from '../../src/autoindex/walk.ts';
import { type FollowOptions, follow } from '../../src/autoindex/watch.ts';
import { startServer } from '../tools/server.ts';
import { makeFolder, rows, type TestFolder } from './tools/folder.ts';

let folder: TestFolder;
let stop: AbortController;
let following: Promise<void> | undefined;
/** The sizes by path that each run has seen. */
let runs: Record<string, number>[];
let troubles: string[];

function begin(more: Partial<FollowOptions> = {}): void {
  following = follow({
    signal: stop.signal,
    settleMs: 50,
    onTrouble: (message) => troubles.push(message),
    run: async () => {
      const { files, folders } = await walk(folder.root);
      runs.push(Object.fromEntries(files.map(({ path, size }) => [path, size])));
      return folders;
    },
    ...more,
  });
}

/** Waits until the last run has seen exactly these files. */
function sees(files: Record<string, number>): Promise<void> {
  return expect.poll(() => runs.at(-1), { timeout: 20_000 }).toEqual(files);
}

beforeEach(() => {
  folder = makeFolder();
  stop = new AbortController();
  runs = [];
  troubles = [];
});
afterEach(async () => {
  stop.abort();
  await following?.catch(() => undefined);
  folder.remove();
});

describe('is seen', () => {
  test('a file that comes, grows, moves and goes', async () => {
    folder.put('a.txt', 'one');
    begin();
    await sees({ 'a.txt': 3 });
    folder.put('b.txt', 'four');
    await sees({ 'a.txt': 3, 'b.txt': 4 });
    appendFileSync(join(folder.root, 'b.txt'), 'more');
    await sees({ 'a.txt': 3, 'b.txt': 8 });
    renameSync(join(folder.root, 'b.txt'), join(folder.root, 'c.txt'));
    await sees({ 'a.txt': 3, 'c.txt': 8 });
    rmSync(join(folder.root, 'a.txt'));
    await sees({ 'c.txt': 8 });
  });

  test('what comes into folders that were not there', async () => {
    folder.put('a.txt', 'one');
    begin();
    await sees({ 'a.txt': 3 });
    folder.put('new/deep/b.txt', 'four');
    await sees({ 'a.txt': 3, 'new/deep/b.txt': 4 });
    folder.put('new/deep/c.txt', 'x');
    await sees({ 'a.txt': 3, 'new/deep/b.txt': 4, 'new/deep/c.txt': 1 });
  });

  test('a folder that is another under the same name', async () => {
    folder.put('in/a.txt', 'one');
    begin();
    await sees({ 'in/a.txt': 3 });
    rmSync(join(folder.root, 'in'), { recursive: true });
    folder.put('in/b.txt', 'four');
    await sees({ 'in/b.txt': 4 });
    folder.put('in/c.txt', 'x');
    await sees({ 'in/b.txt': 4, 'in/c.txt': 1 });
  });

  test('what changes while a run is at work', async () => {
    folder.put('a.txt', 'one');
    begin({
      run: async () => {
        const { files, folders } = await walk(folder.root);
        runs.push(Object.fromEntries(files.map(({ path, size }) => [path, size])));
        // After the first run in watch mode has listed the files.
        if (runs.length === 3) folder.put('late.txt', 'late');
        if (runs.length === 2) folder.put('b.txt', 'four');
        return folders;
      },
    });
    await sees({ 'a.txt': 3, 'b.txt': 4, 'late.txt': 4 });
  });
});

test('what is ignored wakes nobody', async () => {
  folder.put('.gitignore', 'out/\n');
  folder.put('a.txt', 'one');
  folder.put('out/x.txt', 'x');
  begin();
  await expect.poll(() => runs.length).toBe(2);
  folder.put('out/y.txt', 'y');
  folder.put('a.txt', 'other');
  await sees({ 'a.txt': 5 });
  expect(runs.length).toBe(3);
});

test('many changes are few runs', async () => {
  folder.put('a.txt', 'one');
  begin();
  await expect.poll(() => runs.length).toBe(2);
  for (let i = 0; i < 200; i++) folder.put(`many/${i}.txt`, 'x');
  await expect.poll(() => Object.keys(runs.at(-1) ?? {}).length, { timeout: 20_000 }).toBe(201);
  // One run for the burst, one for the new folder, and at most one more if the machine was slow
  // between them.
  expect(runs.length).toBeLessThanOrEqual(5);
});

test('a run that fails is told and tried again; the first one ends it', async () => {
  folder.put('a.txt', 'one');
  let failures = 0;
  begin({
    pollMs: 10,
    run: async () => {
      const { files, folders } = await walk(folder.root);
      runs.push(Object.fromEntries(files.map(({ path, size }) => [path, size])));
      if (runs.length > 1 && failures < 2) {
        failures += 1;
        throw new Error('no service answers');
      }
      return folders;
    },
  });
  await expect.poll(() => runs.length).toBeGreaterThanOrEqual(4);
  expect(troubles).toEqual(['no service answers', 'no service answers']);
  const other = new AbortController();
  const run = (): Promise<never> => Promise.reject(new Error('no such folder'));
  await expect(follow({ run, signal: other.signal, onTrouble: () => undefined })).rejects.toThrow(
    'no such folder',
  );
});

test('the command keeps an index current until it is told to stop', async () => {
  const server = await startServer();
  folder.put('orders-1.csv', rows(0, 20));
  const child = spawn(process.execPath, [
    resolve('dist/cli/main.js'),
    ...['autoindex', folder.root, '--watch', '--yes', '--prefix', 'w-'],
    ...['--url', server.base, '--state', folder.state],
  ]);
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const count = async (): Promise<number> =>
    (await server.call('GET', '/w-orders/_count')).json.count ?? -1;
  const polling = { timeout: 25_000, interval: 200 };
  try {
    await expect.poll(count, polling).toBe(20);
    // The file is written in two parts; its rows must be counted once.
    const whole = rows(20, 60);
    const path = join(folder.root, 'orders-2.csv');
    folder.put('orders-2.csv', whole.slice(0, whole.length / 2));
    appendFileSync(path, whole.slice(whole.length / 2));
    await expect.poll(count, polling).toBe(60);
    expect(statSync(path).size).toBe(whole.length);
    rmSync(join(folder.root, 'orders-1.csv'));
    await expect.poll(count, polling).toBe(40);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
  await server.stop();
}, 120_000);
