// Invalid and hostile requests to /mcp: every request gets a response, with an error that states
// the reason, and the server continues.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDoor } from '../../src/mcp/http.ts';
import { type FakeServer, fakeServer, SEARCHED } from '../api/fake-backend.ts';
import { overHttp } from './clients.ts';

const faults: Error[] = [];
const door = openDoor({
  version: '1',
  hosts: ['127.0.0.1'],
  onError: (error) => faults.push(error),
  onRefusal: () => {},
});
let server: FakeServer;
let base: string;
/** Notifies of a search that hangs, and of its end. */
let hanging: { begun: () => void; ended: () => void } | undefined;

beforeAll(async () => {
  server = await fakeServer(
    {
      search: (request) => {
        if (hanging === undefined) return Promise.resolve(SEARCHED);
        const { begun, ended } = hanging;
        return new Promise((_, fail) => {
          const signal = request.waiter?.signal();
          signal?.addEventListener('abort', () => {
            ended();
            fail(signal.reason as Error);
          });
          begun();
        });
      },
    },
    {},
    { mcp: door },
  );
  base = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await door.close();
  await server?.close();
  expect(faults).toEqual([]);
});

const ACCEPT = 'application/json, text/event-stream';
const MODERN = 'io.modelcontextprotocol/';

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function send(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const reply = await fetch(`${base}/mcp`, {
    method: 'POST',
    body: body as string,
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers },
  });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

const message = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** A request of the generation without `initialize`. */
const modern = (method: string, version: string, params: object = {}): string =>
  message(method, {
    ...params,
    _meta: {
      [`${MODERN}protocolVersion`]: version,
      [`${MODERN}clientInfo`]: { name: 't', version: '1' },
      [`${MODERN}clientCapabilities`]: {},
    },
  });

const initialize = (version: string): string =>
  message('initialize', {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  });

test.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
  ['nothing', '', {}, 400, '-32700'],
  ['no JSON', '{"jsonrpc":', {}, 400, '-32700'],
  ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), {}, 400, 'UTF-8'],
  ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, {}, 400, 'deeper than 100'],
  ['5 MiB', `"${'x'.repeat(5 * 1024 * 1024)}"`, {}, 413, 'larger than 4194304'],
  ['20 MiB', `"${'x'.repeat(20 * 1024 * 1024)}"`, {}, 413, 'limits.body_bytes'],
  ['a number', '1', {}, 400, 'error'],
  ['null', 'null', {}, 400, 'error'],
  ['no message', '{}', {}, 400, 'error'],
  ['no messages', '[]', {}, 400, 'error'],
  ['a wrong version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', {}, 400, 'error'],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', {}, 400, 'error'],
  ['101 messages at once', `[${Array(101).fill(message('ping')).join()}]`, {}, 400, '100'],
  ['an unknown method', message('tools/destroy'), {}, 200, '-32601'],
  ['an unknown tool', message('tools/call', { name: 'rm' }), {}, 200, '-32602'],
  ['text', 'hello', { 'content-type': 'text/plain' }, 415, 'application/json'],
  ['a client that wants HTML', message('ping'), { accept: 'text/html' }, 406, 'error'],
  ['a revision to come', message('ping'), { 'mcp-protocol-version': '2099-01-01' }, 400, '2099'],
  ['an envelope to come', modern('tools/list', '2099-01-01'), {}, 400, '2026-07-28'],
])('%s is refused', async (_, body, headers, status, words) => {
  const answer = await send(body, headers);
  expect(answer.text).toContain(words);
  expect(answer.status).toBe(status);
});

test('a revision that nobody knows is answered with one that is known', async () => {
  const { status, text } = await send(initialize('1999-01-01'));
  expect(status).toBe(200);
  expect(text).toMatch(/"protocolVersion":"2025-\d\d-\d\d"/);
});

test('nobody is given a session, however often it begins', async () => {
  for (let i = 0; i < 50; i++) {
    const { status, headers } = await send(initialize('2025-11-25'));
    expect([status, headers.get('mcp-session-id')]).toEqual([200, null]);
  }
  const made = await send(message('tools/list'), { 'mcp-session-id': 'made-up' });
  expect(made.status).toBe(200);
});

