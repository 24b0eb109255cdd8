// A disk whose syncs take seconds: writers wait for them, readers do not. strace delays the syncs
// of the running process; where it is not permitted, the test is skipped with a message.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const DELAY_S = 3;
const available = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (!available) console.log('skipped: strace is not there, or may not trace');

let server: TestServer;
let strace: ChildProcess;
beforeEach(async () => {
  server = await startServer();
  await server.call('PUT', '/a/_doc/1?refresh=true', { text: 'old words' });
});
afterEach(async () => {
  strace.kill('SIGINT');
  await new Promise((resolve) => strace.once('exit', resolve));
  expect(await server.stop()).toBe(0);
});

/** Resolves when the delay is active. */
function slowDown(pid: number): Promise<void> {
  const calls = 'fsync,fdatasync';
  const delay = `inject=${calls}:delay_enter=${DELAY_S}s`;
  strace = spawn('strace', [
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${calls}`,
    '-e',
    delay,
    '-p',
    String(pid),
  ]);
  return new Promise((resolve) => strace.stderr?.once('data', () => resolve()));
}

test.skipIf(!available)(
  'slows writers, not readers',
  async () => {
    await slowDown(server.pid);
    let acknowledged = false;
    const started = performance.now();
    const write = server.call('PUT', '/a/_doc/2', { text: 'new words' }).then((reply) => {
      acknowledged = true;
      return reply;
    });
    // Once the document can be read, the write is waiting for the disk.
    while ((await server.call('GET', '/a/_doc/2')).status !== 200) expect(acknowledged).toBe(false);
    const found = await server.call('POST', '/a/_search', { query: { match: { text: 'old' } } });
    expect(found.json.hits.total.value).toBe(1);
    expect((await server.call('GET', '/a/_doc/1')).status).toBe(200);
    expect((await server.call('GET', '/v1/health/ready')).status).toBe(200);
    expect(acknowledged).toBe(false);
    expect((await write).status).toBe(201);
    expect(performance.now() - started).toBeGreaterThan(DELAY_S * 1000);
  },
  120_000,
);
