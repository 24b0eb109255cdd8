// Every key, clause and aggregation in the bodies of traced clients is supported, or rejected by
// its name.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';
import { sharedPath } from '../tools/shared.ts';
import { CLIENT_BODIES, SEARCH_KEYS } from './client-calls.ts';

const match = { match: { title: 'left' } };
const vector = [1, 0];
const QUERIES: Readonly<Record<string, unknown>> = {
  bool: { must: [match], filter: [match], should: [match], must_not: [], minimum_should_match: 1 },
  exists: { field: 'title' },
  match: { title: { query: 'left', operator: 'and' } },
  match_all: {},
  nested: { path: 'loans', query: { term: { 'loans.reader': 'ann' } } },
  multi_match: { query: 'left', fields: ['title'], fuzziness: 'AUTO', operator: 'or' },
  query_string: { query: 'left*', fields: ['title'], analyze_wildcard: true },
  range: { year: { gte: 1900, lt: 2000 } },
  script_score: {
    query: match,
    script: { source: "cosineSimilarity(params.v, 'vector') + 1.0", params: { v: vector } },
  },
  term: { year: { value: 1969 } },
  terms: { year: [1969] },
  wrapper: { query: Buffer.from(JSON.stringify(match)).toString('base64') },
};
const REFUSED: Readonly<Record<string, unknown>> = {
  nosuchquery: {},
  percolate: {},
};
const AGGREGATIONS: Readonly<Record<string, unknown>> = {
  avg: { field: 'year' },
  cardinality: { field: 'year' },
  composite: { size: 2, sources: [{ y: { terms: { field: 'year' } } }], after: { y: 1900 } },
  date_histogram: { field: 'at', calendar_interval: 'day', format: 'yyyy', min_doc_count: 1 },
  extended_stats: { field: 'year' },
  filter: match,
  max: { field: 'year' },
  min: { field: 'year' },
  percentiles: { field: 'year', percents: [50] },
  range: { field: 'year', keyed: true, ranges: [{ from: 1900 }] },
  stats: { field: 'year' },
  terms: { field: 'year', size: 3, include: [1969] },
  value_count: { field: 'year' },
};
/** Keys of scrolls and points in time, which test/clients/contexts.test.ts covers. */
const CONTEXT_KEYS = ['id', 'pit', 'pit_id', 'scroll', 'scroll_id'];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const properties = {
    vector: { type: 'dense_vector', dims: 2 },
    at: { type: 'date' },
    loans: { type: 'nested', properties: { reader: { type: 'keyword' } } },
  };
  await server.call('PUT', '/books', { mappings: { properties } });
  const loans = [{ reader: 'ann' }];
  const book = { title: 'The Left Hand of Darkness', year: 1969, vector, at: '2026-01-02', loans };
  await server.call('PUT', '/books/_doc/1?refresh=true', book);
});
afterAll(() => server?.stop());

test.each(Object.entries(QUERIES))('the query [%s] finds the book', async (name, clause) => {
  const reply = await server.call('POST', '/books/_search', { query: { [name]: clause } });
  expect(reply.json.hits?.total.value, reply.text).toBe(1);
});

test.each(Object.entries(REFUSED))('the query [%s] is refused by name', async (name, clause) => {
  const reply = await server.call('POST', '/books/_search', { query: { [name]: clause } });
  expect(reply.status).toBe(400);
  expect(reply.json.error.reason).toContain(name);
});

test.each(Object.entries(AGGREGATIONS))('the aggregation [%s] is answered', async (name, spec) => {
  const body = { size: 0, aggs: { requested: { [name]: spec } } };
  const reply = await server.call('POST', '/books/_search?typed_keys=true', body);
  expect(reply.status, reply.text).toBe(200);
  expect(Object.keys(reply.json.aggregations)[0]).toMatch(/^\w+#requested$/);
});

const traced = sharedPath('spec/clients.md');
test.skipIf(traced === undefined)('none was traced that is not among them', () => {
  const text = readFileSync(traced ?? '', 'utf8');
  const named = (pattern: RegExp): readonly string[] => [
    ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
  ];
  const bodies = JSON.stringify([SEARCH_KEYS, CLIENT_BODIES]);
  const keys = named(/^- `body:(\w+)`/gm);
  expect(keys.length).toBeGreaterThan(40);
  const sent = (key: string): boolean => CONTEXT_KEYS.includes(key) || bodies.includes(`"${key}":`);
  expect(keys.filter((key) => !sent(key))).toEqual([]);
  const queries = named(/^- `query:(\w+)/gm);
  expect(queries.filter((name) => !(name in QUERIES) && !(name in REFUSED))).toEqual([]);
  const aggregations = named(/^- `aggs:(\w+)/gm);
  expect(aggregations.filter((name) => !(name in AGGREGATIONS))).toEqual([]);
});
