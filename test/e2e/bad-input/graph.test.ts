// Every error of the link graph over real HTTP; neither a link nor an index is created.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../tools/server.ts';
import { GRAPH_CASES } from './graph-cases.ts';
import { GRAPH_DETECTION_CASES } from './graph-detection-cases.ts';

const CASES = [...GRAPH_CASES, ...GRAPH_DETECTION_CASES];

let server: TestServer;
let edge: string;
let before: string;

/** Everything that a rejected request could have changed. */
async function state(): Promise<string> {
  const indices = await server.call('GET', '/*?expand_wildcards=all');
  const overview = await server.call('GET', '/_graph/known/overview');
  const { as_of: _asOf, ...rest } = overview.json;
  return JSON.stringify([indices.json, rest]);
}

beforeAll(async () => {
  server = await startServer();
  const link = { src: 'a', dst: 'b', type: 't', valid_at: 1000 };
  const made = await server.call('POST', '/_graph/known/link', link);
  expect(made.status, made.text).toBe(201);
  edge = made.json.edge_id;
  before = await state();
});
afterAll(async () => {
  await server?.stop();
});

test('there are at least 100 cases, each with a name of its own', () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  expect(CASES.length).toBeGreaterThanOrEqual(100);
});

test.each(CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  const path = one.path.replace('{edge}', edge);
  const reply = await server.call(one.method, path, one.body, one.headers);
  const reason = JSON.stringify(reply.json?.error ?? reply.text);
  expect({ status: reply.status, type: reply.json?.error?.type, reason }).toMatchObject({
    status: one.status,
    type: one.type,
  });
  expect(reply.json.status).toBe(one.status);
  expect(reply.json.error.root_cause[0].type).toBe(one.cause);
  for (const word of one.words) expect(reason).toContain(JSON.stringify(word).slice(1, -1));
});

test('nothing was written', async () => {
  expect(await state()).toBe(before);
});
