// Which embeddings services a key may use in a mapping: a key for some indexes only registered
// ones, a key for all indexes those that the configuration lists. No error reveals whether a
// variable is set or a port answers.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAs, makeKey } from '../tools/keys.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-embedders-'));
let server: TestServer;
let open: Server;
/** A port with a listener that counts connections. */
let port = 0;
let requested = 0;
const keys: Record<string, string> = {};

beforeAll(async () => {
  keys['all'] = makeKey(dataDir, '--name', 'all');
  keys['some'] = makeKey(dataDir, '--name', 'some', '--indices', 'pub-*,.svc-memory-pub*');
  keys['write'] = makeKey(
    dataDir,
    '--name',
    'write',
    '--indices',
    'pub-*',
    '--privileges',
    'write',
  );
  open = createServer((_request, response) => {
    requested++;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((done) => open.once('listening', done));
  port = (open.address() as AddressInfo).port;
  server = await startServer({ dataDir, args: ['--auth.enabled'] });
}, 120_000);
afterAll(async () => {
  await server?.stop();
  open?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function as(who: string, method: string, path: string, body?: unknown): Promise<Reply> {
  return callAs(server, keys[who], method, path, body);
}

const lines = (...all: unknown[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');

const endpoint = (where: number, variable: string) => ({
  url: `http://127.0.0.1:${where}/v1`,
  api_key_env: variable,
});
const field = (where: number, variable: string) => ({
  type: 'semantic_text',
  inference_endpoint: endpoint(where, variable),
});

/** Ways to specify an endpoint, each as a request with the port and the variable to probe. */
const WAYS: readonly [string, (where: number, variable: string) => [string, string, unknown]][] = [
  ['a new index', (p, v) => ['PUT', '/pub-1', { mappings: { properties: { t: field(p, v) } } }]],
  ['a mapping', (p, v) => ['PUT', '/pub-there/_mapping', { properties: { t: field(p, v) } }]],
  [
    'a multi-field',
    (p, v) => [
      'PUT',
      '/pub-1',
      { mappings: { properties: { t: { type: 'text', fields: { s: field(p, v) } } } } },
    ],
  ],
  [
    'an object',
    (p, v) => [
      'PUT',
      '/pub-there/_mapping',
      { properties: { o: { properties: { t: field(p, v) } } } },
    ],
  ],
  [
    'a dynamic template',
    (p, v) => [
      'PUT',
      '/pub-1',
      { mappings: { dynamic_templates: [{ x: { match: '*', mapping: field(p, v) } }] } },
    ],
  ],
  [
    'a rollover',
    (p, v) => [
      'POST',
      '/pub-alias/_rollover/pub-2',
      { mappings: { properties: { t: field(p, v) } } },
    ],
  ],
  ['a namespace', (p, v) => ['PUT', '/_memory/pub', { inference_endpoint: endpoint(p, v) }]],
  [
    'an import',
    (p, v) => [
      'POST',
      '/_memory/pub/_import',
      lines(
        { quarry: { format: 1, settings: { inference_endpoint: endpoint(p, v) } } },
        { end: {} },
      ),
    ],
  ],
  [
    'an index template',
    (p, v) => [
      'PUT',
      '/_index_template/pub',
      { index_patterns: ['pub-*'], template: { mappings: { properties: { t: field(p, v) } } } },
    ],
  ],
  ['a registered endpoint', (p, v) => ['PUT', '/_inference/pub', endpoint(p, v)]],
  [
    'the embedder of another mapping',
    (p) => [
      'PUT',
      '/pub-1',
      {
        mappings: {
          properties: { t: { type: 'semantic_text', embedder: `http://127.0.0.1:${p}/v1` } },
        },
      },
    ],
  ],
];

test.each(
  WAYS,
)('a key of some indexes cannot name a service by %s, and learns nothing', async (_name, way) => {
  await as('all', 'PUT', '/pub-there', { aliases: { 'pub-alias': {} } });
  const texts = new Set<string>();
  for (const [where, variable] of [
    [port, 'PATH'],
    [port, 'NO_SUCH_VARIABLE'],
    [1, 'PATH'],
    [1, 'NO_SUCH_VARIABLE'],
  ] as const) {
    const reply = await as('some', ...way(where, variable));
    expect(reply.status, reply.text).toBe(403);
    texts.add(reply.text.replaceAll(`:${where}`, ':PORT').replaceAll(variable, 'VARIABLE'));
  }
  expect([...texts]).toHaveLength(1);
  expect(requested).toBe(0);
});

test('a key of all indexes names what the configuration lists, which is nothing here', async () => {
  const reply = await as('all', 'PUT', '/other', {
    mappings: { properties: { t: field(port, 'PATH') } },
  });
  expect([reply.status, reply.json.error.reason]).toEqual([
    400,
    expect.stringContaining('which is empty and allows none while [auth.enabled] is on'),
  ]);
});

test('a text is analysed without an index for keys that read', async () => {
  const body = { text: 'x' };
  expect((await as('some', 'POST', '/_analyze', body)).status).toBe(200);
  expect((await as('write', 'POST', '/_analyze', body)).status).toBe(403);
  expect((await as('write', 'POST', '/pub-there/_analyze', body)).status).toBe(403);
});
