// HTTP behaviour: identifying headers, media types, methods, unknown routes and parameters,
// readiness, errors.
import { afterEach, describe, expect, test } from 'vitest';
import { indexNotFound, QuarryError } from '../../src/errors.ts';
import { type FakeServer, fakeServer, json } from './fake-backend.ts';

let server: FakeServer;
afterEach(() => server.close());

const V8 = 'application/vnd.elasticsearch+json; compatible-with=8';
const V9 = 'application/vnd.elasticsearch+json; compatible-with=9';

describe('headers', () => {
  test.each([
    '/',
    '/books/_search',
    '/_nosuch/route/at/all',
    '/books/_doc/%E0%A4%A',
    '/_cat/health',
  ])('%s names the product and returns the caller’s mark', async (url) => {
    server = await fakeServer();
    const reply = await server.app.inject({ url, headers: { 'x-opaque-id': 'task-7' } });
    expect(reply.headers['x-elastic-product']).toBe('Elasticsearch');
    if (!url.includes('%E0')) expect(reply.headers['x-opaque-id']).toBe('task-7');
  });

  test('a new document has a place', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ method: 'PUT', url: '/books/_doc/1', ...json({}) });
    expect(reply.headers['location']).toBe('/books/_doc/1');
  });
});

describe('media types', () => {
  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/plain,application/json', 'application/json'],
    ['text/plain', 'application/json'],
    [V8, 'application/vnd.elasticsearch+json;compatible-with=8'],
    [V9, 'application/vnd.elasticsearch+json;compatible-with=9'],
    [`${V8},text/plain`, 'application/vnd.elasticsearch+json;compatible-with=8'],
    [`text/plain,${V9}`, 'application/vnd.elasticsearch+json;compatible-with=9'],
  ])('Accept %s is answered as %s', async (accept, type) => {
    server = await fakeServer();
    const headers = accept === undefined ? {} : { accept };
    const reply = await server.app.inject({ url: '/books/_search', headers });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe(type);
  });

  test('errors have the media type that the client asked for', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ url: '/books/_colour', headers: { accept: V9 } });
    expect(reply.statusCode).toBe(404);
    expect(reply.headers['content-type']).toContain('compatible-with=9');
  });

  test.each([
    'image/png',
    'application/vnd.elasticsearch+json;compatible-with=99',
  ])('Accept %s is refused with 406', async (accept) => {
    server = await fakeServer();
    const reply = await server.app.inject({ url: '/books/_search', headers: { accept } });
    expect(reply.statusCode).toBe(406);
    expect(reply.json().error.type).toBe('media_type_header_exception');
    expect(reply.headers['content-type']).toBe('application/json');
  });

  test.each([
    ['application/json', 200],
    ['application/json; charset=UTF-8', 200],
    [V8, 200],
    [V9, 200],
    ['application/json; charset=latin1', 415],
    ['application/vnd.elasticsearch+json;compatible-with=99', 415],
    ['application/x-ndjson', 415],
    ['text/plain', 415],
    ['nonsense', 415],
  ])('a body of type %s is answered with %i', async (type, status) => {
    server = await fakeServer();
    const reply = await server.app.inject({
      method: 'POST',
      url: '/books/_search',
      headers: { 'content-type': type },
      payload: '{}',
    });
    expect(reply.statusCode).toBe(status);
  });

  test.each([
    'application/x-ndjson',
    'application/json',
    'application/vnd.elasticsearch+x-ndjson; compatible-with=9',
  ])('lines may come as %s', async (type) => {
    server = await fakeServer();
    const headers = { 'content-type': type };
    const payload = '{"index":{}}\n{}\n';
    const reply = await server.app.inject({
      method: 'PUT',
      url: '/books/_bulk',
      headers,
      payload,
    });
    expect(reply.statusCode).toBe(200);
  });

  test('a body without Content-Type is refused', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({
      method: 'POST',
      url: '/books/_search',
      payload: Buffer.from('{}'),
    });
    expect(reply.statusCode).toBe(415);
    expect(reply.json().error.reason).toContain('Content-Type header is missing');
  });

  test('a request without a body may carry any Content-Type', async () => {
    server = await fakeServer();
    const headers = { 'content-type': 'application/octet-stream' };
    const reply = await server.app.inject({ method: 'POST', url: '/books/_refresh', headers });
    expect(reply.statusCode).toBe(200);
  });
});

