// Compatibility with clients of version 7: documents have a `_type` in every response, and requests
// may contain it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.call('PUT', '/books/_doc/1?refresh=true', { _index_: 1, t: 'x "_index":"y"', n: 3 });
}, 60_000);
afterAll(() => server?.stop());

const JSON_7 = 'application/vnd.elasticsearch+json;compatible-with=7';
const LINES_7 = 'application/vnd.elasticsearch+x-ndjson;compatible-with=7';
const seven = (method: string, path: string, body?: unknown, type = JSON_7) =>
  server.call(method, path, body, {
    accept: JSON_7,
    ...(body === undefined ? {} : { 'content-type': type }),
  });

test('hits and the documents inside aggregations have a type, and their sources are as they were', async () => {
  const body = { aggs: { top: { top_hits: {} } }, highlight: { fields: { t: {} } } };
  const { json, headers } = await seven('POST', '/books/_search', {
    ...body,
    query: { match: { t: 'x' } },
  });
  expect(headers.get('content-type')).toBe(JSON_7);
  const [hit] = json.hits.hits;
  expect(Object.keys(hit).slice(0, 3)).toEqual(['_index', '_type', '_id']);
  expect(hit).toMatchObject({ _type: '_doc', _source: { _index_: 1, t: 'x "_index":"y"', n: 3 } });
  expect(Object.keys(hit._source)).toEqual(['_index_', 't', 'n']);
  expect(json.aggregations.top.hits.hits[0]._type).toBe('_doc');
  const plain = await seven('POST', '/books/_search', {});
  expect(plain.json.hits.hits[0]._type).toBe('_doc');
});

test('documents, writes and items have a type', async () => {
  expect((await seven('GET', '/books/_doc/1')).json._type).toBe('_doc');
  expect((await seven('PUT', '/books/_doc/2', { a: 1 })).json).toMatchObject({
    _type: '_doc',
    result: 'created',
  });
  const docs = [{ _index: 'books', _type: '_doc', _id: '1' }];
  expect((await seven('POST', '/_mget', { docs })).json.docs[0]).toMatchObject({
    _type: '_doc',
    found: true,
  });
  const searches = `{"index":"books","types":["_doc"]}\n{}\n`;
  const found = await seven('POST', '/_msearch', searches, LINES_7);
  expect(found.json.responses[0].hits.hits[0]._type).toBe('_doc');
});

test('action lines may name the type', async () => {
  const lines = '{"index":{"_index":"books","_type":"_doc","_id":"3"}}\n{"a":1}\n';
  const { json } = await seven('POST', '/_bulk', lines, LINES_7);
  expect(json).toMatchObject({ errors: false, items: [{ index: { _type: '_doc', status: 201 } }] });
});

test('others see no types, and may name none', async () => {
  const { json } = await server.call('POST', '/books/_search', {});
  expect(json.hits.hits[0]).not.toHaveProperty('_type');
  const docs = [{ _index: 'books', _type: '_doc', _id: '1' }];
  expect((await server.call('POST', '/_mget', { docs })).status).toBe(400);
});
