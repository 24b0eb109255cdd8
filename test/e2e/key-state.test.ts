// Internal indexes of the service with keys whose patterns match them: no route writes or reads
// them, or reveals whether they exist.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callAs, makeKey } from '../tools/keys.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-state-'));
const STATE = ['.svc-namespaces', '.svc-brains', '.svc-intents', '.svc-expiries', '.svc-forgotten'];
let server: TestServer;
const keys: Record<string, string> = {};

function as(who: string, method: string, path: string, body?: unknown): Promise<Reply> {
  return callAs(server, keys[who], method, path, body);
}

const lines = (...all: unknown[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');

beforeAll(async () => {
  keys['all'] = makeKey(dataDir, '--name', 'all');
  keys['some'] = makeKey(dataDir, '--name', 'some', '--indices', '.svc-*,pub-*');
  server = await startServer({ dataDir, args: ['--auth.enabled'] });
  const made = await as('all', 'PUT', '/pub-1/_doc/1?refresh=true', { dims: 3 });
  expect(made.status, made.text).toBe(201);
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Requests that name an internal index. */
const WAYS: readonly [string, (index: string) => [string, string, unknown?]][] = [
  ['a document', (i) => ['PUT', `/${i}/_doc/pub`, { dims: 3 }]],
  ['a document without an id', (i) => ['POST', `/${i}/_doc`, { dims: 3 }]],
  ['a new document', (i) => ['PUT', `/${i}/_create/pub`, { dims: 3 }]],
  ['an update', (i) => ['POST', `/${i}/_update/pub`, { doc: { dims: 3 }, doc_as_upsert: true }]],
  [
    'an update by script',
    (i) => ['POST', `/${i}/_update/pub`, { script: 'ctx._source.dims = 3', upsert: { dims: 3 } }],
  ],
  ['a delete', (i) => ['DELETE', `/${i}/_doc/pub`]],
  ['a delete by query', (i) => ['POST', `/${i}/_delete_by_query`, { query: { match_all: {} } }]],
  ['an update by query', (i) => ['POST', `/${i}/_update_by_query`, {}]],
  ['a copy', (i) => ['POST', '/_reindex', { source: { index: 'pub-1' }, dest: { index: i } }]],
  [
    'a copy of it',
    (i) => ['POST', '/_reindex', { source: { index: i }, dest: { index: 'pub-2' } }],
  ],
  ['a new index', (i) => ['PUT', `/${i}`, {}]],
  ['a mapping', (i) => ['PUT', `/${i}/_mapping`, { properties: { n: { type: 'long' } } }]],
  ['a setting', (i) => ['PUT', `/${i}/_settings`, { index: { refresh_interval: '1s' } }]],
  ['a block', (i) => ['PUT', `/${i}/_block/write`]],
  ['an alias', (i) => ['PUT', `/${i}/_alias/pub-alias`]],
  [
    'aliases',
    (i) => ['POST', '/_aliases', { actions: [{ add: { index: i, alias: 'pub-alias' } }] }],
  ],
  ['an alias of that name', (i) => ['PUT', `/pub-1/_alias/${i}`]],
  ['a new index with an alias of that name', (i) => ['PUT', '/pub-3', { aliases: { [i]: {} } }]],
  ['closing', (i) => ['POST', `/${i}/_close`]],
  ['deleting', (i) => ['DELETE', `/${i}`]],
  ['a merge', (i) => ['POST', `/${i}/_forcemerge`]],
  ['a search', (i) => ['POST', `/${i}/_search`, {}]],
  ['a document to read', (i) => ['GET', `/${i}/_doc/pub`]],
  ['nodes of a brain', (i) => ['PUT', '/_graph/pub', { nodes_index: i }]],
  [
    'a lookup',
    (i) => [
      'POST',
      '/pub-1/_search',
      { query: { terms: { dims: { index: i, id: 'pub', path: 'dims' } } } },
    ],
  ],
  ['a restore', (i) => ['POST', '/_snapshot/none/s/_restore', { indices: i }]],
];

/** Items that name one, in requests with a result for each item. */
const ITEMS: readonly [string, (index: string) => [string, string, unknown?]][] = [
  [
    'bulk items',
    (i) => {
      const at = { _index: i, _id: 'pub' };
      const update = { script: 'ctx._source.dims = 3', upsert: { dims: 3 } };
      return [
        'POST',
        '/_bulk',
        lines(
          { index: at },
          { dims: 3 },
          { create: at },
          {},
          { delete: at },
          { update: at },
          update,
        ),
      ];
    },
  ],
  [
    'bulk items of an index',
    (i) => ['POST', `/${i}/_bulk`, lines({ index: { _id: 'pub' } }, { dims: 3 })],
  ],
  ['documents to read', (i) => ['POST', '/_mget', { docs: [{ _index: i, _id: 'pub' }] }]],
  ['searches', (i) => ['POST', '/_msearch', lines({ index: i }, {})]],
  [
    'a copy under another name by script',
    (i) => [
      'POST',
      '/_reindex',
      {
        source: { index: 'pub-1' },
        dest: { index: 'pub-2' },
        script: { source: `ctx._index = '${i}'` },
      },
    ],
  ],
];

const replies = new Map<string, string>();
const settled = (text: string): string => text.replace(/"took":\d+/g, '"took":0');

describe.each(['absent', 'there'])('state that is %s', (there) => {
  beforeAll(async () => {
    if (there === 'absent') return;
    for (const index of STATE) {
      const made = await as('all', 'PUT', `/${index}/_doc/pub?refresh=true`, { dims: 2 });
      expect(made.status, made.text).toBe(201);
    }
  });

  test.each(WAYS)('is beyond %s', async (name, way) => {
    for (const index of STATE) {
      const reply = await as('some', ...way(index));
      expect(reply.status, reply.text).toBe(403);
      const before = replies.get(`${name} ${index}`);
      if (before !== undefined) expect(reply.text).toBe(before);
      replies.set(`${name} ${index}`, reply.text);
    }
  });

  test.each(ITEMS)('is beyond %s', async (name, way) => {
    for (const index of STATE) {
      const reply = await as('some', ...way(index));
      expect(reply.text).toContain('which holds state of the service');
      expect(reply.text).not.toMatch(/"status":20|"found":true|"_seq_no"/);
      const before = replies.get(`${name} ${index}`);
      if (before !== undefined) expect(settled(reply.text)).toBe(before);
      replies.set(`${name} ${index}`, settled(reply.text));
    }
  });

  test('is in no pattern', async () => {
    for (const [method, path] of [
      ['POST', '/_search?expand_wildcards=all'],
      ['POST', '/.svc-*/_search'],
      ['GET', '/.svc-*?expand_wildcards=all'],
      ['GET', '/_cat/indices?expand_wildcards=all'],
      ['POST', '/.svc-*/_delete_by_query'],
      ['DELETE', '/.svc-*?expand_wildcards=all'],
    ] as const) {
      const body = method === 'POST' ? { query: { match_all: {} } } : undefined;
      const reply = await as('some', method, path, body);
      expect(reply.status, reply.text).toBe(200);
      for (const index of STATE) expect(reply.text).not.toContain(index);
    }
  });

  test('is as it was', async () => {
    for (const index of STATE) {
      const found = await as('all', 'GET', `/${index}/_doc/pub`);
      if (there === 'absent') expect(found.status).toBe(404);
      else expect(found.json).toMatchObject({ _version: 1, _source: { dims: 2 } });
    }
  });
});

test('the routes of memory and graph write it for such a key', async () => {
  for (const index of STATE) await as('all', 'DELETE', `/${index}`);
  expect((await as('some', 'PUT', '/_memory/pub', { dims: 16 })).status).toBe(200);
  const stored = { text: 'a word', id: 'm', expires_at: '2100-01-01T00:00:00Z' };
  expect((await as('some', 'POST', '/_memory/pub', stored)).status).toBeLessThan(300);
  const next = { text: 'another', supersedes: ['m'] };
  expect((await as('some', 'POST', '/_memory/pub', next)).status).toBeLessThan(300);
  expect((await as('some', 'PUT', '/_graph/pub', { nodes_index: 'pub-1' })).status).toBe(200);
  expect((await as('some', 'DELETE', '/_memory/pub/m')).status).toBe(200);
  for (const index of STATE) expect((await as('all', 'HEAD', `/${index}`)).status).toBe(200);
});

test('keys of other things go on as they were', async () => {
  expect((await as('some', 'PUT', '/.svc-catalog/_doc/1', { a: 1 })).status).toBe(201);
  expect((await as('some', 'PUT', '/.svc-memory-doc/_doc/1', { text: 'a' })).status).toBe(201);
});

test('a brain whose settings are damaged is mended by a key for it', async () => {
  await as('all', 'DELETE', '/.svc-brains');
  await as('all', 'PUT', '/.svc-brains/_doc/pub', { nodes_index: ['b'] });
  expect((await as('some', 'GET', '/_graph/pub/overview')).status).toBe(503);
  expect((await as('some', 'PUT', '/_graph/pub', { nodes_index: 'other' })).status).toBe(403);
  expect((await as('some', 'PUT', '/_graph/pub', { nodes_index: 'pub-1' })).status).toBe(200);
  expect((await as('some', 'GET', '/_graph/pub/overview')).status).toBe(200);
});
