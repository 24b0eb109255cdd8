// A key with a quota over HTTP: a store beyond it is 429 and names the quota, single, in a bulk and
// by the Model Context Protocol; other keys do not notice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../cli/run.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-key-quota-'));
let server: TestServer;
let keys: Readonly<Record<'few' | 'all' | 'free', string>>;

beforeAll(async () => {
  const few = ['--quota', 'memories=2'];
  keys = {
    few: makeKey(dataDir, '--name', 'few', '--indices', '.svc-memory-team-*', ...few),
    all: makeKey(dataDir, '--name', 'all', '--quota', 'stores_per_minute=1'),
    free: makeKey(dataDir, '--name', 'free'),
  };
  server = await startServer({ dataDir, args: ['--auth.enabled', 'true'] });
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function post(key: keyof typeof keys, path: string, body: unknown): Promise<Reply> {
  return server.call('POST', path, body, { authorization: `ApiKey ${keys[key]}` });
}

test('a restricted key holds what its namespaces hold', async () => {
  expect((await post('few', '/_memory/team-a', { text: 'one' })).status).toBe(201);
  expect((await post('free', '/_memory/team-b', { text: 'two' })).status).toBe(201);
  await post('few', '/_memory/team-b', { text: 'three' });
  const beyond = await post('few', '/_memory/team-c', { text: 'four' });
  expect(beyond.status, beyond.text).toBe(429);
  expect(beyond.json.error).toMatchObject({
    type: 'es_rejected_execution_exception',
    quota: 'memories',
    reason: expect.stringContaining('is at its quota: [quota.memories] is [2]'),
  });
  const bulk = await post('few', '/_memory/team-a/_bulk', [{ text: 'five' }]);
  expect(bulk.json.items).toMatchObject([{ status: 429, error: { quota: 'memories' } }]);
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'svc_memory_store', arguments: { namespace: 'team-a', text: 'six' } },
  };
  const tool = await server.call('POST', '/mcp', call, {
    authorization: `Bearer ${keys.few}`,
    accept: 'application/json, text/event-stream',
  });
  expect(tool.text).toContain('is at its quota');
  expect((await post('free', '/_memory/team-c', { text: 'four' })).status).toBe(201);
});

test('a key for everything has its quota, too', async () => {
  expect((await post('all', '/_memory/x', { text: 'one' })).status).toBe(201);
  const beyond = await post('all', '/_memory/y', { text: 'two' });
  expect([beyond.status, beyond.json.error.quota]).toEqual([429, 'stores_per_minute']);
  expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(30);
});
