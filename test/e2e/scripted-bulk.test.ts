// Updates by script in bulk requests, over HTTP.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});
beforeEach(async () => {
  await server.call('DELETE', '/*');
  await server.call('PUT', '/books', { settings: { refresh_interval: '-1' } });
  await server.call('PUT', '/books/_doc/1?refresh=true', { n: 1 });
});

const NDJSON = { 'content-type': 'application/x-ndjson' };
const PLUS = { script: { source: 'ctx._source.n += params.by', params: { by: 10 } } };

function bulk(path: string, ...lines: object[]) {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return server.call('POST', path, body, NDJSON);
}

test('are run in the order of the body, and become searchable with the rest', async () => {
  const reply = await bulk(
    '/books/_bulk?refresh=true',
    { update: { _id: '1' } },
    PLUS,
    { index: { _id: '2' } },
    { n: 2 },
    { update: { _id: '1', _source: true } },
    PLUS,
    { update: { _id: '2' } },
    PLUS,
    { update: { _id: '3' } },
    { ...PLUS, upsert: { n: 3 } },
    { update: { _id: '4' } },
    { ...PLUS, upsert: { n: 4 }, scripted_upsert: true },
    { update: { _id: '2' } },
    { script: "ctx.op = 'delete'" },
  );
  expect(reply.json.errors).toBe(false);
  const results = reply.json.items.map((item: object) => Object.values(item)[0]);
  expect(results.map(({ result }: { result: string }) => result)).toEqual([
    'updated',
    'created',
    'updated',
    'updated',
    'created',
    'created',
    'deleted',
  ]);
  expect(results[2]).toMatchObject({
    _index: 'books',
    _version: 3,
    forced_refresh: true,
    get: { _source: { n: 21 } },
    status: 200,
  });
  const found = await server.call('POST', '/books/_search', { sort: ['n'] });
  const hits = found.json.hits.hits.map((hit: { _id: string; _source: object }) => [
    hit._id,
    hit._source,
  ]);
  expect(hits).toEqual([
    ['3', { n: 3 }],
    ['4', { n: 14 }],
    ['1', { n: 21 }],
  ]);
});

test('fail one by one', async () => {
  const reply = await bulk(
    '/_bulk',
    { update: { _id: '9', _index: 'books' } },
    PLUS,
    { update: { _id: '1', _index: 'books' } },
    { script: 'bad(' },
    { update: { _id: '1', _index: 'books' } },
    PLUS,
  );
  expect(reply.status).toBe(200);
  expect(reply.json.errors).toBe(true);
  const [missing, bad, good] = reply.json.items.map(({ update }: { update: object }) => update);
  expect(missing).toMatchObject({
    _id: '9',
    status: 404,
    error: { type: 'document_missing_exception' },
  });
  expect(bad).toMatchObject({ status: 400, error: { type: 'illegal_argument_exception' } });
  expect(good).toMatchObject({ status: 200, result: 'updated' });
});

test('are not begun where some line is no action', async () => {
  const reply = await bulk('/books/_bulk', { update: { _id: '1' } }, PLUS, { nonsense: {} }, {});
  expect(reply.status).toBe(400);
  expect((await server.call('GET', '/books/_source/1')).json).toEqual({ n: 1 });
});

test('of one document in one body lose no change', async () => {
  const lines = Array.from({ length: 100 }, () => [{ update: { _id: '1' } }, PLUS]).flat();
  const reply = await bulk('/books/_bulk', ...lines);
  expect(reply.json.errors).toBe(false);
  expect((await server.call('GET', '/books/_source/1')).json.n).toBe(1001);
});

test('a script alone says what to answer, and may decide against a new document', async () => {
  const updated = await server.call('POST', '/books/_update/1', { ...PLUS, _source: ['n'] });
  expect(updated.json.get._source).toEqual({ n: 11 });
  const noop = await server.call('POST', '/books/_update/1', {
    script: "ctx.op = 'none'",
    _source: true,
  });
  expect(noop.json).toMatchObject({ result: 'noop', get: { _source: { n: 11 } } });
  const counted = {
    script: "if (ctx.op == 'create') { ctx._source.n = 4 } else { ctx._source.n += 4 }",
    upsert: {},
    scripted_upsert: true,
  };
  await server.call('POST', '/books/_update/6', counted);
  await server.call('POST', '/books/_update/6', counted);
  expect((await server.call('GET', '/books/_source/6')).json).toEqual({ n: 8 });
  const none = await server.call('POST', '/books/_update/5', {
    script: "ctx.op = 'none'",
    upsert: {},
    scripted_upsert: true,
  });
  expect(none.status).toBe(200);
  expect(none.json).toEqual({
    _index: 'books',
    _id: '5',
    _version: -1,
    result: 'noop',
    _shards: { total: 0, successful: 0, failed: 0 },
  });
});
