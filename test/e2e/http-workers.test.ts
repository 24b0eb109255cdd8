// Connections belong to one of several threads, and no client can tell: answers are the same, changes
// are seen at once, every request is answered, and nothing is lost at the end.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const CLIENTS = 16;
const DOCS = 400;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
  readonly json: any;
}

function written(method: string, path: string, body?: unknown, head = ''): string {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return (
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${head}` +
    `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}

/** One keep-alive connection without an HTTP client. */
class Line {
  readonly socket: Socket;
  readonly #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = [];
  #bytes = Buffer.alloc(0);

  constructor(base: string) {
    this.socket = connect(Number(new URL(base).port), '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => this.#read(chunk));
    const gone = (): void => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('the connection ended'));
    };
    this.socket.on('error', gone).on('close', gone);
  }

  answer(): Promise<Answer> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }
  ask(method: string, path: string, body?: unknown, head = ''): Promise<Answer> {
    this.socket.write(written(method, path, body, head));
    return this.answer();
  }

  #read(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const end = this.#bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.#bytes.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const all = end + 4 + length;
      if (this.#bytes.length < all) return;
      const text = this.#bytes.toString('utf8', end + 4, all);
      this.#bytes = this.#bytes.subarray(all);
      const json = text.startsWith('{') ? JSON.parse(text) : undefined;
      this.#waiting.shift()?.resolve({ status: Number(head.slice(9, 12)), json });
    }
  }
}

const byWord = (word: string): object => ({ query: { match: { text: word } }, size: 5 });

type Headers = Record<string, string>;

async function readerConnections(server: TestServer, headers: Headers = {}): Promise<number> {
  const { text } = await server.call('GET', '/v1/metrics', undefined, headers);
  return Number(/^quarry_reader_connections (\d+)$/m.exec(text)?.[1]);
}

/**
 * Connections that keep the server busy until the promise of the end; every response is checked.
 */
class Crowd {
  readonly #lines: Line[];
  #goes = true;
  #running: Promise<void>[] = [];
  answers = 0;

  constructor(base: string, head = '') {
    this.#lines = Array.from({ length: CLIENTS }, () => new Line(base));
    this.#running = this.#lines.map(async (line, i) => {
      for (let n = i; this.#goes; n++) {
        const word = `w${n % 20}`;
        const { status, json } = await line.ask('POST', '/texts/_search', byWord(word), head);
        expect(status).toBe(200);
        expect(json.hits.total.value).toBe(DOCS / 20);
        expect(json.hits.hits[0]._source.text).toContain(word);
        this.answers += 1;
      }
    });
  }
  async end(): Promise<readonly Line[]> {
    this.#goes = false;
    await Promise.all(this.#running);
    return this.#lines;
  }
  /** Resolves when some of them have moved. */
  async moved(server: TestServer, headers: Headers = {}): Promise<void> {
    const failed = Promise.all(this.#running).then(() => {
      throw new Error('the crowd has ended');
    });
    const wait = async (): Promise<void> => {
      while (!((await readerConnections(server, headers)) >= 4)) await pause(50);
    };
    await Promise.race([wait(), failed]);
  }
}

async function fill(server: TestServer, headers: Headers = {}): Promise<void> {
  const lines = Array.from(
    { length: DOCS },
    (_, n) => `{"index":{"_id":"${n}"}}\n{"text":"w${n % 20} all","n":${n}}\n`,
  ).join('');
  const { json } = await server.call('POST', '/texts/_bulk?refresh=true', lines, {
    'content-type': 'application/x-ndjson',
    ...headers,
  });
  expect(json.errors).toBe(false);
}

