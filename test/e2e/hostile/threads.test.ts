// Hostile and unusual HTTP on every thread and both transports: connections that begin without an HTTP
// server, those that were handed to one, on the main thread and on a worker.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG, some } from '../../tools/long.ts';
import { startServer, type TestServer } from '../../tools/server.ts';
import { AMBIGUOUS, HEADERS, MALFORMED } from './http-cases.ts';

/** Longer than anything takes on a busy machine. */
const PATIENCE_MS = 40_000;
const DOCS = 2000;
const ROUNDS = LONG ? 40 : 8;
const VISITS = LONG ? 1000 : 250;

let server: TestServer;
let port = 0;

beforeAll(async () => {
  server = await started();
  port = Number(new URL(server.base).port);
}, 120_000);
afterAll(() => server?.stop());

async function started(): Promise<TestServer> {
  const made = await startServer({
    args: ['--pools.http_threads', '2', '--server.request_timeout_ms', '20000'],
  });
  const lines = Array.from(
    { length: DOCS },
    (_, n) => `{"index":{"_id":"${n}"}}\n{"a":"x","n":${n},"text":"${'word '.repeat(50)}"}\n`,
  );
  const type = { 'content-type': 'application/x-ndjson' };
  const bulk = await made.call('POST', '/t/_bulk?refresh=true', lines.join(''), type);
  expect(bulk.json.errors).toBe(false);
  return made;
}

const message = (line: string, body = '', headers = ''): string =>
  `${line} HTTP/1.1\r\nHost: q\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const SEARCH = message('POST /t/_search', '{"size":0}');
const OTHER = message('GET /t/_doc/1');

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** One connection; answers are read to their ends, chunked or not. */
class Line {
  readonly socket: Socket;
  readonly #at: number;
  #bytes = '';
  #isClosed = false;
  #changed: () => void = () => {};

  constructor(at = port) {
    this.#at = at;
    this.socket = connect(this.#at, '127.0.0.1');
    this.socket.setNoDelay(true).setEncoding('latin1');
    this.socket.on('data', (text) => {
      this.#bytes += text;
      this.#changed();
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.#isClosed = true;
      this.#changed();
    });
  }

  get unread(): string {
    return this.#bytes;
  }

  /** Resolves when the server may have accepted it. */
  async connected(): Promise<this> {
    if (this.socket.connecting) {
      await new Promise((resolve) => this.socket.once('connect', resolve));
    }
    return this;
  }

  write(text: string | Buffer): this {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
    return this;
  }

  /** The next answer; undefined: the connection was closed instead. */
  async answer(): Promise<Answer | undefined> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const answer = this.#next();
      if (answer !== undefined) return answer;
      if (this.#isClosed) return undefined;
      if (patience.aborted) throw new Error(`no answer, so far: ${this.#bytes.slice(0, 300)}`);
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#changed = resolve;
        }),
        pause(1000),
      ]);
    }
  }

  async statuses(): Promise<number[]> {
    const all: number[] = [];
    for (;;) {
      const answer = await this.answer();
      if (answer === undefined) return all;
      all.push(answer.status);
    }
  }

  #next(): Answer | undefined {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = this.#bytes.slice(0, end);
    const status = Number(head.slice(9, 12));
    const rest = this.#bytes.slice(end + 4);
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    if (status === 100 || (length === undefined && !/^transfer-encoding: chunked$/im.test(head))) {
      return this.#take(rest, { status, head, body: '' });
    }
    if (length !== undefined) {
      if (rest.length < Number(length)) return undefined;
      const body = rest.slice(0, Number(length));
      return this.#take(rest.slice(Number(length)), { status, head, body });
    }
    let body = '';
    for (let at = 0; ; ) {
      const line = rest.indexOf('\r\n', at);
      if (line < 0) return undefined;
      const size = Number.parseInt(rest.slice(at, line), 16);
      const next = line + 2 + size + 2;
      if (rest.length < next) return undefined;
      body += rest.slice(line + 2, line + 2 + size);
      at = next;
      if (size === 0) return this.#take(rest.slice(at), { status, head, body });
    }
  }

  #take(rest: string, answer: Answer): Answer {
    this.#bytes = rest;
    return answer;
  }
}

