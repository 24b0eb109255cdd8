// A service whose log output goes to a full disk or a closed pipe: log lines are lost, but no
// responses.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../tools/server.ts';

let dataDir: string;
let child: ChildProcess;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quarry-full-'));
});
afterEach(async () => {
  if (child.exitCode === null) {
    const exited = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await exited;
  }
  rmSync(dataDir, { recursive: true });
});

async function serve(stdout: number | 'pipe'): Promise<string> {
  const port = await freePort();
  const flags = ['--port', String(port), '--data-dir', dataDir, '--logging.level', 'debug'];
  child = spawn(process.execPath, [resolve('dist/cli/main.js'), 'serve', ...flags], {
    stdio: ['ignore', stdout, 'inherit'],
  });
  const base = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 1200 && child.exitCode === null; i++) {
    const ready = await fetch(`${base}/v1/health/ready`).catch(() => undefined);
    if (ready?.status === 200) return base;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`it is not ready, exit code ${child.exitCode}`);
}

async function answers(base: string): Promise<void> {
  for (let i = 0; i < 20; i++) expect((await fetch(`${base}/_cat/indices`)).status).toBe(200);
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}

test.skipIf(!existsSync('/dev/full'))(
  'of a disk that is full',
  async () => {
    const full = openSync('/dev/full', 'w');
    try {
      await answers(await serve(full));
    } finally {
      closeSync(full);
    }
  },
  120_000,
);

test('of a pipe that nobody reads any more', async () => {
  const base = await serve('pipe');
  child.stdout?.destroy();
  await answers(base);
}, 120_000);
