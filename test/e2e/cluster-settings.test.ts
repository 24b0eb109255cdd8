// Cluster settings over HTTP: supported ones take effect, the others are stored and shown, and
// persistent ones survive a restart.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterAll(() => server?.stop());

const put = (body: object) => server.call('PUT', '/_cluster/settings', body);
const set = async (level: string, settings: object): Promise<void> => {
  expect((await put({ [level]: settings })).json).toMatchObject({ acknowledged: true });
};

test.each<[object]>([
  [{ 'cluster.routing.allocation.enable': 'all' }],
  [{ 'cluster.routing.allocation.exclude._name': 'node-7' }],
  [{ 'cluster.routing.allocation.disk.watermark.low': '85%' }],
  [{ 'indices.recovery.max_bytes_per_sec': '100mb' }],
  [{ 'indices.breaker.total.limit': '70%' }],
  [{ 'logger.org.elasticsearch.index': 'DEBUG' }],
  [{ 'xpack.monitoring.collection.enabled': 'true' }],
])('%j is kept and shown until null takes it away', async (settings) => {
  for (const level of ['persistent', 'transient']) {
    await set(level, settings);
    const shown = await server.call('GET', '/_cluster/settings?flat_settings=true');
    expect(shown.json[level]).toEqual(settings);
    await set(level, Object.fromEntries(Object.keys(settings).map((name) => [name, null])));
    const after = await server.call('GET', '/_cluster/settings');
    expect(after.json[level]).toEqual({});
  }
});

test.each<[object, string]>([
  [
    { persistent: { 'cluster.routing.nonsense': 1 } },
    'persistent setting [cluster.routing.nonsense], not',
  ],
  [{ transient: { 'search.max_buckets': 'many' } }, 'Failed to parse value [many]'],
  [{ transient: { 'search.max_buckets': -1 } }, 'must be >= 0'],
  [{ transient: { 'cluster.routing.allocation.enable': 'some' } }, 'must be one of [all,'],
  [{ transient: { 'action.destructive_requires_name': 'maybe' } }, 'as only [true] or [false]'],
  [{ transient: { 'indices.recovery.max_bytes_per_sec': 'fast' } }, 'as a size in bytes'],
  [{ transient: { 'search.allow_expensive_queries': false } }, 'only [true] is'],
  [
    { persistent: { 'search.max_buckets': 5 }, transient: { nope: 1 } },
    'transient setting [nope], not recognized',
  ],
])('%j is refused, and changes nothing', async (body, reason) => {
  const refused = await put(body);
  expect([refused.status, refused.json.error.reason]).toEqual([
    400,
    expect.stringContaining(reason),
  ]);
  const { json } = await server.call('GET', '/_cluster/settings');
  expect([json.persistent, json.transient]).toEqual([{}, {}]);
});

test('destructive requests have to name indexes where that is asked for', async () => {
  await server.call('PUT', '/gone-1');
  await set('transient', { 'action.destructive_requires_name': true });
  for (const [method, path] of [
    ['DELETE', '/gone-*'],
    ['DELETE', '/_all'],
    ['POST', '/gone-*/_close'],
  ] as const) {
    const refused = await server.call(method, path);
    expect([refused.status, refused.json.error.reason]).toEqual([
      400,
      'Wildcard expressions or all indices are not allowed',
    ]);
  }
  expect((await server.call('HEAD', '/gone-1')).status).toBe(200);
  await set('transient', { 'action.destructive_requires_name': null });
  expect((await server.call('DELETE', '/gone-*')).status).toBe(200);
});

test.each([
  ['false', 'made-1', 'and [action.auto_create_index] is [false]'],
  ['+logs-*', 'made-2', "([+logs-*]) doesn't match"],
  ['-made-*,*', 'made-3', 'contains [-made-*] which forbids automatic creation'],
])('a write makes no index that [action.auto_create_index: %s] does not allow', async (value, name, reason) => {
  await set('transient', { 'action.auto_create_index': value });
  const refused = await server.call('POST', `/${name}/_doc`, { a: 1 });
  expect([refused.status, refused.json.error.type]).toEqual([404, 'index_not_found_exception']);
  expect(refused.json.error.reason).toContain(reason);
  await set('transient', { 'action.auto_create_index': '+made-*,-*' });
  expect((await server.call('POST', `/${name}/_doc`, { a: 1 })).status).toBe(201);
  await set('transient', { 'action.auto_create_index': null });
});

test('limits of scrolls, buckets and shards stand in the place of the configured ones', async () => {
  await bulk(
    server,
    '/many/_bulk?refresh=true',
    [1, 2, 3].flatMap((n) => ['{"index":{}}', JSON.stringify({ n })]),
  );
  const aggs = { n: { terms: { field: 'n' } } };
  const search = () => server.call('POST', '/many/_search', { size: 0, aggs });
  const scroll = () => server.call('POST', '/many/_search?scroll=1m', { size: 1 });
  expect((await search()).json.aggregations.n.buckets).toHaveLength(3);
  await set('persistent', { search: { max_buckets: 2, max_open_scroll_context: 0 } });
  await set('transient', { 'cluster.max_shards_per_node': 1 });
  const tooMany = await search();
  expect(tooMany.status).toBe(400);
  expect(tooMany.json.error).toMatchObject({
    type: 'search_phase_execution_exception',
    root_cause: [],
    failed_shards: [],
    caused_by: { type: 'too_many_buckets_exception', max_buckets: 2 },
  });
  const sources = [{ n: { terms: { field: 'n' } } }];
  const page = await server.call('POST', '/many/_search', {
    size: 0,
    aggs: { n: { composite: { sources } } },
  });
  expect(page.json.error).toMatchObject({
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    root_cause: [{ type: 'too_many_buckets_exception', max_buckets: 2 }],
    failed_shards: [{ index: 'many' }],
  });
  expect(page.json.error.root_cause[0].reason).toContain('equal to: [2] but was [10]');
  expect((await scroll()).status).toBe(429);
  const full = await server.call('PUT', '/one-more');
  expect([full.status, full.json.error.type]).toEqual([400, 'validation_exception']);
  expect(full.json.error.reason).toContain('this action would add [1] shards');
  const shown = await server.call('GET', '/_cluster/settings?include_defaults=true');
  expect(shown.json.persistent.search.max_buckets).toBe('2');
  expect(shown.json.defaults.cluster.routing.allocation.disk.watermark.flood_stage).toBe('95%');

  const { dataDir } = server;
  await server.kill('SIGKILL');
  server = await startServer({ dataDir });
  expect((await search()).status).toBe(400);
  await set('persistent', { 'search.*': null });
  expect((await search()).json.aggregations.n.buckets).toHaveLength(3);
  expect((await scroll()).status).toBe(200);
  expect((await server.call('PUT', '/one-more')).status).toBe(200);
}, 60_000);
