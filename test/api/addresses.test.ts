// Shorthand URLs: the routes they resolve to, and indexes whose names are equal to one of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf } from '../../src/api/kit/addresses.ts';
import type { Backend } from '../../src/backend/index.ts';
import type { LiveConfig } from '../../src/ops/live-config.ts';
import { startServer, type TestServer } from '../tools/server.ts';

interface Case {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hasIndex?: boolean;
  readonly keys?: boolean;
  readonly closed?: boolean;
}

function lead({ url, method = 'GET', headers = {}, hasIndex = false, ...given }: Case): string {
  return addressOf({ method, url, headers } as Parameters<typeof addressOf>[0], {
    backend: { exists: () => hasIndex } as unknown as Backend,
    keys: given.keys === true ? ({} as never) : undefined,
    live: { get: () => given.closed !== true } as unknown as LiveConfig,
  });
}

const HTML = { accept: 'text/html,*/*;q=0.8' };
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
/** Of the HTTP client in the Java library. */
const JAVA = { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' };
const ELASTIC = { accept: 'application/vnd.elasticsearch+json;compatible-with=8' };

test.each<[Case, string]>([
  [{ url: '/docs', headers: HTML, hasIndex: true }, '/v1/docs'],
  [{ url: '/docs/', headers: { accept: '*/*' } }, '/v1/docs'],
  [{ url: '/docs' }, '/v1/docs'],
  [{ url: '/docs', headers: { accept: '*/*' }, hasIndex: true }, '/docs'],
  [{ url: '/docs', headers: ELASTIC }, '/docs'],
  [{ url: '/docs', headers: HTML, method: 'PUT' }, '/docs'],
  [{ url: '/docs', hasIndex: true, keys: true }, '/v1/docs'],
  [{ url: '/docs', hasIndex: true, keys: true, headers: { authorization: 'x' } }, '/docs'],
  [{ url: '/openapi.json', headers: { accept: 'application/json' } }, '/v1/openapi.json'],
  [{ url: '/openapi.json', hasIndex: true }, '/openapi.json'],
  [{ url: '/openapi.json', method: 'DELETE' }, '/openapi.json'],
  [{ url: '/llms.txt?pretty', headers: { accept: 'text/plain' } }, '/v1/llms.txt?pretty'],
  [{ url: '/llms.txt', method: 'HEAD' }, '/llms.txt'],
  [{ url: '/llms.txt/_search' }, '/llms.txt/_search'],
  [{ url: '/llmsXtxt' }, '/llmsXtxt'],
  [{ url: '/mcp', method: 'POST' }, '/v1/mcp'],
  [{ url: '/mcp/?a=b', method: 'POST', hasIndex: true }, '/v1/mcp?a=b'],
  [{ url: '/mcp' }, '/mcp'],
  [{ url: '/mcp', headers: HTML }, '/mcp'],
  [{ url: '/mcp', headers: { accept: 'text/event-stream' } }, '/v1/mcp'],
  [{ url: '/mcp', method: 'DELETE' }, '/mcp'],
  [{ url: '/mcp', method: 'DELETE', headers: { 'mcp-session-id': 'x' } }, '/v1/mcp'],
  [{ url: '/mcp', method: 'DELETE', headers: { 'mcp-protocol-version': 'x' } }, '/v1/mcp'],
  [{ url: '/mcp', method: 'PUT' }, '/mcp'],
  [{ url: '/mcp/_search', method: 'POST' }, '/mcp/_search'],
  [{ url: '/mcp/_doc/1', method: 'POST' }, '/mcp/_doc/1'],
  [{ url: '/mcp,docs' }, '/mcp,docs'],
  [{ url: '/console', headers: BROWSER, hasIndex: true }, '/v1/console'],
  [{ url: '/console/', headers: { accept: '*/*' } }, '/v1/console'],
  [{ url: '/console', headers: { accept: '*/*' }, hasIndex: true }, '/console'],
  [{ url: '/console', headers: ELASTIC }, '/console'],
  [{ url: '/console/_search' }, '/console/_search'],
  [{ url: '/', headers: BROWSER }, '/v1/console'],
  [{ url: '/', headers: BROWSER, keys: true }, '/v1/console'],
  [{ url: '/', headers: BROWSER, closed: true }, '/'],
  [{ url: '/', headers: BROWSER, method: 'HEAD' }, '/'],
  [{ url: '/', headers: JAVA }, '/'],
  [{ url: '/' }, '/'],
  [{ url: '/?pretty', headers: BROWSER }, '/?pretty'],
])('%j leads to %s', (given, address) => {
  expect(lead(given)).toBe(address);
});

describe.each([
  'mcp',
  'console',
  'docs',
  'llms.txt',
  'openapi.json',
])('an index called %s', (name) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
  });

  test('is made, written, read, searched and deleted', async () => {
    const status = async (method: string, path: string, body?: object): Promise<number> =>
      (await server.call(method, path, body)).status;
    expect(await status('HEAD', `/${name}`)).toBe(404);
    expect(await status('PUT', `/${name}`, { mappings: {} })).toBe(200);
    expect(await status('HEAD', `/${name}`)).toBe(200);
    expect((await server.call('GET', `/${name}`)).json).toHaveProperty([name, 'mappings']);
    expect(await status('PUT', `/${name}/_doc/1?refresh=true`, { a: 'b' })).toBe(201);
    expect(await status('POST', `/${name}/_doc?refresh=true`, { a: 'b' })).toBe(201);
    const found = await server.call('POST', `/${name}/_search`, { query: { match: { a: 'b' } } });
    expect(found.json.hits.total.value).toBe(2);
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    expect(await status('POST', '/mcp', initialize)).not.toBe(405);
    const ended = await server.call('DELETE', `/mcp`, undefined, { 'mcp-session-id': 'x' });
    expect(ended.status).toBe(405);
    expect(await status('HEAD', `/${name}`)).toBe(200);
    expect(await status('DELETE', `/${name}`)).toBe(200);
    expect(await status('HEAD', `/${name}`)).toBe(404);
  });
});
