// Answers are sent completely, however much the connection accepts at once.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { descriptorOf, type SendNow, sendBytes } from '../../src/http/transports/raw-stream.ts';
import { loadAddon } from '../../src/native/addon.ts';

const addon = loadAddon();
const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

interface World {
  readonly socket: Socket;
  readonly client: Socket;
  send(first: Buffer, second?: Buffer): boolean;
  /** Everything that the client has received. */
  got(): string;
}

async function world(sendNow: SendNow): Promise<World> {
  let got = '';
  const socket = await new Promise<Socket>((resolve) => {
    const listening = createServer({ allowHalfOpen: true }, resolve);
    servers.push(listening);
    listening.listen(0, '127.0.0.1', () => {
      const client = connect((listening.address() as AddressInfo).port, '127.0.0.1');
      client.setEncoding('latin1').on('data', (text) => {
        got += text;
      });
      sockets.push(client);
    });
  });
  const [client] = sockets;
  if (client === undefined) throw new Error('no client');
  sockets.push(socket.on('error', () => {}));
  const send = (first: Buffer, second?: Buffer): boolean =>
    sendBytes(socket, sendNow, first, second);
  return { socket, client, send, got: () => got };
}

const ANSWERS: readonly (readonly [Buffer] | readonly [Buffer, Buffer])[] = [
  [Buffer.from('alone')],
  [Buffer.from('head'), Buffer.from('body')],
  [Buffer.from('head'), Buffer.alloc(0)],
];

test.each([0, 1, 3, 4, 5, 7])('of which %i bytes are taken at once', async (most) => {
  // Accepts only this much of the first response; the others have to wait for it.
  let isFirst = true;
  const at = await world((fd, first, second) => {
    if (!isFirst) return addon.sendNow(fd, first, second);
    isFirst = false;
    const both = Buffer.concat([first, second ?? Buffer.alloc(0)]);
    return most === 0 ? 0 : addon.sendNow(fd, both.subarray(0, most), undefined);
  });
  let all = '';
  for (const answer of [...ANSWERS, ...ANSWERS]) {
    const [first, second] = answer;
    at.send(first, second);
    all += answer.join('');
  }
  await expect.poll(() => at.got()).toBe(all);
});

test('a broken connection closes', async () => {
  const at = await world(() => -1);
  const closed = new Promise((resolve) => at.socket.once('close', resolve));
  expect(at.send(Buffer.from('a'))).toBe(false);
  await closed;
  expect(at.send(Buffer.from('b'))).toBe(false);
});

test('the core says what a connection takes', async () => {
  const at = await world(() => 0);
  const fd = descriptorOf(at.socket) ?? -1;
  expect(addon.sendNow(fd, Buffer.from('head'), Buffer.from('body'))).toBe(8);
  expect(addon.sendNow(fd, Buffer.from('alone'), undefined)).toBe(5);
  await expect.poll(() => at.got()).toBe('headbodyalone');
  at.client.pause();
  const large = Buffer.alloc(64 << 20);
  const taken = addon.sendNow(fd, large, undefined);
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(large.length);
  while (addon.sendNow(fd, large, large) > 0);
  expect(addon.sendNow(fd, large, large)).toBe(0);
  at.client.destroy();
  await expect.poll(() => addon.sendNow(fd, large, undefined)).toBe(-1);
});