describe('routes', () => {
  test.each([
    ['DELETE', '/books/_search', 'GET, POST'],
    ['HEAD', '/books/_search', 'GET, POST'],
    ['PATCH', '/books/_doc/1', 'POST, PUT, GET, HEAD, DELETE'],
    ['GET', '/_bulk', 'POST, PUT'],
    ['POST', '/books', 'PUT, DELETE, HEAD, GET'],
  ] as const)('%s %s is 405 with Allow', async (method, url, allow) => {
    server = await fakeServer();
    const reply = await server.app.inject({ method, url });
    expect(reply.statusCode).toBe(405);
    const allowed = String(reply.headers['allow']);
    expect(allowed.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  test('OPTIONS lists the methods', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ method: 'OPTIONS', url: '/_bulk' });
    expect([reply.statusCode, reply.headers['allow'], reply.body]).toEqual([200, 'POST, PUT', '']);
  });

  test('an unknown path is 404 in the envelope', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ url: '/books/_doc/1/more?x=1' });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({
      error: {
        root_cause: [
          {
            type: 'illegal_argument_exception',
            reason: 'no handler found for uri [/books/_doc/1/more?x=1] and method [GET]',
          },
        ],
        type: 'illegal_argument_exception',
        reason: 'no handler found for uri [/books/_doc/1/more?x=1] and method [GET]',
      },
      status: 404,
    });
  });

  test('slashes too many do not matter', async () => {
    server = await fakeServer();
    expect((await server.app.inject({ url: '//books//_search/' })).statusCode).toBe(200);
  });

  test.each(['/books/_doc/%E0%A4%A', '/books/_doc/%FF'])('%s is 400', async (url) => {
    server = await fakeServer();
    const reply = await server.app.inject({ url });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.type).toBe('illegal_argument_exception');
  });

  test('an id of 512 bytes is taken however it is written, a longer one is refused', async () => {
    server = await fakeServer();
    const longest = '%C3%A4'.repeat(256);
    expect((await server.app.inject({ url: `/books/_doc/${longest}` })).statusCode).toBe(200);
    expect(server.calls[0]?.args[0].id).toBe('ä'.repeat(256));
    const reply = await server.app.inject({ url: `/books/_doc/${longest}a` });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.reason).toContain('512 bytes but was: 513');
  });

  test('a part of the path beyond all measure is refused', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ url: `/books/_doc/${'x'.repeat(5000)}` });
    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    expect(reply.statusCode).toBeLessThan(500);
    expect(reply.json().error.type).toBe('illegal_argument_exception');
  });
});

describe('parameters', () => {
  test.each([
    ['/books/_search?sizes=1', 'contains unrecognized parameter: [sizes] -> did you mean [size]?'],
    ['/books/_search?b=1&a=2', 'contains unrecognized parameters: [a], [b]'],
    ['/books/_search?df=a&lenient', 'request contains parameters [df, lenient] but missing query'],
    ['/books/_count?analyzer=simple', 'request contains parameters [analyzer] but missing query'],
    ['/books/_source/1?stored_fields=a', 'contains unrecognized parameter: [stored_fields]'],
    [
      '/books/_search?ignore_throttled=often',
      'Failed to parse value [often] of parameter [ignore_',
    ],
    ['/books/_mapping?local=here', 'Failed to parse value [here] of parameter [local]'],
    ['/books?master_timeout=soon', '[master_timeout] with value [soon] as a time value'],
    ['/_cluster/health?wait_for_events=nap', 'Unknown value for wait_for_events: [nap]'],
    ['/books/_doc/1?q=x', 'request [/books/_doc/1] contains unrecognized parameter: [q]'],
    ['/books/_search?format=cbor', 'format [cbor] is not supported, ask for [json] or [yaml]'],
    ['/books/_search?size=ten', 'Failed to parse int parameter [size] with value [ten]'],
    ['/books/_doc/1?realtime=perhaps', 'as only [true] or [false] are allowed'],
    ['/books/_search?expand_wildcards=some', 'No valid expand wildcard value [some]'],
    ['/books/_search?pretty=maybe', 'as only [true] or [false] are allowed'],
  ])('%s is refused', async (url, reason) => {
    server = await fakeServer();
    const reply = await server.app.inject({ url });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.reason).toContain(reason);
  });

  test('pretty indents answers and errors', async () => {
    server = await fakeServer();
    const good = await server.app.inject({ url: '/books/_count?pretty' });
    expect(good.body).toMatch(/^\{\n {2}"count": 42,/);
    expect(good.body.endsWith('}\n')).toBe(true);
    const bad = await server.app.inject({ url: '/books/_colour?pretty=true' });
    expect(bad.body).toMatch(/^\{\n {2}"error": \{/);
  });

  test('filter_path does not hide an error', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ url: '/books/_search?filter_path=took&size=x' });
    expect(reply.json().error.type).toBe('illegal_argument_exception');
  });
});

