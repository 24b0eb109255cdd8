// Every request appears once in the audit log and in the metrics, whether it ends with its
// response, before its route, or with a client that disconnects.
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Backend } from '../../src/backend/index.ts';
import { QuarryError } from '../../src/errors.ts';
import type { AuditEntry } from '../../src/ops/audit.ts';
import { type FakeServer, FOUND, fakeServer, SEARCHED, WRITTEN } from './fake-backend.ts';

let server: FakeServer;
let entries: AuditEntry[];
/** Functions that resolve the searches in progress. */
let ends: (() => void)[];
let began: () => void;

const audit = {
  write: (entry: AuditEntry) => void entries.push(entry),
  reopen: async () => {},
  close: async () => {},
};

beforeEach(async () => {
  entries = [];
  ends = [];
  began = () => {};
  const search: Backend['search'] = async ({ index }) => {
    if (index === 'secret') throw new QuarryError('security_exception', 'no');
    if (index === 'books') return SEARCHED;
    await new Promise<void>((resolve) => {
      ends.push(resolve);
      began();
    });
    return SEARCHED;
  };
  server = await fakeServer({ search }, { 'limits.body_bytes': '1024' }, { audit });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

function open(): Socket {
  const { port } = server.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

/** Sends `text`; resolves with everything received until the server closed the connection. */
function talk(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = open();
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('close', () => resolve(answer));
    socket.write(text);
  });
}

const post = (path: string, body: string, type = 'application/json', headers = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}Content-Type: ${type}\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Requests by status class, without requests for the metrics. */
async function counts(): Promise<Record<string, number>> {
  const { payload } = await server.app.inject({ url: '/v1/metrics', headers: { host: 'a' } });
  const sums: Record<string, number> = {};
  const line = /^quarry_http_request_duration_seconds_count\{.*status="(\w+)"\} (\d+)$/gm;
  for (const [, status = '', count] of payload.matchAll(line)) {
    sums[status] = (sums[status] ?? 0) + Number(count);
  }
  return sums;
}

const shown = (): unknown[] => entries.map(({ outcome, status }) => [outcome, status]);

describe('a client that hangs up', () => {
  test('while its request is worked on: one line, with what the work came to', async () => {
    const isThere = new Promise<void>((resolve) => {
      began = resolve;
    });
    const socket = open();
    socket.write(post('/slow/_search', '{}'));
    await isThere;
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(entries).toEqual([]);
    ends[0]?.();
    await until(() => entries.length > 0);
    expect(entries).toMatchObject([
      { outcome: 'client_gone', status: 200, route: '/:index/_search', index: 'slow' },
    ]);
    expect(await counts()).toEqual({ gone: 1 });
  });

  test('in the middle of its request: one line without a status', async () => {
    const socket = open();
    await new Promise<void>((resolve) => {
      socket.write(post('/books/_search', 'x'.repeat(100)).slice(0, -50), () => resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await until(() => entries.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ outcome: 'client_gone', route: '/:index/_search' });
    expect(entries[0]).not.toHaveProperty('status');
    expect(await counts()).toEqual({ gone: 1 });
  });

  test('with several requests one behind the other: a line for each', async () => {
    let running = 0;
    const both = new Promise<void>((resolve) => {
      began = () => {
        running += 1;
        if (running === 2) resolve();
      };
    });
    const socket = open();
    const one = post('/slow/_search', '{}').replace('Connection: close\r\n', '');
    socket.write(`${one}${one}`);
    await both;
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const end of ends) end();
    await until(() => entries.length === 2);
    expect(shown()).toEqual([
      ['client_gone', 200],
      ['client_gone', 200],
    ]);
    expect(await counts()).toEqual({ gone: 2 });
  });
});

describe('a request that no route is asked for', () => {
  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9\r\n\r\n', 400],
    ['headers too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 417],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a path that is none', 'GET /%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['no route', 'GET /a/b/c/d/e HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ['an unknown method', 'PROPFIND / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
    ['another method', 'PUT /_search HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
    ['a body too large', post('/books/_search', `{"a":"${'x'.repeat(2000)}"}`), 413],
    [
      'an unknown encoding',
      post('/books/_search', '{}', undefined, 'Content-Encoding: x\r\n'),
      415,
    ],
    [
      'chunks that are none',
      'POST /books/_search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
  ])('%s: one line', async (_name, text, status) => {
    expect(await talk(text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    await until(() => entries.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(shown()).toEqual([['refused', status]]);
    expect(await counts()).toEqual({ '4xx': 1 });
  });

  test('a web page of another origin is denied', async () => {
    await talk(post('/books/_close', '', undefined, 'Origin: http://evil\r\n'));
    expect(shown()).toEqual([['denied', 403]]);
  });
});

describe('names inside of a body', () => {
  const BULK: Partial<Backend> = {
    bulk: async () => ({
      tookMs: 1,
      errors: true,
      items: [
        WRITTEN,
        { ...WRITTEN, index: 'more' },
        {
          op: 'index',
          index: 'secret',
          id: '1',
          status: 403,
          error: { type: 'security_exception', reason: 'no' },
        },
      ],
    }),
    mget: async () => [
      FOUND,
      {
        op: 'index',
        index: 'secret',
        id: '1',
        status: 403,
        error: { type: 'security_exception', reason: 'no' },
      },
    ],
  };

  async function namesOf(path: string, body: string, type?: string): Promise<unknown> {
    await server.close();
    const search: Backend['search'] = async ({ index }) => {
      if (index === 'secret') throw new QuarryError('security_exception', 'no');
      return SEARCHED;
    };
    server = await fakeServer({ ...BULK, search }, {}, { audit });
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    await talk(post(path, body, type));
    expect(entries).toHaveLength(1);
    return entries[0]?.indices;
  }

  test('of _msearch, each once, without those that were refused', async () => {
    const lines = ['books', 'a*,b', 'books', 'secret'].map((index) => `{"index":"${index}"}\n{}\n`);
    const type = 'application/x-ndjson';
    expect(await namesOf('/_msearch', lines.join(''), type)).toEqual(['books', 'a*,b']);
  });

  test('of _bulk', async () => {
    const body = '{"index":{"_index":"books"}}\n{}\n';
    expect(await namesOf('/_bulk', body, 'application/x-ndjson')).toEqual(['books', 'more']);
  });

  test('of _mget', async () => {
    const docs = ['books', 'secret'].map((_index) => ({ _index, _id: '1' }));
    expect(await namesOf('/_mget', JSON.stringify({ docs }))).toEqual(['books']);
  });

  test('a hundred of many, cut where they are long, and how many are left out', async () => {
    const lines = Array.from({ length: 130 }, (_, i) => `{"index":"${'n'.repeat(300)}${i}"}\n{}\n`);
    const names = await namesOf('/_msearch', lines.join(''), 'application/x-ndjson');
    expect(names).toHaveLength(100);
    expect((names as string[])[0]).toHaveLength(256);
    expect(entries[0]?.indices_left_out).toBe(30);
  });
});
