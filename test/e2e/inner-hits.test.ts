// Inner hits of nested documents: those of one shard are JSON that the core writes, those of several
// are written by the coordinator. Both show the same.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const SHARDS: Readonly<Record<string, number>> = { one: 1, three: 3 };
const DOCS = 24;

const MAPPINGS = {
  properties: {
    n: { type: 'integer' },
    tag: { type: 'keyword' },
    title: { type: 'text' },
    c: {
      type: 'nested',
      properties: {
        who: { type: 'keyword' },
        stars: { type: 'integer' },
        price: { type: 'double' },
        text: { type: 'text' },
        r: { type: 'nested', properties: { who: { type: 'keyword' } } },
      },
    },
  },
};

interface Inner {
  readonly hits: {
    readonly total: unknown;
    readonly max_score: number | null;
    readonly hits: readonly Hit[];
  };
}
interface Hit {
  readonly _id: string;
  readonly _index: string;
  readonly _nested?: { readonly offset: number };
  readonly sort?: readonly unknown[];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly _explanation?: unknown;
  readonly _shard?: string;
  readonly _node?: string;
  readonly inner_hits?: Readonly<Record<string, Inner>>;
}

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  const lines: string[] = [];
  for (let n = 0; n < DOCS; n++) {
    const c = Array.from({ length: n % 5 }, (_, i) => ({
      who: `w${i % 3}`,
      stars: (n * 7 + i * 3) % 5,
      price: n + i / 2,
      text: i % 2 === 0 ? 'a quick fox' : 'a dog',
      r: i === 1 ? [{ who: 'w0' }, { who: 'w1' }] : [],
    }));
    lines.push(JSON.stringify({ index: { _id: `d${n}` } }));
    lines.push(JSON.stringify({ n, tag: `t${n % 4}`, title: 'same', c }));
  }
  for (const [index, shards] of Object.entries(SHARDS)) {
    const settings = { number_of_shards: shards, refresh_interval: '-1' };
    await server.call('PUT', `/${index}`, { settings, mappings: MAPPINGS });
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
    await server.call('DELETE', `/${index}/_doc/d4`);
    await server.call('POST', `/${index}/_refresh`);
  }
});
afterAll(() => server?.stop());

const nested = (query: object, innerHits: object, path = 'c'): object => ({
  constant_score: { filter: { nested: { path, query, inner_hits: innerHits } } },
});
const ALL = { match_all: {} };

