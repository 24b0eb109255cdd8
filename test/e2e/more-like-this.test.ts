// `more_like_this` over real HTTP: what is alike, in every request that takes a query, through
// aliases and keys, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, type Reply, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
const SUBJECTS = ['apple pie', 'apple cake', 'pear cake', 'plum jam'];
const RELAXED = { min_term_freq: 1, min_doc_freq: 1 };

beforeAll(async () => {
  server = await startServer();
  const properties = {
    t: { type: 'text', copy_to: 'all', fields: { raw: { type: 'keyword' } } },
    all: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'integer' },
    list: { type: 'nested', properties: { t: { type: 'text' } } },
  };
  const settings = { number_of_shards: 2 };
  const aliases = {
    few: { filter: { range: { n: { lt: 3 } } } },
    whole: {},
  };
  const made = await server.call('PUT', '/foods', { settings, mappings: { properties }, aliases });
  expect(made.status, made.text).toBe(200);
  const lines = SUBJECTS.flatMap((t, n) => [
    JSON.stringify({ index: { _id: String(n) } }),
    JSON.stringify({ t, k: t.split(' ')[0], n, list: [{ t }] }),
  ]);
  await bulk(server, '/foods/_bulk?refresh=true', lines);
  await server.call('PUT', '/other/_doc/9?refresh=true', { t: 'plum cake' });
});
afterAll(async () => {
  await server?.stop();
});

function alike(clause: object): object {
  return { more_like_this: { fields: ['t'], ...RELAXED, ...clause } };
}
const LIKE_0 = alike({ like: { _id: '0' } });

function idsOf(reply: Reply): readonly string[] {
  expect(reply.status, reply.text).toBe(200);
  return reply.json.hits.hits.map(({ _id }: { _id: string }) => _id);
}
async function search(query: object, index = 'foods'): Promise<readonly string[]> {
  return idsOf(await server.call('POST', `/${index}/_search`, { query }));
}
async function refusal(query: object, index = 'foods'): Promise<readonly [number, string]> {
  const { status, json } = await server.call('POST', `/${index}/_search`, { query });
  return [status, json.error.reason];
}

describe('finds what is like', () => {
  test('a document, which it leaves out unless it is included', async () => {
    expect(await search(LIKE_0)).toEqual(['1']);
    expect(await search(alike({ like: { _id: '0' }, include: true }))).toEqual(['0', '1']);
    expect(await search(alike({ like: { _index: 'other', _id: '9' } }))).toHaveLength(3);
  });

  test('a text, in the first of the fields', async () => {
    expect(await search(alike({ like: 'Plum tart', include: true }))).toEqual(['3']);
    expect(await search(alike({ like: 'plum', fields: ['k', 't'], analyzer: 'standard' }))).toEqual(
      ['3'],
    );
  });

  test('a document of the request, in all its fields', async () => {
    const doc = { t: 'nothing', k: 'pear', n: 3 };
    expect(await search(alike({ like: { doc } }))).toEqual(['2']);
    expect(await search(alike({ like: { doc, fields: ['t'] } }))).toEqual([]);
    expect(await search(alike({ like: { doc: { t: 'x' }, per_field_analyzer: {} } }))).toEqual([]);
  });

  test('several examples, without the terms of others', async () => {
    const like = ['plum', { _id: '2' }];
    expect(await search(alike({ like, minimum_should_match: 1 }))).toEqual(['3', '1']);
    expect(await search(alike({ like, unlike: { _id: '1' } }))).toEqual(['3']);
    expect(await search(alike({ like: 'apple plum', unlike: 'plum' }))).toHaveLength(2);
  });

  test('fields by patterns, of others and copied ones', async () => {
    expect(await search(alike({ like: { _id: '0' }, fields: ['al*'] }))).toEqual(['1']);
    expect(await search(alike({ like: { _id: '0' }, fields: ['t.raw'], include: true }))).toEqual([
      '0',
    ]);
    const { fields: _fields, ...every } = { fields: [], like: { _id: '0' }, ...RELAXED };
    expect(await search({ more_like_this: every })).toEqual(['1']);
  });

  test('a document that is not there: nothing', async () => {
    expect(await search(alike({ like: { _id: 'none' } }))).toEqual([]);
    expect(await search(alike({ like: { _index: 'none', _id: '0' } }))).toEqual([]);
    expect(await search(alike({ like: { _id: '0', version: 7 } }))).toEqual([]);
  });

  test('a document with more tokens than an analysis may have', async () => {
    const words = Array.from({ length: 12_000 }, (_, at) => `w${at}`).join(' ');
    const doc = { t: `${words} jam` };
    expect(await search(alike({ like: { doc }, minimum_should_match: 1 }))).toEqual(['3']);
  });

  test('what several indexes have', async () => {
    expect(await search(alike({ like: { _id: '9' } }), 'foods,other')).toEqual(['3', '1', '2']);
    expect(await search(alike({ like: 'plum' }), 'foods,other')).toHaveLength(2);
    const versioned = (version: number): object => alike({ like: { _id: '9', version } });
    expect(await search(versioned(1), 'foods,other')).toHaveLength(3);
    expect(await search(versioned(2), 'foods,other')).toEqual([]);
    expect(await search(LIKE_0, 'none*')).toEqual([]);
  });
});

