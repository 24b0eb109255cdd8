// Hostile input over real sockets: every exchange is rejected with an error envelope or harmless,
// within a short time; another client is served throughout; and memory returns to its previous
// size.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../tools/server.ts';
import { BODIES } from './body-cases.ts';
import { type Exchange, exchange } from './exchange.ts';
import { AMBIGUOUS, HEADERS, MALFORMED } from './http-cases.ts';
import { NAMES } from './name-cases.ts';
import { QUERIES } from './query-cases.ts';

/** Time limit on a machine that is busy with other tests. */
const LIMIT_MS = 15_000;
/** Allowance for caches and pools that are filled once; a leak exceeds it with every round. */
const GROWTH_BYTES = 300 * 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'quarry-hostile-'));
let server: TestServer;
let port = 0;
let others: Promise<number>;
let over = false;

/** Another client that sends requests throughout; returns the number of its responses. */
async function someoneElse(): Promise<number> {
  for (let served = 0; ; served++) {
    if (over) return served;
    const reply = await server.call('GET', '/t/_doc/1');
    expect([reply.status, reply.json._source]).toEqual([200, { a: 'x', v: [1, 2] }]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function memory(): number {
  const [, kib] =
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

beforeAll(async () => {
  const args = [
    '--snapshot.path',
    join(folder, 'backup'),
    '--server.request_timeout_ms',
    '2000',
    '--indices.query.bool.max_clause_count',
    '1024',
  ];
  server = await startServer({ args });
  port = Number(new URL(server.base).port);
  const properties = {
    a: { type: 'text' },
    v: { type: 'dense_vector', dims: 2 },
    d: { type: 'date' },
    n: { type: 'long' },
  };
  await server.call('PUT', '/t', { mappings: { properties } });
  await server.call('PUT', '/t/_doc/1?refresh=true', { a: 'x', v: [1, 2] });
  await server.call('PUT', '/_snapshot/good', {
    type: 'fs',
    settings: { location: join(folder, 'backup', 'good') },
  });
  others = someoneElse();
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function check(one: Exchange): Promise<void> {
  const { statuses, head, body, ms } = await exchange(port, one.bytes);
  expect(statuses, `${head}\n${body.slice(0, 500)}`).toHaveLength(one.status.length === 0 ? 0 : 1);
  const [status] = statuses;
  if (status === undefined) return;
  expect(one.status, `${head}\n${body.slice(0, 500)}`).toContain(status);
  expect(ms).toBeLessThan(LIMIT_MS);
  if (one.never !== undefined) expect(`${head}\n${body}`).not.toMatch(one.never);
  if (status < 400) return;
  const { error, status: reported } = JSON.parse(body);
  expect(reported).toBe(status);
  expect(error).toMatchObject({ type: expect.any(String), reason: expect.any(String) });
  expect(error.type).not.toBe('internal_server_error');
  expect(error.reason.length).toBeLessThan(20_000);
  expect(body).not.toMatch(/\bat .*\.js:\d|node_modules|\/dist\//);
}

describe.each<[string, readonly Exchange[]]>([
  ['what is no HTTP', MALFORMED],
  ['what means two things', AMBIGUOUS],
  ['headers', HEADERS],
  ['names', NAMES],
  ['bodies', BODIES],
  ['requests that cost', QUERIES],
])('%s', (_what, all) => {
  test.each(all.map((one) => [one.name, one] as const))('%s', (_name, one) => check(one));
});

describe('who sends slowly', () => {
  const slowly: readonly [string, string, string][] = [
    ['a request line', 'GET /_cat/he', 'a'],
    ['headers', 'GET / HTTP/1.1\r\nHost: q\r\n', 'X: y\r\n'],
    [
      'a body',
      'POST /t/_search HTTP/1.1\r\nHost: q\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
      ' ',
    ],
    [
      'chunks',
      'POST /t/_search HTTP/1.1\r\nHost: q\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\n \r\n',
    ],
  ];
  test.concurrent.each(slowly)('%s is cut off', async (_what, start, more) => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(start));
      const dripping = setInterval(() => socket.write(more), 200);
      socket.on('data', (part) => {
        text += String(part);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(dripping);
        resolve(text);
      });
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).status).toBe(408);
  });

  test('and many of them at once do not shut others out', async () => {
    const sockets = Array.from({ length: 300 }, () => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('POST /t/_search HTTP/1.1\r\nHost: q\r\nX: '),
      );
      socket.on('error', () => {});
      socket.resume();
      return socket;
    });
    const closed = Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
    for (let i = 0; i < 20; i++) expect((await server.call('GET', '/t/_count')).status).toBe(200);
    await closed;
  });
});

describe('after all of it', () => {
  const all = [...MALFORMED, ...AMBIGUOUS, ...HEADERS, ...NAMES, ...BODIES, ...QUERIES];

  test('there were more than 200 exchanges', () => {
    expect(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size).toBeGreaterThan(200);
  });

  test('nothing was written outside of its place', () => {
    for (const name of ['passwd', 'b', 'X-Evil: 1'])
      expect(existsSync(join(server.dataDir, name))).toBe(false);
  });

  test('another round takes no more memory', async () => {
    const before = memory();
    for (const one of all) await exchange(port, one.bytes);
    expect(memory() - before).toBeLessThan(GROWTH_BYTES);
  }, 600_000);

  test('others were served all the while', async () => {
    over = true;
    expect(await others).toBeGreaterThan(20);
    expect((await server.call('GET', '/_cat/indices?h=index')).text).toContain('t');
  });
});
