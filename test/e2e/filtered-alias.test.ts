// An alias with a filter shows only the documents that match it: every way to read through it
// returns the same as if the index held no other documents, without a key and with a key for the
// alias alone. Two indexes contain the same matching documents; one of them contains others as
// well.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const MAIN = resolve('dist/cli/main.js');
const dataDir = mkdtempSync(join(tmpdir(), 'quarry-filtered-'));
let server: TestServer;
let admin: string;
let fenced: string;

function makeKey(...args: string[]): string {
  const all = [MAIN, 'keys', 'create', '--json', '--data-dir', dataDir, ...args];
  const { stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout).key;
}

function as(key: string, method: string, path: string, body?: unknown): Promise<Reply> {
  const ndjson = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {};
  return server.call(method, path, body, { authorization: `Bearer ${key}`, ...ndjson });
}

const lines = (...all: unknown[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');

/** Index and alias of the world with hidden documents, and of the one without. */
const WORLDS = {
  mixed: { index: 'all-mixed', alias: 'pub-mixed' },
  clean: { index: 'all-clean', alias: 'pub-clean' },
} as const;
type World = keyof typeof WORLDS;

const VECTOR = { type: 'dense_vector', dims: 2, similarity: 'l2_norm' };
/** Objects with vectors inside, at a distance. */
const inside = (x: number): readonly object[] => [
  { a: 'one', v: [x, 1], q: [{ v: [x, 2] }, { v: [x, 3] }] },
  { a: 'two', v: [x, 4], q: { v: [x, 5] } },
];

const MAPPINGS = {
  properties: {
    k: { type: 'keyword' },
    t: { type: 'text', store: true },
    kw: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'date' },
    c: { type: 'completion' },
    v: VECTOR,
    m: { type: 'semantic_text' },
    list: { type: 'keyword' },
    secretfield: { type: 'keyword' },
    p: {
      type: 'nested',
      properties: {
        a: { type: 'keyword' },
        v: VECTOR,
        q: { type: 'nested', properties: { v: VECTOR } },
      },
    },
  },
};

const SHOWN = [
  {
    _id: '1',
    k: 'apple',
    t: 'red fruit lemon',
    kw: 'one',
    n: 1,
    v: [1, 0],
    c: 'lemon tree',
    p: inside(5),
  },
  {
    _id: '2',
    k: 'apple',
    t: 'green fruit lemon',
    kw: 'two',
    n: 2,
    v: [0, 1],
    c: 'lemon pie',
    p: inside(6),
  },
  { _id: '3', k: 'apple', t: 'yellow fruit', kw: 'one', n: 3, v: [1, 1], list: ['one'] },
];
const HIDDEN = Array.from({ length: 12 }, (_, i) => ({
  _id: `h${i}`,
  k: 'pear',
  t: 'zebra fruit lemons lemont zebra',
  kw: `zebra${i}`,
  n: 1000 + i,
  d: '2020-01-01',
  v: [1, 0.01 * i],
  c: 'lemon zebra',
  m: 'zebra',
  list: ['one', 'two'],
  secretfield: 'zebra',
  p: inside(i / 10),
}));

const bulkOf = (index: string, docs: readonly { readonly _id: string }[]): string =>
  lines(...docs.flatMap(({ _id, ...doc }) => [{ index: { _index: index, _id } }, doc]));

beforeAll(async () => {
  admin = makeKey('--name', 'admin');
  fenced = makeKey('--name', 'fenced', '--indices', 'pub-*');
  server = await startServer({ dataDir, args: ['--auth.enabled'] });
  const all = async (method: string, path: string, body?: unknown): Promise<void> => {
    const reply = await as(admin, method, path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reply.json?.errors ?? false, reply.text).toBe(false);
  };
  for (const { index, alias } of Object.values(WORLDS)) {
    await all('PUT', `/${index}`, {
      settings: { number_of_shards: 2 },
      mappings: MAPPINGS,
      aliases: { [alias]: { filter: { term: { k: 'apple' } } } },
    });
  }
  // The visible documents are written between the others.
  await all('POST', '/_bulk?refresh=true', bulkOf(WORLDS.mixed.index, HIDDEN.slice(0, 5)));
  for (const { index } of Object.values(WORLDS))
    await all('POST', '/_bulk?refresh=true', bulkOf(index, SHOWN));
  await all('POST', '/_bulk?refresh=true', bulkOf(WORLDS.mixed.index, HIDDEN.slice(5)));
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Values that differ for other reasons than documents: names, times, numbers of writes, words
 * counted over the whole index.
 */
const VOLATILE = new Set([
  ...['took', '_seq_no', '_primary_term', '_score', 'max_score', 'explanation', 'pit_id'],
  ...['_scroll_id', 'uuid', 'score', 'sort'],
]);

function comparable(text: string, { index, alias }: { index: string; alias: string }): unknown {
  const named = text.replaceAll(index, 'INDEX').replaceAll(alias, 'ALIAS');
  if (!/^[[{]/.test(named)) return named.replace(/\d{6,}|\d\d:\d\d:\d\d/g, 'TIME');
  return JSON.parse(named, (key, value) => (VOLATILE.has(key) ? undefined : value));
}

type Ask = (world: World, key: string) => Promise<Reply>;

const ask =
  (method: string, path: string, body?: unknown): Ask =>
  (world, key) => {
    const put = (text: string): string => text.replaceAll('ALIAS', WORLDS[world].alias);
    const sent =
      typeof body === 'string' ? put(body) : body && JSON.parse(put(JSON.stringify(body)));
    return as(key, method, put(path), sent);
  };
const search = (body: object): Ask => ask('POST', '/ALIAS/_search', body);
const aggs = (of: object, query: object = { match_all: {} }): Ask =>
  search({ size: 0, query, aggs: { a: of } });
const terms = (field: string) => ({ terms: { field, min_doc_count: 0, order: { _key: 'asc' } } });
const inPit =
  (body: object): Ask =>
  async (world, key) => {
    const { alias } = WORLDS[world];
    const opened = await as(key, 'POST', `/${alias}/_pit?keep_alive=1m`);
    const { id } = opened.json;
    const reply = await as(key, 'POST', '/_search', { ...body, pit: { id } });
    await as(key, 'DELETE', '/_pit', { id });
    return reply;
  };
const scrolled: Ask = async (world, key) => {
  const path = `/${WORLDS[world].alias}/_search?scroll=1m`;
  const first = await as(key, 'POST', path, { size: 2, sort: ['n'] });
  return as(key, 'POST', '/_search/scroll', { scroll_id: first.json._scroll_id });
};
const NEAR = { field: 'v', query_vector: [1, 0], k: 5, num_candidates: 5 };
const BY_N = { sort: ['n'] };
const nearInside = (field: string) => ({ knn: { field, query_vector: [0, 0], k: 2 } });
const nestedIn = (path: string, query: object, more: object = {}) => ({
  nested: { path, query, ...more },
});

const READS: Readonly<Record<string, Ask>> = {
  'a hidden document': ask('GET', '/ALIAS/_doc/h1'),
  'a shown document': ask('GET', '/ALIAS/_doc/2'),
  'a shown document that a refresh would show': ask('GET', '/ALIAS/_doc/2?refresh=true'),
  'a hidden document as it was published': ask('GET', '/ALIAS/_doc/h1?realtime=false'),
  'stored fields of a shown one': ask('GET', '/ALIAS/_doc/2?stored_fields=t'),
  'stored fields of a hidden one': ask('GET', '/ALIAS/_doc/h1?stored_fields=t'),
  'whether a hidden one is there': ask('HEAD', '/ALIAS/_doc/h1'),
  'the source of a hidden one': ask('GET', '/ALIAS/_source/h1'),
  'whether it has a source': ask('HEAD', '/ALIAS/_source/h1'),
  'the source of a shown one': ask('GET', '/ALIAS/_source/1?_source_includes=t'),
  '_mget of ids': ask('POST', '/ALIAS/_mget', { ids: ['h1', '3', 'none', 'h2', '1', '3'] }),
  '_mget of documents': ask('POST', '/_mget', {
    docs: [
      { _index: 'ALIAS', _id: 'h1', stored_fields: ['t'] },
      { _index: 'ALIAS', _id: '1', stored_fields: ['t'] },
      { _index: 'ALIAS', _id: '2', _source: ['n'] },
    ],
  }),
  _search: search(BY_N),
  '_search of everything': search({ ...BY_N, query: { match_all: {} }, track_total_hits: true }),
  'a search of hidden ids': search({ query: { ids: { values: ['h1', '1'] } } }),
  'a search for hidden words': search({ query: { match: { t: 'zebra' } } }),
  'exists of a hidden field': search({ query: { exists: { field: 'secretfield' } } }),
  fuzzy: search({ ...BY_N, query: { fuzzy: { t: 'lemno' } } }),
  query_string: search({ ...BY_N, query: { query_string: { query: 'zebra OR lemon' } } }),
  should: search({ ...BY_N, query: { bool: { should: [{ term: { k: 'pear' } }] } } }),
  must_not: search({ ...BY_N, query: { bool: { must_not: [{ term: { k: 'apple' } }] } } }),
  post_filter: search({ ...BY_N, post_filter: { term: { k: 'pear' } } }),
  min_score: search({ ...BY_N, min_score: 0, query: { match: { t: 'fruit' } } }),
  highlight: search({
    ...BY_N,
    query: { match: { t: 'zebra fruit' } },
    highlight: { fields: { t: {} } },
  }),
  collapse: search({
    ...BY_N,
    query: { match: { t: 'fruit' } },
    collapse: { field: 'kw', inner_hits: { name: 'i', sort: ['n'] } },
  }),
  'collapse of a hidden value': search({
    ...BY_N,
    collapse: { field: 'list', inner_hits: { name: 'i', sort: ['n'] } },
  }),
  rescore: search({
    query: { match: { t: 'fruit' } },
    rescore: { window_size: 9, query: { rescore_query: { match: { t: 'zebra' } } } },
  }),
  search_after: search({ ...BY_N, search_after: [2] }),
  'explain of hits': search({ ...BY_N, explain: true, query: { term: { k: 'pear' } } }),
  'a terms lookup of a hidden document': search({
    ...BY_N,
    query: { terms: { kw: { index: 'ALIAS', id: 'h1', path: 'list' } } },
  }),
  'a terms lookup of a shown document': search({
    ...BY_N,
    query: { terms: { kw: { index: 'ALIAS', id: '3', path: 'list' } } },
  }),
  knn: search({ knn: NEAR, fields: ['n'] }),
  'knn clause': search({ query: { knn: NEAR } }),
  'knn of vectors inside': search({ knn: { ...nearInside('p.v').knn, inner_hits: {} } }),
  'knn of vectors deeper inside': search(nearInside('p.q.v')),
  'knn inside nested': search({ query: nestedIn('p', nearInside('p.v'), { inner_hits: {} }) }),
  'knn inside nested of vectors deeper inside': search({
    query: nestedIn('p', nearInside('p.q.v')),
  }),
  'knn inside nested of a deep path': search({ query: nestedIn('p.q', nearInside('p.q.v')) }),
  'knn inside nested inside nested': search({
    query: nestedIn('p', nestedIn('p.q', nearInside('p.q.v'))),
  }),
  'knn inside nested with a filter': search({
    query: nestedIn('p', {
      knn: { ...nearInside('p.q.v').knn, filter: { term: { 'p.a': 'two' } } },
    }),
  }),
  'a sort by values inside': search({
    sort: [{ 'p.a': { order: 'asc', nested: { path: 'p' } } }, 'n'],
  }),
  'an aggregation inside nested': aggs({
    nested: { path: 'p' },
    aggs: { b: { ...terms('p.a'), aggs: { r: { reverse_nested: {} } } } },
  }),
  _knn_search: ask('POST', '/ALIAS/_knn_search', { knn: NEAR }),
  semantic: search({ query: { semantic: { field: 'm', query: 'zebra' } } }),
  hybrid: search({
    query: { hybrid: { queries: [{ match: { t: 'zebra fruit' } }, { knn: NEAR }] } },
  }),
  'retriever rrf': search({
    retriever: {
      rrf: { retrievers: [{ standard: { query: { match: { t: 'zebra' } } } }, { knn: NEAR }] },
    },
  }),
  global: aggs({
    global: {},
    aggs: { n: { stats: { field: 'n' } }, t: { terms: { field: 'kw' } } },
  }),
  'global beside a query': aggs(
    { global: {}, aggs: { n: { max: { field: 'n' } } } },
    { term: { n: 1 } },
  ),
  'global with hits': aggs({
    global: {},
    aggs: { h: { top_hits: { size: 20, sort: ['n'], _source: ['n'] } } },
  }),
  'global with a filter': aggs({
    global: {},
    aggs: { f: { filter: { term: { k: 'pear' } } }, m: { missing: { field: 'd' } } },
  }),
  'global with cardinality': aggs({ global: {}, aggs: { c: { cardinality: { field: 'kw' } } } }),
  'global in a point in time': inPit({ size: 0, aggs: { a: { global: {} } } }),
  'terms of a keyword without documents': aggs(terms('kw'), { term: { n: 1 } }),
  'terms of a number without documents': aggs(terms('n'), { term: { n: 1 } }),
  'terms of several values without documents': aggs(terms('list'), { term: { n: 1 } }),
  'terms inside global without documents': aggs({ global: {}, aggs: { t: terms('kw') } }),
  significant_terms: aggs(
    { significant_terms: { field: 'kw', min_doc_count: 1, percentage: {} } },
    { match: { t: 'lemon' } },
  ),
  'significant_terms against a background': aggs(
    {
      significant_terms: {
        ...{ field: 'kw', min_doc_count: 1, percentage: {} },
        background_filter: { match: { t: 'fruit' } },
      },
    },
    { match: { t: 'lemon' } },
  ),
  rare_terms: aggs({ rare_terms: { field: 'kw' } }),
  cardinality: aggs({ cardinality: { field: 'kw' } }),
  composite: aggs({ composite: { sources: [{ k: { terms: { field: 'kw' } } }] } }),
  'other bucket': aggs({ filters: { other_bucket: true, filters: { a: { term: { n: 1 } } } } }),
  missing: aggs({ missing: { field: 'secretfield' } }),
  sampler: aggs({ sampler: {}, aggs: { t: { terms: { field: 'kw' } } } }),
  histogram: aggs({ histogram: { field: 'n', interval: 1 } }),
  auto_date_histogram: aggs({ auto_date_histogram: { field: 'd' } }),
  'term suggester': search({
    suggest: { s: { text: 'lemom', term: { field: 't', suggest_mode: 'always', size: 10 } } },
  }),
  'term suggester of a known word': search({
    suggest: { s: { text: 'lemon fruit', term: { field: 't', suggest_mode: 'always' } } },
  }),
  'term suggester in a point in time': inPit({
    suggest: { s: { text: 'zebr', term: { field: 't', suggest_mode: 'always' } } },
  }),
  'completion suggester': search({
    _source: ['n'],
    suggest: { s: { prefix: 'lemon', completion: { field: 'c', size: 10 } } },
  }),
  'phrase suggester': search({ suggest: { s: { text: 'lemom', phrase: { field: 't' } } } }),
  _count: ask('POST', '/ALIAS/_count', { query: { match: { t: 'zebra lemon' } } }),
  _msearch: ask('POST', '/_msearch', lines({ index: 'ALIAS' }, { ...BY_N, size: 2 })),
  'a template': ask('POST', '/ALIAS/_search/template', { source: BY_N }),
  scroll: scrolled,
  'point in time': inPit(BY_N),
  '_explain of what does not match': ask('POST', '/ALIAS/_explain/1', {
    query: { term: { n: 9 } },
  }),
  '_explain of a shown document': ask('POST', '/ALIAS/_explain/1?_source=true', {
    query: { term: { n: 1 } },
  }),
  '_validate/query': ask('POST', '/ALIAS/_validate/query?explain=true', {
    query: { term: { n: 'zebra' } },
  }),
  'a lookup in _validate/query': ask('POST', '/ALIAS/_validate/query?explain=true', {
    query: { terms: { kw: { index: 'ALIAS', id: 'h1', path: 'list' } } },
  }),
  'fields with values': ask('GET', '/ALIAS/_field_caps?fields=*&include_empty_fields=false'),
  'fields of indexes with some document': ask('POST', '/ALIAS/_field_caps?fields=n', {
    index_filter: { term: { k: 'pear' } },
  }),
  '_cat/count': ask('GET', '/_cat/count/ALIAS'),
  _search_shards: ask('GET', '/ALIAS/_search_shards'),
  _termvectors: ask('GET', '/ALIAS/_termvectors/h1'),
  'more_like_this of a hidden document': search({
    query: { more_like_this: { like: [{ _index: 'ALIAS', _id: 'h1' }], fields: ['t'] } },
  }),
};

describe.each(['without a key of its own', 'by a key for the alias alone'])('read %s', (who) => {
  test.each(Object.keys(READS))('%s', async (name) => {
    const key = who.startsWith('by') ? fenced : admin;
    const read = READS[name] as Ask;
    const mixed = await read('mixed', key);
    const clean = await read('clean', key);
    expect(mixed.status, mixed.text).toBe(clean.status);
    expect(mixed.text).not.toMatch(/security_exception/);
    expect(comparable(mixed.text, WORLDS.mixed)).toEqual(comparable(clean.text, WORLDS.clean));
  });
});

test('_explain of a hidden document says that nothing matches, and to a key for the alias alone that it is not there', async () => {
  const explain = (id: string, key: string): Promise<Reply> =>
    as(key, 'POST', `/pub-mixed/_explain/${id}?_source=true`, { query: { match_all: {} } });
  const seen = await explain('h1', admin);
  expect([seen.status, seen.json.matched]).toEqual([200, false]);
  expect(seen.text).not.toContain('zebra');
  const [hidden, absent] = [await explain('h1', fenced), await explain('none', fenced)];
  expect(hidden.status).toBe(404);
  expect(hidden.text.replace('h1', 'none')).toBe(absent.text);
});

test('words are counted without those of hidden documents', async () => {
  const { json } = await as(fenced, 'POST', '/pub-mixed/_search', {
    suggest: { s: { text: 'lemom', term: { field: 't', suggest_mode: 'always' } } },
  });
  expect(json.suggest.s[0].options).toMatchObject([{ text: 'lemon', freq: 2 }]);
});

describe('statistics of all documents', () => {
  test.each([
    '/ALIAS/_stats',
    '/ALIAS/_stats/docs',
    '/ALIAS/_segments',
    '/_cat/indices/ALIAS',
    '/_cat/shards/ALIAS',
    '/_cat/segments/ALIAS',
  ])('GET %s is refused to a key for the alias alone', async (path) => {
    const mixed = await ask('GET', path)('mixed', fenced);
    const clean = await ask('GET', path)('clean', fenced);
    expect(mixed.status).toBe(403);
    expect(mixed.text).toContain('the filter of the alias [pub-mixed] shows a part');
    expect(comparable(mixed.text, WORLDS.mixed)).toEqual(comparable(clean.text, WORLDS.clean));
    expect((await ask('GET', path)('mixed', admin)).status).toBe(200);
  });

  test.each([
    '/_stats',
    '/_segments',
    '/_cat/indices',
    '/_cat/shards',
    '/_cat/segments?v',
  ])('GET %s leaves the index out for it', async (path) => {
    const reply = await as(fenced, 'GET', path);
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('all-mixed');
    expect((await as(admin, 'GET', path)).text).toContain('all-mixed');
  });

  test('a rollover that would count them is refused', async () => {
    const reply = await as(fenced, 'POST', '/pub-mixed/_rollover/pub-next?dry_run=true', {
      conditions: { max_docs: 5 },
    });
    expect(reply.status).toBe(403);
  });
});

describe('write', () => {
  const { index, alias } = WORLDS.mixed;
  const sourceOf = async (id: string): Promise<unknown> =>
    (await as(admin, 'GET', `/${index}/_doc/${id}`)).json._source;
  const put = (id: string, doc: object): Promise<Reply> =>
    as(admin, 'PUT', `/${index}/_doc/${id}`, doc);

  test.each(['admin', 'fenced'])('_update reaches what is shown (%s)', async (who) => {
    const key = who === 'admin' ? admin : fenced;
    await put('u-shown', { k: 'apple', n: 1 });
    await put('u-hidden', { k: 'pear', n: 1 });
    const change = { doc: { n: 2 } };
    const shown = await as(key, 'POST', `/${alias}/_update/u-shown?_source=true`, change);
    expect([shown.status, shown.json.result, shown.json.get._source.n]).toEqual([
      200,
      'updated',
      2,
    ]);
    const noop = await as(key, 'POST', `/${alias}/_update/u-shown`, change);
    expect(noop.json.result).toBe('noop');
    const hidden = await as(key, 'POST', `/${alias}/_update/u-hidden`, change);
    const absent = await as(key, 'POST', `/${alias}/_update/u-absent`, change);
    expect(hidden.status).toBe(404);
    expect(hidden.text.replaceAll('u-hidden', 'ID')).toBe(absent.text.replaceAll('u-absent', 'ID'));
    const script = { script: 'ctx._source.n = 9' };
    expect((await as(key, 'POST', `/${alias}/_update/u-hidden`, script)).status).toBe(404);
    expect((await as(key, 'POST', `/${alias}/_update/u-shown`, script)).status).toBe(200);
    expect(await sourceOf('u-hidden')).toEqual({ k: 'pear', n: 1 });
    expect(await sourceOf('u-shown')).toEqual({ k: 'apple', n: 9 });
  });

  test.each(['admin', 'fenced'])('_update makes what is not there (%s)', async (who) => {
    const key = who === 'admin' ? admin : fenced;
    const id = `made-${who}`;
    const upsert = { doc: { n: 2 }, upsert: { k: 'apple', n: 1 } };
    const made = await as(key, 'POST', `/${alias}/_update/${id}`, upsert);
    expect([made.status, made.json.result]).toEqual([201, 'created']);
    expect((await as(key, 'POST', `/${alias}/_update/${id}`, upsert)).json.result).toBe('updated');
    await put('up-hidden', { k: 'pear', n: 1 });
    for (const body of [
      { doc: { n: 2 }, doc_as_upsert: true },
      { script: 'ctx._source.n = 9', upsert: { n: 5 } },
      upsert,
    ]) {
      const hidden = await as(key, 'POST', `/${alias}/_update/up-hidden`, body);
      expect(hidden.status, hidden.text).toBe(who === 'admin' ? 409 : 403);
      expect(hidden.text).toContain('up-hidden');
    }
    expect(await sourceOf('up-hidden')).toEqual({ k: 'pear', n: 1 });
  });

  test('a body of an update that is none is refused', async () => {
    for (const body of ['{"doc":', '[1]', '{"doc_as_upsert":"maybe","doc":{}}']) {
      const reply = await server.call('POST', `/${alias}/_update/h1`, body, {
        authorization: `Bearer ${fenced}`,
        'content-type': 'application/json',
      });
      expect(reply.status, body).toBe(400);
    }
  });

  test.each(['admin', 'fenced'])('delete reaches what is shown (%s)', async (who) => {
    const key = who === 'admin' ? admin : fenced;
    await put('d-shown', { k: 'apple' });
    await put('d-hidden', { k: 'pear' });
    const hidden = await as(key, 'DELETE', `/${alias}/_doc/d-hidden`);
    const absent = await as(key, 'DELETE', `/${alias}/_doc/d-absent`);
    expect([hidden.status, hidden.json.result]).toEqual([404, 'not_found']);
    expect(hidden.text.replaceAll('d-hidden', 'ID')).toBe(absent.text.replaceAll('d-absent', 'ID'));
    const condition = '?if_seq_no=1&if_primary_term=1';
    expect((await as(key, 'DELETE', `/${alias}/_doc/d-hidden${condition}`)).status).toBe(409);
    expect((await as(key, 'DELETE', `/${alias}/_doc/d-shown${condition}`)).status).toBe(409);
    expect((await as(key, 'DELETE', `/${alias}/_doc/d-shown`)).json.result).toBe('deleted');
    expect(await sourceOf('d-hidden')).toEqual({ k: 'pear' });
    expect(await sourceOf('d-shown')).toBeUndefined();
  });

  test('index and create of a hidden id are refused to a key for the alias alone', async () => {
    await put('w-hidden', { k: 'pear' });
    for (const [method, path] of [
      ['PUT', '_doc/w-hidden'],
      ['PUT', '_create/w-hidden'],
      ['POST', '_doc/w-hidden?op_type=create'],
      ['PUT', '_doc/w-hidden?version=99&version_type=external'],
      ['PUT', '_doc/w-hidden?if_seq_no=0&if_primary_term=1'],
    ] as const) {
      const reply = await as(fenced, method, `/${alias}/${path}`, { k: 'apple' });
      expect(reply.status, path).toBe(403);
      expect(reply.json.error.type).toBe('security_exception');
      expect(reply.json.error.reason).toContain('[w-hidden]');
      expect(reply.text).not.toContain(index);
    }
    expect(await sourceOf('w-hidden')).toEqual({ k: 'pear' });
    const replaced = await as(admin, 'PUT', `/${alias}/_doc/w-hidden`, { k: 'apple' });
    expect(replaced.json.result).toBe('updated');
    expect((await as(admin, 'PUT', `/${alias}/_create/w-hidden`, {})).status).toBe(409);
  });

  test('a document that the filter does not match is written, and not shown afterwards', async () => {
    expect((await as(fenced, 'PUT', `/${alias}/_doc/w-new`, { k: 'pear' })).status).toBe(201);
    expect((await as(fenced, 'GET', `/${alias}/_doc/w-new`)).status).toBe(404);
    expect((await as(fenced, 'PUT', `/${alias}/_doc/w-new`, { k: 'pear' })).status).toBe(403);
    expect((await as(fenced, 'POST', `/${alias}/_doc`, { k: 'pear' })).status).toBe(201);
    expect((await as(fenced, 'PUT', `/${alias}/_doc/w-own`, { k: 'apple', n: 1 })).status).toBe(
      201,
    );
    const again = await as(fenced, 'PUT', `/${alias}/_doc/w-own`, { k: 'apple', n: 2 });
    expect([again.json.result, again.json._version]).toEqual(['updated', 2]);
    expect((await as(fenced, 'PUT', `/${alias}/_create/w-own`, { k: 'apple' })).status).toBe(409);
  });

  test('a get sees what was written a moment ago', async () => {
    for (let i = 0; i < 20; i++) {
      const k = i % 2 === 0 ? 'apple' : 'pear';
      await put('fresh', { k, n: i });
      const read = await as(fenced, 'GET', `/${alias}/_doc/fresh`);
      expect(read.status).toBe(k === 'apple' ? 200 : 404);
      if (k === 'apple') expect(read.json._source.n).toBe(i);
    }
  });

  test('_bulk: each item by itself, in the order of the body', async () => {
    await put('b-hidden', { k: 'pear' });
    await put('b-shown', { k: 'apple', n: 1 });
    const at = (id: string) => ({ _index: alias, _id: id });
    const body = lines(
      { index: at('b-hidden') },
      { k: 'apple' },
      { create: at('b-hidden') },
      { k: 'apple' },
      { update: at('b-hidden') },
      { doc: { n: 5 } },
      { delete: at('b-hidden') },
      { index: at('b-new') },
      { k: 'apple', n: 1 },
      { update: { ...at('b-new'), retry_on_conflict: 3 } },
      { doc: { n: 2 } },
      { update: { ...at('b-shown'), _source: true } },
      { doc: { n: 7 } },
      { index: at('b-gone') },
      { k: 'pear' },
      { update: at('b-gone') },
      { doc: { n: 2 } },
      { delete: at('b-shown') },
      { index: { _index: alias } },
      { k: 'apple' },
      { index: { _index: index, _id: 'b-foreign' } },
      { k: 'pear' },
    );
    const { json } = await as(fenced, 'POST', '/_bulk?refresh=true', body);
    const items = json.items.map((item: object) => {
      const [[op, { status }]] = Object.entries(item) as [[string, { status: number }]];
      return `${op} ${status}`;
    });
    expect(items).toEqual([
      ...['index 403', 'create 403', 'update 404', 'delete 404'],
      ...['index 201', 'update 200', 'update 200', 'index 201', 'update 404', 'delete 200'],
      ...['index 201', 'index 403'],
    ]);
    expect(json.errors).toBe(true);
    expect(json.items[0].index.error.reason).toContain('[b-hidden]');
    expect(json.items[6].update.get._source.n).toBe(7);
    expect(await sourceOf('b-hidden')).toEqual({ k: 'pear' });
    expect(await sourceOf('b-new')).toEqual({ k: 'apple', n: 2 });
    expect(await sourceOf('b-gone')).toEqual({ k: 'pear' });
  });

  test('_bulk through the alias without a key of its own overwrites as the index does', async () => {
    await put('o-hidden', { k: 'pear' });
    const body = lines(
      { index: { _id: 'o-hidden' } },
      { k: 'apple' },
      { create: { _id: 'o-hidden' } },
      { k: 'apple' },
      { update: { _id: 'h1' } },
      { script: 'ctx._source.n = 9' },
      { update: { _id: 'h1' } },
      { doc: { n: 9 }, upsert: {} },
    );
    const { json } = await as(admin, 'POST', `/${alias}/_bulk`, body);
    const statuses = json.items.map((item: object) => Object.values(item)[0].status);
    expect(statuses).toEqual([200, 409, 404, 409]);
  });

  test('_reindex into the alias leaves hidden documents as they are', async () => {
    await put('r-hidden', { k: 'pear' });
    await as(fenced, 'PUT', '/pub-clean/_doc/r-hidden?refresh=true', { k: 'apple', n: 1 });
    const { json } = await as(fenced, 'POST', '/_reindex', {
      source: { index: 'pub-clean', query: { ids: { values: ['r-hidden'] } } },
      dest: { index: alias },
    });
    expect(json.failures).toMatchObject([{ status: 403, cause: { type: 'security_exception' } }]);
    expect(await sourceOf('r-hidden')).toEqual({ k: 'pear' });
    await as(admin, 'DELETE', '/all-clean/_doc/r-hidden?refresh=true');
  });

  test.each(['_delete_by_query', '_update_by_query'])('%s reaches what is shown', async (verb) => {
    await put('q-hidden', { k: 'pear', kw: verb });
    await put('q-shown', { k: 'apple', kw: verb });
    await as(admin, 'POST', `/${index}/_refresh`);
    const { json } = await as(fenced, 'POST', `/${alias}/${verb}`, {
      query: { term: { kw: verb } },
    });
    expect(json.total).toBe(1);
    expect(await sourceOf('q-hidden')).toEqual({ k: 'pear', kw: verb });
  });
});

test('a key that may use the index, or an alias of all of it, is not kept out', async () => {
  await as(admin, 'POST', '/_aliases', {
    actions: [{ add: { index: 'all-mixed', alias: 'whole-mixed' } }],
  });
  for (const indices of ['pub-mixed,all-mixed', 'pub-mixed,whole-mixed']) {
    const key = makeKey('--name', 'more', '--indices', indices);
    process.kill(server.pid, 'SIGHUP');
    for (let left = 200; left > 0 && (await as(key, 'GET', '/')).status === 401; left--)
      await new Promise((done) => setTimeout(done, 10));
    expect((await as(key, 'GET', '/pub-mixed/_stats')).status).toBe(200);
    await as(admin, 'PUT', '/all-mixed/_doc/more', { k: 'pear' });
    expect((await as(key, 'PUT', '/pub-mixed/_doc/more', { k: 'apple' })).json.result).toBe(
      'updated',
    );
    expect((await as(key, 'GET', '/pub-mixed/_doc/h2')).status).toBe(404);
  }
});
