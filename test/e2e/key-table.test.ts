// Every route with keys that see nothing, or only a part, of an index. The expected statuses are in
// a table, so that a new route has to be added to it. No response contains a word of the hidden
// documents, and for a key for other indexes an existing index is indistinguishable from a missing
// one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { licenseRoutes } from '../../src/api/cluster/license.ts';
import type { ApiDeps, Method, Route } from '../../src/api/kit/routes.ts';
import { allRoutes } from '../../src/api/route-table.ts';
import { unsupportedCallRoutes } from '../../src/api/unsupported/unsupported-calls.ts';
import { missingResourceRoutes } from '../../src/api/unsupported/unsupported-resources.ts';
import type { Privilege } from '../../src/auth/grant.ts';
import { changeKeys } from '../../src/auth/key-file.ts';
import { keyText, makeKey } from '../../src/auth/key-record.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';
import { KEY_TABLE } from './key-table.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-key-table-'));
let server: TestServer;
const keys: Record<string, string> = {};

const ALL: readonly Privilege[] = ['read', 'write', 'manage'];
const KEYS: Readonly<
  Record<string, [indices: readonly string[], privileges: readonly Privilege[]]>
> = {
  admin: [['*'], ALL],
  powerless: [['all-secret', 'pub-tenant', '.svc-memory-beta'], []],
  elsewhere: [['other-*', '.svc-memory-other'], ALL],
  alias: [['pub-tenant'], ['read', 'write']],
};

