// Every error of inference endpoints, and of mappings that use one, over real HTTP: no secret is
// repeated, and neither an endpoint nor an index is created.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../tools/server.ts';
import { INFERENCE_CASES, MAPPING_CASES } from './inference-cases.ts';

const CASES = [...INFERENCE_CASES, ...MAPPING_CASES];

let server: TestServer;
let before: string;

async function state(): Promise<string> {
  const endpoints = await server.call('GET', '/_inference/_all');
  const indices = await server.call('GET', '/*?expand_wildcards=all');
  return endpoints.text + indices.text;
}

beforeAll(async () => {
  server = await startServer();
  const known = await server.call('PUT', '/_inference/known', {
    url: 'http://localhost:1/v1',
    dims: 3,
  });
  expect(known.status, known.text).toBe(200);
  expect((await server.call('PUT', '/books')).status).toBe(200);
  before = await state();
});
afterAll(async () => {
  await server?.stop();
});

test('there are at least 60 cases, each with a name of its own', () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  expect(CASES.length).toBeGreaterThanOrEqual(60);
});

test.each(CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  const reply = await server.call(one.method, one.path, one.body, one.headers);
  const reason = JSON.stringify(reply.json?.error ?? reply.text);
  expect({ status: reply.status, type: reply.json?.error?.type, reason }).toMatchObject({
    status: one.status,
    type: one.type,
  });
  expect(reply.json.status).toBe(one.status);
  expect(reply.json.error.root_cause[0].type).toBe(one.cause);
  for (const word of one.words) expect(reason).toContain(JSON.stringify(word).slice(1, -1));
  expect(reason).not.toContain('sk-do-not-repeat-me');
});

test('nothing was registered, made, changed or dropped', async () => {
  expect(await state()).toBe(before);
});