describe('readiness', () => {
  test('data routes wait for the log, probes do not', async () => {
    server = await fakeServer({}, {}, { starting: true });
    server.readiness.replaying({ shardsTotal: 8, shardsDone: 3 });
    server.readiness.replayingOperations(() => ({ done: 70, total: 900 }));
    const data = await server.app.inject({ url: '/books/_search' });
    expect(data.statusCode).toBe(503);
    expect(data.headers['retry-after']).toBe('1');
    expect(data.json().error.type).toBe('node_not_ready_exception');
    expect(data.json().error.reason).toContain('3 of 8 shards');
    const ready = await server.app.inject({ url: '/v1/health/ready' });
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({
      status: 'starting',
      wal_replayed: false,
      replay: { shards_done: 3, shards_total: 8, operations_done: 70, operations_total: 900 },
    });
    for (const url of ['/', '/v1/health', '/v1/metrics', '/_nodes']) {
      expect((await server.app.inject({ url })).statusCode).toBe(200);
    }
  });

  test('prints the metrics that are named, or says which there is not', async () => {
    server = await fakeServer({}, {}, { starting: false });
    const ask = async (name: string) => server.app.inject({ url: `/v1/metrics?name=${name}` });
    const names = 'quarry_rejected_total,quarry_process_cpu_seconds_total,quarry_rejected_total';
    const { body, statusCode } = await ask(names);
    expect(statusCode).toBe(200);
    expect(body.match(/^# HELP \S+/gm)).toEqual([
      '# HELP quarry_process_cpu_seconds_total',
      '# HELP quarry_rejected_total',
    ]);
    const unknown = await ask('quarry_rejected');
    expect(unknown.statusCode).toBe(400);
    expect(unknown.json().error.reason).toBe(
      'parameter [name]: there is no metric [quarry_rejected]; did you mean [quarry_rejected_total]? GET /v1/metrics lists all',
    );
  });

  test('says when it is ready, draining or broken', async () => {
    server = await fakeServer({}, {}, { starting: false });
    const read = () => server.app.inject({ url: '/v1/health/ready' });
    expect((await read()).json()).toEqual({
      status: 'ready',
      wal_replayed: true,
      uptime_s: 0,
      indices: 1,
    });
    server.readiness.failed('sync of the log failed');
    expect((await read()).json()).toMatchObject({
      status: 'failed',
      reason: 'sync of the log failed',
    });
    expect((await read()).statusCode).toBe(503);
    expect((await server.app.inject({ url: '/books/_search' })).statusCode).toBe(200);
  });

  test('what comes while draining is still answered', async () => {
    server = await fakeServer({}, {}, { starting: false });
    server.readiness.draining();
    const ready = await server.app.inject({ url: '/v1/health/ready' });
    expect([ready.statusCode, ready.json().status]).toEqual([503, 'draining']);
    expect((await server.app.inject({ url: '/books/_search' })).statusCode).toBe(200);
  });
});

describe('errors', () => {
  test('our own bug says nothing to the caller and all to the log', async () => {
    const search = async (): Promise<never> => {
      throw new TypeError('secret of the inside');
    };
    server = await fakeServer({ search });
    const reply = await server.app.inject({ url: '/books/_search' });
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('secret');
    expect(reply.body).not.toContain('.ts');
    expect(reply.json().error.type).toBe('internal_server_error');
    expect(JSON.stringify(server.log)).toContain('secret of the inside');
  });

  test('a refusal of the backend keeps its extras, and is not logged', async () => {
    const search = async (): Promise<never> => {
      throw indexNotFound('nope');
    };
    server = await fakeServer({ search });
    const reply = await server.app.inject({ url: '/nope/_search' });
    expect(reply.statusCode).toBe(404);
    expect(reply.json().error).toMatchObject({
      type: 'index_not_found_exception',
      reason: 'no such index [nope]',
      index: 'nope',
      index_uuid: '_na_',
      'resource.type': 'index_or_alias',
      'resource.id': 'nope',
    });
    expect(reply.json().error.root_cause[0].index).toBe('nope');
    expect(server.log).toEqual([]);
  });

  test.each([
    ['es_rejected_execution_exception', 429],
    ['store_exception', 503],
  ] as const)('%s says when to come back', async (type, status) => {
    const bulk = async (): Promise<never> => {
      throw new QuarryError(type, 'full');
    };
    server = await fakeServer({ bulk });
    const reply = await server.app.inject({ method: 'POST', url: '/_bulk', ...json({}) });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([status, '1']);
  });

  test('HEAD has a status and no body', async () => {
    server = await fakeServer();
    for (const [url, status] of [
      ['/', 200],
      ['/books', 200],
      ['/nope', 404],
      ['/books/_doc/1', 200],
      ['/books/_source/1', 200],
      ['/_alias/library', 200],
      ['/_alias/nope', 404],
    ] as const) {
      const reply = await server.app.inject({ method: 'HEAD', url });
      expect([url, reply.statusCode, reply.body]).toEqual([url, status, '']);
    }
  });
});