const lines = (...all: unknown[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');

function send(who: string, method: string, path: string, body?: unknown): Promise<Reply> {
  const ndjson = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {};
  const headers = { authorization: `Bearer ${keys[who]}`, ...ndjson };
  return server.call(method, path, body, headers);
}

beforeAll(async () => {
  for (const [name, [indices, privileges]] of Object.entries(KEYS)) {
    const made = await makeKey({ name, indices, privileges }, Date.now());
    await changeKeys(join(dataDir, 'keys.json'), (all) => [...all, made.record]);
    keys[name] = keyText(made.credentials);
  }
  server = await startServer({ dataDir, args: ['--auth.enabled'] });
  const all = async (method: string, path: string, body?: unknown): Promise<void> => {
    const reply = await send('admin', method, path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
  };
  await all('PUT', '/all-secret', {
    mappings: { properties: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' } } },
    aliases: { 'pub-tenant': { filter: { term: { k: 'apple' } } } },
  });
  await all('PUT', '/all-secret/_doc/h1', { k: 'pear', t: 'zebra', list: ['zebra'], n: 1 });
  await all('PUT', '/all-secret/_doc/1?refresh=true', { k: 'apple', t: 'lemon', n: 2 });
  await all('POST', '/_memory/beta', { text: 'zebra', id: 'h1' });
  await all('PUT', '/_scripts/tpl', {
    script: { lang: 'mustache', source: '{"size":1,"zebra":1}' },
  });
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The names of the index that a request is about: its own, that of its namespace, and an alias. */
interface Names {
  readonly NAME: string;
  readonly BRAIN: string;
  readonly ALIAS: string;
}

const SECRET: Names = { NAME: 'all-secret', BRAIN: 'beta', ALIAS: 'pub-tenant' };
const ABSENT: Names = { NAME: 'all-absent', BRAIN: 'quux', ALIAS: 'pub-absent' };
const FENCED: Names = { ...SECRET, NAME: 'pub-tenant' };

function named(text: string, names: Names): string {
  return text.replace(/\b(NAME|BRAIN|ALIAS)\b/g, (name) => names[name as keyof Names]);
}

const PARTS: Readonly<Record<string, string>> = {
  ...{ index: 'NAME', namespace: 'BRAIN', brain: 'BRAIN', id: 'h1', fields: 'n', metric: 'docs' },
  ...{ node: '_local', task_id: 'x:1', block: 'write', new_index: 'other-new', scroll_id: 'none' },
};

function addressOf(path: string): string {
  const parts: Readonly<Record<string, string>> =
    path.startsWith('/_scripts') || path.startsWith('/_render') ? { id: 'tpl' } : {};
  const alias = /_alias(es)?\/:name/.test(path) || path.startsWith('/_cat/aliases');
  const address = path
    .replace(/:(\w+)/g, (_all, part) =>
      part === 'name' && alias
        ? 'ALIAS'
        : (parts[part as string] ?? PARTS[part as string] ?? 'none'),
    )
    .replace('*', 'x');
  return address + (path.includes('_cluster/health') ? '?timeout=1ms' : (QUERIES[path] ?? ''));
}

const QUERIES: Readonly<Record<string, string>> = {
  '/_field_caps': '?fields=*',
  '/:index/_field_caps': '?fields=*',
  '/:index/_pit': '?keep_alive=1m',
  '/:index/_search/point_in_time': '?keep_alive=1m',
  '/_graph/:brain/ego': '?node=h1',
};

const LOOKUP = { query: { terms: { k: { index: 'NAME', id: 'h1', path: 'list' } } } };
const DOC = { k: 'apple', n: 3 };

/** Bodies by the end of the path; otherwise none. */
const BODIES: readonly (readonly [RegExp, unknown])[] = [
  [/_search$|_count$|_validate\/query$|_explain\/:id$/, LOOKUP],
  [/_cat\/count/, { query: { bool: { filter: [1, LOOKUP.query] } } }],
  [/_msearch$/, lines({ index: 'NAME' }, LOOKUP)],
  [/_msearch\/template$/, lines({ index: 'NAME' }, { source: LOOKUP })],
  [/_search\/template$|_render\/template$/, { source: LOOKUP }],
  [/_render\/template\/:id$/, {}],
  [/_knn_search$/, { knn: { field: 'v', query_vector: [1], k: 1, num_candidates: 1 } }],
  [/^\/_mget$/, { docs: [{ _index: 'NAME', _id: 'h1' }] }],
  [/_mget$/, { ids: ['h1'] }],
  [/_memory\/:namespace\/_bulk$/, lines({ text: 'lemon' })],
  [/^\/_bulk$/, lines({ index: { _index: 'NAME', _id: 'h1' } }, DOC)],
  [/_bulk$/, lines({ index: { _id: 'h1' } }, DOC, { update: { _id: 'h1' } }, { doc: DOC })],
  [/_doc$|_doc\/:id$|_create\/:id$/, DOC],
  [/_update\/:id$/, { doc: DOC, doc_as_upsert: true }],
  [/_by_query$/, LOOKUP],
  [/_reindex$/, { source: { index: 'NAME', ...LOOKUP }, dest: { index: 'other-new' } }],
  [/_aliases$/, { actions: [{ add: { index: 'NAME', alias: 'ALIAS' } }] }],
  [/_analyze$/, { text: 'lemon' }],
  [/_mappings?$/, { properties: { other: { type: 'long' } } }],
  [/_settings$/, { index: { refresh_interval: '2s' } }],
  [/_search\/scroll$/, { scroll_id: 'none' }],
  [/_pit$|point_in_time$/, { id: 'none' }],
  [/_memory\/:namespace$/, { text: 'lemon' }],
  [/_memory\/:namespace\/:id$/, { text: 'lemon' }],
  [/^\/_memory\/_recall$/, { namespaces: ['BRAIN'], query: 'lemon' }],
  [/_memory\/:namespace\/_forget$/, { filter: LOOKUP.query }],
  [/_recall$/, { query: 'lemon', filter: LOOKUP.query }],
  [/_import$/, lines({ memory: { id: 'm', document: { text: 'lemon' } } })],
  [/_graph\/:brain$/, { nodes_index: 'NAME' }],
  [/_graph\/:brain\/link$/, { src: 'h1', dst: 'h2', type: 'knows' }],
  [/allocation\/explain$/, { index: 'NAME', shard: 0, primary: true }],
];

function bodyOf(method: string, path: string, names: Names): unknown {
  const [, body] = BODIES.find(([end]) => end.test(path)) ?? [];
  if (body === undefined || !['POST', 'PUT', 'PATCH'].includes(method)) return undefined;
  if (/:index\/(_pit|_search\/point_in_time)$/.test(path)) return undefined;
  return typeof body === 'string'
    ? named(body, names)
    : JSON.parse(named(JSON.stringify(body), names));
}

function ask(who: string, method: string, path: string, names: Names): Promise<Reply> {
  return send(who, method, named(addressOf(path), names), bodyOf(method, path, names));
}

const NONE = {} as ApiDeps;
const refusing = [
  ...unsupportedCallRoutes(),
  ...missingResourceRoutes(NONE),
  ...licenseRoutes(NONE),
];
const callsOf = ({ methods, paths }: Pick<Route, 'methods' | 'paths'>): [Method, string][] =>
  methods.flatMap((method) => paths.map((path): [Method, string] => [method, path]));
const refused = new Set(refusing.flatMap(callsOf).map((call) => call.join(' ')));
const routes = allRoutes(NONE)
  .flatMap(callsOf)
  .filter((call) => !refused.has(call.join(' ')));

const expected = new Map<string, string>(
  KEY_TABLE.trim()
    .split('\n')
    .flatMap((row) => {
      const [methods = '', path, ...statuses] = row.split(/ +/);
      return methods.split(',').map((method) => [`${method} ${path}`, statuses.join(' ')] as const);
    }),
);

/** Removes names that the caller gave, and volatile values. */
function comparable({ text }: Reply, names: Names): string {
  return Object.entries(names)
    .reduce((sum, [part, name]) => sum.replaceAll(name, part), text)
    .replace(
      /"took":\d+|\d{10,}|\d\d:\d\d:\d\d|"[\w_]*(in_millis|in_nanos|_in_bytes|percent|ms)":[\d.]+/g,
      'TIME',
    );
}

test('the table has a row for each route, and no other', () => {
  const known = new Set(routes.map(([method, path]) => `${method} ${path}`));
  expect([...known].filter((route) => !expected.has(route))).toEqual([]);
  expect([...expected.keys()].filter((route) => !known.has(route))).toEqual([]);
});

test.each(routes)('%s %s', async (method, path) => {
  const powerless = await ask('powerless', method, path, SECRET);
  let there = await ask('elsewhere', method, path, SECRET);
  let absent = await ask('elsewhere', method, path, ABSENT);
  const alias = await ask('alias', method, path, FENCED);
  const statuses = [powerless, there, alias].map(({ status }) => status).join(' ');
  for (const { text } of [powerless, there, alias]) expect(text).not.toMatch(/zebra/);
  // Values about the node itself are volatile.
  if (!/^\/(_nodes|v1)|_cluster\/stats/.test(path)) {
    // Load and free space change by themselves, between few pairs; what tells a name, in each.
    for (let pair = 1; method === 'GET' && pair < 5; pair += 1) {
      if (comparable(there, SECRET) === comparable(absent, ABSENT)) break;
      there = await ask('elsewhere', method, path, SECRET);
      absent = await ask('elsewhere', method, path, ABSENT);
    }
    expect(comparable(there, SECRET)).toBe(comparable(absent, ABSENT));
  }
  expect(there.status).toBe(absent.status);
  expect(statuses).toBe(expected.get(`${method} ${path}`));
});
