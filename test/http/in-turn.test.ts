// Of pipelined requests, a few are handled at once, and all are answered in their order.
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { answerInTurn } from '../../src/http/transports/in-turn.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(handle: RequestListener): Promise<number> {
  server = createServer(handle);
  answerInTurn(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** What comes back until the connection is closed. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (part) => {
      got += String(part);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
  });
}

const get = (count: number): string =>
  Array.from({ length: count }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: q\r\n\r\n`).join('');
const LAST = 'GET /last HTTP/1.1\r\nHost: q\r\nConnection: close\r\n\r\n';

test('requests of one chunk', async () => {
  let running = 0;
  let most = 0;
  const port = await listen((request, response) => {
    running += 1;
    most = Math.max(most, running);
    setImmediate(() => {
      running -= 1;
      response.end(`<${request.url}>`);
    });
  });
  const got = await exchange(port, get(500) + LAST);
  expect([...got.matchAll(/<\/(\w+)>/g)].map(([, url]) => url)).toEqual([
    ...Array.from({ length: 500 }, (_, i) => String(i)),
    'last',
  ]);
  expect(most).toBe(8);
});

test('a body is read when it is the turn of its request', async () => {
  const port = await listen(async (request, response) => {
    let length = 0;
    for await (const part of request) length += (part as Buffer).length;
    response.end(`<${length}>`);
  });
  const post = `POST / HTTP/1.1\r\nHost: q\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`;
  expect((await exchange(port, get(3) + post.repeat(3) + LAST)).match(/<\d+>/g)).toEqual([
    '<0>',
    '<0>',
    '<0>',
    '<300000>',
    '<300000>',
    '<300000>',
    '<0>',
  ]);
});

test('a client that sends ten thousand behind some that are not answered is cut off', async () => {
  let handled = 0;
  const port = await listen(() => {
    handled += 1;
  });
  expect(await exchange(port, get(10_100))).toBe('');
  expect(handled).toBe(8);
});
