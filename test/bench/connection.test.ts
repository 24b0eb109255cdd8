// A connection of the load's clients: it knows where an answer ends, however it comes, and outlives one that was closed.
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Connection, requestBytes } from '../../bench/http/connection.ts';

const servers: Server[] = [];

/** Answers every request with these parts, one after the other; `closes`: then ends the connection. */
async function answering(
  parts: readonly string[],
  closes = false,
): Promise<{ readonly url: URL; readonly seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      seen.push(bytes.toString());
      const send = (at: number): void => {
        const part = parts[at];
        if (part === undefined) {
          if (closes) setTimeout(() => socket.end(), 5);
          return;
        }
        socket.write(part);
        setTimeout(() => send(at + 1), 5);
      };
      send(0);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: new URL(`http://127.0.0.1:${port}`), seen };
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const ASKED = { method: 'POST', path: '/a/_search', body: '{"query":"ä"}' };

describe('a connection of the load', () => {
  it('says where to, what, and how many bytes of it', async () => {
    const { url, seen } = await answering(['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}']);
    const connection = new Connection(url);
    expect(await connection.ask(requestBytes(url, ASKED))).toBe(200);
    expect(seen).toEqual([
      `POST /a/_search HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n{"query":"ä"}`,
    ]);
  });

  it.each([
    ['at once', ['HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nbody']],
    ['in parts', ['HTTP/1.1 2', '01 Created\r\nContent-Length: 4\r', '\n\r', '\nbo', 'dy']],
    [
      'in chunks',
      ['HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n'],
    ],
    [
      'in chunks that come in parts',
      [
        'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r',
        '\n5\r\n0\r\n\r',
        '\n\r\n',
        '0\r\n',
        '\r\n',
      ],
    ],
  ])('reads an answer that comes %s, twice', async (_, parts) => {
    const { url, seen } = await answering(parts);
    const connection = new Connection(url);
    expect(await connection.ask(requestBytes(url, ASKED))).toBe(201);
    expect(await connection.ask(requestBytes(url, ASKED))).toBe(201);
    expect(seen).toHaveLength(2);
  });

  it('is made anew where the server closed it meanwhile', async () => {
    const { url } = await answering(['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'], true);
    const connection = new Connection(url);
    expect(await connection.ask(requestBytes(url, ASKED))).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(await connection.ask(requestBytes(url, ASKED))).toBe(200);
  });

  it('fails where half an answer comes', async () => {
    const { url } = await answering(['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'], true);
    await expect(new Connection(url).ask(requestBytes(url, ASKED))).rejects.toThrow('closed');
  });
});
