// Health, settings, statistics, nodes and state of the cluster over the fake backend.
import { afterEach, describe, expect, test } from 'vitest';
import { BOOKS, type FakeServer, fakeServer, json } from './fake-backend.ts';

let server: FakeServer;
afterEach(() => server.close());

const get = async (url: string) => server.app.inject({ url });

describe('the cluster', () => {
  test.each([
    ['', 200, { status: 'green', active_primary_shards: 2, unassigned_primary_shards: 0 }],
    ['?wait_for_status=green&wait_for_nodes=%3E%3D1', 200, { timed_out: false }],
    ['?wait_for_nodes=2', 408, { timed_out: true }],
    ['?wait_for_nodes=le(3)&wait_for_active_shards=all', 200, {}],
    ['?level=indices', 200, { indices: { books: { number_of_shards: 2, status: 'green' } } }],
    ['?level=shards', 200, { indices: { books: { shards: { 1: { primary_active: true } } } } }],
  ])('health%s', async (query, status, body) => {
    server = await fakeServer();
    const reply = await get(`/_cluster/health${query}`);
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject(body);
  });

  test('an unknown index is red', async () => {
    server = await fakeServer({ resolve: () => [] });
    const missing = await get('/_cluster/health/nobody');
    expect(missing.statusCode).toBe(408);
    expect(missing.json()).toMatchObject({ status: 'red', timed_out: true });
    expect((await get('/_cluster/health/nobody*')).json().status).toBe('green');
  });

  test('settings are those of the file', async () => {
    server = await fakeServer();
    const put = (body: unknown) =>
      server.app.inject({ method: 'PUT', url: '/_cluster/settings', ...json(body) });
    expect((await put({ persistent: { a: null } })).json().acknowledged).toBe(true);
    const refused = await put({ transient: { 'a.b': 1 } });
    expect([refused.statusCode, refused.json().error.reason]).toEqual([
      400,
      expect.stringContaining('transient setting [a.b], not recognized'),
    ]);
  });

  test.each([
    [{}, 'no settings to update'],
    [{ persistent: {}, transient: null }, 'no settings to update'],
    [{ settings: { a: 1 } }, '[settings] is unknown here'],
    [{ transient: 'all' }, '[transient] must be an object'],
  ])('settings %j are refused', async (body, reason) => {
    server = await fakeServer();
    const request = { method: 'PUT', url: '/_cluster/settings', ...json(body) } as const;
    const refused = await server.app.inject(request);
    expect([refused.statusCode, refused.json().error.reason]).toEqual([
      400,
      expect.stringContaining(reason),
    ]);
  });

  test('settings show what holds where nothing was set', async () => {
    server = await fakeServer();
    const reply = await get('/_cluster/settings?include_defaults=true&flat_settings=true');
    expect(reply.json()).toEqual({
      persistent: {},
      transient: {},
      defaults: expect.objectContaining({
        'action.auto_create_index': 'true',
        'action.destructive_requires_name': 'false',
        'cluster.routing.allocation.disk.watermark.high': '90%',
        'search.default_keep_alive': '5m',
        'search.max_buckets': '65536',
        'search.max_keep_alive': '24h',
        'search.max_open_scroll_context': '500',
      }),
    });
  });

  test.each([
    ['/_nodes/stats?level=town', '[town], expected one of [node, indices, shards]'],
    ['/_cluster/settings?include_defaults=perhaps', '[perhaps] of parameter [include_defaults]'],
  ])('%s is refused', async (url, reason) => {
    server = await fakeServer();
    expect((await get(url)).json().error.reason).toContain(reason);
  });

  test('statistics by section', async () => {
    server = await fakeServer();
    const { _all } = (await get('/_stats/docs,store')).json();
    expect(Object.keys(_all.total)).toEqual(['docs', 'store']);
    expect(_all.total.docs).toMatchObject({ count: 3, deleted: 1 });
    expect(Object.keys((await get('/books/_stats')).json().indices.books.total)).toContain(
      'merges',
    );
    expect((await get('/_stats/dense_vector')).json()._all.total.dense_vector).toEqual({
      value_count: 0,
      off_heap: {
        total_size_bytes: 0,
        total_veb_size_bytes: 0,
        total_vec_size_bytes: 0,
        total_veq_size_bytes: 0,
        total_vex_size_bytes: 0,
      },
    });
    expect((await get('/_stats/translog')).json()._all.total).toEqual({});
    expect((await get('/_stats/colour')).json().error.reason).toContain(
      'unrecognized metric: [colour]',
    );
  });

  test.each([
    ['/_nodes', ['os', 'process', 'http', 'plugins', 'modules', 'ingest']],
    ['/_nodes/_all/ingest', ['ingest']],
    ['/_nodes/_all/http', ['http']],
    ['/_nodes/http,os', ['os', 'http']],
    ['/_nodes/_local/jvm', []],
    ['/_nodes/node*/_all', ['os', 'process', 'http', 'plugins', 'modules', 'ingest']],
    ['/_nodes/stats/jvm', ['jvm']],
    ['/_nodes/_all/stats/ingest', ['ingest']],
    ['/_nodes/data:true/stats/indices,process', ['indices', 'process']],
  ])('%s', async (url, sections) => {
    server = await fakeServer();
    const { nodes } = (await get(url)).json();
    const about = [
      'name',
      'transport_address',
      'host',
      'ip',
      'version',
      'roles',
      'timestamp',
      'attributes',
    ];
    const node = Object.keys(nodes.abcdefgh).filter((key) => !key.startsWith('build_'));
    expect(node.filter((key) => !about.includes(key))).toEqual(sections);
  });

  test('no other node', async () => {
    server = await fakeServer();
    const { _nodes, nodes } = (await get('/_nodes/other')).json();
    expect([_nodes.total, nodes]).toEqual([0, {}]);
    const refused = await get('/_nodes/_all/colour');
    expect(refused.json().error.reason).toContain('unrecognized metric: [colour]');
  });

  test('state by metric', async () => {
    server = await fakeServer();
    const state = (await get('/_cluster/state/master_node')).json();
    expect(state).toEqual({
      cluster_name: 'quarry',
      cluster_uuid: 'cluster-uuid',
      master_node: 'abcdefgh',
    });
    expect((await get('/_cluster/state/metadata/books')).json().metadata.indices.books).toEqual({
      state: 'open',
      settings: BOOKS.settings,
      mappings: { _doc: BOOKS.mappings },
      aliases: ['library', 'old'],
    });
  });
});
