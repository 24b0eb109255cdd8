// Bytes on a socket that are not a valid request: the response is an error envelope, and the
// connection is closed where necessary.
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Backend } from '../../src/backend/index.ts';
import { type FakeServer, fakeServer, SEARCHED } from './fake-backend.ts';

let server: FakeServer;
let searching: (signal: AbortSignal | undefined) => Promise<void>;
beforeEach(async () => {
  searching = async () => {};
  const search: Backend['search'] = async ({ waiter }) => {
    await searching(waiter?.signal());
    return SEARCHED;
  };
  server = await fakeServer({ search }, { 'limits.body_bytes': '1024' });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

/**
 * Sends `text`, and resolves with everything received when the server has ended the connection or
 * `until` was read.
 */
function talk(text: string, until?: string): Promise<string> {
  const { port } = server.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
      if (until !== undefined && answer.includes(until)) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('a connection', () => {
  test('that speaks no HTTP', async () => {
    const answer = await talk('SSH-2.0-OpenSSH_9\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: { type: 'illegal_argument_exception', reason: expect.stringContaining('HTTP') },
      status: 400,
    });
  });

  test('with headers beyond the limit', async () => {
    const answer = await talk(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"status":431');
  });

  test('with a body too large reads the refusal and goes on', async () => {
    const body = 'x'.repeat(100_000);
    const answer = await talk(
      'POST /books/_search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n`,
      '"live"',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('content_too_large_exception');
    expect(answer).toContain('"status":"live"');
  });

  test('with a length that is no number', async () => {
    const answer = await talk('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('that ends before its answer aborts the search, and is nobody’s error', async () => {
    const { port } = server.app.server.address() as AddressInfo;
    const aborted = new Promise<unknown>((resolve) => {
      searching = (signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            resolve(signal.reason);
            reject(signal.reason);
          });
          socket.destroy();
        });
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /books/_search HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await aborted)).toContain('the client closed the connection');
    expect(server.log).toEqual([]);
  });
});
