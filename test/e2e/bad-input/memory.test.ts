// Every error of agent memory over real HTTP; neither a memory nor an index is created.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../tools/server.ts';
import { MEMORY_CASES } from './memory-cases.ts';
import { MEMORY_MANAGE_CASES } from './memory-manage-cases.ts';

const CASES = [...MEMORY_CASES, ...MEMORY_MANAGE_CASES];

let server: TestServer;
let before: string;

/** Everything that a rejected request could have changed. */
async function state(): Promise<string> {
  const indices = await server.call('GET', '/*?expand_wildcards=all');
  const list = await server.call('GET', '/_memory/known');
  const links = await server.call('GET', '/_graph/known/ego?node=a&as_of=5');
  return JSON.stringify([indices.json, list.json, links.json.links]);
}

beforeAll(async () => {
  server = await startServer({ args: ['--indices.query.bool.max_clause_count', '1024'] });
  const made = await server.call('POST', '/_memory/known', { id: 'a', text: 'a', vector: [1, 2] });
  expect(made.status, made.text).toBe(201);
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
});

test('nothing was written', async () => {
  expect(await state()).toBe(before);
});