async function search(index: string, body: object, params = ''): Promise<readonly Hit[]> {
  const reply = await server.call('POST', `/${index}/_search?size=30${params}`, {
    sort: ['n'],
    ...body,
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.hits.hits;
}

/** The hits without what differs between indexes. */
function shown(hits: readonly Hit[], index: string): unknown {
  const text = JSON.stringify(hits)
    .replaceAll(`"${index}"`, '"index"')
    .replace(/"_shard":"[^"]*",/g, '');
  return JSON.parse(text);
}

const REQUESTS: Readonly<Record<string, object>> = {
  'all of a path': { query: nested(ALL, {}) },
  'a page of them': { query: nested(ALL, { from: 1, size: 2, sort: [{ 'c.stars': 'desc' }] }) },
  'none, only their number': { query: nested(ALL, { size: 0 }) },
  'two definitions': {
    query: {
      bool: {
        filter: [
          { nested: { path: 'c', query: ALL, inner_hits: { name: 'a', size: 1 } } },
          {
            nested: {
              path: 'c',
              query: { term: { 'c.who': 'w1' } },
              inner_hits: { name: 'b"', sort: ['c.price'] },
            },
          },
        ],
      },
    },
  },
  'inside inner hits': {
    query: nested({ bool: { should: [nested(ALL, { size: 1, from: 1 }, 'c.r')] } }, {}),
  },
  'what each shows': {
    query: nested(
      { match: { 'c.text': 'fox' } },
      {
        _source: ['c.who'],
        fields: ['c.stars'],
        docvalue_fields: ['c.price'],
        highlight: { fields: { 'c.text': {} } },
        version: true,
        sort: [{ 'c.price': { order: 'desc' } }],
      },
    ),
  },
  'scores beside an order': {
    query: nested(ALL, { sort: ['_score', 'c.stars'] }),
  },
  'all scores': { query: nested(ALL, { sort: ['c.stars'], track_scores: true }) },
  'formatted numbers': {
    query: nested(ALL, { docvalue_fields: [{ field: 'c.price', format: '0.00' }] }),
  },
  'without ids': { query: nested(ALL, { stored_fields: '_none_' }) },
  explained: { query: nested(ALL, { explain: true }) },
  'named clauses': { query: nested({ term: { 'c.who': { value: 'w0', _name: 'zero' } } }, {}) },
};

describe('one shard and several show the same', () => {
  test.each(Object.entries(REQUESTS))('%s', async (_, body) => {
    const [one, three] = await Promise.all(
      Object.keys(SHARDS).map(async (index) => shown(await search(index, body), index)),
    );
    expect(three).toEqual(one);
    expect(JSON.stringify(one)).toContain('inner_hits');
  });

  test('totals as integers', async () => {
    for (const index of Object.keys(SHARDS)) {
      const body = { query: nested(ALL, {}), track_total_hits: true };
      const [first] = await search(index, body, '&rest_total_hits_as_int=true');
      expect(first?.inner_hits?.['c']?.hits.total).toBe(1);
      const line = JSON.stringify({ ...body, sort: ['n'] });
      const { json } = await server.call(
        'POST',
        `/${index}/_msearch?rest_total_hits_as_int=true`,
        `{}\n${line}\n`,
      );
      expect(json.responses[0].hits.hits[0].inner_hits.c.hits.total).toBe(1);
    }
  });
});

test('hits show the page of their own nested documents, in its order', async () => {
  const body = { query: nested(ALL, { from: 1, size: 2, sort: [{ 'c.stars': 'desc' }] }) };
  const hits = await search('one', body);
  expect(hits.map(({ _id }) => _id)).not.toContain('d4');
  for (const { _id, inner_hits: inner } of hits) {
    const n = Number(_id.slice(1));
    const stars = Array.from({ length: n % 5 }, (_, i) => ({ i, stars: (n * 7 + i * 3) % 5 }));
    const ordered = stars.sort((a, b) => b.stars - a.stars || a.i - b.i).slice(1, 3);
    const found = inner?.['c']?.hits;
    expect(found?.total).toEqual({ value: n % 5, relation: 'eq' });
    expect(found?.hits.map(({ _nested }) => _nested?.offset)).toEqual(ordered.map(({ i }) => i));
    expect(found?.hits.map(({ sort }) => sort)).toEqual(ordered.map((one) => [one.stars]));
  }
});

test('explanations name the shard and the node', async () => {
  const [first] = await search('one', { query: nested(ALL, { explain: true }) });
  const inner = first?.inner_hits?.['c']?.hits.hits[0];
  expect(inner?._shard).toBe('[one][0]');
  expect(inner?._node).toMatch(/./);
  expect(inner?._explanation).toMatchObject({ value: 1 });
});

test('fused lists and groups show them, top_hits do not', async () => {
  const query = nested(ALL, { size: 1 });
  for (const index of Object.keys(SHARDS)) {
    const fused = await server.call('POST', `/${index}/_search`, {
      retriever: {
        rrf: {
          retrievers: [
            { standard: { query } },
            { standard: { query: { match: { title: 'same' } } } },
          ],
        },
      },
    });
    const withChildren = fused.json.hits.hits.filter((hit: Hit) => Number(hit._id.slice(1)) % 5);
    expect(withChildren.length).toBeGreaterThan(0);
    for (const hit of withChildren) expect(hit.inner_hits.c.hits.hits).toHaveLength(1);

    const collapse = { field: 'tag', inner_hits: { name: 'group', size: 2 } };
    const groups = await search(index, { query, collapse });
    expect(groups).toHaveLength(4);
    for (const { inner_hits: inner } of groups) {
      expect(Object.keys(inner ?? {})).toEqual(['group', 'c']);
      expect(inner?.['group']?.hits.hits[0]?.inner_hits?.['c']?.hits.hits).toHaveLength(1);
    }

    const { json } = await server.call('POST', `/${index}/_search`, {
      query,
      size: 0,
      aggs: { top: { top_hits: { size: 2 } } },
    });
    for (const hit of json.aggregations.top.hits.hits) expect(hit).not.toHaveProperty('inner_hits');
  }
});

test('a wrong inner search is an error of the search', async () => {
  for (const index of Object.keys(SHARDS)) {
    const reply = await server.call('POST', `/${index}/_search`, {
      query: nested(ALL, { docvalue_fields: ['c.text'] }),
    });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('c.text');
  }
});
