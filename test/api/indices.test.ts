// Administration over the fake backend: indexes, mappings, settings, aliases, tables.
import { afterEach, describe, expect, test } from 'vitest';
import { BOOKS, type FakeServer, fakeServer, json } from './fake-backend.ts';

let server: FakeServer;
afterEach(() => server.close());

const get = async (url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url, headers });

describe('indexes', () => {
  test('create with and without a body', async () => {
    server = await fakeServer();
    const plain = await server.app.inject({ method: 'PUT', url: '/shelf' });
    expect(plain.json()).toEqual({ acknowledged: true, shards_acknowledged: true, index: 'shelf' });
    const body = { settings: { number_of_shards: 2 } };
    await server.app.inject({ method: 'PUT', url: '/shelf?timeout=1m', ...json(body) });
    expect(server.calls.map(({ args }) => args)).toEqual([
      ['shelf', {}],
      ['shelf', { settings: { number_of_shards: 2 } }],
    ]);
  });

  test.each([
    ['DELETE', '/a*?allow_no_indices=false', 'deleteIndices', ['a*', { allowNoIndices: false }]],
    ['HEAD', '/books', 'exists', ['books', {}]],
    ['PUT', '/books/_mapping', 'putMapping', ['books', { properties: {} }, {}]],
    ['POST', '/books/_mapping', 'putMapping', ['books', { properties: {} }, {}]],
    [
      'PUT',
      '/books/_settings?preserve_existing=true',
      'putSettings',
      ['books', { properties: {} }, { preserveExisting: true }],
    ],
    [
      'PUT',
      '/books/_settings?reopen',
      'putSettings',
      ['books', { properties: {} }, { reopen: true }],
    ],
    ['PUT', '/_settings', 'putSettings', ['', { properties: {} }, {}]],
    ['GET', '/books/_refresh', 'refresh', ['books', {}]],
    ['POST', '/_refresh', 'refresh', ['', {}]],
    ['POST', '/books/_flush?force=true&wait_if_ongoing=true', 'flush', ['books', {}]],
    ['POST', '/books/_forcemerge?max_num_segments=3', 'forceMerge', ['books', 3, {}]],
    ['POST', '/books/_open', 'setState', ['books', 'open', {}]],
    [
      'POST',
      '/books/_close?ignore_unavailable',
      'setState',
      ['books', 'close', { ignoreUnavailable: true }],
    ],
    ['GET', '/books/_analyze', 'analyze', ['books', { properties: {} }]],
    ['POST', '/_analyze', 'analyze', [undefined, { properties: {} }]],
  ] as const)('%s %s', async (method, url, call, args) => {
    server = await fakeServer();
    const reply = await server.app.inject({ method, url, ...json({ properties: {} }) });
    expect(reply.statusCode).toBe(200);
    expect(server.calls[0]).toEqual({ method: call, args });
  });

  test('a merge that nobody waits for is a task', async () => {
    server = await fakeServer();
    const url = '/books/_forcemerge?wait_for_completion=false';
    const reply = await server.app.inject({ method: 'POST', url });
    expect(reply.json()).toEqual({ task: expect.stringMatching(/^\S+:7$/) });
    expect(server.calls.map(({ method }) => method)).not.toContain('forceMerge');
  });

  test('what is done is acknowledged', async () => {
    server = await fakeServer();
    const post = async (url: string) => (await server.app.inject({ method: 'POST', url })).json();
    expect((await server.app.inject({ method: 'DELETE', url: '/books' })).json()).toEqual({
      acknowledged: true,
    });
    expect(await post('/books/_refresh')).toEqual({
      _shards: { total: 2, successful: 2, failed: 0 },
    });
    expect(await post('/books/_close')).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      indices: { books: { closed: true } },
    });
    expect(await post('/books/_open')).toEqual({ acknowledged: true, shards_acknowledged: true });
  });

  test('a force-merge flushes unless told otherwise', async () => {
    server = await fakeServer();
    await server.app.inject({ method: 'POST', url: '/books/_forcemerge' });
    await server.app.inject({ method: 'POST', url: '/books/_forcemerge?flush=false' });
    expect(server.calls.map(({ method }) => method)).toEqual(['forceMerge', 'flush', 'forceMerge']);
  });

  test.each([
    ['POST', '/books/_forcemerge?max_num_segments=0', 'must be >= 1, got [0]'],
    [
      'POST',
      '/books/_forcemerge?max_num_segments=1&only_expunge_deletes=true',
      'mutually exclusive',
    ],
    ['POST', '/books/_forcemerge?wait_for_completion=soon', '[soon] of parameter'],
    ['POST', '/books/_flush?force=true&wait_if_ongoing=false', 'wait_if_ongoing must be true'],
    ['PUT', '/books/_settings?reopen=perhaps', 'reopen'],
    ['GET', '/books?features=colours', 'Unknown feature [colours]'],
    ['PUT', '/books/_mapping', 'request body is required'],
    ['PUT', '/books?wait_for_active_shards=few', 'ActiveShardCount[few]'],
  ] as const)('%s %s is refused', async (method, url, reason) => {
    server = await fakeServer();
    const reply = await server.app.inject({ method, url });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.reason).toContain(reason);
    expect(server.calls).toEqual([]);
  });
});

