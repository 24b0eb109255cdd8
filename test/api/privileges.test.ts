// The privilege of every route: what each kind of key may do on it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDeps } from '../../src/api/kit/routes.ts';
import { allRoutes } from '../../src/api/route-table.ts';
import type { Privilege } from '../../src/auth/grant.ts';
import { changeKeys } from '../../src/auth/key-file.ts';
import { keyText, makeKey } from '../../src/auth/key-record.ts';
import { KeyRing } from '../../src/auth/key-ring.ts';
import type { PrivilegeRule } from '../../src/auth/privilege-rule.ts';
import { type FakeServer, fakeServer } from './fake-backend.ts';

const routes = allRoutes({} as ApiDeps).flatMap(({ methods, paths, privilege }) =>
  methods.flatMap((method) => paths.map((path) => [method, path, privilege] as const)),
);

describe('the privileges of routes', () => {
  test('opens the probes, the document of the API and the files of the console to everybody, and nothing else', () => {
    const pathsOf = (wanted: PrivilegeRule) =>
      routes.filter(([, , rule]) => rule === wanted).map(([, path]) => path);
    expect(pathsOf('open')).toEqual(['/v1/health', '/v1/health/ready']);
    expect(pathsOf('page')).toEqual([
      '/v1/openapi.json',
      '/v1/docs',
      '/v1/docs/start.js',
      '/v1/docs/swagger-ui.css',
      '/v1/docs/swagger-ui-bundle.js',
      '/v1/llms.txt',
      '/v1/console',
      '/v1/console/:file',
    ]);
  });

  test.each<[string, PrivilegeRule]>([
    ['GET /:index/_search', 'read'],
    ['POST /_msearch', 'read'],
    ['POST /_bulk', 'write'],
    ['DELETE /:index/_doc/:id', 'write'],
    ['POST /:index/_delete_by_query', 'read&write'],
    ['DELETE /:index', 'manage'],
    ['POST /_aliases', 'manage'],
    ['PUT /_snapshot/:repository', 'node:manage'],
    ['PUT /_index_template/:name', 'node:manage'],
    ['DELETE /_memory/:namespace', 'manage'],
    ['GET /v1/metrics', 'metrics'],
  ])('%s is for %s', (route, rule) => {
    const found = routes.find(([method, path]) => `${method} ${path}` === route);
    expect(found?.[2]).toBe(rule);
  });
});

const KEYS: Readonly<Record<string, [indices: string, privileges: readonly Privilege[]]>> = {
  reader: ['*', ['read']],
  writer: ['*', ['write']],
  manager: ['*', ['manage']],
  everything: ['*', ['read', 'write', 'manage']],
  elsewhere: ['nothing-*', ['read', 'write', 'manage']],
};

/** Repeats the rules, so that an error in the code that reads them is detected. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  any: ['reader', 'writer', 'manager', 'everything', 'elsewhere'],
  metrics: ['reader', 'writer', 'manager', 'everything', 'elsewhere'],
  read: ['reader', 'everything', 'elsewhere'],
  write: ['writer', 'everything', 'elsewhere'],
  manage: ['manager', 'everything', 'elsewhere'],
  'read&write': ['everything', 'elsewhere'],
  'write|manage': ['writer', 'manager', 'everything', 'elsewhere'],
  'node:read': ['reader', 'everything'],
  'node:manage': ['manager', 'everything'],
};

describe('on every route', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-keys-'));
  const keys: Record<string, string> = {};
  let server: FakeServer;

  beforeAll(async () => {
    const path = join(folder, 'keys.json');
    for (const [name, [indices, privileges]] of Object.entries(KEYS)) {
      const made = await makeKey({ name, indices: [indices], privileges }, 1);
      await changeKeys(path, (all) => [...all, made.record]);
      keys[name] = keyText(made.credentials);
    }
    const onError = (error: Error): never => {
      throw error;
    };
    const ring = new KeyRing({ path, nowMs: () => 1, onError, onRefusal: () => {} });
    server = await fakeServer({}, {}, { keys: ring });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const url = (path: string): string =>
    path
      .replace(/:(\w+)/g, (_all, name) => (name === 'fields' ? 'title' : 'books'))
      .replace('*', 'x');

  const status = async (method: string, path: string, key?: string): Promise<number> => {
    const authorization = key === undefined ? {} : { authorization: `ApiKey ${key}` };
    const reply = await server.app.inject({
      method: method as 'GET',
      url: url(path),
      headers: { 'content-type': 'application/json', ...authorization },
    });
    return reply.statusCode;
  };

  test.each(routes)('%s %s needs %s', async (method, path, rule) => {
    const isOpen = rule === 'open' || rule === 'page';
    // No file of the console has the name that stands for parameters here.
    const found = path === '/v1/console/:file' ? 404 : 200;
    expect(await status(method, path)).toBe(isOpen ? found : 401);
    expect(await status(method, path, 'no-such-key')).toBe(rule === 'open' ? 200 : 401);
    if (isOpen) return;
    for (const [name, key] of Object.entries(keys)) {
      const answered = await status(method, path, key);
      expect(answered, name).not.toBe(401);
      if (MAY[rule]?.includes(name) !== true) expect(answered, name).toBe(403);
      else if (name !== 'elsewhere') expect(answered, name).not.toBe(403);
    }
  });
});