describe('a busy server', () => {
  let server: TestServer;
  let lines: readonly Line[];

  beforeAll(async () => {
    server = await startServer({ args: ['--pools.http_threads', '2'] });
    await fill(server);
  });
  beforeEach(async () => {
    const crowd = new Crowd(server.base);
    await crowd.moved(server);
    lines = await crowd.end();
  });
  afterEach(() => {
    for (const { socket } of lines) socket.destroy();
  });
  afterAll(() => server.stop());

  /** Sends the same request on every connection at once: on both threads. */
  const onAll = (
    method: string,
    path: string,
    body?: unknown,
    head = '',
  ): Promise<readonly Answer[]> =>
    Promise.all(lines.map((line) => line.ask(method, path, body, head)));

  test('has connections on every thread and counts what they ask', async () => {
    expect(await readerConnections(server)).toBeGreaterThan(0);
    const counted = async (): Promise<number> => {
      const { text } = await server.call('GET', '/v1/metrics');
      const line = /^quarry_http_request_duration_seconds_count\{.*"\/:index\/_count".*\} (\d+)$/m;
      return Number(line.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    await onAll('GET', '/texts/_count');
    await expect.poll(counted).toBe(before + CLIENTS);
  });

  test('shows every change of an index at once', async () => {
    const alias = {
      actions: [{ add: { index: 'texts', alias: 'some', filter: { term: { n: 3 } } } }],
    };
    expect((await server.call('POST', '/_aliases', alias)).status).toBe(200);
    for (const { status, json } of await onAll('POST', '/some/_search', { size: 3 })) {
      expect([status, json.hits?.total.value]).toEqual([200, 1]);
    }
    await server.call('PUT', '/texts/_settings', { index: { max_result_window: 100 } });
    for (const { status, json } of await onAll('POST', '/texts/_search', { size: 101 })) {
      expect([status, json.error.root_cause[0].type]).toEqual([400, 'illegal_argument_exception']);
    }
    const terms = { query: { terms: { n: [1, 2, 3] } } };
    const statuses = async (): Promise<ReadonlySet<number>> =>
      new Set((await onAll('POST', '/texts/_search', terms)).map(({ status }) => status));
    expect([...(await statuses()), ...(await statuses())]).toEqual([200, 200]);
    await server.call('PUT', '/texts/_settings', { index: { max_terms_count: 2 } });
    expect([...(await statuses())]).toEqual([400]);
    await server.call('PUT', '/texts/_settings', { index: { max_terms_count: null } });
    expect([...(await statuses())]).toEqual([200]);
    await server.call('PUT', '/texts/_doc/new?refresh=true', { text: 'w1 fresh', n: 7000 });
    for (const { json } of await onAll('POST', '/texts/_search', byWord('fresh'))) {
      expect(json.hits.total.value).toBe(1);
    }
    await server.call('DELETE', '/texts/_doc/new?refresh=true');
    for (const { json } of await onAll('POST', '/texts/_count', {
      query: { match: { text: 'fresh' } },
    })) {
      expect(json.count).toBe(0);
    }
    await server.call('PUT', '/gone/_doc/1?refresh=true', { text: 'x' });
    for (const { json } of await onAll('GET', '/gone/_count')) expect(json.count).toBe(1);
    await server.call('DELETE', '/gone');
    for (const { status } of await onAll('GET', '/gone/_count')) expect(status).toBe(404);
  });

  test('reads every document on every thread as it was written last', async () => {
    const alias = {
      actions: [{ add: { index: 'texts', alias: 'odd', filter: { term: { n: 3 } } } }],
    };
    expect((await server.call('POST', '/_aliases', alias)).status).toBe(200);
    for (let round = 0; round < 20; round++) {
      // Each is written over one connection and read over all of them, without a refresh.
      const writer = lines[round % CLIENTS];
      const { status } = (await writer?.ask('PUT', '/texts/_doc/a%2Fb', { n: round })) ?? {};
      expect(status).toBe(round === 0 ? 201 : 200);
      for (const { json } of await onAll('GET', '/texts/_doc/a%2Fb')) {
        expect(json).toMatchObject({ _index: 'texts', _id: 'a/b', _source: { n: round } });
        expect(json._version).toBe(round + 1);
      }
    }
    for (const { json } of await onAll('GET', '/texts/_source/a%2Fb?_source=n')) {
      expect(json).toEqual({ n: 19 });
    }
    for (const { status } of await onAll('GET', '/texts/_doc/a%2Fb?version=3'))
      expect(status).toBe(409);
    for (const { json } of await onAll('GET', '/texts/_doc/a%2Fb?stored_fields=_none_')) {
      expect(json._source).toBeUndefined();
    }
    for (const { json } of await onAll('GET', '/texts/_doc/a%2Fb?refresh=true&realtime=false')) {
      expect(json._source).toEqual({ n: 19 });
    }
    expect((await lines[0]?.ask('DELETE', '/texts/_doc/a%2Fb'))?.status).toBe(200);
    for (const { status, json } of await onAll('GET', '/texts/_doc/a%2Fb')) {
      expect([status, json]).toEqual([404, { _index: 'texts', _id: 'a/b', found: false }]);
    }
    for (const { json } of await onAll('GET', '/odd/_doc/3')) expect(json.found).toBe(true);
    for (const { json } of await onAll('GET', '/odd/_doc/4')) expect(json.found).toBe(false);
    for (const { status } of await onAll('GET', '/nothing/_doc/3')) expect(status).toBe(404);
    for (const { status } of await onAll('GET', '/texts/_doc/3?version_type=x'))
      expect(status).toBe(400);
    for (const { status } of await onAll('GET', '/texts/_doc/3?wrong=x')) expect(status).toBe(400);
  });

  test('recalls on every thread what was stored last, and nothing that was superseded', async () => {
    const recalled = async (body: object): Promise<readonly string[]> => {
      const answers = await onAll('POST', '/_memory/team%2Da/_recall', body);
      return answers.map(({ status, json }) =>
        JSON.stringify([status, json.hits?.map((hit: { id: string }) => hit.id), json.not_shown]),
      );
    };
    const same = (hits: readonly string[], superseded: number): readonly string[] =>
      Array(CLIENTS).fill(
        JSON.stringify([200, hits, { k: 0, expired: 0, superseded, filter: 0 }]),
      ) as string[];
    expect(await recalled({ query: 'game' })).toEqual(same([], 0));
    for (let round = 0; round < 20; round++) {
      const before = round === 0 ? {} : { supersedes: [`m${round - 1}`] };
      const body = { id: `m${round}`, text: `game ${round}`, ...before };
      const writer = lines[round % CLIENTS];
      const stored = await writer?.ask('POST', '/_memory/team%2Da', body);
      expect(stored?.status).toBe(201);
      // The first recall publishes the memory, on the main thread; the others follow it.
      for (const request of [{ query: 'game' }, { query: 'game' }, {}]) {
        expect(await recalled(request)).toEqual(same([`m${round}`], round));
      }
    }
    await lines[1]?.ask('DELETE', '/_memory/team%2Da/m19');
    expect(await recalled({})).toEqual(same([], 19));
    for (const { status, json } of await onAll('POST', '/_memory/team%2Da/_recall', { nope: 1 })) {
      expect([status, json.error.type]).toEqual([400, 'illegal_argument_exception']);
    }
    expect((await lines[0]?.ask('DELETE', '/_memory/team%2Da'))?.json.dropped).toBe(true);
    expect(await recalled({ query: 'game' })).toEqual(same([], 0));
  });

  test('answers whatever else they ask, and goes on', async () => {
    const written = await Promise.all(
      lines.map((line, i) => line.ask('PUT', `/own/_doc/${i}`, { n: i })),
    );
    for (const { status } of written) expect(status).toBe(201);
    for (const { status } of await onAll('GET', '/texts/_doc/3')) expect(status).toBe(200);
    for (const { json } of await onAll('POST', '/texts/_search', byWord('w3'))) {
      expect(json.hits.total.value).toBe(DOCS / 20);
    }
    for (const { status, json } of await onAll('POST', '/texts/_search', '{"query":')) {
      expect([status, json.error.type]).toEqual([400, 'x_content_parse_exception']);
    }
    for (const { status } of await onAll('GET', '/nothing/_search')) expect(status).toBe(404);
    for (const { status } of await onAll('GET', '/texts/_nothing')) expect(status).toBe(404);
  });
});

describe('connections of several threads', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ args: ['--pools.http_threads', '2'] });
    await fill(server);
  });
  afterAll(() => server.stop());

  test('lose no request of a client that sends several at once, or in pieces', async () => {
    const crowd = new Crowd(server.base);
    const line = new Line(server.base);
    let isOver = false;
    const odd = (async (): Promise<number> => {
      let rounds = 0;
      for (; !isOver; rounds++) {
        for (let n = 0; n < 40; n++) await line.ask('POST', '/texts/_search', byWord('w1'));
        const words = ['w2', 'w3', 'w4', 'w5'];
        const answers = words.map(() => line.answer());
        line.socket.write(words.map((w) => written('POST', '/texts/_search', byWord(w))).join(''));
        for (const [i, { json }] of (await Promise.all(answers)).entries()) {
          expect(json.hits.hits[0]._source.text).toBe(`${words[i]} all`);
        }
        for (let n = 0; n < 40; n++) await line.ask('POST', '/texts/_search', byWord('w1'));
        const whole = written('POST', '/texts/_search', byWord('w6'));
        const last = line.answer();
        for (const piece of [whole.slice(0, 30), whole.slice(30, 120), whole.slice(120)]) {
          line.socket.write(piece);
          await pause(5);
        }
        expect((await last).json.hits.hits[0]._source.text).toBe('w6 all');
      }
      return rounds;
    })();
    await crowd.moved(server);
    await pause(1000);
    isOver = true;
    expect(await odd).toBeGreaterThan(0);
    for (const { socket } of await crowd.end()) socket.destroy();
    await expect.poll(() => readerConnections(server)).toBeLessThan(3);
  });

  test('are answered to the end when the server stops, which it does in time', async () => {
    const other = await startServer({ args: ['--pools.http_threads', '2'] });
    await fill(other);
    const crowd = new Crowd(other.base);
    await crowd.moved(other);
    const lines = await crowd.end();
    const requested = lines.map((line) => line.ask('POST', '/texts/_search', byWord('w1')));
    const stopped = other.stop();
    for (const answer of await Promise.all(requested))
      expect(answer.json.hits.total.value).toBe(20);
    expect(await stopped).toBe(0);
  });
});

