// Limits on connections by the number of file descriptors.
import { createServer } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createPlainServer,
  type Socket,
} from 'node:net';
import { expect, test } from 'vitest';
import { descriptorLimit } from '../../src/base/descriptors.ts';
import { connectionsFor, limitConnections } from '../../src/http/connections.ts';

test.each([
  [40, 1],
  [64, 1],
  [128, 64],
  [256, 192],
  [1024, 768],
  [1_048_576, 1_047_552],
])('of %d descriptors %d are for connections', (descriptors, connections) => {
  expect(connectionsFor(descriptors)).toBe(connections);
});

test('the limit of this process', () => {
  expect(descriptorLimit()).toBeGreaterThan(10);
});

test('connections that wait for nothing, or never say a word, make room for new ones', async () => {
  const server = createServer((_request, response) => response.end('here'));
  limitConnections(server, 10);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const ask = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('data', (data) => resolve(String(data)));
      socket.on('close', () => resolve('closed'));
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    });
  for (let i = 0; i < 50; i++) expect(await ask()).toContain('here');
  expect(sockets.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(10);
  for (let i = 0; i < 50; i++) sockets.push(connect(port, '127.0.0.1'));
  expect(await ask()).toContain('here');
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a connection that comes back from elsewhere beyond the limit is closed', async () => {
  const server = createServer((_request, response) => response.end('here'));
  limitConnections(server, 2);
  const dropped: unknown[] = [];
  server.on('drop', (data) => dropped.push(data));
  const others = createPlainServer();
  const back: Socket[] = [];
  others.on('connection', (socket) => back.push(socket));
  for (const one of [server, others]) {
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  }
  const clients = Array.from({ length: 3 }, () =>
    connect((others.address() as AddressInfo).port, '127.0.0.1'),
  );
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: a\r\n');
  while (back.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  const closed = new Promise((resolve) => clients[2]?.once('close', resolve));
  for (const client of clients) client.resume();
  // No connection appears to have sent a byte; otherwise the oldest of them would be closed.
  for (const socket of back) Object.defineProperty(socket, 'bytesRead', { value: 1 });
  for (const socket of back) server.emit('connection', socket);
  await closed;
  expect(dropped).toHaveLength(1);
  expect(back.map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
  for (const client of clients) client.destroy();
  for (const one of [server, others]) await new Promise((resolve) => one.close(resolve));
});
