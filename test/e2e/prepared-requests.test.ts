// Requests that are sent again, byte for byte, are executed as they were prepared: never for another
// sender, another name, another media type, and never by a mapping or setting that has changed since.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../tools/keys.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

/** Each request is sent this often: the first time it is prepared, then it is repeated. */
const TIMES = 3;
const dataDir = mkdtempSync(join(tmpdir(), 'quarry-prepared-'));
let server: TestServer;
let admin: string;
let ours: string;

type Headers = Readonly<Record<string, string>>;

function as(key: string, method: string, path: string, body?: unknown, headers: Headers = {}) {
  return server.call(method, path, body, { authorization: `Bearer ${key}`, ...headers });
}

async function set(method: string, path: string, body?: unknown): Promise<void> {
  const reply = await as(admin, method, path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
}

/** The answers to the same request, which have to be alike, without the time that they took. */
async function repeated(key: string, path: string, body: unknown, headers?: Headers) {
  const answers: Reply[] = [];
  for (let i = 0; i < TIMES; i++) answers.push(await as(key, 'POST', path, body, headers));
  const texts = answers.map(({ text }) => text.replace(/"?took"?: ?\d+/, ''));
  expect(new Set(texts).size).toBe(1);
  return answers[0] as Reply;
}

const ids = ({ json }: Reply): unknown =>
  json.hits.hits.map(({ _id }: { readonly _id: string }) => _id).sort();

beforeAll(async () => {
  admin = makeKey(dataDir, '--name', 'admin');
  ours = makeKey(dataDir, '--name', 'ours', '--indices', 'a*');
  server = await startServer({ dataDir, args: ['--auth.enabled'] });
  await set('PUT', '/a1', {
    settings: { number_of_shards: 1 },
    mappings: { properties: { n: { type: 'long' }, t: { type: 'text' } } },
  });
  for (const n of [1, 2, 3]) await set('PUT', `/a1/_doc/${n}?refresh=true`, { n, t: 'red' });
  await set('PUT', '/b1/_doc/4?refresh=true', { n: 4, t: 'red' });
  await set('POST', '/_aliases', {
    actions: [
      { add: { index: 'a1', alias: 'a-small', filter: { range: { n: { lt: 2 } } } } },
      { add: { index: 'a1', alias: 'a-large', filter: { range: { n: { gt: 2 } } } } },
    ],
  });
}, 60_000);
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const RED = { query: { match: { t: 'red' } } };

test('two keys see what is theirs', async () => {
  expect(ids(await repeated(admin, '/_search', RED))).toEqual(['1', '2', '3', '4']);
  expect(ids(await repeated(ours, '/_search', RED))).toEqual(['1', '2', '3']);
  expect((await repeated(admin, '/b1/_search', RED)).status).toBe(200);
  expect((await repeated(ours, '/b1/_search', RED)).status).toBe(403);
});

test('two aliases of an index filter what is theirs', async () => {
  expect(ids(await repeated(admin, '/a-small/_search', RED))).toEqual(['1']);
  expect(ids(await repeated(admin, '/a-large/_search', RED))).toEqual(['3']);
});

test('two parameters and two methods are two requests', async () => {
  expect((await repeated(admin, '/a1/_search?size=1', RED)).json.hits.hits).toHaveLength(1);
  expect((await repeated(admin, '/a1/_search?size=2', RED)).json.hits.hits).toHaveLength(2);
  expect((await as(admin, 'DELETE', '/a1/_search?size=2', RED)).status).toBe(405);
});

test('two media types are two requests', async () => {
  const body = JSON.stringify(RED);
  const json = await repeated(admin, '/a1/_search', body, { 'content-type': 'application/json' });
  expect(json.status).toBe(200);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await repeated(admin, '/a1/_search', body, form)).status).toBe(415);
  const yaml = { 'content-type': 'application/json', accept: 'application/yaml' };
  expect((await repeated(admin, '/a1/_search', body, yaml)).text).toMatch(/^---\n/);
});

test('a changed mapping, setting, alias and index are seen at once', async () => {
  const byM = { query: { term: { m: 7 } } };
  expect(ids(await repeated(admin, '/a1/_search', byM))).toEqual([]);
  await set('PUT', '/a1/_mapping', { properties: { m: { type: 'integer' } } });
  await set('PUT', '/a1/_doc/5?refresh=true', { m: 7 });
  expect(ids(await repeated(admin, '/a1/_search', byM))).toEqual(['5']);

  const page = { ...RED, size: 20 };
  expect((await repeated(admin, '/a1/_search', page)).status).toBe(200);
  await set('PUT', '/a1/_settings', { 'index.max_result_window': 10 });
  expect((await repeated(admin, '/a1/_search', page)).status).toBe(400);
  await set('PUT', '/a1/_settings', { 'index.max_result_window': null });
  expect((await repeated(admin, '/a1/_search', page)).status).toBe(200);

  await repeated(admin, '/a-small/_search', RED);
  await set('POST', '/_aliases', {
    actions: [{ add: { index: 'a1', alias: 'a-small', filter: { range: { n: { lt: 3 } } } } }],
  });
  expect(ids(await repeated(admin, '/a-small/_search', RED))).toEqual(['1', '2']);

  await set('PUT', '/a2/_doc/9?refresh=true', { t: 'red' });
  expect(ids(await repeated(admin, '/a2/_search', RED))).toEqual(['9']);
  await set('DELETE', '/a2');
  expect((await repeated(admin, '/a2/_search', RED)).status).toBe(404);
});
