// The activity of a node: pools, breakers, garbage collections, hot threads, usage, health, and
// commands for shards.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.call('PUT', '/books', { settings: { number_of_replicas: 0 } });
  await server.call('PUT', '/books/_doc/1?refresh=true', { title: 'a' });
  await server.call('POST', '/books/_search', { query: { match: { title: 'a' } } });
}, 60_000);
afterAll(() => server?.stop());

const ofNode = (json: { readonly nodes: Record<string, Record<string, unknown>> }) =>
  Object.values(json.nodes)[0] as Record<string, never>;

test('node statistics have pools, breakers and collections', async () => {
  const { json } = await server.call('GET', '/_nodes/stats/thread_pool,breaker,jvm');
  const {
    thread_pool: pools,
    breakers,
    jvm,
  } = ofNode(json) as Record<string, Record<string, never>>;
  expect(pools?.['search']).toMatchObject({ active: 0, queue: 0, rejected: 0 });
  const write = pools?.['write'] as unknown as Record<string, number>;
  expect(write['threads']).toBeGreaterThan(0);
  expect(write['completed']).toBeGreaterThan(0);
  expect(write['largest']).toBeGreaterThan(0);
  const parent = breakers?.['parent'] as unknown as Record<string, number>;
  expect(parent['estimated_size_in_bytes']).toBeGreaterThan(1_000_000);
  expect(parent['limit_size_in_bytes']).toBeGreaterThan(parent['estimated_size_in_bytes'] ?? 0);
  expect(jvm?.['gc']).toMatchObject({
    collectors: {
      young: { collection_count: expect.any(Number) },
      old: { collection_time_in_millis: expect.any(Number) },
    },
  });
});

test('pools are a table', async () => {
  const { text } = await server.call('GET', '/_cat/thread_pool?v');
  expect(text).toMatch(/^node_name +name +active +queue +rejected/);
  expect(text).toMatch(/ search +0 +0 +0/);
  const { json } = await server.call('GET', '/_cat/thread_pool/write?format=json&h=name,type,size');
  expect(json).toEqual([{ name: 'write', type: 'fixed', size: expect.stringMatching(/^\d+$/) }]);
});

test('hot threads are told', async () => {
  const { status, text } = await server.call('GET', '/_nodes/hot_threads?interval=20ms&threads=2');
  expect(status).toBe(200);
  expect(text).toMatch(/^::: \{/);
  expect(text).toContain('interval=20ms, busiestThreads=2, ignoreIdleThreads=true:');
  const refused = await server.call('GET', '/_nodes/hot_threads?type=wait');
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('ask for [cpu]')]);
  expect((await server.call('GET', '/_nodes/hot_threads?interval=1h')).status).toBe(400);
});

test('usage counts requests by route', async () => {
  const node = ofNode((await server.call('GET', '/_nodes/usage')).json);
  expect(node['rest_actions']).toMatchObject({ 'PUT /:index/_doc/:id': 1 });
  expect(node['since']).toBeLessThanOrEqual(Number(node['timestamp']));
});

test('the health report follows the shards', async () => {
  const healthy = await server.call('GET', '/_health_report');
  expect(healthy.json).toMatchObject({
    cluster_name: 'quarry',
    indicators: {
      master_is_stable: { status: 'green' },
      shards_availability: { status: 'green', details: { started_primaries: 1 } },
    },
  });
  await server.call('PUT', '/books/_settings', { index: { number_of_replicas: 1 } });
  const yellow = await server.call('GET', '/_health_report/shards_availability');
  expect(yellow.json.indicators).toMatchObject({
    shards_availability: {
      status: 'yellow',
      symptom: 'This cluster has 1 unavailable replica shard.',
    },
  });
  const brief = await server.call('GET', '/_health_report?verbose=false');
  expect(brief.json.indicators.disk).not.toHaveProperty('details');
  expect((await server.call('GET', '/_health_report/mood')).status).toBe(404);
});

test('shards stay where they are', async () => {
  const move = { move: { index: 'books', shard: 0, from_node: 'a', to_node: 'b' } };
  const nothing = await server.call('POST', '/_cluster/reroute?retry_failed=true&metric=none');
  expect(nothing.json).toEqual({ acknowledged: true });
  const dry = await server.call('POST', '/_cluster/reroute?dry_run=true&explain=true', {
    commands: [move],
  });
  expect(dry.json).toMatchObject({
    acknowledged: true,
    explanations: [{ command: 'move', decisions: [{ decision: 'NO' }] }],
  });
  const refused = await server.call('POST', '/_cluster/reroute', { commands: [move] });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('[move] is not allowed'),
  ]);
});
