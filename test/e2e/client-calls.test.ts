// Every call that clients make is executed or rejected with a specific error: never an unknown
// route, a wrong method, an unrecognized parameter or an internal error.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';
import { sharedPath } from '../tools/shared.ts';
import { CLIENT_BODIES, CLIENT_CALLS, SEARCH_KEYS } from './client-calls.ts';

const VALUES: Readonly<Record<string, string>> = {
  _source: 'title',
  _source_includes: 'title',
  filter_path: '*',
  from: '0',
  if_primary_term: '1',
  if_seq_no: '0',
  keep_alive: '1m',
  level: 'indices',
  master_timeout: '30s',
  max_num_segments: '1',
  q: 'left',
  scroll: '1m',
  scroll_id: 'none',
  search_type: 'query_then_fetch',
  size: '1',
  sort: 'year:asc',
  timeout: '30s',
  wait_for_active_shards: '1',
  wait_for_nodes: '>=1',
};
const BULK = '{"index":{"_index":"books","_id":"2"}}\n{"title":"a"}\n';
const QUERY = { query: { match: { title: 'left' } } };

/** Bodies for paths that need one; the first match is used. */
const BODIES: readonly (readonly [RegExp, unknown])[] = [
  [/\/_bulk$/, BULK],
  [/\/_msearch$/, '{"index":"books"}\n{"size":1}\n'],
  [/^DELETE .*\/(_pit|point_in_time)$/, { id: 'none' }],
  [/^PUT .*\/_index_template/, { index_patterns: ['fresh-*'] }],
  [/^PUT .*\/_cluster\/settings$/, { transient: {} }],
  [/^PUT .*\/_mapping$/, { properties: {} }],
  [/^PUT .*\/_settings$/, { index: { number_of_replicas: 0 } }],
  [/\/_aliases$/, { actions: [{ add: { index: 'books', alias: 'other' } }] }],
  [/\/_mget$/, { docs: [{ _index: 'books', _id: '1' }] }],
  [/\/_reindex$/, { source: { index: 'books' }, dest: { index: 'fresh' } }],
  [/^(PUT|POST) .*\/(_doc|_create)/, { title: 'b' }],
  [/\/_update\//, { doc: { year: 1 } }],
  [/^POST .*\/_field_caps$/, { fields: ['*'] }],
  [/^POST .*\/(_search|_count|_explain\/1|_validate\/query|_delete_by_query)$/, QUERY],
];

/** Elasticsearch has no such method either, and the client continues. */
const NO_SUCH_METHOD = 'DELETE /{index}/_pit';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

beforeEach(async () => {
  await server.call('DELETE', '/*?expand_wildcards=all');
  await server.call('DELETE', '/_index_template/*');
  const vector = { type: 'dense_vector', dims: 2 };
  await server.call('PUT', '/books', { mappings: { properties: { vector } } });
  await server.call('PUT', '/shelf-1', { aliases: { shelf: {} } });
  const book = { title: 'The Left Hand of Darkness', year: 1969, vector: [1, 0] };
  await server.call('PUT', '/books/_doc/1?refresh=true', book);
});

/** Fills in the placeholders of parameters and path parts. */
function filled(call: string): { readonly method: string; readonly path: string } {
  const [method = '', target = ''] = call.split(' ');
  const [pattern = '', query = ''] = target.split('?');
  const index = call.includes('_rollover')
    ? 'shelf'
    : call.startsWith('PUT /{index} ')
      ? 'fresh'
      : 'books';
  const path = pattern
    .replace('{index}', index)
    .replace('{id}', '1')
    .replace(/\{\w+\}/, 'none');
  const params = query
    .split('&')
    .filter((param) => param !== '')
    .map((param) => (param.includes('=') ? param : `${param}=${VALUES[param] ?? ''}`));
  return { method, path: params.length === 0 ? path : `${path}?${params.join('&')}` };
}

function send(method: string, path: string): Promise<Reply> {
  const line = `${method} ${path.split('?')[0]}`;
  const body = BODIES.find(([pattern]) => pattern.test(line))?.[1];
  const headers = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : undefined;
  return server.call(method, path, body, headers);
}

function isAnswered(reply: Reply, call: string): void {
  if (call === NO_SUCH_METHOD) {
    expect(reply.status).toBe(405);
    return;
  }
  expect(reply.status, `${call}: ${reply.text}`).not.toBe(405);
  expect(reply.status, `${call}: ${reply.text}`).toBeLessThan(500);
  expect(reply.text, call).not.toMatch(/no handler found|unrecognized parameter|unknown field/);
}

/** The rows of a Markdown table of calls. */
function callsOf(text: string): readonly string[] {
  return [...text.matchAll(/^\| \d+ \| `(\w+ \S+)` \| (.*?) \|/gm)].map(([, call, params = '']) => {
    const names = [...params.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    return names.length === 0 ? String(call) : `${call}?${names.join('&')}`;
  });
}

describe('the calls of clients', () => {
  test.each(CLIENT_CALLS)('%s', async (call) => {
    const { method, path } = filled(call);
    isAnswered(await send(method, path), call);
  });

  const traced = sharedPath('spec/clients.md');
  test.skipIf(traced === undefined)('none was traced that is not in the list', () => {
    const calls = callsOf(readFileSync(traced ?? '', 'utf8'));
    expect(calls.length).toBeGreaterThan(80);
    expect(calls.filter((call) => !CLIENT_CALLS.includes(call))).toEqual([]);
  });

  test('a route and a parameter that nobody has are found out', async () => {
    const route = await send('GET', '/books/_nosuchroute');
    expect(() => isAnswered(route, 'route')).toThrow();
    const parameter = await send('GET', '/books/_search?nosuch=1');
    expect(() => isAnswered(parameter, 'parameter')).toThrow();
  });
});

test.each(Object.entries(SEARCH_KEYS))('a search takes [%s]', async (key, value) => {
  const reply = await server.call('POST', '/books/_search', { [key]: value });
  expect(reply.status, reply.text).toBe(200);
});

test.each(CLIENT_BODIES)('%s takes what clients send', async (call, body) => {
  const [method = '', path = ''] = call.split(' ');
  const reply = await server.call(method, path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
});