describe('stands', () => {
  test('in other clauses, with a boost and a name', async () => {
    const named = alike({ like: { _id: '0' }, boost: 3, _name: 'alike' });
    const { json } = await server.call('POST', '/foods/_search', {
      query: { bool: { must: [named], filter: { term: { n: 1 } } } },
    });
    const plain = await server.call('POST', '/foods/_search', { query: LIKE_0 });
    expect(json.hits.hits[0].matched_queries).toEqual(['alike']);
    expect(json.hits.hits[0]._score).toBeCloseTo(3 * plain.json.hits.hits[0]._score, 4);
    expect(await search({ bool: { must_not: LIKE_0 } })).toEqual(
      expect.arrayContaining(['0', '2', '3']),
    );
  });

  test('in counts, explanations, checks and many searches at once', async () => {
    const body = { query: LIKE_0 };
    expect((await server.call('POST', '/foods/_count', body)).json.count).toBe(1);
    expect((await server.call('POST', '/foods/_explain/1', body)).json.matched).toBe(true);
    expect((await server.call('POST', '/foods/_explain/3', body)).json.matched).toBe(false);
    const { json } = await server.call('POST', '/foods/_validate/query?explain=true', body);
    expect(json.valid).toBe(true);
    const wrong = { query: alike({ like: 'x', fields: ['n'] }) };
    const checked = await server.call('POST', '/foods/_validate/query?explain=true', wrong);
    expect(checked.json.valid).toBe(false);
    const lines = [{ index: 'foods' }, body, { index: 'foods' }, wrong];
    const many = await server.call(
      'POST',
      '/_msearch',
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      { 'content-type': 'application/x-ndjson' },
    );
    expect(many.json.responses[0].hits.total.value).toBe(1);
    expect(many.json.responses[1].status).toBe(400);
  });

  test('in aggregations, scrolls and points in time', async () => {
    const aggs = { a: { filter: LIKE_0 }, b: { filters: { filters: { one: LIKE_0 } } } };
    const { json } = await server.call('POST', '/foods/_search', { size: 0, aggs });
    expect(json.aggregations.a.doc_count).toBe(1);
    expect(json.aggregations.b.buckets.one.doc_count).toBe(1);
    const scrolled = await server.call('POST', '/foods/_search?scroll=1m', { query: LIKE_0 });
    expect(idsOf(scrolled)).toEqual(['1']);
    await server.call('DELETE', '/_search/scroll', { scroll_id: scrolled.json._scroll_id });
    const pit = (await server.call('POST', '/foods/_pit?keep_alive=1m')).json.id;
    expect(
      idsOf(await server.call('POST', '/_search', { query: LIKE_0, pit: { id: pit } })),
    ).toEqual(['1']);
    await server.call('DELETE', '/_pit', { id: pit });
  });

  test('in a deletion by query', async () => {
    await bulk(server, '/gone/_bulk?refresh=true', [
      '{"index":{"_id":"a"}}',
      '{"t":"red fox"}',
      '{"index":{"_id":"b"}}',
      '{"t":"red dog"}',
    ]);
    const query = alike({ like: { _id: 'a' } });
    const { json } = await server.call('POST', '/gone/_delete_by_query?refresh=true', { query });
    expect(json.deleted).toBe(1);
    expect(await search({ match_all: {} }, 'gone')).toEqual(['a']);
  });

  test('behind an alias with a filter, which hides examples and counts', async () => {
    expect(await search(LIKE_0, 'whole')).toEqual(['1']);
    expect(await search(LIKE_0, 'few')).toEqual(['1']);
    const hidden = alike({ like: { _id: '3' }, include: true });
    expect(await search(hidden, 'whole')).toEqual(['3']);
    expect(await search(hidden, 'few')).toEqual([]);
    expect(await search(alike({ like: { _index: 'few', _id: '3' } }), 'foods')).toEqual([]);
    // Of the documents with cake, the alias shows all, and of those with apple, too.
    const frequent = alike({ like: 'plum cake', min_doc_freq: 2 });
    expect(await search(frequent, 'few')).toEqual(expect.arrayContaining(['1', '2']));
    expect(await search(alike({ like: 'plum', min_doc_freq: 1 }), 'few')).toEqual([]);
  });
});

