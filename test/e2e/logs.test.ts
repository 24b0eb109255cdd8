// The log at its most verbose level: it has request ids and shapes of slow queries, but no private
// data of a client. Secrets are planted in every place that a client can fill.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const SECRET = 'hush7f3a';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    args: ['--logging.level', 'trace', '--logging.slow_query_info_ms', '0'],
    env: { SERVICE_KEY: `${SECRET}-service` },
  });
}, 60_000);
afterAll(() => server?.stop());

interface Line {
  readonly msg: string;
  readonly [member: string]: unknown;
}

function lines(msg: string): Line[] {
  return server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.msg === msg);
}

/** Log lines arrive slightly after the responses. */
async function lineOf(msg: string, opaqueId: string): Promise<Line> {
  return waitFor(() => lines(msg).find((line) => line['opaque_id'] === opaqueId));
}

async function waitFor<T>(look: () => T | undefined): Promise<T> {
  return expect
    .poll(look, { timeout: 10_000 })
    .toBeDefined()
    .then(() => look() as T);
}

const AUTH = { authorization: `ApiKey ${SECRET}-key` };

describe('logs', () => {
  test('hold no key, token, document or value', async () => {
    const call = (method: string, path: string, body?: unknown, headers = {}) =>
      server.call(method, path, body, { ...AUTH, ...headers });
    const text = `${SECRET} text`;
    await call('PUT', '/books', { mappings: { properties: { n: { type: 'long' } } } });
    await call('PUT', '/books/_doc/1?refresh=true', { title: text });
    await call('PUT', `/books/_doc/${SECRET}-id`, { title: text });
    expect((await call('PUT', '/books/_doc/2', { n: text })).status).toBe(400);
    expect((await call('PUT', '/books/_doc/2', `{"title": "${text}`)).status).toBe(400);
    await call('POST', '/_bulk', `{"index":{"_index":"books"}}\n{"title":"${text}"}\n`, {
      'content-type': 'application/x-ndjson',
    });
    await call('POST', '/_bulk', `{"index":{"_index":"books"}}\n{"n":"${text}"}\n{"x"`);
    await call('GET', `/books/_search?q=${SECRET}`);
    const found = await call('POST', '/books/_search', { query: { match: { title: text } } });
    expect(found.json.hits.total.value).toBeGreaterThan(0);
    await call('POST', '/books/_search', { query: { term: { n: text } } });
    await call('POST', '/books/_search', { query: { nonsense: text } });
    await call('POST', '/books/_count', { query: { query_string: { query: `"${text}` } } });
    await call('POST', '/_memory/agent', { text });
    await call('POST', '/_memory/agent/_recall', { query: text, k: 3 });
    await call('GET', `/${SECRET}/nowhere?key=${SECRET}`);
    await call('GET', '/books/_doc/1', undefined, { cookie: SECRET, 'x-api-key': SECRET });
    await call('PUT', '/_inference/text_embedding/e', {
      service_settings: { url: 'http://127.0.0.1:9/v1', api_key_env: 'SERVICE_KEY', model: 'm' },
    });
    await call('POST', '/_inference/text_embedding/e', { input: text });
    await call('GET', '/', undefined, { 'x-opaque-id': 'the-end' });
    await lineOf('request', 'the-end');
    const leaks = server
      .log()
      .split('\n')
      .filter((line) => line.includes(SECRET));
    expect(leaks).toEqual([]);
    expect(lines('slow query').length).toBeGreaterThan(3);
  });

  test('name the request, and its answer does as well', async () => {
    const headers = {
      'x-opaque-id': 'case-7',
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    };
    const answer = await server.call('GET', '/books/_search?size=3', undefined, headers);
    expect(answer.headers.get('x-opaque-id')).toBe('case-7');
    expect(answer.headers.get('traceparent')).toBe(headers.traceparent);
    expect(await lineOf('request', 'case-7')).toMatchObject({
      request_id: TRACE,
      method: 'GET',
      route: '/:index/_search',
      status: 200,
      took_ms: expect.any(Number),
    });
    expect(await lineOf('slow query', 'case-7')).toMatchObject({
      request_id: TRACE,
      indexes: ['books'],
      mode: 'lexical',
      shape: { size: 3 },
      work: { shards: 1, documents_scored: expect.any(Number) },
      phases_ms: { query: expect.any(Number), total: expect.any(Number) },
    });
    const plain = await server.call('GET', '/', undefined, { traceparent: 'nonsense' });
    expect(plain.headers.get('traceparent')).toBeNull();
  });

  test('of slow queries follow the settings of the index', async () => {
    await server.call('PUT', '/quiet', {
      settings: { 'index.search.slowlog.threshold.query': { info: '-1' } },
    });
    const ids = { quiet: { 'x-opaque-id': 'quiet-1' }, loud: { 'x-opaque-id': 'quiet-2' } };
    await server.call('GET', '/quiet/_search', undefined, ids.quiet);
    await lineOf('request', 'quiet-1');
    expect(lines('slow query').filter((line) => line['opaque_id'] === 'quiet-1')).toEqual([]);
    await server.call('PUT', '/quiet/_settings', {
      'index.search.slowlog.threshold.query.warn': '0ms',
    });
    await server.call('GET', '/quiet/_search', undefined, ids.loud);
    expect(await lineOf('slow query', 'quiet-2')).toMatchObject({ level: 40 });
    const wrong = await server.call('PUT', '/quiet/_settings', {
      'index.search.slowlog.threshold.query.warn': 'soon',
    });
    expect(wrong.status).toBe(400);
  });
});
