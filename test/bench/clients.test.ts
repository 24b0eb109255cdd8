// The process of benchmark clients: the requests it sends, the results it returns, and orders that
// fail.
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clients } from '../../bench/http/clients.ts';

const BUILD_MS = 300_000;

describe('clients of a bench', () => {
  const seen: string[] = [];
  let server: Server;
  let clients: Clients;
  let base = '';

  beforeAll(async () => {
    clients = new Clients();
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        seen.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
        response.writeHead(request.url === '/refused' ? 400 : 200);
        response.write('some'); // without a length: in chunks
        response.end('thing');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    base = `http://127.0.0.1:${address.port}`;
  }, BUILD_MS);

  afterAll(() => {
    clients.stop();
    server.close();
  });

  it('ask every request as often, and say how long each took', async () => {
    const requests = [
      { method: 'POST' as const, path: '/a/_search', body: '{"query":"ä"}' },
      { method: 'GET' as const, path: '/b' },
    ];
    for (const count of [1, 3]) {
      seen.length = 0;
      const answer = await clients.run({ base, requests, clients: count, until: { count: 6 } });
      expect(answer.times).toHaveLength(6);
      expect(answer.times.every((time) => time > 0)).toBe(true);
      expect(answer.seconds).toBeGreaterThan(0);
      expect(
        seen.filter((one) => one === 'POST /a/_search application/json {"query":"ä"}'),
      ).toHaveLength(3);
      expect(seen.filter((one) => one === 'GET /b application/json ')).toHaveLength(3);
    }
  });

  it('fail with what failed', async () => {
    const requests = [{ method: 'GET' as const, path: '/refused' }];
    const order = { base, requests, clients: 1, until: { count: 2 } };
    await expect(clients.run(order)).rejects.toThrow('2 of 2 failed: /refused');
    const nowhere = { ...order, base: 'http://127.0.0.1:1' };
    await expect(clients.run(nowhere)).rejects.toThrow('Connection refused');
  });

  it('ask for a time', async () => {
    const requests = [{ method: 'GET' as const, path: '/b' }];
    const { times, seconds } = await clients.run({
      base,
      requests,
      clients: 2,
      until: { milliseconds: 30 },
    });
    expect(times.length).toBeGreaterThan(0);
    expect(seconds).toBeGreaterThanOrEqual(0.03);
  });
});
