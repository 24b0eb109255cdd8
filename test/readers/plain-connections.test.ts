// Connections that move between a server that answers everything and one that answers plain
// searches only, in one process over real sockets.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Departures } from '../../src/http/departures.ts';
import { socketOf } from '../../src/http/descriptor.ts';
import { type Done, PlainConnections } from '../../src/http/plain-connections.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { InFlight } from '../../src/ops/in-flight.ts';

const addon = loadAddon();
/** More than the socket buffers of both sides hold. */
const LONG = 16 * 1024 * 1024;
const STALLED_MS = 200;
const duplicate = (fd: number): number => addon.duplicateDescriptor(fd);

interface World {
  readonly home: Server;
  readonly guests: PlainConnections;
  /** Tracks responses that the client has not read. */
  readonly inFlight: InFlight;
  readonly log: string[];
  readonly client: Socket;
  /** Everything that the client has received. */
  got(): string;
  wanted: boolean;
  accepts: boolean;
  /** True if an idle connection of the guests should move. */
  movable: boolean;
  hosted: boolean;
}

const open: World[] = [];
afterEach(() => {
  for (const { home, client } of open.splice(0)) {
    client.destroy();
    home.close();
  }
});

const request = (name: string): string => `GET /${name}/_search HTTP/1.1\r\nHost: x\r\n\r\n`;

async function world(): Promise<World> {
  const log: string[] = [];
  const state = { wanted: true, accepts: true, movable: false, hosted: false };
  const home = createServer((requested, response) => {
    log.push(`home ${requested.url}`);
    response.end(`home:${requested.url};`);
  });
  const inFlight = new InFlight({
    maxRequests: () => 100,
    maxBytes: () => 1e9,
    onRefusal: () => {},
  });
  const answered = (url: string, done: Done): void => {
    const body = `guest:${url};${url.includes('long') ? 'x'.repeat(LONG) : ''}`;
    const held = inFlight.hold();
    held.keep(body.length);
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
    const inTwo = url.length % 2 === 0;
    done(inTwo ? [Buffer.from(head), Buffer.from(body)] : [Buffer.from(head + body)], held);
  };
  const departures = new Departures(home, {
    duplicate,
    wanted: () => state.wanted,
    leave: (fd, patience) => {
      log.push('leaves');
      guests.take(fd, patience);
    },
  });
  const guests = new PlainConnections({
    duplicate,
    sendNow: (...args) => addon.sendNow(...args),
    accepts: () => state.accepts,
    answer: ({ url }, _client, done) => {
      if (url.includes('heavy')) {
        done(undefined, inFlight.hold());
        return;
      }
      log.push(`guest ${url}`);
      if (url.includes('slow')) setTimeout(() => answered(url, done), 30);
      else answered(url, done);
    },
    stalledMs: () => STALLED_MS,
    leave: (fd, patience, bytes, isSearch) => {
      log.push(`back with ${bytes.length} after ${patience}`);
      if (state.hosted && isSearch) {
        hosts.take(fd, patience, bytes);
        return;
      }
      const socket = socketOf(fd);
      departures.returned(socket, patience);
      if (bytes.length > 0) socket.unshift(bytes);
      home.emit('connection', socket);
    },
    movable: () => state.movable,
    move: (fd, patience) => {
      log.push(`moves after ${patience}`);
      state.movable = false;
      guests.take(fd, patience);
    },
    closed: () => log.push('closed'),
  });
  /** A second instance, which answers requests that the guests do not accept. */
  const hosts = new PlainConnections({
    duplicate,
    sendNow: (...args) => addon.sendNow(...args),
    accepts: () => true,
    answer: ({ url }, _client, done) => {
      log.push(`host ${url}`);
      answered(url, done);
    },
    stalledMs: () => STALLED_MS,
    leave: (fd, patience, bytes) => {
      log.push('leaves its host');
      const socket = socketOf(fd);
      departures.returned(socket, patience);
      socket.unshift(bytes);
      home.emit('connection', socket);
    },
    movable: () => true,
    move: (fd, patience) => {
      log.push(`moves after ${patience}`);
      guests.take(fd, patience);
    },
    closed: () => log.push('closed'),
  });
  await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', resolve));
  const client = connect((home.address() as AddressInfo).port, '127.0.0.1');
  let got = '';
  client.on('data', (chunk) => {
    got += chunk;
  });
  const made = Object.assign(state, { home, guests, inFlight, log, client, got: () => got });
  open.push(made);
  return made;
}

async function ask(at: World, text: string, answer: string): Promise<void> {
  const before = at.got().length;
  at.client.write(text);
  await expect.poll(() => at.got().slice(before), { interval: 2 }).toContain(answer);
}

/** A connection that has moved to the guests. */
async function moved(): Promise<World> {
  const at = await world();
  for (let n = 0; !at.log.includes('leaves'); n++) {
    await ask(at, request(`a${n}`), `:/a${n}/_search;`);
    if (n > 100) throw new Error('it stays');
  }
  at.log.length = 0;
  return at;
}

