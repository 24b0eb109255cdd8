// Bodies and responses with many or long memories are parsed and printed in time slices, between
// which other requests run.
import { expect, test } from 'vitest';
import { memoryRoutes } from '../../src/api/agents/memory.ts';
import { UrlParams } from '../../src/api/kit/params.ts';
import type { ApiDeps, ApiRequest, Method } from '../../src/api/kit/routes.ts';

const MANY = 20_000;
const hit = (i: number): object => ({
  id: `m${i}`,
  text: 'x'.repeat(200),
  n: 2n ** 60n + BigInt(i),
});
const printed = (i: number): string =>
  `{"id":"m${i}","text":"${'x'.repeat(200)}","n":${2n ** 60n + BigInt(i)}}`;
const LIST = Array.from({ length: MANY }, (_, i) => i);
const hits = LIST.map(hit);
const asText = LIST.map(printed).join(',');

/** The response of a route, and the number of event loop turns until it was complete. */
async function ask(memory: object, method: Method, path: string, body?: string) {
  const deps = { memory } as unknown as ApiDeps;
  const route = memoryRoutes(deps).find(
    (one) => one.methods.includes(method) && one.paths.includes(path),
  );
  const request = {
    parts: { namespace: 'ann' },
    params: new UrlParams({}),
    contentType: 'application/json',
    body: body === undefined ? undefined : Buffer.from(body),
  } as unknown as ApiRequest;
  let [turns, running] = [0, true];
  const count = (): void => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const answer = await route?.handler(request);
  running = false;
  return { answer, turns };
}

test('a recall of many', async () => {
  const recall = async () => ({ namespace: 'ann', hits, not_shown: { k: 1 } });
  const { answer, turns } = await ask({ recall }, 'POST', '/_memory/:namespace/_recall');
  const expected = `{"namespace":"ann","hits":[${asText}],"not_shown":{"k":1}}`;
  expect(String(answer?.raw) === expected).toBe(true);
  expect(turns).toBeGreaterThan(10);
});

test('a list of many', async () => {
  const list = async () => ({ namespace: 'ann', exists: true, count: MANY, entries: hits });
  const { answer, turns } = await ask({ list }, 'GET', '/_memory/:namespace');
  const expected = `{"namespace":"ann","exists":true,"count":${MANY},"entries":[${asText}]}`;
  expect(String(answer?.raw) === expected).toBe(true);
  expect(turns).toBeGreaterThan(10);
});

test.each([
  ['store', '/_memory/:namespace', 'text'],
  ['recall', '/_memory/:namespace/_recall', 'query'],
])('the body of a %s', async (verb, path, member) => {
  const value = Object.fromEntries(LIST.map((i) => [`k${i}`, '10:00: said Ann']));
  let given: unknown;
  const memory = {
    [verb]: async (_namespace: string, body: object) => {
      given = body;
      return { namespace: 'ann', hits: [], created: true };
    },
  };
  const { turns } = await ask(memory, 'POST', path, JSON.stringify({ [member]: value }));
  expect(given).toEqual({ [member]: value });
  expect(turns).toBeGreaterThan(10);
});
