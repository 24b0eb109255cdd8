// Connections that begin without an HTTP server and are handed to one, in one process over real sockets.
import { createServer, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createListener,
  type Server as Listener,
  type Socket,
} from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange, Reply } from '../../src/http/pipeline/exchange.ts';
import { ThreadConnections } from '../../src/http/transports/connections.ts';
import { RawConnections } from '../../src/http/transports/raw-connections.ts';
import { loadAddon } from '../../src/native/addon.ts';

const addon = loadAddon();
/** Beyond what the sockets of both sides hold. */
const LONG = 16 * 1024 * 1024;
const STALLED_MS = 300;

interface World {
  readonly connections: ThreadConnections;
  readonly raw: RawConnections;
  readonly log: string[];
  readonly client: Socket;
  /** Everything that the client has received. */
  got(): string;
}

const open: { listener: Listener; server: Server; client: Socket }[] = [];
afterEach(() => {
  for (const { listener, server, client } of open.splice(0)) {
    client.destroy();
    listener.close();
    server.close();
  }
});

const search = (name: string): string => `GET /${name}/_search HTTP/1.1\r\nHost: x\r\n\r\n`;
const other = (name: string): string => `GET /mcp?${name} HTTP/1.1\r\nHost: x\r\n\r\n`;
/** The head of a request with a body of this length. */
const upload = (name: string, length: number, head = ''): string =>
  `POST /${name}/_bulk HTTP/1.1\r\nHost: x\r\n${head}Content-Length: ${length}\r\n\r\n`;

function replyTo(url: string): Reply {
  const text = `raw:${url};`;
  if (url.includes('pieces')) return { status: 200, headers: {}, body: Readable.from([text, '!']) };
  const long = url.includes('long') ? 'x'.repeat(LONG) : '';
  return { status: 200, headers: {}, body: Buffer.from(text + long) };
}

/** Bytes of the body, or the reason why they do not come. */
async function lengthOf({ body }: Exchange): Promise<number | string> {
  if (!(body instanceof Readable)) return body?.length ?? 0;
  let length = 0;
  try {
    for await (const bytes of body) length += (bytes as Buffer).length;
    return length;
  } catch (error) {
    return (error as Error).message;
  }
}

async function world(stalledMs = STALLED_MS): Promise<World> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    log.push(`server ${request.url}`);
    response.end(`server:${request.url};`);
  });
  const raw = new RawConnections({
    sendNow: (...args) => addon.sendNow(...args),
    stalledMs,
    isClosing: () => connections.isDraining,
    handle: (exchange: Exchange) => {
      log.push(`raw ${exchange.url}`);
      const answer = (): void =>
        exchange.send(replyTo(exchange.url), () => log.push(`sent ${exchange.url}`));
      if (exchange.url.includes('upload')) {
        void lengthOf(exchange).then((length) => {
          log.push(`read ${length}`);
          if (typeof length === 'number') answer();
        });
      } else if (exchange.url.includes('slow')) setTimeout(answer, 30);
      else if (exchange.url.includes('never')) return;
      else answer();
    },
    server: (socket) => {
      log.push('handed over');
      server.emit('connection', socket);
    },
    cutOff: (socket) => {
      log.push('cut off');
      socket.destroy();
    },
    late: (socket) => {
      log.push('late');
      socket.destroy();
    },
  });
  const connections: ThreadConnections = new ThreadConnections({
    server,
    raw,
    closed: () => log.push('closed'),
  });
  const listener = createListener({ pauseOnConnect: true, allowHalfOpen: true }, (socket) =>
    connections.take(socket),
  );
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  let got = '';
  client.setEncoding('latin1').on('data', (chunk) => {
    got += chunk;
  });
  open.push({ listener, server, client });
  return { connections, raw, log, client, got: () => got };
}

async function ask(at: World, text: string, answer: string): Promise<void> {
  const before = at.got().length;
  at.client.write(text);
  await expect.poll(() => at.got().slice(before), { interval: 2 }).toContain(answer);
}