describe('is refused', () => {
  test.each<[string, object, string]>([
    [
      'inside nested',
      { nested: { path: 'list', query: LIKE_0 } },
      'is not supported inside [nested]',
    ],
    [
      'on a nested field',
      alike({ like: 'x', fields: ['list.t'] }),
      'field [list.t] is inside the nested object [list]',
    ],
    [
      'on a number',
      alike({ like: 'x', fields: ['n'] }),
      'more_like_this only supports text/keyword fields: [n]',
    ],
    ['without a field for texts', { more_like_this: { like: 'x' } }, 'cannot infer the field'],
    [
      'on a field that is not mapped',
      alike({ like: 'x', fields: ['none'] }),
      'no searched index has the field [none], whose analyzer the texts need',
    ],
    ['with an unknown analyzer', alike({ like: 'x', analyzer: 'nope' }), 'analyzer [nope]'],
    [
      'in a wrapper',
      { wrapper: { query: Buffer.from(JSON.stringify(LIKE_0)).toString('base64') } },
      'is not supported in the filter of an alias, in [wrapper]',
    ],
    [
      'too often',
      { bool: { should: Array(17).fill(LIKE_0) } },
      '[more_like_this] clauses of a search has [17] entries, more than [16]',
    ],
  ])('%s', async (_where, query, reason) => {
    const [status, words] = await refusal(query);
    expect([status, words]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('with more terms than can be looked up', async () => {
    const words = (from: number): string =>
      Array.from({ length: 30_000 }, (_, at) => `w${from + at}`).join(' ');
    const like = [{ doc: { t: words(0) } }, { doc: { t: words(30_000) } }];
    const [status, reason] = await refusal(alike({ like }));
    expect([status, reason]).toEqual([400, expect.stringContaining('more than [50000]')]);
  });

  test('as the filter of an alias', async () => {
    const actions = [{ add: { index: 'foods', alias: 'wrong', filter: LIKE_0 } }];
    const { status, text } = await server.call('POST', '/_aliases', { actions });
    expect([status, text]).toEqual([400, expect.stringContaining('in the filter of an alias')]);
  });

  test('not where unsupported fields are left out', async () => {
    const clause = { like: 'apple', fields: ['n', 't'], fail_on_unsupported_field: false };
    expect(await search(alike(clause))).toHaveLength(2);
    expect(await search(alike({ ...clause, fields: ['n'] }))).toEqual([]);
  });
});
