// Searches that are prepared once and executed several times: the same answer as of a search that was
// prepared anew, and never one that depends on what has changed since.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject, PreparedSearch, SearchResult } from '../../src/backend/index.ts';
import { json, openBackend, type RealBackend, removeFolder } from './real-backend.ts';

let real: RealBackend;
let next = 0;

beforeAll(async () => {
  real = await openBackend();
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

/** A new index with three documents. */
async function newIndex(shards = 1): Promise<string> {
  next += 1;
  const index = `i${next}`;
  await real.backend.createIndex(index, {
    settings: { number_of_shards: shards },
    mappings: {
      properties: {
        t: { type: 'text' },
        n: { type: 'long' },
        at: { type: 'date' },
        v: { type: 'dense_vector', dims: 2 },
      },
    },
  });
  for (const n of [1, 2, 3]) await put(index, { t: `red ${n}`, n, at: '2026-01-01', v: [n, 1] });
  await real.backend.refresh(index, {});
  return index;
}

async function put(index: string, document: JsonObject): Promise<void> {
  const source = json(document);
  await real.backend.write({ op: 'index', index, source }, { refresh: 'true' });
}

function prepare(index: string, body: JsonObject, requestCache?: boolean): PreparedSearch {
  return real.backend.prepareSearch({ index, body, hitsJson: true, requestCache });
}

/** Everything but the time that it took; hits as the objects that they are, however they were written. */
function shown({ tookMs: _took, hitsJson, hits, ...rest }: SearchResult): unknown {
  const texts = hitsJson && `[${new TextDecoder().decode(hitsJson)}]`;
  return { ...rest, hits: texts === undefined ? hits : (JSON.parse(texts) as unknown) };
}

test.each<[string, JsonObject]>([
  ['a page', { query: { match: { t: 'red' } }, size: 2 }],
  ['a page behind the hits', { query: { match: { t: 'red' } }, from: 5 }],
  ['an order', { sort: [{ n: 'desc' }] }],
  ['an order from one of its values on', { sort: ['n'], search_after: [1] }],
  ['nearest vectors', { knn: { field: 'v', query_vector: [1, 2], k: 2, num_candidates: 3 } }],
  ['no hits', { query: { match: { t: 'none' } } }],
  ['aggregations with hits', { aggs: { n: { sum: { field: 'n' } } } }],
  ['dates', { query: { range: { at: { lt: 'now' } } }, size: 1 }],
  ['an end', { terminate_after: 2 }],
])('%s is the same at every execution', async (_name, body) => {
  const index = await newIndex();
  const prepared = prepare(index, body);
  const first = shown(await prepared.run(undefined));
  expect(prepared.isCurrent()).toBe(true);
  for (let i = 0; i < 3; i++) expect(shown(await prepared.run(undefined))).toEqual(first);
  expect(shown(await prepare(index, { ...body }).run(undefined))).toEqual(first);
});

test.each<[string, JsonObject]>([
  ['several shards', { query: { match: { t: 'red' } }, sort: ['n'] }],
  ['aggregations', { size: 0, aggs: { n: { sum: { field: 'n' } } } }],
])('%s of two shards may be executed again', async (_name, body) => {
  const index = await newIndex(2);
  const prepared = prepare(index, body, false);
  const first = shown(await prepared.run(undefined));
  expect(prepared.isCurrent()).toBe(true);
  expect(shown(await prepared.run(undefined))).toEqual(first);
});

test.each<[string, JsonObject]>([
  ['a group', { collapse: { field: 'n' } }],
  [
    'suggestions',
    { query: { match: { t: 'red' } }, suggest: { s: { text: 'rde', term: { field: 't' } } } },
  ],
  [
    'a list of lists',
    {
      retriever: {
        rrf: {
          retrievers: [
            { standard: { query: { match: { t: 'red' } } } },
            { knn: { field: 'v', query_vector: [1, 2], k: 2, num_candidates: 3 } },
          ],
        },
      },
    },
  ],
])('a search with %s is prepared for one execution', async (_name, body) => {
  const prepared = prepare(await newIndex(), body);
  expect((await prepared.run(undefined)).total?.value).toBe(3);
  expect(prepared.isCurrent()).toBe(false);
});

test('so is one whose terms a document holds', async () => {
  const index = await newIndex();
  await real.backend.write(
    { op: 'index', index, id: 'list', source: json({ n: [1, 2] }) },
    { refresh: 'true' },
  );
  const prepared = prepare(index, { query: { terms: { n: { index, id: 'list', path: 'n' } } } });
  expect((await prepared.run(undefined)).total?.value).toBe(3);
  expect(prepared.isCurrent()).toBe(false);
});

test.each<[string, JsonObject, string]>([
  ['a clause that does not exist', { query: { nothing: {} } }, 'parsing_exception'],
  [
    'a date that is none',
    { query: { range: { at: { lt: 'red' } } } },
    'search_phase_execution_exception',
  ],
])('%s fails at every execution', async (_name, body, type) => {
  const index = await newIndex();
  const ask = async (): Promise<SearchResult> => prepare(index, body).run(undefined);
  await expect(ask()).rejects.toMatchObject({ type });
  await expect(ask()).rejects.toMatchObject({ type });
  await expect(real.backend.search({ index, body })).rejects.toMatchObject({ type });
});

test('what was written meanwhile is found', async () => {
  const index = await newIndex();
  const prepared = prepare(index, { query: { match: { t: 'red' } } });
  expect((await prepared.run(undefined)).total?.value).toBe(3);
  await put(index, { t: 'red', n: 4 });
  expect((await prepared.run(undefined)).total).toEqual({ value: 4, relation: 'eq' });
});

test.each([true, false])('so it is without hits, cached: %s', async (cached) => {
  const index = await newIndex();
  const prepared = prepare(index, { size: 0, aggs: { n: { sum: { field: 'n' } } } }, cached);
  const sum = async (): Promise<string> =>
    ((await prepared.run(undefined)).aggregations ?? []).join('');
  expect([await sum(), await sum()]).toEqual([
    expect.stringContaining(':6'),
    expect.stringContaining(':6'),
  ]);
  await put(index, { t: 'red', n: 4 });
  expect([await sum(), await sum()]).toEqual([
    expect.stringContaining(':10'),
    expect.stringContaining(':10'),
  ]);
  expect(prepared.isCurrent()).toBe(true);
});

test.each<[string, (index: string) => unknown]>([
  [
    'a mapping',
    (index) => real.backend.putMapping(index, { properties: { m: { type: 'long' } } }, {}),
  ],
  ['a setting', (index) => real.backend.putSettings(index, { 'index.max_result_window': 5 }, {})],
  [
    'an alias',
    (index) =>
      real.backend.updateAliases([{ add: { index, alias: `of-${index}`, properties: {} } }]),
  ],
  ['a close', (index) => real.backend.setState(index, 'close', {})],
  ['a removal', (index) => real.backend.deleteIndices(index, {})],
  ['the configuration', () => real.live.replace({ ...real.live.current })],
])('after a change of %s it has to be prepared anew', async (_name, change) => {
  const index = await newIndex();
  const prepared = prepare(index, { query: { match: { t: 'red' } } });
  await prepared.run(undefined);
  expect(prepared.isCurrent()).toBe(true);
  await change(index);
  expect(prepared.isCurrent()).toBe(false);
});

test('hits of groups are documents', async () => {
  const body = { collapse: { field: 'n', inner_hits: { name: 'all', size: 2 } }, size: 1 };
  const { hits } = await prepare(await newIndex(), body).run(undefined);
  expect(hits[0]?.innerHits?.['all']?.hits).toHaveLength(1);
});