describe('descriptions', () => {
  test('whole or by feature', async () => {
    server = await fakeServer();
    const { aliases, mappings, settings } = BOOKS;
    expect((await get('/books')).json()).toEqual({ books: { aliases, mappings, settings } });
    // Features that were not requested are empty, as in Elasticsearch.
    expect((await get('/books?features=aliases')).json()).toEqual({
      books: { aliases, mappings: {}, settings: {} },
    });
    expect((await get('/books/_mapping')).json()).toEqual({ books: { mappings } });
  });

  test('settings nested, flat, picked, with defaults, for humans', async () => {
    server = await fakeServer();
    const read = async (query: string) => (await get(`/books/_settings${query}`)).json().books;
    expect(await read('')).toEqual({ settings: BOOKS.settings });
    expect(await read('/index.number*?flat_settings=true')).toEqual({
      settings: { 'index.number_of_shards': '2', 'index.number_of_replicas': '0' },
    });
    expect((await read('?include_defaults=true')).defaults.index.refresh_interval).toBe('1s');
    expect(await read('?human=true')).toMatchObject({
      settings: {
        index: {
          creation_date_string: '2023-11-14T22:13:20.000Z',
          version: { created_string: '8.19.0' },
        },
      },
    });
  });

  test('fields by pattern, sub-fields and inner fields by their full name', async () => {
    server = await fakeServer();
    const read = async (fields: string) =>
      (await get(`/books/_mapping/field/${fields}`)).json().books.mappings;
    expect(await read('title.raw')).toEqual({
      'title.raw': { full_name: 'title.raw', mapping: { raw: { type: 'keyword' } } },
    });
    expect(Object.keys(await read('*'))).toEqual(['title', 'title.raw', 'place.shelf']);
    expect(await read('nobody')).toEqual({});
    const complete = (await read('t*?include_defaults=true')) as typeof BOOKS.mappings;
    expect(complete).toMatchObject({
      title: {
        mapping: {
          title: {
            analyzer: 'default',
            search_analyzer: 'default',
            norms: true,
            meta: {},
            index_prefixes: null,
            fields: { raw: { doc_values: true, normalizer: null } },
          },
        },
      },
      'title.raw': {
        mapping: { raw: { doc_values: true, norms: false, normalizer: null, similarity: null } },
      },
    });
  });
});

describe('aliases', () => {
  test.each([
    ['/_alias', 200, { books: { aliases: BOOKS.aliases } }],
    ['/books/_alias/*', 200, { books: { aliases: BOOKS.aliases } }],
    ['/_alias/library', 200, { books: { aliases: { library: {} } } }],
    ['/_alias/*,-old', 200, { books: { aliases: { library: {} } } }],
    ['/_alias/nobody*', 200, {}],
    ['/_alias/nobody', 404, { error: 'alias [nobody] missing', status: 404 }],
    [
      '/_alias/z,library,a',
      404,
      { error: 'aliases [a,z] missing', status: 404, books: { aliases: { library: {} } } },
    ],
    [
      '/_alias/-old,*',
      404,
      { error: 'alias [-old] missing', status: 404, books: { aliases: BOOKS.aliases } },
    ],
  ])('GET %s', async (url, status, body) => {
    server = await fakeServer();
    const reply = await get(url);
    expect([reply.statusCode, reply.json()]).toEqual([status, body]);
  });

  test('actions of every kind', async () => {
    server = await fakeServer();
    const actions = [
      { add: { index: 'a', alias: 'x', is_write_index: true } },
      { add: { indices: ['a', 'b'], aliases: ['y', 'z'] } },
      { remove: { index: 'a', alias: 'x', must_exist: false } },
      { remove_index: { index: 'c' } },
    ];
    await server.app.inject({ method: 'POST', url: '/_aliases', ...json({ actions }) });
    const add = (index: string, alias: string, properties = {}) => ({
      add: { index, alias, properties },
    });
    expect(server.calls[0]?.args[0]).toEqual([
      add('a', 'x', { is_write_index: true }),
      add('a', 'y'),
      add('a', 'z'),
      add('b', 'y'),
      add('b', 'z'),
      { remove: { index: 'a', alias: 'x', mustExist: false } },
      { removeIndex: { index: 'c' } },
    ]);
  });

  test('put and delete one by one', async () => {
    server = await fakeServer();
    await server.app.inject({ method: 'PUT', url: '/books/_alias/new', ...json({ routing: '1' }) });
    expect(server.calls[0]?.args[0]).toEqual([
      { add: { index: 'books', alias: 'new', properties: { routing: '1' } } },
    ]);
    const remove = (name: string) =>
      server.app.inject({ method: 'DELETE', url: `/books/_alias/${name}` });
    expect((await remove('l*')).statusCode).toBe(200);
    expect(server.calls.at(-1)?.args[0]).toEqual([
      { remove: { index: 'books', alias: 'library' } },
    ]);
    const missing = await remove('nobody');
    expect([missing.statusCode, missing.json().error.type]).toEqual([
      404,
      'aliases_not_found_exception',
    ]);
  });

  test.each([
    [{}, 'needs an array [actions]'],
    [{ actions: [] }, 'No action specified'],
    [{ actions: [{ paint: {} }] }, '[alias_action] unknown field [paint]'],
    [{ actions: ['add'] }, 'must be an object with one key'],
    [{ actions: [{ add: { alias: 'x' } }] }, 'One of [index] or [indices] is required for [add]'],
    [{ actions: [{ add: { index: 'a' } }] }, 'One of [alias] or [aliases] is required for [add]'],
    [{ actions: [{ add: null }] }, 'One of [index] or [indices] is required for [add]'],
    [{ actions: [{ add: { index: '', alias: 'x' } }] }, "[index] can't be empty string"],
    [{ actions: [{ remove_index: { index: 'a', alias: 'x' } }] }, 'unsupported for [remove_index]'],
    [{ actions: [], colour: 1 }, 'unknown field [colour]'],
  ])('%j is refused', async (body, reason) => {
    server = await fakeServer();
    const reply = await server.app.inject({ method: 'POST', url: '/_aliases', ...json(body) });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.reason).toContain(reason);
    expect(server.calls).toEqual([]);
  });
});

