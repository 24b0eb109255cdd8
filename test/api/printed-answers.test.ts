// Long responses that are printed again (`pretty`, YAML, filters), over HTTP: pieces, compression,
// memory, clients that disconnect.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAddon } from '../../src/native/addon.ts';
import { encode, type FakeServer, FOUND, fakeServer } from './fake-backend.ts';

const LONG = JSON.stringify({
  list: Array.from({ length: 60_000 }, (_, i) => ({ n: i, t: 'text' })),
});
const ANSWER = {
  _index: 'books',
  _id: '1',
  _version: 3,
  _seq_no: 7,
  _primary_term: 1,
  found: true,
  _source: JSON.parse(LONG),
};
const addon = loadAddon();

let server: FakeServer;
let port: number;
beforeEach(async () => {
  server = await fakeServer({ get: async () => ({ ...FOUND, source: encode(LONG) }) });
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  port = (server.app.server.address() as AddressInfo).port;
});
afterEach(async () => {
  await server.close();
  expect(addon.openPrinters()).toBe(0);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a long pretty answer comes in pieces, and nothing is held behind it', async () => {
  const reply = await fetch(`http://127.0.0.1:${port}/books/_doc/1?pretty`);
  expect(reply.headers.get('content-type')).toBe('application/json');
  expect(reply.headers.get('content-length')).toBeNull();
  expect((await reply.text()) === `${JSON.stringify(ANSWER, null, 2)}\n`).toBe(true);
  await until(() => server.inFlight.bytes === 0);
});

test('a long answer is packed as others are', async () => {
  const reply = await server.app.inject({
    url: '/books/_doc/1?pretty',
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(reply.headers['content-encoding']).toBe('gzip');
  const text = gunzipSync(reply.rawPayload).toString();
  expect(text === `${JSON.stringify(ANSWER, null, 2)}\n`).toBe(true);
});

test('of a long answer only what filter_path names is sent', async () => {
  const reply = await server.app.inject({ url: '/books/_doc/1?filter_path=_id,**.list.n' });
  const kept = {
    _id: '1',
    _source: { list: ANSWER._source.list.map(({ n }: { n: number }) => ({ n })) },
  };
  expect(reply.body === JSON.stringify(kept)).toBe(true);
});

test('a client that hangs up ends the printing of its answer', async () => {
  const request = http.get({ host: '127.0.0.1', port, path: '/books/_doc/1?format=yaml' });
  await new Promise<void>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => response.once('readable', resolve));
  });
  expect(server.inFlight.bytes).toBeGreaterThan(LONG.length);
  request.destroy();
  await until(() => addon.openPrinters() === 0 && server.inFlight.bytes === 0);
});

test('a long answer for which there is no room is refused before it is printed', async () => {
  await server.close();
  server = await fakeServer(
    { get: async () => ({ ...FOUND, source: encode(LONG) }) },
    { 'limits.in_flight_bytes': String(1 << 20) },
  );
  const reply = await server.app.inject({ url: '/books/_doc/1?pretty' });
  expect(reply.json().error.type).toBe('circuit_breaking_exception');
});
