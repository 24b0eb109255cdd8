// X-Request-Id on every response: of plain searches, through the HTTP server, and for invalid
// requests.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ args: ['--logging.level', 'debug'] });
  await server.call('PUT', '/books/_doc/1?refresh=true', { title: 'a' });
}, 60_000);
afterAll(() => server?.stop());

const CALLS = [
  ['GET', '/'],
  ['POST', '/books/_search'],
  ['GET', '/books/_count'],
  ['POST', '/books/_search?size=x'],
  ['GET', '/books/_doc/1'],
  ['GET', '/nobody/_doc/1'],
  ['GET', '/_no/such/route'],
  ['PATCH', '/books'],
  ['GET', '/v1/health'],
  ['GET', '/v1/metrics'],
] as const;

test.each(CALLS)('%s %s has one of its own, another each time', async (method, path) => {
  const first = (await server.call(method, path)).headers.get('x-request-id');
  const second = (await server.call(method, path)).headers.get('x-request-id');
  expect(first).toMatch(/^[\da-f]{32}$/);
  expect(second).toMatch(/^[\da-f]{32}$/);
  expect(second).not.toBe(first);
});

test.each(CALLS)('%s %s gives back the one that was sent', async (method, path) => {
  const sent = { 'x-request-id': 'ticket 4711/a' };
  const reply = await server.call(method, path, undefined, sent);
  expect(reply.headers.get('x-request-id')).toBe('ticket 4711/a');
});

test.each([['x'.repeat(129)], ['caf\u00e9']])('[%s] is not given back', async (sent) => {
  for (const path of ['/books/_search', '/books/_doc/1']) {
    const reply = await server.call('GET', path, undefined, { 'x-request-id': sent });
    expect(reply.headers.get('x-request-id')).toMatch(/^[\da-f]{32}$/);
  }
});

test.each([
  ['no HTTP at all\r\n\r\n'],
  ['CONNECT somewhere:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['GET / HTTP/1.1\r\nHost: a\r\nExpect: the-best\r\n\r\n'],
])('%j is answered with one', async (text) => {
  const { hostname, port } = new URL(server.base);
  const answer = await new Promise<string>((resolve, reject) => {
    let all = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (bytes) => {
      all += bytes.toString('latin1');
    });
    socket.on('close', () => resolve(all));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^x-request-id: [\da-f]{32}\r$/im);
});

test('log lines have it', async () => {
  await server.call('GET', '/books/_doc/1', undefined, { 'x-request-id': 'in-the-log-1' });
  await server.call('POST', '/books/_search', {}, { 'x-request-id': 'in-the-log-2' });
  for (const id of ['in-the-log-1', 'in-the-log-2']) {
    await expect.poll(() => server.log().includes(`"request_id":"${id}"`)).toBe(true);
  }
});
