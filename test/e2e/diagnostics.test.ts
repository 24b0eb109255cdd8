// The routes by which operators see how the service does: findings, slow searches, configuration,
// keys, and what autoindex made of a folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { autoindex } from '../../src/autoindex/autoindex.ts';
import type { ApiDocument } from '../tools/api-document.ts';
import { callAs, makeKey } from '../tools/keys.ts';
import { ApiChecker } from '../tools/openapi-check.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-diagnostics-'));
const TOKEN = 'token-of-the-scraper';
let server: TestServer;
let checker: ApiChecker;
let admin: string;
let reader: string;
let mapped: string;

beforeAll(async () => {
  admin = makeKey(
    dataDir,
    '--name',
    'admin',
    '--indices',
    '*',
    '--privileges',
    'read,write,manage',
  );
  reader = makeKey(dataDir, '--name', 'reader', '--indices', '*', '--privileges', 'read');
  mapped = makeKey(dataDir, '--name', 'mapped', '--indices', 'files-*,.svc-catalog');
  server = await startServer({
    dataDir,
    args: ['--auth.enabled', '--logging.slow_query_warn_ms', '0'],
    env: {
      QUARRY_AUTH_METRICS_TOKEN: TOKEN,
      QUARRY_LOGGING_SLOW_QUERY_VALUES: 'true',
      QUARRY_TRACING_ENDPOINT: 'http://me:secret@127.0.0.1:1/v1/traces',
    },
  });
  checker = new ApiChecker((await as(admin, 'GET', '/v1/openapi.json')).json as ApiDocument);
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A request whose answer must be as the API document says. */
async function as(key: string, method: string, path: string, body?: unknown): Promise<Reply> {
  const reply = await callAs(server, key, method, path, body);
  const { status, text, headers } = reply;
  const contentType = headers.get('content-type');
  expect(checker?.faults({ method, path, status, contentType, text }) ?? []).toEqual([]);
  return reply;
}

describe('GET /v1/doctor', () => {
  test('finds nothing wrong with a sound service', async () => {
    const { json } = await as(reader, 'GET', '/v1/doctor');
    expect(json.sound).toBe(true);
    const data = json.findings.find((one: { what: string }) => one.what === 'data');
    expect(data).toEqual({ what: 'data', state: 'good', found: 'everything can be read' });
  });

  test('names the keys of the configuration that are set, without their values', async () => {
    const { text } = await as(reader, 'GET', '/v1/doctor');
    expect(text).toContain('auth.metrics_token (environment)');
    expect(text).not.toContain(TOKEN);
  });

  test('needs a key for all indexes', async () => {
    expect((await as(mapped, 'GET', '/v1/doctor')).status).toBe(403);
  });
});

describe('GET /v1/slow_searches', () => {
  test('has the latest first with their shape, of every HTTP thread, and no value', async () => {
    await as(admin, 'PUT', '/slow/_doc/1?refresh=true', { t: 'red fox' });
    const query = { match: { t: 'zebra-secret' } };
    for (let i = 0; i < 8; i++) await as(admin, 'POST', '/slow/_search', { query, size: 3 });
    await expect
      .poll(async () => (await as(admin, 'GET', '/v1/slow_searches')).json.total)
      .toBeGreaterThanOrEqual(8);
    const { json, text } = await as(admin, 'GET', '/v1/slow_searches?size=2');
    expect(json.searches).toHaveLength(2);
    expect(json.thresholds_ms).toEqual({ warn: 0, info: -1, debug: -1, trace: -1 });
    expect(json.searches[0]).toMatchObject({
      level: 'warn',
      phase: 'query',
      indexes: ['slow'],
      shape: { query: { match: { t: '?' } }, size: 3 },
      request_id: expect.any(String),
    });
    expect(json.searches[0].at).toBeGreaterThanOrEqual(json.searches[1].at);
    expect(text).not.toContain('zebra-secret');
  });

  test('is for keys that manage the node, and names a size that it does not take', async () => {
    expect((await as(reader, 'GET', '/v1/slow_searches')).status).toBe(403);
    for (const size of ['0', '201', '-1']) {
      const { status, json } = await as(admin, 'GET', `/v1/slow_searches?size=${size}`);
      expect([status, json.error.reason]).toEqual([
        400,
        `[size] must be between 1 and 200, got [${size}]`,
      ]);
    }
  });
});

describe('GET /v1/configuration', () => {
  test('says where each value comes from', async () => {
    const { json } = await as(admin, 'GET', '/v1/configuration');
    expect(json.file).toBeNull();
    expect(json.settings['auth.enabled']).toMatchObject({ value: true, origin: 'flag' });
    expect(json.settings['logging.slow_query_values']).toMatchObject({
      origin: 'environment',
      environment: 'QUARRY_LOGGING_SLOW_QUERY_VALUES',
    });
    expect(json.settings['limits.write_queue']).toMatchObject({ value: 1000, origin: 'default' });
  });

  test('shows no secret, neither a token nor the password of an address', async () => {
    const { text, json } = await as(admin, 'GET', '/v1/configuration');
    expect(json.settings['auth.metrics_token'].value).toBe('(set)');
    expect(json.settings['tracing.endpoint'].value).toBe('http://(set)@127.0.0.1:1/v1/traces');
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('me:secret');
  });

  test('shows what a cluster setting overrides', async () => {
    const setting = { transient: { 'search.max_buckets': 77 } };
    await as(admin, 'PUT', '/_cluster/settings', setting);
    const { json } = await as(admin, 'GET', '/v1/configuration');
    expect(json.settings['search.max_buckets']).toMatchObject({
      value: 77,
      origin: 'cluster_setting',
    });
    await as(admin, 'PUT', '/_cluster/settings', { transient: { 'search.max_buckets': null } });
  });

  test('is for keys that manage the node', async () => {
    expect((await as(reader, 'GET', '/v1/configuration')).status).toBe(403);
  });
});

describe('GET /_security/api_key', () => {
  const names = ({ json }: Reply): string[] =>
    json.api_keys.map(({ name }: { name: string }) => name).sort();

  test('lists keys with their rights and no trace of their secrets', async () => {
    const reply = await as(admin, 'GET', '/_security/api_key');
    expect(names(reply)).toEqual(['admin', 'mapped', 'reader']);
    const one = reply.json.api_keys.find(({ name }: { name: string }) => name === 'mapped');
    expect(one).toMatchObject({
      type: 'rest',
      invalidated: false,
      username: 'mapped',
      role_descriptors: { mapped: { indices: [{ names: ['files-*', '.svc-catalog'] }] } },
    });
    for (const secret of ['salt', 'hash', 'cost', mapped.split('_')[2] ?? '']) {
      expect(reply.text).not.toContain(secret);
    }
  });

  test('finds keys by name and id', async () => {
    expect(names(await as(admin, 'GET', '/_security/api_key?name=r*'))).toEqual(['reader']);
    expect(names(await as(admin, 'GET', '/_security/api_key?name=nobody'))).toEqual([]);
    const id = mapped.split('_')[1];
    expect(names(await as(admin, 'GET', `/_security/api_key?id=${id}`))).toEqual(['mapped']);
    const missing = await as(admin, 'GET', '/_security/api_key?id=0000000000000000');
    expect([missing.status, missing.json]).toEqual([404, { api_keys: [] }]);
  });

  test('shows a key that does not manage the node itself alone', async () => {
    expect(names(await as(reader, 'GET', '/_security/api_key'))).toEqual(['reader']);
    expect(names(await as(mapped, 'GET', '/_security/api_key?name=*'))).toEqual(['mapped']);
    expect(names(await as(reader, 'GET', '/_security/api_key?owner=true'))).toEqual(['reader']);
    expect(names(await as(admin, 'GET', '/_security/api_key?owner=true'))).toEqual(['admin']);
  });

  test.each([
    ['id=1&name=a', 'only one of [api key id, api key name] can be specified'],
    ['username=a&id=1', 'username or realm name must not be specified'],
    ['username=a&owner=true', 'neither username nor realm-name may be specified'],
  ])('refuses %s', async (query, reason) => {
    const { status, json } = await as(admin, 'GET', `/_security/api_key?${query}`);
    expect(status).toBe(400);
    expect(json.error.reason).toContain(reason);
  });
});

describe('GET /v1/autoindex', () => {
  const state = mkdtempSync(join(tmpdir(), 'quarry-diagnostics-state-'));
  const shop = join(state, 'shop');
  afterAll(() => rmSync(state, { recursive: true, force: true }));

  const run = (prefix: string) =>
    autoindex({
      path: shop,
      url: server.base,
      prefix,
      apiKey: admin,
      stateFolder: join(state, 'state'),
      dryRun: false,
      onProgress: () => {},
    });

  test('has nothing before the first run', async () => {
    expect((await as(admin, 'GET', '/v1/autoindex')).json).toEqual({ folders: [] });
  });

  test('has the datasets of each folder and the problems by file', async () => {
    mkdirSync(shop);
    writeFileSync(join(shop, 'orders.csv'), 'id,city\n1,Lisbon\n2,Oslo\n');
    writeFileSync(join(shop, '<img src=x onerror=alert(1)>.json'), '{"port": 9200, "cut": ');
    await run('files-');
    const { json } = await as(mapped, 'GET', '/v1/autoindex');
    expect(json.folders).toHaveLength(1);
    const [folder] = json.folders;
    expect(folder).toMatchObject({
      prefix: 'files-',
      finished_at: expect.any(Number),
      documents: 2,
      problem_count: 1,
      problems: [
        {
          path: '<img src=x onerror=alert(1)>.json',
          problem: 'the JSON ends before it is closed',
        },
      ],
    });
    expect(folder.datasets.map(({ index }: { index: string }) => index)).toEqual(['files-orders']);
    expect(folder.datasets[0].fields[0]).toMatchObject({ name: 'id', examples: ['1', '2'] });
  });

  test('tells runs with different prefixes apart', async () => {
    await run('more-');
    const { json } = await as(admin, 'GET', '/v1/autoindex');
    expect(json.folders.map(({ prefix }: { prefix: string }) => prefix).sort()).toEqual([
      'files-',
      'more-',
    ]);
  });

  test('is refused to a key that may not read the catalog', async () => {
    const other = makeKey(dataDir, '--name', 'other', '--indices', 'files-*');
    expect((await as(other, 'GET', '/v1/autoindex')).status).toBe(403);
  });

  test('passes over what another client has written into the catalog', async () => {
    const odd = { name: { a: 1 }, root: 7, fields: 'x', queries: [1], files: -1, report: [1] };
    await as(admin, 'PUT', '/.svc-catalog/_doc/odd?refresh=true', {
      ...odd,
      root: '/x',
      name: 'n',
    });
    await as(admin, 'PUT', '/.svc-catalog/_doc/odd2?refresh=true', { root: '/x', report: 'no' });
    expect((await as(admin, 'GET', '/v1/autoindex')).status).toBe(200);
  });
});

describe('GET /_graph', () => {
  test('lists in pages the brains with links that the key may use', async () => {
    for (const brain of ['ann', 'bob', 'bobby']) {
      await as(admin, 'POST', `/_graph/${brain}/link`, { src: 'a', dst: 'b', type: 't' });
    }
    const bob = makeKey(dataDir, '--name', 'bob', '--indices', '.svc-memory-bob*');
    const brains = async (key: string, query = ''): Promise<unknown> =>
      (await as(key, 'GET', `/_graph${query}`)).json;
    expect(await brains(admin, '?prefix=bob&size=1')).toEqual({
      count: 2,
      brains: [{ brain: 'bob', nodes_index: '.svc-memory-bob' }],
      next: 'bob',
    });
    expect(await brains(admin, '?prefix=bob&after=bob')).toEqual({
      count: 2,
      brains: [{ brain: 'bobby', nodes_index: '.svc-memory-bobby' }],
    });
    expect(await brains(bob)).toMatchObject({ count: 2 });
    expect((await as(admin, 'GET', '/_graph?size=0')).status).toBe(400);
  });
});
