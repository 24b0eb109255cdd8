// A process with a low limit on open files: it either refuses to start with a message, or works and
// reserves descriptors for its data while clients take as many as they can.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = resolve('dist/cli/main.js');
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quarry-few-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const command = (descriptors: number): readonly string[] => [
  '-c',
  `ulimit -n ${descriptors}; exec "$0" "$@"`,
  process.execPath,
  MAIN,
  'serve',
  '--port',
  '0',
  '--data-dir',
  dataDir,
];

test('too few of them are told of at once', () => {
  const { status, stderr } = spawnSync('bash', command(64), { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toBe(
    'quarry: this process may open 64 files and connections, it needs at least 80: raise the limit (ulimit -n)\n',
  );
});

test('few of them are enough, whatever connections there are', async () => {
  const child = spawn('bash', command(128), { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((done) => child.once('exit', done));
  const base = await new Promise<string>((found, failed) => {
    child.once('exit', () => failed(new Error('it ended')));
    createInterface(child.stdout).on('line', (line) => {
      const [, address] = /"ready on (http:[^"]+)"/.exec(line) ?? [];
      if (address !== undefined) found(address);
    });
  });
  const sockets: Socket[] = [];
  for (let i = 0; i < 300; i++) {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
  }
  for (let i = 0; i < 10; i++) {
    const url = `${base}/i${i}/_doc/1?refresh=true`;
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const written = await fetch(url, { method: 'PUT', body: '{"a":1}', headers });
    expect(written.status, await written.text()).toBe(201);
  }
  const flushed = await fetch(`${base}/_all/_flush`, { method: 'POST' });
  expect(await flushed.json()).toMatchObject({ _shards: { failed: 0 } });
  const found = await fetch(`${base}/_all/_count`);
  expect(await found.json()).toMatchObject({ count: 10 });
  for (const socket of sockets) socket.destroy();
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}, 120_000);
