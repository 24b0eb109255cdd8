// Document routes over the fake backend: the calls of each route, its responses, and its errors.
import { afterEach, describe, expect, test } from 'vitest';
import type { FoundDocument, WriteResult } from '../../src/backend/index.ts';
import {
  BOOKS,
  encode,
  type FakeServer,
  FOUND,
  fakeServer,
  json,
  WRITTEN,
} from './fake-backend.ts';

let server: FakeServer;
afterEach(() => server.close());

const MISSING: FoundDocument = { index: 'books', id: '9', found: false };

describe('writes', () => {
  test.each([
    ['POST', '/books/_doc', { op: 'index', index: 'books' }],
    ['PUT', '/books/_doc/a%2Fb', { op: 'index', id: 'a/b' }],
    ['PUT', '/books/_doc/1?op_type=create', { op: 'create', id: '1' }],
    ['POST', '/books/_create/1', { op: 'create', id: '1' }],
    ['PUT', '/books/_doc/1?if_seq_no=3&if_primary_term=1', { ifSeqNo: 3n, ifPrimaryTerm: 1n }],
    [
      'PUT',
      '/books/_doc/1?version=9223372036854775807&version_type=external_gte',
      { version: 9223372036854775807n, versionType: 'external_gte' },
    ],
    ['PUT', '/books/_doc/1?routing=r&require_alias=true', { routing: 'r', requireAlias: true }],
    ['POST', '/books/_update/1?retry_on_conflict=3', { op: 'update', retryOnConflict: 3 }],
    ['POST', '/books/_update/1?_source=a,b', { getSource: { includes: ['a', 'b'], excludes: [] } }],
  ] as const)('%s %s', async (method, url, operation) => {
    server = await fakeServer();
    const reply = await server.app.inject({ method, url, ...json({ a: 1 }) });
    expect(reply.statusCode).toBe(201);
    expect(server.calls[0]).toMatchObject({ method: 'write', args: [operation, {}] });
    if (!url.includes('_doc?') && url !== '/books/_doc') return;
    expect(server.calls[0]?.args[0].id).toBeUndefined();
  });

  test('the document reaches the backend byte for byte', async () => {
    server = await fakeServer();
    const payload = '{ "b":1.0,"a": 12345678901234567890 , "a2":"\\u00e4"}';
    const headers = { 'content-type': 'application/json' };
    await server.app.inject({ method: 'PUT', url: '/books/_doc/1', payload, headers });
    expect(Buffer.from(server.calls[0]?.args[0].source).toString()).toBe(payload);
  });

  test.each([
    ['', 'false'],
    ['?refresh', 'true'],
    ['?refresh=true', 'true'],
    ['?refresh=false', 'false'],
    ['?refresh=wait_for', 'wait_for'],
  ])('refresh%s', async (query, refresh) => {
    server = await fakeServer();
    await server.app.inject({ method: 'PUT', url: `/books/_doc/1${query}`, ...json({}) });
    expect(server.calls[0]?.args[1]).toEqual({ refresh });
  });

  test('the answer keeps numbers beyond 2^53', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ method: 'PUT', url: '/books/_doc/1', ...json({}) });
    expect(reply.body).toBe(
      '{"_index":"books","_id":"1","_version":1,"result":"created",' +
        '"_shards":{"total":1,"successful":1,"failed":0},"_seq_no":9007199254740993,"_primary_term":1}',
    );
  });

  test('delete, with what it asks and what it says', async () => {
    const gone: WriteResult = { ...WRITTEN, op: 'delete', result: 'not_found', status: 404 };
    server = await fakeServer({ write: async () => gone });
    const reply = await server.app.inject({ method: 'DELETE', url: '/books/_doc/1?refresh=true' });
    expect([reply.statusCode, reply.json().result]).toEqual([404, 'not_found']);
    expect(server.calls[0]?.args).toEqual([
      { op: 'delete', index: 'books', id: '1' },
      { refresh: 'true' },
    ]);
  });

  test('an update shows what it wrote', async () => {
    const updated: WriteResult = {
      ...WRITTEN,
      result: 'noop',
      status: 200,
      getSource: '{"a":1.0}',
    };
    server = await fakeServer({ write: async () => updated });
    const reply = await server.app.inject({
      method: 'POST',
      url: '/books/_update/1?_source',
      ...json({ doc: {} }),
    });
    expect(reply.body).toContain('"_shards":{"total":0,"successful":0,"failed":0}');
    expect(reply.body).toContain('"found":true,"_source":{"a":1.0}}');
  });

  test.each([
    ['PUT', '/books/_doc/1?if_seq_no=1', 'set both or none'],
    ['PUT', '/books/_doc/1?if_seq_no=-1&if_primary_term=1', 'must be non negative'],
    ['PUT', '/books/_doc/1?version=3', 'internal versioning can not be used'],
    ['PUT', '/books/_doc/1?version_type=external', 'illegal version value [missing]'],
    ['PUT', '/books/_doc/1?version=99999999999999999999', 'Failed to parse long parameter'],
    ['PUT', '/books/_doc/1?version_type=loud', 'Unknown value for version_type: [loud]'],
    ['PUT', '/books/_doc/1?op_type=paint', 'Unknown value for op_type: [paint]'],
    ['PUT', '/books/_doc/1?refresh=maybe', 'Unknown value for refresh: [maybe]'],
    ['PUT', '/books/_doc/1?timeout=soon', 'failed to parse setting [timeout]'],
    ['PUT', '/books/_doc/1?wait_for_active_shards=some', 'ActiveShardCount[some]'],
    ['PUT', '/books/_doc/1?pipeline=p', 'pipeline with id [p] does not exist'],
    ['PUT', '/books/_create/1?if_seq_no=1&if_primary_term=1', 'do not support compare and set'],
    ['PUT', '/books/_create/1?version=1&version_type=external', 'only support internal versioning'],
    ['POST', '/books/_update/1?retry_on_conflict=-1', 'must not be negative'],
    [
      'POST',
      '/books/_update/1?retry_on_conflict=1&if_seq_no=1&if_primary_term=1',
      'can not be retried',
    ],
  ] as const)('%s %s is refused', async (method, url, reason) => {
    server = await fakeServer();
    const reply = await server.app.inject({ method, url, ...json({}) });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.reason).toContain(reason);
    expect(server.calls).toEqual([]);
  });

  test('a missing body is a parse error', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ method: 'PUT', url: '/books/_doc/1' });
    expect(reply.json()).toMatchObject({ error: { type: 'parse_exception' }, status: 400 });
  });
});