describe('tables', () => {
  test.each([
    ['/_cat/indices?h=index,docs.count,store.size', 'books 3 4kb\n'],
    ['/_cat/indices?h=i,ss&v&bytes=b', 'i       ss\nbooks 4096\n'],
    ['/_cat/indices?h=health,pri,rep,segments.count', 'green 2 0 1\n'],
    ['/_cat/indices?h=i,heal*,health,i,*ealth,uui*&v', 'i     health uuid\nbooks green  u-books\n'],
    ['/_cat/aliases?h=a&s=alias:desc,a:asc,alias', 'old\nlibrary\n'],
    ['/_cat/indices?health=red', ''],
    ['/_cat/count?h=count,epoch,timestamp', '42 1700000000 22:13:20\n'],
    ['/_cat/health?ts=false&h=cluster,status,shards', 'quarry green 2\n'],
    ['/_cat/aliases?s=alias:desc&h=a,i,w', 'old     books true\nlibrary books -\n'],
    ['/_cat/aliases/lib*?h=alias', 'library\n'],
    ['/_cat/shards?h=index,shard,prirep,state', 'books 0 p STARTED\nbooks 1 p STARTED\n'],
    ['/_cat/nodes?h=name,master,id', 'node-1 * abcd\n'],
  ])('%s', async (url, text) => {
    server = await fakeServer();
    const reply = await get(url);
    expect(reply.body).toBe(text);
    expect(reply.headers['content-type']).toBe('text/plain; charset=UTF-8');
  });

  test.each([
    ['/_cat/count?format=json&h=count', {}],
    ['/_cat/count?h=count', { accept: 'application/json' }],
    ['/_cat/count?h=count', { accept: 'application/vnd.elasticsearch+json;compatible-with=8' }],
  ] as const)('%s as JSON', async (url, headers) => {
    server = await fakeServer();
    expect((await get(url, { ...headers })).json()).toEqual([{ count: '42' }]);
  });

  test.each([
    'text/plain,application/json',
    'text/plain',
    '*/*',
  ])('Accept %s gets text', async (accept) => {
    server = await fakeServer();
    expect((await get('/_cat/count?h=count', { accept })).body).toBe('42\n');
  });

  test('help names the columns', async () => {
    server = await fakeServer();
    const lines = (await get('/_cat/indices?help')).body.split('\n');
    expect(lines[0]).toMatch(/^health +\| h +\| current health status$/);
  });

  test('more than 500 names of columns are refused', async () => {
    server = await fakeServer();
    const patterns = Array.from({ length: 501 }, (_, i) => `*a${i}`);
    const reply = await get(`/_cat/indices?h=${patterns.join(',')}`);
    expect([reply.statusCode, reply.json().error.reason]).toEqual([
      400,
      '[h] names [501] columns, more than [500]: name each once, or use patterns',
    ]);
  });

  test.each([
    ['/_cat/indices?s=colour', 'unknown sort key `colour`'],
    ['/_cat/indices?bytes=stone', 'Unknown value for bytes: [stone]'],
    ['/_cat/indices?format=smile', 'format [smile] is not supported'],
    ['/_cat/indices?health=blue', 'Unknown value for health: [blue]'],
  ])('%s is refused', async (url, reason) => {
    server = await fakeServer();
    const reply = await get(url);
    expect([reply.statusCode, reply.json().error.reason]).toEqual([
      400,
      expect.stringContaining(reason),
    ]);
  });
});
