// A plain search gets the same response, byte for byte, with and without the HTTP server: status,
// headers and body.
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const MANY = 60;

interface Raw {
  readonly head: string;
  readonly body: Buffer;
}

/** One keep-alive connection, read as bytes. */
class Wire {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  #reported: () => void = () => {};

  constructor(base: string) {
    this.socket = connect(Number(new URL(base).port), '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#reported();
    });
  }

  async ask(text: string): Promise<Raw> {
    this.socket.write(text, 'latin1');
    for (;;) {
      const end = this.#bytes.indexOf('\r\n\r\n');
      if (end >= 0) {
        const head = this.#bytes.toString('latin1', 0, end);
        const all = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (this.#bytes.length >= all) {
          const body = this.#bytes.subarray(end + 4, all);
          this.#bytes = this.#bytes.subarray(all);
          return { head, body };
        }
      }
      await new Promise<void>((resolve) => {
        this.#reported = resolve;
      });
    }
  }
}

const requested = (method: string, path: string, body = '', head = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const all = '{"query":{"match_all":{}},"size":60,"sort":["n"]}';

const CASES: readonly (readonly [string, string])[] = [
  ['a search', requested('POST', '/plain/_search', all, JSON_TYPE)],
  ['a search by GET', requested('GET', '/plain/_search', all, JSON_TYPE)],
  ['a search without a body', requested('GET', '/plain/_search?size=3&sort=n:desc')],
  ['every index', requested('POST', '/_search', '{"size":0}', JSON_TYPE)],
  ['a name that is encoded', requested('GET', '/pl%61in%2Cplain2/_search?size=1&sort=n')],
  ['a name with a star', requested('GET', '/pla*/_count')],
  ['a count', requested('POST', '/plain/_count', '{"query":{"term":{"n":3}}}', JSON_TYPE)],
  ['a query in the address', requested('GET', '/plain/_search?q=text:w1+OR+n:3&sort=n')],
  [
    'a query in the address, encoded',
    requested('GET', '/plain/_count?q=text%3Aw1%20OR%20n%3A%5B3+TO+4%5D'),
  ],
  ['pretty', requested('POST', '/plain/_search?pretty', all, JSON_TYPE)],
  ['a part of it', requested('POST', '/plain/_search?filter_path=hits.hits._id', all, JSON_TYPE)],
  ['YAML', requested('GET', '/plain/_count?format=yaml')],
  ['YAML by Accept', requested('GET', '/plain/_count', '', 'Accept: application/yaml\r\n')],
  [
    'the type of a client',
    requested(
      'POST',
      '/plain/_search',
      all,
      'Content-Type: application/vnd.elasticsearch+json; compatible-with=8\r\nAccept: application/vnd.elasticsearch+json; compatible-with=8\r\n',
    ),
  ],
  [
    'gzip',
    requested('POST', '/plain/_search', all, `${JSON_TYPE}Accept-Encoding: gzip, deflate\r\n`),
  ],
  ['any encoding', requested('POST', '/plain/_search', all, `${JSON_TYPE}accept-encoding: *\r\n`)],
  [
    'deflate',
    requested(
      'POST',
      '/plain/_search',
      all,
      `${JSON_TYPE}Accept-Encoding: gzip;q=0.2, deflate\r\n`,
    ),
  ],
  ['brotli', requested('POST', '/plain/_search', all, `${JSON_TYPE}Accept-Encoding: br\r\n`)],
  [
    'no encoding',
    requested('POST', '/plain/_search', all, `${JSON_TYPE}Accept-Encoding: identity\r\n`),
  ],
  ['a short answer', requested('GET', '/plain/_count', '', 'Accept-Encoding: gzip\r\n')],
  ['an id of the client', requested('GET', '/plain/_count', '', 'X-Opaque-Id: m\xfcller/1\r\n')],
  ['no such index', requested('POST', '/nothing/_search', '{}', JSON_TYPE)],
  ['no such index, pretty', requested('POST', '/nothing/_search?pretty', '{}', JSON_TYPE)],
  ['no such index, YAML', requested('POST', '/nothing/_search?format=yaml', '{}', JSON_TYPE)],
  ['a body that is no JSON', requested('POST', '/plain/_search', '{"query":', JSON_TYPE)],
  [
    'a body that is no UTF-8',
    requested('POST', '/plain/_search', '{}', JSON_TYPE).replace(/\{\}$/, '"\xff'),
  ],
  [
    'a query that nobody knows',
    requested('POST', '/plain/_search', '{"query":{"mtch":{}}}', JSON_TYPE),
  ],
  ['a parameter that nobody knows', requested('GET', '/plain/_search?sise=3')],
  ['a parameter of a wrong value', requested('GET', '/plain/_search?size=x')],
  [
    'a wrong type of the body',
    requested('POST', '/plain/_search', '{}', 'Content-Type: text/xml\r\n'),
  ],
  ['no type of the body', requested('POST', '/plain/_search', '{}')],
  ['a wrong type of the answer', requested('GET', '/plain/_count', '', 'Accept: image/png\r\n')],
  ['a format that nobody writes', requested('GET', '/plain/_count?format=cbor')],
  ['a page beyond the window', requested('GET', '/plain/_search?from=20000')],
];

const UNPACKED = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** Without values that depend on the clock, and the length. */
function shown({ head, body }: Raw): { readonly head: string; readonly body: string } {
  const encoding = /^content-encoding: (\w+)$/m.exec(head)?.[1] as
    | keyof typeof UNPACKED
    | undefined;
  const bytes = encoding === undefined ? body : UNPACKED[encoding](body);
  const lines = head
    .replace(/^Date: .* GMT$/m, 'Date:')
    .replace(/^(content-length): \d+$/m, '$1:')
    .replace(/^(x-request-id): [\da-f]{32}$/m, '$1:')
    .split('\r\n');
  return {
    head: lines.sort().join('\n'),
    body: bytes.toString('latin1').replace(/("?took"? ?): ?\d+/, '$1'),
  };
}

/** By thread and transport. */
const WAYS = ['main raw', 'worker raw', 'main server', 'worker server'] as const;
type Way = (typeof WAYS)[number];

describe('a search', () => {
  let server: TestServer;
  let wires: Readonly<Record<Way, Wire>>;
  let plain: Wire;

  /** Connections of workers, and those of the main thread without a server. */
  const counts = async (): Promise<readonly number[]> => {
    const { text } = await server.call('GET', '/v1/metrics');
    return ['reader', 'plain'].map((name) =>
      Number(new RegExp(`^quarry_${name}_connections (\\d+)$`, 'm').exec(text)?.[1]),
    );
  };

  beforeAll(async () => {
    server = await startServer({ args: ['--pools.http_threads', '2'] });
    const lines = Array.from(
      { length: MANY },
      (_, n) => `{"index":{"_id":"${n}"}}\n{"text":"w${n % 9} all","n":${n}}\n`,
    ).join('');
    const ndjson = { 'content-type': 'application/x-ndjson' };
    await server.call('POST', '/plain/_bulk?refresh=true', lines, ndjson);
    await server.call('PUT', '/plain2/_doc/1?refresh=true', { n: 1 });
    const found: Partial<Record<Way, Wire>> = {};
    for (let n = 0; n < 20 && Object.keys(found).length < 4; n++) {
      const before = await counts();
      const wire = new Wire(server.base);
      await wire.ask(requested('GET', '/plain/_count'));
      const thread = (await counts())[1] === (before[1] ?? 0) + 1 ? 'main' : 'worker';
      const isRaw = found[`${thread} raw`] === undefined;
      if (!isRaw) await wire.ask(requested('GET', '/'));
      found[`${thread} ${isRaw ? 'raw' : 'server'}`] ??= wire;
    }
    wires = found as Record<Way, Wire>;
    expect(Object.keys(wires).sort()).toEqual([...WAYS].sort());
    plain = wires['worker raw'];
  }, 120_000);
  afterAll(async () => {
    for (const { socket } of Object.values(wires)) socket.destroy();
    await server.stop();
  });

  test.each(
    CASES,
  )('is answered the same on every thread and transport: %s', async (_what, text) => {
    const expected = shown(await wires['main server'].ask(text));
    for (const way of WAYS) expect(shown(await wires[way].ask(text)), way).toEqual(expected);
  });

  describe('that comes again, word for word', () => {
    const again = async (path: string, body: string): Promise<Raw> => {
      const text = requested('POST', path, body, JSON_TYPE);
      await plain.ask(text);
      return plain.ask(text);
    };
    const found = ({ body }: Raw): number => JSON.parse(body.toString()).hits.total.value;

    test('finds what was written since', async () => {
      const body = '{"query":{"match":{"text":"fresh"}}}';
      expect(found(await again('/plain2/_search', body))).toBe(0);
      await server.call('PUT', '/plain2/_doc/2?refresh=true', { text: 'fresh' });
      expect(found(await again('/plain2/_search', body))).toBe(1);
    });

    test('sees what an alias and its filter have become', async () => {
      const body = '{"query":{"match":{"text":"all"}},"size":0}';
      const alias = (add: object): Promise<unknown> =>
        server.call('POST', '/_aliases', {
          actions: [{ add: { index: 'plain', alias: 'part', ...add } }],
        });
      await alias({ filter: { term: { n: 3 } } });
      expect(found(await again('/part/_search', body))).toBe(1);
      await alias({ filter: { range: { n: { lt: 10 } } } });
      expect(found(await again('/part/_search', body))).toBe(10);
      await alias({});
      expect(found(await again('/part/_search', body))).toBe(MANY);
    });

    test('is refused once a setting refuses it, and not found once its index is gone', async () => {
      const body = '{"size":50}';
      await server.call('PUT', '/plain3/_doc/1?refresh=true', { n: 1 });
      expect(found(await again('/plain3/_search', body))).toBe(1);
      await server.call('PUT', '/plain3/_settings', { index: { max_result_window: 20 } });
      expect((await again('/plain3/_search', body)).head).toContain('HTTP/1.1 400');
      await server.call('PUT', '/plain3/_settings', { index: { max_result_window: null } });
      expect(found(await again('/plain3/_search', body))).toBe(1);
      await server.call('DELETE', '/plain3');
      expect((await again('/plain3/_search', body)).head).toContain('HTTP/1.1 404');
      await server.call('PUT', '/plain3/_doc/1?refresh=true', { n: 1 });
      expect(found(await again('/plain3/_search', body))).toBe(1);
    });

    test('goes by the time at which it comes', async () => {
      const body = '{"query":{"range":{"at":{"gt":"now-2s"}}}}';
      await server.call('PUT', '/timed/_doc/1?refresh=true', { at: new Date().toISOString() });
      const first = found(await again('/timed/_search', body));
      expect(first).toBe(1);
      await expect
        .poll(async () => found(await again('/timed/_search', body)), { timeout: 9000 })
        .toBe(0);
    });

    test('is another search at another address or with another type', async () => {
      const body = '{"query":{"match_all":{}}}';
      expect(found(await again('/plain/_search?size=1', body))).toBe(MANY);
      expect(
        JSON.parse((await again('/plain/_search?size=1', body)).body.toString()).hits.hits.length,
      ).toBe(1);
      expect(
        JSON.parse((await again('/plain/_search?size=2', body)).body.toString()).hits.hits.length,
      ).toBe(2);
      expect(found(await again('/plain2/_search?size=1', body))).toBe(2);
      const wrong = await plain.ask(
        requested('POST', '/plain/_search?size=1', body, 'Content-Type: text/xml\r\n'),
      );
      expect(wrong.head).toContain('HTTP/1.1 415');
    });
  });
});