describe('reads', () => {
  test('a document comes back with its own bytes', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ url: '/books/_doc/1' });
    expect(reply.body).toBe(
      '{"_index":"books","_id":"1","_version":3,"_seq_no":7,"_primary_term":1,"found":true,' +
        '"_source":{ "z":1.0, "a" : 12345678901234567890, "z2":null }}',
    );
    const source = await server.app.inject({ url: '/books/_source/1' });
    expect(source.body).toBe('{ "z":1.0, "a" : 12345678901234567890, "z2":null }');
  });

  test('filter_path and pretty keep the spelling of numbers', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ url: '/books/_doc/1?filter_path=_source.*' });
    expect(reply.body).toBe('{"_source":{"z":1.0,"a":12345678901234567890,"z2":null}}');
    const pretty = await server.app.inject({ url: '/books/_source/1?pretty' });
    expect(pretty.body).toBe('{\n  "z": 1.0,\n  "a": 12345678901234567890,\n  "z2": null\n}\n');
  });

  test('what is missing is 404', async () => {
    server = await fakeServer({ get: async () => MISSING });
    const reply = await server.app.inject({ url: '/books/_doc/9' });
    expect([reply.statusCode, reply.body]).toEqual([
      404,
      '{"_index":"books","_id":"9","found":false}',
    ]);
    const source = await server.app.inject({ url: '/books/_source/9' });
    expect(source.json().error).toMatchObject({
      type: 'resource_not_found_exception',
      reason: 'Document not found [books]/[9]',
    });
  });

  test('parameters', async () => {
    server = await fakeServer();
    await server.app.inject({
      url: '/books/_doc/1?realtime=false&refresh=true&routing=r&version=2&_source_excludes=a,b.*',
    });
    expect(server.calls[0]?.args[0]).toEqual({
      index: 'books',
      id: '1',
      realtime: false,
      refresh: true,
      routing: 'r',
      version: 2n,
      source: { includes: [], excludes: ['a', 'b.*'] },
    });
  });

  test('stored fields are those that the mapping stores', async () => {
    const mappings = {
      properties: {
        kept: { type: 'keyword', store: true },
        free: { type: 'keyword' },
        part: { properties: { kept: { type: 'long', store: true } } },
      },
    };
    server = await fakeServer({
      resolve: () => [{ ...BOOKS, mappings }],
      get: async ({ source }) => (source === false ? withoutSource() : FOUND),
      search: async () => ({
        tookMs: 1,
        timedOut: false,
        shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
        maxScore: 1,
        hits: [{ index: 'books', id: '1', score: 1, fields: '{"kept":["x"]}' }],
      }),
    });
    const read = (query: string) => server.app.inject({ url: `/books/_doc/1?${query}` });
    const shown = await read('stored_fields=kept,free,nobody');
    expect(shown.json()).toMatchObject({ found: true, fields: { kept: ['x'] } });
    expect(shown.json()._source).toBeUndefined();
    expect(server.calls.at(-1)?.args[0].body.fields).toEqual(['kept']);
    expect((await read('stored_fields=kept,_source')).json()._source).toBeDefined();
    expect((await read('stored_fields=_none_')).body).not.toContain('fields');
    expect((await read('stored_fields=part')).json().error.reason).toContain("isn't a leaf field");
  });
});

function withoutSource(): FoundDocument {
  const { source: _source, ...rest } = FOUND;
  return rest;
}

