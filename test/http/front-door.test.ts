// The listener gives every connection to the thread with the fewest, and keeps their number below the
// limit of descriptors.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { descriptorLimit } from '../../src/base/descriptors.ts';
import { FrontDoor, type HttpThread } from '../../src/http/threads/front-door.ts';
import { connectionsFor, ThreadConnections } from '../../src/http/transports/connections.ts';

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

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

class Thread implements HttpThread {
  readonly server: Server;
  readonly connections: ThreadConnections;
  readonly sockets: Socket[] = [];
  takes = true;

  constructor(name: string) {
    this.server = createServer((_request, response) => response.end(name));
    this.connections = new ThreadConnections({ server: this.server });
    ends.push(() => {
      this.connections.cut();
      this.server.close();
    });
  }
  get size(): number {
    return this.connections.size;
  }
  take(socket: Socket): boolean {
    if (this.takes) this.connections.take(socket);
    if (this.takes) this.sockets.push(socket);
    return this.takes;
  }
  closeIdle(): void {
    this.connections.closeIdle();
  }
  drain(): Promise<void> {
    return this.connections.drain();
  }
}

interface World {
  readonly main: Thread;
  readonly worker: Thread;
  readonly refused: (string | undefined)[];
  /** Connections of which something was read. */
  readonly begun: number;
  /** A new connection that asks once; resolves to what it gets, or `closed`. */
  ask(): Promise<string>;
  open(): Socket;
}

async function world(most: number): Promise<World> {
  const main = new Thread('main');
  const worker = new Thread('worker');
  const refused: (string | undefined)[] = [];
  const door = new FrontDoor({
    main,
    workers: () => [worker],
    most,
    onRefusal: (address) => refused.push(address),
    onError: () => {},
  });
  const { port } = (await door.listen('127.0.0.1', 0)) as AddressInfo;
  ends.push(() => door.close());
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    ends.push(() => socket.destroy());
    return socket;
  };
  const ask = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = open();
      socket.on('data', (data) => resolve(String(data).split('\r\n\r\n')[1] ?? ''));
      socket.on('close', () => resolve('closed'));
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    });
  const begun = (): number =>
    [main, worker].reduce(
      (sum, { sockets }) => sum + sockets.filter((s) => s.bytesRead > 0).length,
      0,
    );
  return {
    main,
    worker,
    refused,
    ask,
    open,
    get begun() {
      return begun();
    },
  };
}

test('connections alternate between threads that have as many', async () => {
  const at = await world(100);
  const answers: string[] = [];
  for (let i = 0; i < 4; i++) answers.push(await at.ask());
  expect(answers.map((text) => text.replace(/^.*?(main|worker).*$/s, '$1'))).toEqual([
    'main',
    'worker',
    'main',
    'worker',
  ]);
});

test('the main thread takes what another cannot', async () => {
  const at = await world(100);
  at.worker.takes = false;
  for (let i = 0; i < 3; i++) expect(await at.ask()).toContain('main');
});

test('connections that wait for nothing, or never say a word, make room for new ones', async () => {
  const at = await world(10);
  for (let i = 0; i < 50; i++) expect(await at.ask()).toMatch(/main|worker/);
  expect(at.main.size + at.worker.size).toBeLessThanOrEqual(10);
  for (let i = 0; i < 50; i++) at.open();
  expect(await at.ask()).toMatch(/main|worker/);
});

test('a connection beyond the limit is closed and recorded', async () => {
  const at = await world(2);
  // None of them is idle: each has begun a request.
  for (let i = 1; i <= 2; i++) {
    at.open().write('GET / HTTP/1.1\r\n');
    await expect.poll(() => at.begun).toBe(i);
  }
  expect(await at.ask()).toBe('closed');
  expect(at.refused).toEqual(['127.0.0.1']);
});
