// The whole service under overload: it rejects requests, stays alive, answers probes, and recovers
// by itself.
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const MIB = 1024 * 1024;
const NDJSON = { 'content-type': 'application/x-ndjson' };

let server: TestServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  expect(await server.stop()).toBe(0);
});

function open(): Socket {
  const socket = connect(Number(new URL(server.base).port), '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

const documents = (count: number, bytes: number): string =>
  `{"index":{}}\n${JSON.stringify({ text: 'x'.repeat(bytes) })}\n`.repeat(count);
const load = (count: number, bytes: number): Promise<Reply> =>
  server.call('POST', '/a/_bulk', documents(count, bytes), NDJSON);
const probe = async (): Promise<number> => (await server.call('GET', '/v1/health')).status;

/** Repeats the request until the status is `status`; the timeout of the test is the limit. */
async function until(status: number, ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await ask();
    if (reply.status === status) return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** On a busy machine the start alone may take ten seconds. */
const PATIENCE_MS = 180_000;

test(
  'without memory writes are refused, probes never; memory comes back',
  async () => {
    // An empty process needs half of it, concurrent writes of this test need more than all.
    server = await startServer({ args: ['--limits.memory_bytes', String(220 * MIB)] });
    const write = () => load(2000, 10_000);
    const refused = await until(429, async () => {
      const replies = await Promise.all([write(), write(), write(), write()]);
      return replies.find(({ status }) => status === 429) ?? (replies[0] as Reply);
    });
    expect(refused.json.error.type).toBe('circuit_breaking_exception');
    expect(refused.json.error.reason).toContain('[limits.memory_bytes]');
    expect(refused.json.error.bytes_limit).toBe(220 * MIB);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await probe()).toBe(200);
    const accepted = await until(200, () => load(1, 10));
    expect(accepted.json.errors).toBe(false);
    const found = await server.call('POST', '/a/_search', { size: 1 });
    expect(found.status).toBe(200);
  },
  PATIENCE_MS,
);

test(
  'clients that hold large bodies are refused, and let go of',
  async () => {
    server = await startServer({ args: ['--limits.in_flight_bytes', String(64 * MIB)] });
    const answers: string[] = [];
    const refused = new Promise<void>((resolve) => {
      for (let i = 0; i < 8; i++) {
        const socket = open();
        socket.on('data', (data) => {
          answers.push(String(data));
          if (answers.length === 4) resolve();
        });
        socket.write(
          'POST /a/_bulk HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nContent-Length: 41943040\r\n\r\n',
        );
        socket.write(Buffer.alloc(16 * MIB, 'x'));
      }
    });
    await refused;
    expect(answers.every((answer) => answer.startsWith('HTTP/1.1 429 '))).toBe(true);
    expect(await probe()).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect((await until(200, () => load(10, 1000))).json.errors).toBe(false);
  },
  PATIENCE_MS,
);

test('thousands of requests in one connection are all answered', async () => {
  server = await startServer({ args: ['--limits.max_concurrent_searches', '4'] });
  await load(10, 1000);
  await server.call('POST', '/a/_refresh');
  const socket = open();
  let text = '';
  const count = (wanted: RegExp): number => text.match(wanted)?.length ?? 0;
  const all = new Promise<void>((resolve) =>
    socket.on('data', (data) => {
      text += String(data);
      if (count(/HTTP\/1\.1 /g) === 5000) resolve();
    }),
  );
  socket.write('GET /a/_search?size=1 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5000));
  await all;
  expect(count(/HTTP\/1\.1 200 /g)).toBeGreaterThan(0);
  expect(count(/HTTP\/1\.1 (200|429) /g)).toBe(5000);
  expect(await probe()).toBe(200);
});

test('more documents than one answer may hold are refused', async () => {
  server = await startServer({ args: ['--limits.in_flight_bytes', String(8 * MIB)] });
  await server.call('PUT', '/a/_doc/1?refresh=true', { text: 'x'.repeat(100_000) });
  const ids = Array.from({ length: 1000 }, () => '1');
  const refused = await server.call('POST', '/a/_mget', { ids });
  expect(refused.status).toBe(429);
  expect(refused.json.error.type).toBe('circuit_breaking_exception');
  expect(refused.json.error.reason).toContain('ask for fewer documents');
  const fewer = await server.call('POST', '/a/_mget', { ids: ids.slice(0, 50) });
  expect(fewer.json.docs).toHaveLength(50);
});
