// Limits on what a server holds for its clients: request bodies, responses that clients do not
// read, and the number of requests.
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encode, type FakeServer, fakeServer, SEARCHED } from './fake-backend.ts';

const MIB = 1024 * 1024;
/** More than the system buffers for a connection that is not read. */
const LARGE = encode(JSON.stringify({ text: 'x'.repeat(12 * MIB) }));

let server: FakeServer;
let sockets: Socket[];
let searched: number;
beforeEach(async () => {
  sockets = [];
  searched = 0;
  await start({});
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

async function start(flags: Readonly<Record<string, string>>): Promise<void> {
  const search = async () => {
    searched += 1;
    return { ...SEARCHED, hits: [{ index: 'books', id: '1', score: 1, source: LARGE }] };
  };
  server = await fakeServer(
    { search },
    {
      'limits.in_flight_bytes': String(16 * MIB),
      'limits.bulk_bytes': String(32 * MIB),
      'limits.request_items': '100',
      ...flags,
    },
  );
  await server.app.listen({ host: '127.0.0.1', port: 0 });
}

function open(text = ''): Socket {
  const { port } = server.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** Resolves with everything received once it contains `wanted`. */
function read(socket: Socket, wanted: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = '';
    socket.on('data', (data) => {
      all += String(data);
      if (all.includes(wanted)) resolve(all);
    });
    socket.on('close', () => reject(new Error(`closed after ${all.slice(0, 500)}`)));
  });
}

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const connections = (): Promise<number> =>
  new Promise((resolve) => server.app.server.getConnections((_error, count) => resolve(count)));

const bulkOf = (bytes: number): string =>
  `POST /_bulk HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${bytes}\r\n\r\n`;
const SEARCH = 'GET /books/_search HTTP/1.1\r\nHost: a\r\n\r\n';
const PROBE = 'GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n';

test('bodies that are not whole yet count, a further one is refused at once', async () => {
  const slow = open(bulkOf(20 * MIB));
  slow.write(Buffer.alloc(15 * MIB, 97));
  await until(() => server.inFlight.bytes >= 15 * MIB);
  const refused = await read(open(bulkOf(2 * MIB) + 'x'.repeat(2 * MIB)), '"status":429');
  expect(refused).toMatch(/^HTTP\/1\.1 429 /);
  expect(refused).toContain('retry-after: 1');
  expect(refused).toContain('[limits.in_flight_bytes]');
  expect(await read(open(PROBE), 'live')).toMatch(/^HTTP\/1\.1 200 /);
  slow.destroy();
  await until(() => server.inFlight.bytes === 0);
});

test('an answer that nobody takes counts', async () => {
  const deaf = open(SEARCH);
  deaf.pause();
  await until(() => server.inFlight.bytes >= 12 * MIB);
  const refused = await read(open(SEARCH), '"status":429');
  expect(refused).toContain('es_rejected_execution_exception');
  expect(searched).toBe(2);
  deaf.destroy();
  await until(() => server.inFlight.bytes === 0);
  const taken = await read(open(SEARCH), 'xx"}}]}}');
  expect(taken).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that takes nothing of its answer is cut', async () => {
  await server.close();
  await start({ 'server.request_timeout_ms': '1000' });
  const deaf = open(SEARCH);
  deaf.pause();
  await until(() => server.inFlight.bytes >= 12 * MIB);
  await until(() => server.inFlight.bytes === 0);
  expect(await connections()).toBe(0);
});

test('a reader that takes its time is not cut', async () => {
  await server.close();
  await start({ 'server.request_timeout_ms': '1000' });
  const slow = open(SEARCH);
  let taken = 0;
  await new Promise<void>((resolve, reject) => {
    slow.on('close', () => reject(new Error(`cut after ${taken} bytes`)));
    slow.on('data', (data) => {
      taken += data.length;
      slow.pause();
      if (taken > LARGE.length) resolve();
      // In total longer than the timeout of a response without progress.
      else setTimeout(() => slow.resume(), 8);
    });
  });
  expect(taken).toBeGreaterThan(LARGE.length);
});

test('the smallest pieces of a body become one', async () => {
  const pieces = '1\r\n{\r\n1\r\n}\r\n'.repeat(2000);
  const socket = open(
    `POST /books/_doc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`,
  );
  await read(socket, '"result":"created"');
  const [operation] = server.calls.find(({ method }) => method === 'write')?.args ?? [];
  expect(Buffer.from(operation.source).toString()).toBe('{}'.repeat(2000));
});

test.each([
  ['/_bulk', '{"delete":{"_id":"1"}}\n', 'lines of operations'],
  ['/books/_msearch', '{}\n{}\n', 'lines of searches'],
])('millions of items in %s are refused before they become objects', async (path, line, words) => {
  const answer = await server.app.inject({
    method: 'POST',
    url: path,
    payload: line.repeat(201),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(answer.statusCode).toBe(413);
  expect(answer.json().error.reason).toContain(words);
  expect(answer.json().error.reason).toContain('[limits.request_items]');
  expect(server.calls).toEqual([]);
});

test('documents of a _mget as well', async () => {
  const ids = Array.from({ length: 101 }, (_, i) => String(i));
  const ask = (count: number) =>
    server.app.inject({
      method: 'POST',
      url: '/books/_mget',
      payload: { ids: ids.slice(0, count) },
    });
  expect((await ask(100)).statusCode).toBe(200);
  const answer = await ask(101);
  expect(answer.statusCode).toBe(413);
  expect(answer.json().error.reason).toContain('101 documents');
});

test('searches of one _msearch are refused from where their answer is too large', async () => {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/books/_msearch?max_concurrent_searches=1',
    payload: '{}\n{}\n'.repeat(3),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const { responses } = answer.json();
  expect(responses.map(({ status }: { status: number }) => status)).toEqual([200, 429, 429]);
  expect(responses[1].error.type).toBe('circuit_breaking_exception');
});

test('one connection cannot hold more requests than there may be', async () => {
  server.live.replace({ ...server.live.current, 'limits.max_requests': 3 });
  const socket = open(`${'GET /_cat/indices HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50)}${PROBE}`);
  const answers = await read(socket, '"live"');
  expect(answers.split('HTTP/1.1 200 ').length - 1).toBeGreaterThan(0);
  expect(answers.split('HTTP/1.1 ').length - 1).toBe(51);
});