/** Two connections that are made one right after the other belong to different threads. */
async function pair(at = port): Promise<readonly [Line, Line]> {
  const first = await new Line(at).connected();
  return [first, await new Line(at).connected()];
}

/** How a connection is used before: by nobody, without a server, with one. */
const BEFORE: readonly (readonly [string, readonly string[]])[] = [
  ['a new connection', []],
  ['a connection that has searched', [SEARCH]],
  ['a connection that has sent other requests', [OTHER, SEARCH]],
];

describe.each(BEFORE)('on every thread, %s', (_name, before) => {
  const ready = async (): Promise<readonly Line[]> => {
    const lines = await pair();
    for (const line of lines) {
      for (const text of before) expect((await line.write(text).answer())?.status).toBe(200);
    }
    return lines;
  };

  const cases = [...MALFORMED, ...AMBIGUOUS, ...HEADERS];
  test.each(cases.map((one) => [one.name, one] as const))('answers once: %s', async (_n, one) => {
    for (const line of await ready()) {
      line.write(one.bytes);
      const answer = await line.answer();
      expect(one.status).toContain(answer?.status);
      if (one.never !== undefined) expect(answer?.body).not.toMatch(one.never);
      line.socket.end();
      // What is left of it may be refused as well, and never answered.
      for (const status of await line.statuses()) expect(status).toBeGreaterThanOrEqual(400);
    }
  });

  test('reads requests that are split at any byte', async () => {
    const text = message('POST /t/_search', '{"size":1,"query":{"term":{"n":7}}}') + OTHER;
    const cuts = some(
      Array.from({ length: text.length - 1 }, (_, i) => i + 1),
      5,
    );
    for (let at = 0; at < cuts.length; at += 16) {
      await Promise.all(
        cuts.slice(at, at + 16).map(async (cut) => {
          for (const line of await ready()) {
            line.write(text.slice(0, cut));
            await pause(3);
            line.write(text.slice(cut));
            const found = await line.answer();
            expect([found?.status, JSON.parse(found?.body ?? '').hits.hits[0]._id]).toEqual([
              200,
              '7',
            ]);
            expect(JSON.parse((await line.answer())?.body ?? '')._id).toBe('1');
            line.socket.destroy();
          }
        }),
      );
    }
  });

  test('answers requests that come all at once in their order', async () => {
    for (const line of await ready()) {
      const ids = Array.from({ length: 12 }, (_, i) => String(i));
      line.write(
        ids
          .map((id) =>
            Number(id) % 3 === 0
              ? message(`GET /t/_doc/${id}`)
              : message('POST /t/_search', `{"query":{"term":{"n":${id}}}}`),
          )
          .join(''),
      );
      for (const id of ids) {
        const { _id, hits } = JSON.parse((await line.answer())?.body ?? '{}');
        expect(_id ?? hits.hits[0]._id).toBe(id);
      }
      line.socket.destroy();
    }
  });

  test('waits with the body until it is asked to continue', async () => {
    for (const line of await ready()) {
      for (const [path, body] of [
        ['POST /t/_search', '{"size":0}'],
        ['POST /t/_count', '{}'],
        ['PUT /t/_doc/1', '{"a":"x","n":1}'],
      ] as const) {
        line.write(message(path, body, 'Expect: 100-continue\r\n').slice(0, -body.length));
        expect((await line.answer())?.status).toBe(100);
        expect((await line.write(body).answer())?.status).toBe(200);
      }
      line.socket.destroy();
    }
  });

  test('answers HTTP/1.0 and closes', async () => {
    for (const path of ['/t/_search?size=0', '/t/_doc/1']) {
      for (const line of await ready()) {
        line.write(`GET ${path} HTTP/1.0\r\n\r\n`);
        expect(await line.statuses()).toEqual([200]);
      }
    }
  });

  test('does not change its protocol', async () => {
    for (const line of await ready()) {
      const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n';
      for (const path of ['GET /t/_count', 'GET /t/_doc/1']) {
        expect((await line.write(message(path, '', upgrade)).answer())?.status).toBe(200);
      }
      line.socket.destroy();
    }
  });

  test('answers a client that has ended its side', async () => {
    for (const text of [SEARCH, OTHER, SEARCH + OTHER]) {
      for (const line of await ready()) {
        line.socket.end(text);
        expect(await line.statuses()).toEqual(text === SEARCH + OTHER ? [200, 200] : [200]);
      }
    }
  });

  test('refuses a body that is too long, and reads the next request', async () => {
    for (const line of await ready()) {
      for (const [headers, body] of [
        ['Content-Length: 20000000\r\n', 'x'.repeat(20_000_000)],
        ['Transfer-Encoding: chunked\r\n', `1312D00\r\n${'x'.repeat(20_000_000)}\r\n0\r\n\r\n`],
      ] as const) {
        line.write(
          `PUT /t/_doc/2 HTTP/1.1\r\nHost: q\r\nContent-Type: application/json\r\n${headers}\r\n${body}`,
        );
        expect((await line.answer())?.status).toBe(413);
        expect((await line.write(SEARCH).answer())?.status).toBe(200);
      }
      line.socket.destroy();
    }
  });

  test('sends a long answer to a slow reader, whole', async () => {
    const many = message('POST /t/_search', `{"size":${DOCS}}`);
    const pretty = message('POST /t/_search?pretty', `{"size":${DOCS}}`);
    for (const text of [many, pretty]) {
      for (const line of await ready()) {
        line.socket.pause();
        line.write(text);
        await pause(300);
        expect((await server.call('GET', '/t/_count')).status).toBe(200);
        line.socket.resume();
        const answer = await line.answer();
        expect(JSON.parse(answer?.body ?? '').hits.hits).toHaveLength(DOCS);
        line.socket.destroy();
      }
    }
  });
});

