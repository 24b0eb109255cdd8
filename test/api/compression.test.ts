// Compressed bodies in both directions, their limits, and bodies that do not match their declared
// encoding.
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeServer, fakeServer, SEARCHED } from './fake-backend.ts';

let server: FakeServer;
afterEach(() => server.close());

const QUERY = '{"query":{"match_all":{}}}';

function send(encoding: string, payload: Buffer, url = '/books/_search') {
  return server.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
  });
}

describe('request bodies', () => {
  test.each([
    ['gzip', gzipSync(QUERY)],
    ['deflate', deflateSync(QUERY)],
    ['br', brotliCompressSync(QUERY)],
    ['identity', Buffer.from(QUERY)],
  ])('come as %s', async (encoding, payload) => {
    server = await fakeServer();
    const reply = await send(encoding, payload);
    expect(reply.statusCode).toBe(200);
    expect(server.calls[0]?.args[0].body).toEqual({ query: { match_all: {} } });
  });

  test('bulk bodies reach the backend unpacked, byte for byte', async () => {
    server = await fakeServer();
    const lines = '{"index":{"_id":"ä"}}\n{ "a" :1.0}\n';
    expect((await send('gzip', gzipSync(lines), '/books/_bulk')).statusCode).toBe(200);
    expect(Buffer.from(server.calls[0]?.args[0].body).toString()).toBe(lines);
  });

  test.each(['zopfli', 'gzip, br', 'compress'])('in %s are refused', async (encoding) => {
    server = await fakeServer();
    const reply = await send(encoding, Buffer.from(QUERY));
    expect(reply.statusCode).toBe(415);
    expect(reply.json().error).toMatchObject({
      type: 'media_type_header_exception',
      reason: `Content-Encoding [${encoding}] is not supported, send gzip, deflate or br`,
    });
  });

  test.each(['gzip', 'deflate', 'br'])('that are no %s are refused', async (encoding) => {
    server = await fakeServer();
    const reply = await send(encoding, Buffer.from(QUERY));
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error).toMatchObject({ type: 'parse_exception' });
    expect(server.calls).toEqual([]);
  });

  test('that are cut off are refused', async () => {
    server = await fakeServer();
    const reply = await send('gzip', gzipSync(QUERY.padEnd(5000)).subarray(0, 30));
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.type).toBe('parse_exception');
  });

  test('that unpack to more than the limit are refused however small they are', async () => {
    server = await fakeServer({}, { 'limits.body_bytes': '100000' });
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expect(bomb.length).toBeLessThan(100_000);
    const reply = await send('gzip', bomb);
    expect(reply.statusCode).toBe(413);
    expect(reply.json().error.type).toBe('content_too_large_exception');
  });
});

describe('limits', () => {
  test('a bulk body may be larger than a search body', async () => {
    server = await fakeServer({}, { 'limits.body_bytes': '2000', 'limits.bulk_bytes': '9000' });
    const headers = { 'content-type': 'application/json' };
    const post = (url: string, length: number) =>
      server.app.inject({ method: 'POST', url, headers, payload: `${' '.repeat(length - 1)}\n` });
    expect((await post('/books/_bulk', 9000)).statusCode).toBe(200);
    expect((await post('/books/_bulk', 9001)).statusCode).toBe(413);
    const reply = await post('/books/_search', 2001);
    expect(reply.statusCode).toBe(413);
    expect(reply.json().error.reason).toBe(
      'request body is larger than the limit [limits.body_bytes] of 2000 bytes',
    );
  });

  test('a path that nothing answers to has one too', async () => {
    server = await fakeServer({}, { 'limits.body_bytes': '2000' });
    const put = (length: number) =>
      server.app.inject({ method: 'PUT', url: '/a/b/c/d', payload: ' '.repeat(length) });
    expect((await put(2000)).statusCode).toBe(404);
    expect((await put(2001)).statusCode).toBe(413);
  });

  test.each([
    ['limits.body_bytes', '/books/_search', QUERY.padEnd(3000)],
    ['limits.bulk_bytes', '/books/_bulk', '{"delete":{"_id":"1"}}'.padEnd(2999).concat('\n')],
  ] as const)('%s holds as it is now, packed or not', async (setting, url, body) => {
    server = await fakeServer({}, { [setting]: '2000' });
    const statuses = async () => [
      (await send('identity', Buffer.from(body), url)).statusCode,
      (await send('gzip', gzipSync(body), url)).statusCode,
    ];
    expect(await statuses()).toEqual([413, 413]);
    server.live.replace({ ...server.live.current, [setting]: 3000 });
    expect(await statuses()).toEqual([200, 200]);
    server.live.replace({ ...server.live.current, [setting]: 2999 });
    expect(await statuses()).toEqual([413, 413]);
  });
});

describe('answers', () => {
  const long = { ...SEARCHED.hits[0], source: Buffer.from(`{"t":"${'x'.repeat(5000)}"}`) };
  const search = async () => ({ ...SEARCHED, hits: [long as (typeof SEARCHED.hits)[number]] });

  test.each(['gzip', 'deflate', 'br'])('are packed as %s where asked for', async (encoding) => {
    server = await fakeServer({ search });
    const reply = await server.app.inject({
      url: '/books/_search',
      headers: {
        'accept-encoding': encoding,
        accept: 'application/vnd.elasticsearch+json;compatible-with=8',
      },
    });
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(reply.headers['content-type']).toContain('compatible-with=8');
    expect(reply.rawPayload.length).toBeLessThan(1000);
    if (encoding === 'gzip') expect(gunzipSync(reply.rawPayload).toString()).toContain('"xxxx');
  });

  test('stay as they are where nothing is asked for, or they are small', async () => {
    server = await fakeServer({ search });
    const plain = await server.app.inject({ url: '/books/_search' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const headers = { 'accept-encoding': 'gzip' };
    const small = await server.app.inject({ url: '/books/_count', headers });
    expect(small.headers['content-encoding']).toBeUndefined();
  });
});
