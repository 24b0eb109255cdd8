// Checks of every request: origins of web pages, headers, rates, the metrics token, authentication,
// and the audit log.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Privilege } from '../../src/auth/grant.ts';
import { changeKeys } from '../../src/auth/key-file.ts';
import { type Credentials, keyText, makeKey } from '../../src/auth/key-record.ts';
import { KeyRing } from '../../src/auth/key-ring.ts';
import type { AuditEntry } from '../../src/ops/audit.ts';
import { type FakeServer, fakeServer } from './fake-backend.ts';

const ALL: readonly Privilege[] = ['read', 'write', 'manage'];
const folder = mkdtempSync(join(tmpdir(), 'quarry-guard-'));
const path = join(folder, 'keys.json');
let key: Credentials;
let server: FakeServer;
const entries: AuditEntry[] = [];
const audit = {
  write: (entry: AuditEntry) => void entries.push(entry),
  reopen: async () => {},
  close: async () => {},
};

beforeAll(async () => {
  const made = await makeKey({ name: 'us', indices: ['books'], privileges: ALL }, 1);
  key = made.credentials;
  await changeKeys(path, () => [made.record]);
});
afterEach(async () => {
  await server.close();
  entries.length = 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

const ring = (): KeyRing =>
  new KeyRing({ path, nowMs: () => 1, onError: () => {}, onRefusal: () => {} });

async function ask(method: 'GET' | 'POST' | 'OPTIONS', url: string, headers = {}) {
  return server.app.inject({ method, url, headers: { host: 'q:9200', ...headers } });
}

describe('a web page', () => {
  const origin = 'https://app.example.org';
  const asks = { origin, 'access-control-request-method': 'POST' };

  test('of another origin gets no leave, and changes nothing', async () => {
    server = await fakeServer();
    const read = await ask('GET', '/books/_search', { origin });
    expect(read.statusCode).toBe(200);
    expect(read.headers['access-control-allow-origin']).toBeUndefined();
    for (const reply of [
      await ask('POST', '/books/_close', { origin }),
      await ask('POST', '/books/_close', { origin: 'null' }),
      await ask('POST', '/books/_close', { origin: '' }),
      await ask('POST', '/books/_close', { origin: 'http://q:9200.evil.org' }),
      await ask('OPTIONS', '/books/_search', asks),
    ]) {
      expect([reply.statusCode, reply.json().error.type]).toEqual([403, 'security_exception']);
    }
    expect(server.calls.map(({ method }) => method)).not.toContain('setState');
  });

  test('of this server may do what its user may', async () => {
    server = await fakeServer();
    const reply = await ask('POST', '/books/_close', { origin: 'http://q:9200' });
    expect(reply.statusCode).toBe(200);
  });

  test('of a listed origin is told that it may, without a key for the question itself', async () => {
    const flags = { 'cors.allow_origins': `https://other.example,${origin}` };
    server = await fakeServer({}, flags, { keys: ring() });
    const leave = await ask('OPTIONS', '/books/_search', asks);
    expect(leave.statusCode).toBe(204);
    expect(leave.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      vary: 'Origin',
    });
    const unknown = await ask('POST', '/books/_search', { origin });
    expect(unknown.statusCode).toBe(401);
    expect(unknown.headers['access-control-allow-origin']).toBe(origin);
    const authorization = `Bearer ${keyText(key)}`;
    expect((await ask('GET', '/books/_search', { origin, authorization })).statusCode).toBe(200);
  });
});

test('every answer has the headers that keep browsers from guessing', async () => {
  server = await fakeServer({}, {}, { keys: ring() });
  for (const url of ['/v1/health', '/', '/nothing/at/all/here', '/books/_doc/%E0%A4%A']) {
    const { headers } = await ask('GET', url);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  }
});

test('too many requests are answered 429, the probes are not counted', async () => {
  server = await fakeServer({}, { 'limits.requests_per_second': '2' });
  const statuses: number[] = [];
  for (let i = 0; i < 50; i++) statuses.push((await ask('GET', '/')).statusCode);
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(50);
  const refused = await ask('GET', '/');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.json().error.type).toBe('es_rejected_execution_exception');
  for (let i = 0; i < 20; i++) expect((await ask('GET', '/v1/health')).statusCode).toBe(200);
});

test('metrics take their token, or a key, and the token opens nothing else', async () => {
  const flags = { 'auth.metrics_token': 'sesame' };
  server = await fakeServer({}, flags, { keys: ring() });
  const status = async (url: string, authorization?: string): Promise<number> =>
    (await ask('GET', url, authorization === undefined ? {} : { authorization })).statusCode;
  expect(await status('/v1/metrics')).toBe(401);
  expect(await status('/v1/metrics', 'Bearer sesam')).toBe(401);
  expect(await status('/v1/metrics', 'Bearer sesame')).toBe(200);
  expect(await status('/v1/metrics', `ApiKey ${keyText(key)}`)).toBe(200);
  expect(await status('/', 'Bearer sesame')).toBe(401);
});

test('no token is not the empty token', async () => {
  server = await fakeServer({}, {}, { keys: ring() });
  for (const authorization of ['Bearer ', 'Bearer', '', 'Bearer  ']) {
    expect((await ask('GET', '/v1/metrics', { authorization })).statusCode).toBe(401);
  }
});

test('who the caller is', async () => {
  server = await fakeServer({}, {}, { keys: ring() });
  const authorization = `ApiKey ${keyText(key)}`;
  const reply = await ask('GET', '/_security/_authenticate', { authorization });
  expect(reply.json()).toMatchObject({
    username: 'us',
    authentication_type: 'api_key',
    api_key: { id: key.id, name: 'us' },
  });
  const other = await ask('GET', '/_security/user', { authorization });
  expect(other.statusCode).toBe(400);
  expect(other.json().error.reason).toContain('quarry keys create');
});

test('without keys nobody is anybody', async () => {
  server = await fakeServer();
  expect((await ask('GET', '/_security/_authenticate')).statusCode).toBe(400);
  expect((await ask('GET', '/', { authorization: 'Bearer whatever' })).statusCode).toBe(200);
});

test('the audit log tells who, what and which index, and no secret', async () => {
  server = await fakeServer({}, {}, { keys: ring(), audit });
  const authorization = `Bearer ${keyText(key)}`;
  await ask('GET', '/books/_search?q=private', { authorization, 'x-opaque-id': 'task-7' });
  await ask('GET', '/books/_search', { authorization: 'Bearer nonsense' });
  await ask('GET', '/_snapshot', { authorization });
  expect(entries).toMatchObject([
    {
      outcome: 'allowed',
      key: { id: key.id, name: 'us' },
      method: 'GET',
      route: '/:index/_search',
      index: 'books',
      status: 200,
      opaque_id: 'task-7',
    },
    { outcome: 'denied', status: 401, key: undefined },
    { outcome: 'denied', status: 403, key: { id: key.id } },
  ]);
  const text = JSON.stringify(entries);
  for (const secret of [key.secret, 'nonsense', 'private']) expect(text).not.toContain(secret);
});
