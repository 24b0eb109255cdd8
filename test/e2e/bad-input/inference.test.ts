// Every refusal of inference endpoints over real HTTP: no secret is repeated, and no endpoint comes of it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../tools/server.ts';
import { INFERENCE_CASES } from './inference-cases.ts';

let server: TestServer;
let before: string;

beforeAll(async () => {
  server = await startServer();
  const known = await server.call('PUT', '/_inference/known', { url: 'http://localhost:1/v1' });
  expect(known.status, known.text).toBe(200);
  before = (await server.call('GET', '/_inference/_all')).text;
});
afterAll(async () => {
  await server?.stop();
});

test('there are at least 40 cases, each with a name of its own', () => {
  expect(new Set(INFERENCE_CASES.map(({ name }) => name)).size).toBe(INFERENCE_CASES.length);
  expect(INFERENCE_CASES.length).toBeGreaterThanOrEqual(40);
});

test.each(INFERENCE_CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
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

test('nothing was registered or dropped', async () => {
  expect((await server.call('GET', '/_inference/_all')).text).toBe(before);
});