test('keys grant the same on every thread, and no more once they are revoked', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-readers-'));
  const keys = (...args: string[]): { key: string; id: string } => {
    const all = [resolve('dist/cli/main.js'), 'keys', ...args, '--json', '--data-dir', dataDir];
    return JSON.parse(spawnSync(process.execPath, all, { encoding: 'utf8' }).stdout);
  };
  const header = (key: string): string => `Authorization: Bearer ${key}\r\n`;
  const all = keys('create', '--name', 'all').key;
  const names = 'texts,.svc-memory-own';
  const { key: some, id } = keys('create', '--name', 'some', '--indices', names);
  const server = await startServer({
    dataDir,
    args: ['--auth.enabled', '--pools.http_threads', '2'],
  });
  const admin = { authorization: `Bearer ${all}` };
  await fill(server, admin);
  await server.call('PUT', '/secret/_doc/1?refresh=true', { text: 'w1' }, admin);
  for (const namespace of ['own', 'other']) {
    await server.call('POST', `/_memory/${namespace}`, { id: namespace, text: 'game' }, admin);
    await server.call('POST', `/_memory/${namespace}/_recall`, { query: 'game' }, admin);
  }
  const crowd = new Crowd(server.base, header(some));
  await crowd.moved(server, admin);
  const lines = await crowd.end();
  const totals = await Promise.all(
    lines.map(async (line) => {
      const { json } = await line.ask('GET', '/_all/_count', undefined, header(some));
      const refused = await line.ask('GET', '/secret/_count', undefined, header(some));
      const anonymous = await line.ask('GET', '/texts/_count');
      return [json.count, refused.status, anonymous.status];
    }),
  );
  for (const total of totals) expect(total).toEqual([DOCS, 403, 401]);
  const reads = await Promise.all(
    lines.map(async (line) => {
      const own = await line.ask('GET', '/texts/_doc/3', undefined, header(some));
      const refused = await line.ask('GET', '/secret/_doc/1', undefined, header(some));
      const anonymous = await line.ask('GET', '/texts/_doc/3');
      return [own.status, refused.status, anonymous.status];
    }),
  );
  for (const read of reads) expect(read).toEqual([200, 403, 401]);
  const lookup = { terms: { _id: { index: 'secret', id: '1', path: 'text' } } };
  const recalls = await Promise.all(
    lines.map(async (line) => {
      const recall = (name: string, body: object, head = header(some)): Promise<Answer> =>
        line.ask('POST', `/_memory/${name}/_recall`, body, head);
      const own = await recall('own', { query: 'game' });
      const refused = await recall('other', { query: 'game' });
      const spied = await recall('own', { query: 'game', filter: lookup });
      const anonymous = await recall('own', { query: 'game' }, '');
      const ids = own.json.hits.map((hit: { id: string }) => hit.id);
      return [own.status, ids, refused.status, spied.status, anonymous.status];
    }),
  );
  for (const one of recalls) expect(one).toEqual([200, ['own'], 403, 403, 401]);
  const again = new Crowd(server.base, header(some));
  await again.moved(server, admin);
  const moved = await again.end();
  keys('revoke', id);
  await pause(1100);
  for (const line of moved) {
    expect((await line.ask('GET', '/texts/_count', undefined, header(some))).status).toBe(401);
  }
  for (const { socket } of [...lines, ...moved]) socket.destroy();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('one thread answers everything where one is asked for', async () => {
  const server = await startServer({ args: ['--pools.http_threads', '1'] });
  await fill(server);
  const crowd = new Crowd(server.base);
  await expect.poll(() => crowd.answers, { timeout: 50_000 }).toBeGreaterThan(3000);
  expect(await readerConnections(server)).toBe(0);
  for (const { socket } of await crowd.end()) socket.destroy();
  await server.stop();
});
