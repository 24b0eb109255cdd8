// The searches of the golden cases through a service whose core is also asked with small budgets
// (tools/attempts.mjs): attempts that end, and attempts that answer, change no answer.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ApiRequest,
  bodyOf,
  deleteEverything,
  goldenCase,
  goldenPaths,
  headersOf,
  type RequestCase,
} from '../tools/api-requests.ts';
import { fill } from '../tools/golden-answer.ts';
import { some } from '../tools/long.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

interface Golden extends RequestCase {
  readonly then: { readonly status: number; readonly body?: unknown };
}

const SEARCHES = /_search|_count|_msearch|_explain|recall|\/v1\/.*search/;

const cases = goldenPaths().filter((path) => SEARCHES.test(goldenCase<Golden>(path).when.path));

let server: TestServer;
beforeAll(async () => {
  const preload = resolve('test', 'tools', 'attempts.mjs');
  server = await startServer({ env: { NODE_OPTIONS: `--import=${preload}` } });
});
afterAll(async () => {
  await server?.stop();
});

function send(request: ApiRequest): Promise<Reply> {
  const body = bodyOf(request);
  const { method, path, headers } = request;
  return server.call(method, path, body, body === undefined ? headers : headersOf(request));
}

test.each(some(cases, 3))('%s', async (path) => {
  const printed = server.log().length;
  const { given = [], when, then } = goldenCase<Golden>(path);
  await deleteEverything(server.call);
  for (const request of given) {
    const reply = await send(request);
    expect(reply.status, reply.text).toBeLessThan(300);
  }
  const reply = await send(when);
  expect(reply.status, reply.text).toBe(then.status);
  if (then.body !== undefined) expect(reply.json).toEqual(fill(then.body, reply.json));
  expect(server.log().slice(printed)).not.toContain('an attempt changes an answer');
});

test('some attempts end and some answer', async () => {
  expect(await server.stop()).toBe(0);
  const printed = [...server.log().matchAll(/attempts: (.*)/g)].map(
    ([, json]) => JSON.parse(json ?? '{}') as { ended: number; answered: number },
  );
  const sum = (of: 'ended' | 'answered') => printed.reduce((total, one) => total + one[of], 0);
  expect(sum('ended')).toBeGreaterThan(10);
  expect(sum('answered')).toBeGreaterThan(10);
});
