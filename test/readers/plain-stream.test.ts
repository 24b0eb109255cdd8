// A connection of plain searches over real sockets: its bytes arrive complete and stay valid, and
// responses are sent completely, however much the connection accepts at once.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type AnswerBytes, PlainStream, type SendNow } from '../../src/http/plain-stream.ts';
import { loadAddon } from '../../src/native/addon.ts';

const addon = loadAddon();
const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

interface World {
  readonly stream: PlainStream;
  readonly client: Socket;
  readonly came: Buffer[];
  /** Everything that the client has received. */
  got(): string;
}

async function world(sendNow: SendNow): Promise<World> {
  const came: Buffer[] = [];
  let got = '';
  const stream = new Promise<PlainStream>((resolve) => {
    const listening = createServer({ pauseOnConnect: true }, (socket) => {
      const { fd } = (socket as Socket & { readonly _handle: { readonly fd: number } })._handle;
      const copy = addon.duplicateDescriptor(fd);
      socket.destroy();
      resolve(new PlainStream(copy, sendNow, (bytes) => came.push(bytes)));
    });
    servers.push(listening);
    listening.listen(0, '127.0.0.1', () => {
      const client = connect((listening.address() as AddressInfo).port, '127.0.0.1');
      client.setEncoding('latin1').on('data', (text) => {
        got += text;
      });
      sockets.push(client);
    });
  });
  const made = await stream;
  sockets.push(made.socket);
  const [client] = sockets;
  if (client === undefined) throw new Error('no client');
  return { stream: made, client, came, got: () => got };
}

test('what comes in is not touched by what comes after it', async () => {
  const at = await world((...args) => addon.sendNow(...args));
  for (const text of ['first', 'second', 'x'.repeat(200_000)]) {
    at.came.length = 0;
    at.client.write(text);
    await expect.poll(() => Buffer.concat(at.came).toString()).toBe(text);
  }
  at.came.length = 0;
  at.client.write('one');
  await expect.poll(() => at.came.length).toBe(1);
  at.client.write('two');
  await expect.poll(() => at.came.map(String)).toEqual(['one', 'two']);
});

const ANSWERS: readonly AnswerBytes[] = [
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
    at.stream.send(answer);
    all += answer.join('');
  }
  await expect.poll(() => at.got()).toBe(all);
});

test('a broken connection closes', async () => {
  const at = await world(() => -1);
  const closed = new Promise((resolve) => at.stream.socket.once('close', resolve));
  expect(at.stream.send([Buffer.from('a')])).toBe(false);
  await closed;
  expect(at.stream.send([Buffer.from('b')])).toBe(false);
});

test('the core says what a connection takes', async () => {
  const at = await world(() => 0);
  const { fd } = (at.stream.socket as Socket & { readonly _handle: { readonly fd: number } })
    ._handle;
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