describe('mget', () => {
  const ask = (url: string, body: unknown) =>
    server.app.inject({ method: 'POST', url, ...json(body) });

  test('docs over defaults of the URL', async () => {
    server = await fakeServer();
    const docs = [
      { _id: 1 },
      { _index: 'b', _id: '2', routing: 'x', _source: ['a'] },
      { _id: '3', _source: { excludes: 'z' }, version: 4, version_type: 'external' },
    ];
    await ask('/books/_mget?routing=r&_source=false', { docs });
    const common = { realtime: true, refresh: false };
    expect(server.calls[0]?.args[0]).toEqual([
      { ...common, index: 'books', id: '1', routing: 'r', source: false },
      {
        ...common,
        index: 'b',
        id: '2',
        routing: 'x',
        source: { includes: ['a'], excludes: [] },
      },
      {
        ...common,
        index: 'books',
        id: '3',
        routing: 'r',
        source: { includes: [], excludes: ['z'] },
        version: 4n,
        versionType: 'external',
      },
    ]);
  });

  test('ids, GET with a body', async () => {
    server = await fakeServer();
    const reply = await server.app.inject({ url: '/books/_mget', ...json({ ids: ['1', 2] }) });
    expect(reply.json().docs).toHaveLength(2);
    expect(reply.body).toContain('"_source":{ "z":1.0,');
  });

  test('an error of one document is its own', async () => {
    const error = { type: 'index_not_found_exception', reason: 'no such index [b]', index: 'b' };
    server = await fakeServer({
      mget: async () => [FOUND, { op: 'index', index: 'b', id: '1', status: 404, error }],
    });
    const reply = await ask('/_mget', {
      docs: [
        { _index: 'books', _id: '1' },
        { _index: 'b', _id: '1' },
      ],
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().docs[1]).toEqual({
      _index: 'b',
      _id: '1',
      error: { root_cause: [error], ...error },
    });
  });

  test.each([
    [
      '/_mget',
      { docs: [{ _id: '1' }, { _index: 'a' }] },
      '1: index is missing for doc 0;2: id is missing for doc 1;',
    ],
    ['/_mget', { docs: [] }, 'no documents to get'],
    ['/books/_mget', { docs: [{ _id: '1', colour: 1 }] }, 'unknown key [colour] in doc 0'],
    ['/books/_mget', { docs: ['1'] }, 'should include an object'],
    ['/books/_mget', { docs: {} }, '[docs] of the mget body must be an array'],
    ['/books/_mget', { ids: [{}] }, 'should only contain ids'],
    ['/books/_mget', { names: [] }, 'unknown key [names]'],
    [
      '/books/_mget',
      { docs: [{ _id: '1', version: 'x' }] },
      'Failed to parse long parameter [version]',
    ],
    ['/books/_mget', { docs: [{ _id: '1', _source: 3 }] }, '[_source] must be true, false'],
  ])('%s %j is refused', async (url, body, reason) => {
    server = await fakeServer();
    const reply = await ask(url, body);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error.reason).toContain(reason);
  });
});

describe('bulk', () => {
  const send = (url: string, payload: string) =>
    server.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/x-ndjson' },
    });

  test('the body goes through as it is, with the defaults of path and URL', async () => {
    server = await fakeServer();
    const body = '{"index":{"_id":"1"}}\n{ "a":1.0 }\n';
    const reply = await send(
      '/books/_bulk?refresh=wait_for&require_alias=true&_source=a&routing=r',
      body,
    );
    expect(reply.statusCode).toBe(200);
    const requested = server.calls[0]?.args[0];
    expect(requested).toMatchObject({
      defaultIndex: 'books',
      refresh: 'wait_for',
      requireAlias: true,
      defaultSource: { includes: ['a'], excludes: [] },
      defaultRouting: 'r',
    });
    expect(requested.body).toEqual(Buffer.from(encode(body)));
  });

  test('items answer one by one', async () => {
    server = await fakeServer();
    const reply = await send('/_bulk', '{"index":{}}\n{}\n');
    expect(reply.body).toBe(
      '{"errors":true,"took":5,"items":[{"index":{"_index":"books","_id":"1","_version":1,' +
        '"result":"created","_shards":{"total":1,"successful":1,"failed":0},' +
        '"_seq_no":9007199254740993,"_primary_term":1,"status":201}},' +
        '{"create":{"_index":"books","_id":null,"status":409,' +
        '"error":{"type":"version_conflict_engine_exception","reason":"there already"}}}]}',
    );
  });

  test.each([
    ['/_bulk', '', 'request body is required'],
    ['/_bulk?pipeline=a', '{}\n', 'parameter [pipeline] is not supported'],
  ])('%s is refused', async (url, body, reason) => {
    server = await fakeServer();
    const reply = await send(url, body);
    expect([reply.statusCode, reply.json().error.reason]).toEqual([
      400,
      expect.stringContaining(reason),
    ]);
  });
});