describe('a connection that searches', () => {
  test('leaves after a while, is answered there, and comes back for anything else', async () => {
    const at = await moved();
    await ask(at, request('b'), 'guest:/b/_search;');
    await ask(at, 'GET /b/_doc/1 HTTP/1.1\r\nHost: x\r\n\r\n', 'home:/b/_doc/1;');
    await ask(at, request('c'), 'home:/c/_search;');
    expect(at.log).toEqual([
      'guest /b/_search',
      'back with 35 after 32',
      'home /b/_doc/1',
      'home /c/_search',
    ]);
  });

  test('stays where nobody wants it to leave', async () => {
    const at = await world();
    at.wanted = false;
    for (let n = 0; n < 60; n++) await ask(at, request(`a${n}`), `home:/a${n}/_search;`);
    expect(at.log).not.toContain('leaves');
  });

  test('comes back with what cannot be answered, or not now', async () => {
    const at = await moved();
    await ask(at, request('heavy'), 'home:/heavy/_search;');
    expect(at.log).toEqual(['back with 40 after 32', 'home /heavy/_search']);
    const other = await moved();
    other.accepts = false;
    await ask(other, request('x'), 'home:/x/_search;');
  });

  test('is answered at once by who can, and stays there as long as its patience', async () => {
    const at = await moved();
    at.hosted = true;
    await ask(at, request('heavy'), 'guest:/heavy/_search;');
    expect(at.log).toEqual(['back with 40 after 32', 'host /heavy/_search']);
    for (let n = 1; n < 32; n++) await ask(at, request(`b${n}`), `guest:/b${n}/_search;`);
    expect(at.log).toHaveLength(34);
    expect(at.log.at(-1)).toBe('moves after 32');
    await ask(at, request('c'), 'guest:/c/_search;');
    expect(at.log.at(-1)).toBe('guest /c/_search');
    await ask(at, request('heavy') + request('next'), ':/next/_search;');
    expect(at.log.slice(-2)).toEqual(['home /heavy/_search', 'home /next/_search']);
  });

  test('is answered in order when it asks for several at once', async () => {
    const at = await moved();
    await ask(at, request('b1') + request('b2') + request('b3'), ':/b3/_search;');
    expect(at.got().match(/(home|guest):\/b\d/g)).toEqual(['home:/b1', 'home:/b2', 'home:/b3']);
  });

  test('keeps what it asks while it is answered', async () => {
    const at = await moved();
    at.client.write(request('slow'));
    await expect.poll(() => at.log.length, { interval: 1 }).toBe(1);
    await ask(at, request('next') + request('last'), ':/last/_search;');
    const answers = at.got().match(/(home|guest):\/(slow|next|last)/g);
    expect(answers).toEqual(['guest:/slow', 'home:/next', 'home:/last']);
  });

  test('comes back with a request that does not go on', async () => {
    const at = await moved();
    const text = request('parts');
    at.client.write(text.slice(0, 12));
    await expect.poll(() => at.log).toEqual(['back with 12 after 32']);
    await ask(at, text.slice(12), 'home:/parts/_search;');
  });

  test('is counted when it ends', async () => {
    const at = await moved();
    at.client.end();
    await expect.poll(() => at.log).toEqual(['closed']);
    expect(at.guests.size).toBe(0);
  });

  test('comes back when all have to, after its answer', async () => {
    const at = await moved();
    at.client.write(request('slow'));
    await expect.poll(() => at.log.length, { interval: 1 }).toBe(1);
    await at.guests.leave();
    expect(at.log).toEqual(['guest /slow/_search', 'back with 0 after 32']);
    await ask(at, request('y'), 'home:/y/_search;');
    expect(at.got()).toContain('guest:/slow/_search;');
  });

  test('goes elsewhere between two requests when it is wanted there', async () => {
    const at = await moved();
    at.movable = true;
    await ask(at, request('b'), 'guest:/b/_search;');
    await ask(at, request('c'), 'guest:/c/_search;');
    expect(at.log).toEqual(['guest /b/_search', 'moves after 16', 'guest /c/_search']);
  });

  test('gets a long answer whole, which is held until it is taken', async () => {
    const at = await moved();
    at.client.pause();
    at.client.write(request('long'));
    await expect.poll(() => at.log).toEqual(['guest /long/_search']);
    expect(at.inFlight.bytes).toBeGreaterThan(LONG);
    at.client.resume();
    const begin = at.got().lastIndexOf('guest:/long');
    await expect.poll(() => at.got().length - begin, { timeout: 5000 }).toBeGreaterThan(LONG);
    await ask(at, request('next'), 'guest:/next/_search;');
    expect(at.inFlight.bytes).toBe(0);
  });

  test('is cut off when it does not take its answer', async () => {
    const at = await moved();
    at.client.pause();
    at.client.write(request('long'));
    await expect.poll(() => at.log).toEqual(['guest /long/_search', 'closed']);
    expect(at.inFlight.bytes).toBe(0);
  });

  test('is answered when it has said all that it wanted to ask', async () => {
    const at = await moved();
    at.client.end(request('slow'));
    await expect.poll(() => at.got()).toContain('guest:/slow/_search;');
    await expect.poll(() => at.log).toEqual(['guest /slow/_search', 'closed']);
  });

  test('that asks for nothing is closed when there are too many', async () => {
    const at = await moved();
    at.client.write(request('slow'));
    await expect.poll(() => at.log.length, { interval: 1 }).toBe(1);
    at.guests.closeIdle();
    await expect.poll(() => at.got()).toContain('guest:/slow/_search;');
    expect(at.log).toEqual(['guest /slow/_search']);
    at.guests.closeIdle();
    await expect.poll(() => at.log).toEqual(['guest /slow/_search', 'closed']);
  });

  test('that dies while it is answered leaves nothing behind', async () => {
    const at = await moved();
    at.client.write(request('slow'));
    await expect.poll(() => at.log.length, { interval: 1 }).toBe(1);
    at.client.resetAndDestroy();
    await expect.poll(() => at.log).toEqual(['guest /slow/_search', 'closed']);
    await expect.poll(() => at.inFlight.bytes).toBe(0);
  });
});