describe('a connection that begins without a server', () => {
  test('is answered, and handed over for good by the first other request', async () => {
    const at = await world();
    await ask(at, search('a'), 'raw:/a/_search;');
    await ask(at, search('b'), 'raw:/b/_search;');
    expect(at.raw.size).toBe(1);
    await ask(at, other('c'), 'server:/mcp?c;');
    await ask(at, search('d'), 'server:/d/_search;');
    expect(at.raw.size).toBe(0);
    expect(at.connections.size).toBe(1);
    expect(at.log.filter((line) => line === 'handed over')).toHaveLength(1);
  });

  test('is handed over before its first answer if it begins with another request', async () => {
    const at = await world();
    await ask(at, other('a'), 'server:/mcp?a;');
    expect(at.log).toEqual(['handed over', 'server /mcp?a']);
  });

  test('is answered in order when it sends several requests at once', async () => {
    const at = await world();
    await ask(at, search('a'), 'raw:/a');
    await ask(at, search('b1') + search('b2') + other('b3'), 'server:/mcp?b3;');
    expect(at.got().match(/(raw|server):\/(mcp\?)?b\d/g)).toEqual([
      'server:/b1',
      'server:/b2',
      'server:/mcp?b3',
    ]);
  });

  test('keeps what arrives while it is answered', async () => {
    const at = await world();
    at.client.write(search('slow'));
    await expect.poll(() => at.log, { interval: 1 }).toEqual(['raw /slow/_search']);
    await ask(at, search('next') + search('last'), 'server:/last/_search;');
    const answers = at.got().match(/(raw|server):\/(slow|next|last)/g);
    expect(answers).toEqual(['raw:/slow', 'server:/next', 'server:/last']);
  });

  test('is handed over with a request that does not go on', async () => {
    const at = await world();
    const text = search('parts');
    at.client.write(text.slice(0, 12));
    await expect.poll(() => at.log, { timeout: 10_000 }).toEqual(['handed over']);
    await ask(at, text.slice(12), 'server:/parts/_search;');
  });

  test('gets an answer of unknown length in chunks, and the next one behind it', async () => {
    const at = await world();
    await ask(at, search('pieces'), '0\r\n\r\n');
    expect(at.got()).toContain('transfer-encoding: chunked\r\n');
    expect(at.got()).toContain('\r\n\r\n14\r\nraw:/pieces/_search;\r\n1\r\n!\r\n0\r\n\r\n');
    await ask(at, search('b'), 'raw:/b/_search;');
  });

  test('gets a long answer whole, which is sent only when it was taken', async () => {
    const at = await world();
    at.client.pause();
    at.client.write(search('long'));
    await expect.poll(() => at.log).toEqual(['raw /long/_search']);
    at.client.resume();
    await expect.poll(() => at.got().length, { timeout: 20_000 }).toBeGreaterThan(LONG);
    await expect.poll(() => at.log).toContain('sent /long/_search');
    await ask(at, search('next'), 'raw:/next/_search;');
  });

  test('is closed when it does not take its answer', async () => {
    const at = await world();
    at.client.pause();
    at.client.write(search('long'));
    await expect.poll(() => at.log, { timeout: 10_000 }).toEqual(['raw /long/_search', 'closed']);
  });

  test('is answered when its client has ended its side', async () => {
    const at = await world();
    at.client.end(search('slow'));
    await expect.poll(() => at.got()).toContain('raw:/slow/_search;');
    await expect.poll(() => at.log).toEqual(['raw /slow/_search', 'sent /slow/_search', 'closed']);
  });

  test('is cut off when its client ends its side in the middle of a request', async () => {
    const at = await world();
    at.client.end(search('half').slice(0, 12));
    await expect.poll(() => at.log).toEqual(['cut off', 'closed']);
  });

  test('is answered without a body when it asks for a head', async () => {
    const at = await world();
    await ask(at, 'HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n', 'content-length: 7\r\n');
    await ask(at, 'HEAD /pieces HTTP/1.1\r\nHost: x\r\n\r\n', 'transfer-encoding: chunked\r\n');
    await ask(at, search('next'), 'raw:/next/_search;');
    expect(at.got()).not.toMatch(/raw:\/(a|pieces);/);
    expect(at.log).not.toContain('handed over');
  });

  test('has its long body read while it arrives, and stays', async () => {
    const at = await world(20_000);
    at.client.write(upload('upload', LONG));
    await expect.poll(() => at.log).toEqual(['raw /upload/_bulk']);
    await ask(at, 'x'.repeat(LONG), 'raw:/upload/_bulk;');
    expect(at.log).toContain(`read ${LONG}`);
    await ask(at, search('next'), 'raw:/next/_search;');
    await ask(at, upload('upload2', 100_000) + 'y'.repeat(100_000) + search('b'), '/b/_search;');
    const answers = at.got().match(/(raw|server):\/(next|upload2|b)/g);
    expect(answers).toEqual(['raw:/next', 'raw:/upload2', 'server:/b']);
  });

  test('is not read further while nobody reads its long body', async () => {
    const at = await world();
    at.client.write(upload('never', 2 * LONG) + 'x'.repeat(2 * LONG));
    await expect.poll(() => at.log).toEqual(['raw /never/_bulk']);
    await pause(100);
    expect(at.client.writableLength).toBeGreaterThan(LONG);
  });

  test('throws a long body away that was refused, and stays', async () => {
    const at = await world(20_000);
    await ask(at, upload('refused', LONG) + 'x'.repeat(1000), 'raw:/refused/_bulk;');
    at.client.write('x'.repeat(LONG - 1000));
    await ask(at, search('next'), ':/next/_search;');
    expect(at.got()).not.toContain('Connection: close');
  });

  test('is closed behind the answer to a packed body that was refused', async () => {
    const at = await world();
    const head = upload('refused', LONG, 'Content-Encoding: gzip\r\n');
    await ask(at, `${head}${'x'.repeat(1000)}`, 'raw:/refused/_bulk;');
    expect(at.got()).toContain('Connection: close\r\n');
    await expect.poll(() => at.log).toContain('closed');
  });

  test('is refused when its long body does not come in time', async () => {
    const at = await world();
    at.client.write(`${upload('upload', LONG)}x`);
    await expect.poll(() => at.log).toContain('closed');
    expect(at.log).toContain('late');
    expect(at.log).toContain('read the client is gone');
  });

  test('is closed when the rest of a refused body does not come in time', async () => {
    const at = await world();
    await ask(at, `${upload('refused', LONG)}x`, 'raw:/refused/_bulk;');
    await expect.poll(() => at.log.at(-1)).toBe('closed');
    expect(at.log).not.toContain('late');
  });

  test.each(['ends', 'resets'])('tells who reads its long body that its client %s', async (how) => {
    const at = await world();
    at.client.write(`${upload('upload', LONG)}x`);
    await expect.poll(() => at.log).toEqual(['raw /upload/_bulk']);
    if (how === 'ends') at.client.end();
    else at.client.resetAndDestroy();
    await expect.poll(() => at.log).toContain('read the client is gone');
    expect(at.log.includes('cut off')).toBe(how === 'ends');
    await expect.poll(() => at.connections.size).toBe(0);
  });

  test('that waits for nothing is closed when there are too many', async () => {
    const at = await world();
    at.client.write(search('slow'));
    await expect.poll(() => at.log.length, { interval: 1 }).toBe(1);
    at.connections.closeIdle();
    await expect.poll(() => at.got()).toContain('raw:/slow/_search;');
    at.connections.closeIdle();
    await expect.poll(() => at.log).toContain('closed');
  });

  test('that has never sent a byte is closed when there are too many, the oldest first', async () => {
    const at = await world();
    await expect.poll(() => at.connections.size).toBe(1);
    at.connections.closeIdle();
    await expect.poll(() => at.log).toEqual(['closed']);
  });

  test('is closed behind its answer when the thread drains', async () => {
    const at = await world();
    at.client.write(search('slow'));
    await expect.poll(() => at.log.length, { interval: 1 }).toBe(1);
    await at.connections.drain();
    expect(at.got()).toContain('Connection: close\r\n');
    expect(at.got()).toContain('raw:/slow/_search;');
    expect(at.connections.size).toBe(0);
  });

  test('that was accepted last may send its first request when the thread drains', async () => {
    const at = await world();
    await expect.poll(() => at.connections.size).toBe(1);
    const drained = at.connections.drain();
    await ask(at, search('late'), 'raw:/late/_search;');
    await drained;
  });

  test('that dies while it is answered leaves nothing behind', async () => {
    const at = await world();
    at.client.write(search('slow'));
    await expect.poll(() => at.log.length, { interval: 1 }).toBe(1);
    at.client.resetAndDestroy();
    await expect.poll(() => at.connections.size).toBe(0);
    expect(at.raw.size).toBe(0);
  });
});
