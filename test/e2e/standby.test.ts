// A standby follows the log that another service ships, answers reads, and is promoted by hand.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey, run } from '../cli/run.ts';
import { freePort, startServer, type TestServer } from '../tools/server.ts';

const MAIN = resolve('dist/cli/main.js');
let folder: string;
let service: TestServer;
let standby: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-standby-'));
  service = await startServer({
    dataDir: join(folder, 'primary'),
    env: {
      QUARRY_SNAPSHOT_SHIP_LOG: join(folder, 'place'),
      QUARRY_SNAPSHOT_SHIP_INTERVAL_MS: '300',
    },
  });
});
afterAll(async () => {
  standby?.kill('SIGTERM');
  await service?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('a standby reads what was written, refuses writes, and becomes a service', async () => {
  for (let n = 0; n < 50; n++) await service.call('PUT', `/books/_doc/${n}`, { n });
  await service.call('POST', '/_memory/ann', { text: 'the key lies under the mat' });
  const dataDir = join(folder, 'standby');
  // Keys do not leave the machine: those of the standby are its own.
  const key = makeKey(dataDir, '--name', 'reader');
  const port = await freePort();
  const from = ['--from', join(folder, 'place'), '--data-dir', dataDir];
  let out = '';
  standby = spawn(
    process.execPath,
    [MAIN, 'standby', ...from, '--port', String(port), '--interval', '1'],
    { env: { PATH: process.env['PATH'] ?? '', QUARRY_AUTH_ENABLED: 'true' } },
  );
  for (const stream of [standby.stdout, standby.stderr]) {
    stream?.on('data', (bytes) => {
      out += String(bytes);
    });
  }
  const call = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Response | undefined> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined);
  const count = async (): Promise<number> => {
    const reply = await call('GET', '/books/_count');
    return reply?.status === 200 ? ((await reply.json()) as { count: number }).count : -1;
  };
  await expect.poll(count, { timeout: 40_000, interval: 200 }).toBe(50);
  const refused = await call('PUT', '/books/_doc/x', {});
  expect(refused?.status).toBe(403);
  expect(await refused?.text()).toContain('this service is read only');
  expect((await call('POST', '/_memory/ann', { text: 'x' }))?.status).toBe(403);
  expect((await call('POST', '/books/_search', { query: { term: { n: 7 } } }))?.status).toBe(200);
  expect((await call('POST', '/_memory/ann/_recall', { query: 'key' }))?.status).toBe(200);

  await service.call('POST', '/books/_flush');
  await service.call('DELETE', '/books/_doc/0');
  for (let n = 50; n < 70; n++) await service.call('PUT', `/books/_doc/${n}`, { n });
  await expect.poll(count, { timeout: 40_000, interval: 200 }).toBe(69);
  expect(out).toMatch(/follows, as at \d{4}-/);

  const busy = await run(['standby', ...from, '--promote'], folder, {});
  expect(busy.err).toContain('another standby in this folder is at work');
  await service.kill('SIGKILL');
  const ended = new Promise((done) => standby?.once('exit', done));
  standby.kill('SIGTERM');
  expect(await ended).toBe(0);
  const promoted = await run(['standby', ...from, '--promote'], folder, {});
  expect(promoted).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(dataDir).toSorted()).toEqual(['data', 'keys.json']);
  const next = await startServer({ dataDir: join(dataDir, 'data') });
  expect((await next.call('GET', '/books/_count')).json.count).toBe(69);
  expect((await next.call('PUT', '/books/_doc/y', {})).status).toBe(201);
  await next.stop();
  expect((await run(['standby', ...from, '--promote'], folder, {})).err).toContain(
    'was promoted before',
  );
}, 120_000);

test('what cannot be followed is refused by name', async () => {
  const place = join(folder, 'place');
  const standbyOf = (args: readonly string[]): ReturnType<typeof run> =>
    run(['standby', ...args], folder, {});
  expect((await standbyOf(['--from', place, '--data-dir', join(folder, 'primary')])).code).toBe(2);
  expect((await standbyOf(['--from', place])).code).toBe(2);
  const none = ['--from', join(folder, 'none'), '--data-dir', join(folder, 'other'), '--promote'];
  expect((await standbyOf(none)).err).toContain('no log was shipped');
});