test('whoever waits for changes is told at once that there will be none', async () => {
  const params = { notifications: { toolsListChanged: true, resourceSubscriptions: ['svc://a'] } };
  const body = modern('subscriptions/listen', '2026-07-28', params);
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  const { status, text } = await send(body, headers);
  expect(status).toBe(200);
  expect(text).toContain('"complete"');
});

test('the address of a resource that names nothing is the fault of its sender', async () => {
  const uri = 'svc://memory/..%2f..%2f_cat/indices';
  const { text } = await send(message('resources/read', { uri }));
  expect(text).toContain('-32602');
  expect(text).toContain('namespace name [../../_cat] must start with');
});

describe('arguments', () => {
  const call = async (name: string, args: object): Promise<string> => {
    const { status, text } = await send(message('tools/call', { name, arguments: args }));
    expect(status, text).toBe(200);
    return text;
  };

  test.each([
    ['svc_memory_store', { namespace: '', text: 'x' }, 'namespace'],
    ['svc_search', { index: '' }, 'index'],
    ['svc_brain_overview', { brain: '' }, 'brain'],
  ])('of %s with an empty name are no question of keys: %j', async (name, args, subject) => {
    const text = await call(name, args);
    expect(text).toContain(`[${subject}] is missing or empty, name the ${subject}`);
    expect(text).not.toContain('key does not allow');
  });

  test.each([
    ['svc_memory_forget', { namespace: 'ann', id: '.' }],
    ['svc_memory_forget', { namespace: 'ann', id: '' }],
    ['svc_memory_forget', { namespace: '..', id: 'books' }],
    ['svc_memory_forget', { namespace: '.', id: '..' }],
    ['svc_brain_unlink', { brain: 'ann', edge_id: '..' }],
    ['svc_search', { index: '..' }],
    ['svc_memory_store', { namespace: '..', text: 'x' }],
    ['svc_brain_overview', { brain: '..' }],
  ])('of %s cannot climb in the path: %j', async (name, args) => {
    const before = server.calls.length;
    expect(await call(name, args)).toMatch(/is no name and no id|is missing/);
    expect(server.calls.slice(before)).toEqual([]);
  });

  test.each([
    ['svc_search', { index: 'books', constructor: 1 }],
    ['svc_search', { index: 'books', ['x'.repeat(1_000_000)]: 1 }],
    ['svc_search', { index: 'x'.repeat(1_000_000) }],
    ['svc_search', { index: 'books', size: 1e9 }],
    ['svc_search', { index: 'books', cursor: '../../x' }],
    ['svc_search', { index: ['books'] }],
    ['svc_memory_recall', { namespace: 'a\u0000b', query: 'x' }],
  ])('of %s that cannot be meant are refused', async (name, args) => {
    const text = await call(name, args);
    expect(text).toMatch(/"isError":true|-32602/);
    expect(text.length).toBeLessThan(10_000);
  });
});

test.each([
  'legacy',
  'modern',
] as const)('a call that is given up ends its search, %s', async (era) => {
  const caller = await overHttp(base, era);
  const giveUp = new AbortController();
  const ended = new Promise<void>((done) => {
    hanging = { begun: () => giveUp.abort(), ended: done };
  });
  const params = { name: 'svc_search', arguments: { index: 'books' } };
  await expect(caller.client.callTool(params, { signal: giveUp.signal })).rejects.toThrow();
  await caller.close();
  await ended;
  hanging = undefined;
});

test('what a tool asks for counts for the rate of its caller', async () => {
  const few = await fakeServer({}, { 'limits.requests_per_second': '5' }, { mcp: door });
  const ask = () =>
    few.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'content-type': 'application/json', accept: ACCEPT, host: '127.0.0.1' },
      payload: message('tools/call', { name: 'svc_search', arguments: { index: 'books' } }),
    });
  const answers = [await ask(), await ask(), await ask(), await ask()];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
  expect(answers[1]?.payload).toContain('1 match');
  expect(answers[2]?.payload).toMatch(
    /limits.requests_per_second.*try again in a moment.*"isError":true/,
  );
  await few.close();
});

test('after all of it tools answer', async () => {
  const caller = await overHttp(base, 'modern');
  const { data } = await caller.call('svc_search', { index: 'books' });
  expect(data.hits[0].id).toBe('1');
  await caller.close();
});
