// The reason of a failed embeddings service is shown only to keys for all indexes by POST
// /_inference/{id}, because other keys must not learn whether a variable is set or a port answers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddingsService, startEmbeddingsService } from '../tools/embeddings-service.ts';
import { callAs, makeKey } from '../tools/keys.ts';
import { freePort, type Reply, startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-failures-'));
let server: TestServer;
let service: EmbeddingsService;
let closedPort = 0;
const keys: Record<string, string> = {};

function as(who: string, method: string, path: string, body?: unknown): Promise<Reply> {
  return callAs(server, keys[who], method, path, body);
}

beforeAll(async () => {
  keys['all'] = makeKey(dataDir, '--name', 'all');
  keys['some'] = makeKey(dataDir, '--name', 'some', '--indices', 'pub-*');
  service = await startEmbeddingsService();
  closedPort = await freePort();
  const hosts = ['--inference.allowed_hosts', '127.0.0.1', '--inference.max_retries', '0'];
  const variables = ['--inference.api_key_envs', 'PUB_*'];
  server = await startServer({ dataDir, args: ['--auth.enabled', ...hosts, ...variables] });
}, 120_000);
afterAll(async () => {
  await server?.stop();
  await service?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The state of the endpoint, and the reason shown to an authorized key. */
const FAILURES: readonly [string, () => object, RegExp][] = [
  [
    'nobody listens there',
    () => ({ url: `http://127.0.0.1:${closedPort}/v1` }),
    /ECONNREFUSED|connect/,
  ],
  ['the service refuses the key', () => ({ url: service.url }), /401/],
  [
    'a variable is not set',
    () => ({ url: service.url, api_key_env: 'PUB_NO_SUCH_VARIABLE' }),
    /PUB_NO_SUCH_VARIABLE/,
  ],
];

test.each(
  FAILURES,
)('where %s, one is told why and the others alike', async (name, endpoint, why) => {
  const id = `pub-${name.replaceAll(' ', '-')}`;
  service.behave(undefined);
  const described = { model: 'm', dims: 8, ...endpoint() };
  expect((await as('all', 'PUT', `/_inference/${id}`, described)).status).toBe(200);
  const field = { type: 'semantic_text', inference_id: id };
  const made = await as('some', 'PUT', `/${id}`, { mappings: { properties: { t: field } } });
  expect(made.status, made.text).toBe(200);
  service.behave(() => ({ status: 401, body: { error: { message: 'that key is no key' } } }));

  const reported = await as('all', 'POST', `/_inference/${id}`, { input: 'a text' });
  expect(reported.status).toBeGreaterThanOrEqual(400);
  expect(reported.json.error.reason).toMatch(why);
  expect((await as('some', 'POST', `/_inference/${id}`, { input: 'a text' })).status).toBe(403);

  const generic =
    'gave no vectors: POST /_inference/{id} with a key for all indices [*] reports the reason';
  for (const who of ['some', 'all']) {
    const query = { semantic: { field: 't', query: 'a text' } };
    for (const reply of [
      await as(who, 'PUT', `/${id}/_doc/1`, { t: 'a text' }),
      await as(who, 'POST', `/${id}/_search`, { query }),
    ]) {
      expect(reply.status, reply.text).toBe(502);
      expect(reply.text).toContain(generic);
      expect(reply.text).not.toMatch(why);
    }
  }
});
