// Searches that are executed by a single call of the core, and can be repeated: the response is the
// same as that of the general path, and there is none once anything that it depends on has changed.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { JsonObject, SearchResult } from '../../src/backend/index.ts';
import { json, openBackend, type RealBackend, removeFolder } from './real-backend.ts';

let real: RealBackend;
/** After a slow inline search no other is tried for five seconds. */
const PATIENCE = { timeout: 20_000 };
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
  if (shards === 1) await shortly(index, {});
  return index;
}

async function put(index: string, document: JsonObject): Promise<void> {
  const source = json(document);
  await real.backend.write({ op: 'index', index, source }, { refresh: 'true' });
}

async function ask(index: string, body: JsonObject): Promise<SearchResult> {
  return real.backend.search({ index, body, hitTexts: true, mayRepeat: true });
}

/**
 * Waits until the search runs inline: an index that was not searched recently, or whose searches
 * were slow, is searched by the worker pool.
 */
function shortly(index: string, body: JsonObject): Promise<SearchResult> {
  return vi.waitFor(async () => {
    const result = await ask(index, body);
    if (result.again === undefined) throw new Error('it went the long way');
    return result;
  }, PATIENCE);
}

function repeated({ again }: SearchResult): Promise<SearchResult> {
  return vi.waitFor(async () => {
    const found = await again?.();
    if (found === undefined) throw new Error('it has to be asked for anew');
    return found;
  }, PATIENCE);
}

function shown({ tookMs: _took, again: _again, hitTexts, ...rest }: SearchResult): unknown {
  return { ...rest, hitTexts: hitTexts && new TextDecoder().decode(hitTexts) };
}

test.each<[string, JsonObject]>([
  ['a page', { query: { match: { t: 'red' } }, size: 2 }],
  ['a page behind the hits', { query: { match: { t: 'red' } }, from: 5 }],
  ['an order', { sort: [{ n: 'desc' }] }],
  ['an order from one of its values on', { sort: ['n'], search_after: [1] }],
  ['neighbours', { knn: { field: 'v', query_vector: [1, 2], k: 2, num_candidates: 3 } }],
  ['no hits', { query: { match: { t: 'none' } } }],
  ['aggregations beside hits', { aggs: { n: { sum: { field: 'n' } } } }],
  ['dates', { query: { range: { at: { lt: 'now' } } }, size: 1 }],
])('%s is what it was', async (_name, body) => {
  const index = await newIndex();
  const first = await shortly(index, body);
  expect(shown(await repeated(first))).toEqual(shown(first));
  const known = await shortly(index, body);
  expect(shown(known)).toEqual(shown(first));
  expect(shown(await repeated(known))).toEqual(shown(first));
  const long = await ask(index, { ...body, indices_boost: [{ [index]: 1 }] });
  expect(long.again).toBeUndefined();
  expect(shown(long)).toEqual(shown(first));
});

test('what may not come again leaves nothing behind', async () => {
  const index = await newIndex();
  const body = { query: { match: { t: 'red' } } };
  const { again, total } = await real.backend.search({ index, body, hitTexts: true });
  expect(total?.value).toBe(3);
  expect(again).toBeUndefined();
});

test.each<[string, JsonObject, string]>([
  ['a clause that is none', { query: { nothing: {} } }, 'parsing_exception'],
  [
    'a date that is none',
    { query: { range: { at: { lt: 'red' } } } },
    'search_phase_execution_exception',
  ],
])('%s fails as it does the long way', async (_name, body, type) => {
  const index = await newIndex();
  await expect(ask(index, body)).rejects.toMatchObject({ type });
  await expect(real.backend.search({ index, body })).rejects.toMatchObject({ type });
});

test('an answer without hits is not kept twice', async () => {
  const index = await newIndex();
  const body = { size: 0, aggs: { n: { sum: { field: 'n' } } } };
  const sum = (result: SearchResult | undefined): string => (result?.aggregations ?? []).join('');
  const first = await shortly(index, body);
  expect(sum(await repeated(first))).toContain(':6');
  await put(index, { t: 'red', n: 4 });
  expect(await first.again?.()).toBeUndefined();
  expect(sum(await ask(index, body))).toContain(':10');
  const uncached = {
    index,
    body: { ...body },
    hitTexts: true,
    mayRepeat: true,
    requestCache: false,
  };
  const live = await vi.waitFor(async () => {
    const found = await real.backend.search(uncached);
    expect(found.again).toBeDefined();
    return found;
  }, PATIENCE);
  expect(sum(await repeated(live))).toContain(':10');
  await put(index, { t: 'red', n: 5 });
  expect(sum(await repeated(live))).toContain(':15');
});

test('what was written since is found', async () => {
  const index = await newIndex();
  const first = await shortly(index, { query: { match: { t: 'red' } } });
  await put(index, { t: 'red', n: 4 });
  expect((await repeated(first)).total).toEqual({ value: 4, relation: 'eq' });
});

test.each<[string, (index: string) => Promise<unknown>]>([
  [
    'a mapping',
    (index) => real.backend.putMapping(index, { properties: { m: { type: 'long' } } }, {}),
  ],
  ['a block', (index) => real.backend.putSettings(index, { 'index.blocks.read': true }, {})],
  ['a close', (index) => real.backend.setState(index, 'close', {})],
  ['a removal', (index) => real.backend.deleteIndices(index, {})],
])('after %s it has to be asked for anew', async (_name, change) => {
  const index = await newIndex();
  const first = await shortly(index, { query: { match: { t: 'red' } } });
  await repeated(first);
  await change(index);
  expect(await first.again?.()).toBeUndefined();
});

test.each<[string, JsonObject]>([
  ['a group', { collapse: { field: 'n' } }],
  ['an end', { terminate_after: 2 }],
  ['a profile', { profile: true }],
  ['suggestions', { suggest: { s: { text: 'rde', term: { field: 't' } } } }],
  ['boosts of indexes', { indices_boost: [{ 'i*': 2 }] }],
])('a search with %s goes the long way', async (_name, body) => {
  const index = await newIndex();
  expect((await ask(index, body)).again).toBeUndefined();
});

test('so does one whose terms stand in a document', async () => {
  const index = await newIndex();
  await real.backend.write(
    { op: 'index', index, id: 'list', source: json({ n: [1, 2] }) },
    { refresh: 'true' },
  );
  const query = { terms: { n: { index, id: 'list', path: 'n' } } };
  const { again, total } = await ask(index, { query });
  expect(total?.value).toBe(3);
  expect(again).toBeUndefined();
});

test('so does one of several shards, and one that wants no texts', async () => {
  const index = await newIndex(2);
  expect((await ask(index, { query: { match: { t: 'red' } } })).again).toBeUndefined();
  const one = await newIndex();
  expect((await real.backend.search({ index: one, body: {} })).again).toBeUndefined();
});

test('hits of groups are documents', async () => {
  const index = await newIndex();
  const { hits } = await ask(index, {
    collapse: { field: 'n', inner_hits: { name: 'all', size: 2 } },
    size: 1,
  });
  expect(hits[0]?.innerHits?.['all']?.hits).toHaveLength(1);
});