test('a client that leaves in the middle of an answer in pieces leaves nothing held', async () => {
  for (const line of await pair()) {
    line.socket.pause();
    line.write(message('POST /t/_search?pretty', `{"size":${DOCS}}`));
    await pause(300);
    line.socket.destroy();
  }
  await expect
    .poll(
      async () => {
        const { text } = await server.call('GET', '/v1/metrics');
        return Number(/^quarry_in_flight_bytes (\d+)$/m.exec(text)?.[1]);
      },
      { timeout: 20_000 },
    )
    .toBeLessThan(100_000);
});

test('a large body reaches the data from every thread, and is not read faster than it is taken', async () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n},"pad":"${'p'.repeat(100)}"}\n`,
  ).join('');
  for (const [i, line] of (await pair()).entries()) {
    const size = Buffer.byteLength(lines).toString(16);
    line.write(
      `POST /large${i}/_bulk?refresh=true HTTP/1.1\r\nHost: q\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n${lines}\r\n0\r\n\r\n`,
    );
    expect((await line.answer())?.status).toBe(200);
    const count = await line.write(message(`GET /large${i}/_count`)).answer();
    expect(JSON.parse(count?.body ?? '').count).toBe(20_000);
    line.socket.destroy();
  }
});

test('marks never cross between connections, whatever they ask and wherever they are', async () => {
  const ask = async (client: number): Promise<void> => {
    const line = await new Line().connected();
    for (let round = 0; round < ROUNDS; round++) {
      const marks = [0, 1, 2].map((n) => `m-${client}-${round}-${n}`);
      const kinds = [
        (mark: string) => message(`GET /${mark}/_search`, '', `X-Opaque-Id: ${mark}\r\n`),
        (mark: string) => message(`GET /${mark}/_doc/1`, '', `X-Opaque-Id: ${mark}\r\n`),
        (mark: string) =>
          message(
            'POST /t/_search',
            `{"size":0,"aggs":{"${mark}":{"max":{"field":"n"}}}}`,
            `X-Opaque-Id: ${mark}\r\n`,
          ),
      ];
      const texts = marks.map((mark, n) => kinds[(client + round + n) % 3]?.(mark) ?? '');
      // Sometimes at once, sometimes one after the other.
      if (round % 4 === 0) line.write(texts.join(''));
      for (const [n, mark] of marks.entries()) {
        if (round % 4 !== 0) line.write(texts[n] ?? '');
        const answer = await line.answer();
        expect(answer?.head).toContain(`x-opaque-id: ${mark}`);
        expect(answer?.body.match(/m-\d+-\d+-\d+/g)?.every((found) => found === mark)).toBe(true);
      }
    }
    line.socket.destroy();
  };
  await Promise.all(Array.from({ length: 24 }, (_, client) => ask(client)));
}, 120_000);

test('many connections come and go, and none of them stays', async () => {
  const visit = async (n: number): Promise<void> => {
    const line = await new Line().connected();
    switch (n % 5) {
      case 0:
        expect((await line.write(SEARCH).answer())?.status).toBe(200);
        break;
      case 1:
        expect((await line.write(OTHER).answer())?.status).toBe(200);
        break;
      case 2:
        line.write(SEARCH.slice(0, 20));
        break;
      case 3:
        line.write(SEARCH + OTHER).socket.resetAndDestroy();
        break;
      default:
        line.socket.end(OTHER);
        expect(await line.statuses()).toEqual([200]);
    }
    line.socket.destroy();
  };
  for (let at = 0; at < VISITS; at += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => visit(at + i)));
  }
  await expect
    .poll(
      async () => {
        const { text } = await server.call('GET', '/v1/metrics');
        return ['reader', 'plain'].map(
          (name) =>
            Number(new RegExp(`^quarry_${name}_connections (\\d+)$`, 'm').exec(text)?.[1]) < 3,
        );
      },
      { timeout: 20_000 },
    )
    .toEqual([true, true]);
}, 120_000);

test('every accepted request is answered when the server stops, whatever its state', async () => {
  const other = await started();
  const at = Number(new URL(other.base).port);
  const lines = async (...before: readonly string[]): Promise<readonly Line[]> => {
    const both = await pair(at);
    for (const line of both) for (const text of before) await line.write(text).answer();
    return both;
  };
  const half = SEARCH.length - 4;
  // In the middle of a request, without and with a server.
  const partial = [...(await lines()), ...(await lines(OTHER))];
  for (const line of partial) line.write(SEARCH.slice(0, half));
  // In the middle of an answer that is not read.
  const reading = [...(await lines()), ...(await lines(OTHER))];
  for (const line of reading) {
    line.socket.pause();
    line.write(message('POST /t/_search?pretty', `{"size":${DOCS}}`));
  }
  // Several requests on their way at once.
  const several = await lines();
  for (const line of several) line.write(SEARCH + OTHER + SEARCH);
  // Accepted, and silent so far.
  const silent = await lines();
  await pause(100);
  const stopped = other.stop();
  for (const line of silent) line.write(SEARCH);
  for (const line of partial) line.write(SEARCH.slice(half));
  for (const line of reading) line.socket.resume();
  for (const line of [...partial, ...silent]) expect((await line.answer())?.status).toBe(200);
  for (const line of reading) {
    expect(JSON.parse((await line.answer())?.body ?? '').hits.hits).toHaveLength(DOCS);
  }
  for (const line of several) {
    for (let n = 0; n < 3; n++) expect((await line.answer())?.status).toBe(200);
  }
  expect(await stopped).toBe(0);
}, 120_000);
