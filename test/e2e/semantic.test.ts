// The semantic clause over HTTP, on one shard and on three: as the whole query, inside others, and
// as a list of a hybrid query.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const TEXTS = [
  'a hungry dog chased the ball across the green park',
  'the dog sleeps in the park',
  'investors sold technology shares amid rising interest rates',
  'central banks raised interest rates again',
  'a ball of wool for the cat',
  'rates of growth in the park of forests',
];

let server: TestServer;

interface Hit {
  readonly _id: string;
  readonly _index: string;
  readonly _score: number;
}

beforeAll(async () => {
  server = await startServer();
  const properties = {
    body: { type: 'semantic_text' },
    title: { type: 'text', fields: { meaning: { type: 'semantic_text' } } },
    n: { type: 'integer' },
  };
  const lines = TEXTS.flatMap((text, i) => [
    JSON.stringify({ index: { _id: String(i) } }),
    JSON.stringify({ body: text, title: text, n: i }),
  ]);
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    const settings = { number_of_shards: shards };
    const made = await server.call('PUT', `/${index}`, { settings, mappings: { properties } });
    expect(made.status, made.text).toBe(200);
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
  }
});
afterAll(async () => {
  await server?.stop();
});

const like = { field: 'body', query: 'a hungry dog chases a green ball' };

async function search(index: string, body: object) {
  const reply = await server.call('POST', `/${index}/_search`, { _source: false, ...body });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}
const hitsOf = async (index: string, body: object): Promise<readonly Hit[]> =>
  (await search(index, body)).hits.hits;
const ids = (hits: readonly Hit[]) => hits.map(({ _id }) => _id);
const outline = (hits: readonly Hit[]) => hits.map(({ _id, _score }) => [_id, _score]);

describe.each(['one', 'three'])('over %s shard(s)', (index) => {
  test('finds the k nearest, however many are shown', async () => {
    const { hits } = await search(index, { query: { semantic: { ...like, k: 4 } }, size: 1 });
    expect(hits.total).toEqual({ value: 4, relation: 'eq' });
    expect(ids(hits.hits)).toEqual(['0']);
    expect(hits.max_score).toBe(hits.hits[0]._score);
    const all = await search(index, { query: { semantic: { ...like, k: 100 } }, size: 3 });
    expect(all.hits.total).toEqual({ value: TEXTS.length, relation: 'eq' });
    expect(all.hits.hits).toHaveLength(3);
  });

  test('scores are those of one shard, best first', async () => {
    const here = await hitsOf(index, { query: { semantic: like } });
    expect(outline(here)).toEqual(outline(await hitsOf('one', { query: { semantic: like } })));
    const scores = here.map(({ _score }) => _score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
  });

  test('a filter comes before the neighbours are chosen', async () => {
    const filter = { range: { n: { gte: 2 } } };
    const hits = await hitsOf(index, { query: { semantic: { ...like, k: 2, filter } } });
    const all = await hitsOf(index, { query: { semantic: like } });
    expect(outline(hits)).toEqual(
      outline(all)
        .filter(([id]) => Number(id) >= 2)
        .slice(0, 2),
    );
  });

  test('a boost multiplies', async () => {
    const plain = await hitsOf(index, { query: { semantic: like } });
    const boosted = await hitsOf(index, { query: { semantic: { ...like, boost: 2 } } });
    expect(ids(boosted)).toEqual(ids(plain));
    for (const [i, { _score }] of boosted.entries()) {
      expect(_score).toBeCloseTo(2 * (plain[i]?._score ?? 0), 6);
    }
  });

  test('inside another query the neighbours are those of all shards', async () => {
    const clause = { semantic: { ...like, k: 3, _name: 'near' } };
    const near = await hitsOf(index, { query: clause });
    const query = { bool: { must: [{ match_all: { boost: 0 } }], filter: [], should: [clause] } };
    const { hits } = await search(index, { query, size: 10 });
    expect(hits.total.value).toBe(TEXTS.length);
    expect(outline(hits.hits.slice(0, 3))).toEqual(outline(near));
    const named = hits.hits.filter((hit: { matched_queries?: unknown }) => hit.matched_queries);
    expect(named).toHaveLength(3);
  });

  test('counts its neighbours', async () => {
    const query = { semantic: { ...like, k: 2 } };
    expect((await server.call('POST', `/${index}/_count`, { query })).json.count).toBe(2);
  });

  test('is a list of a hybrid query', async () => {
    const queries = [
      { query: { match: { title: 'interest' } } },
      { query: { semantic: { ...like, k: 2 } }, weight: 2 },
    ];
    const { hits } = await search(index, { query: { hybrid: { queries } } });
    expect(hits.total).toEqual({ value: 4, relation: 'eq' });
    expect(hits.hits[0]).toMatchObject({ _id: '0', _score: 2 / 61 });
    const linear = await search(index, { query: { hybrid: { queries, fusion: 'linear' } } });
    expect(linear.hits.hits[0]).toMatchObject({ _id: '0', _score: 2 });
  });

  test('stands in a retriever', async () => {
    const retriever = { standard: { query: { semantic: like } } };
    expect(await hitsOf(index, { retriever })).toEqual(
      await hitsOf(index, { query: { semantic: like } }),
    );
    const rrf = { rrf: { retrievers: [retriever, { standard: { query: { match_all: {} } } }] } };
    expect((await hitsOf(index, { retriever: rrf })).length).toBe(TEXTS.length);
  });

  test('knows multi-fields', async () => {
    const semantic = { ...like, field: 'title.meaning' };
    expect(outline(await hitsOf(index, { query: { semantic } }))).toEqual(
      outline(await hitsOf(index, { query: { semantic: like } })),
    );
  });

  test('a text without words that mean something finds nothing', async () => {
    const { hits } = await search(index, { query: { semantic: { ...like, query: '?! …' } } });
    expect(hits).toMatchObject({ total: { value: 0, relation: 'eq' }, hits: [], max_score: null });
  });

  test('a field that no mapping knows matches nothing', async () => {
    const semantic = { ...like, field: 'nosuch' };
    expect(await hitsOf(index, { query: { semantic } })).toEqual([]);
  });
});

test('over two indexes k counts for both, aliases let their own through', async () => {
  const semantic = { ...like, k: 3 };
  const hits = await hitsOf('one,three', { query: { semantic } });
  expect(hits).toHaveLength(3);
  expect(hits.slice(0, 2).map(({ _index, _id }) => [_index, _id])).toEqual([
    ['one', '0'],
    ['three', '0'],
  ]);
  await server.call('PUT', '/one/_alias/late', { filter: { range: { n: { gte: 2 } } } });
  const late = await hitsOf('late', { query: { semantic } });
  expect(late).toHaveLength(3);
  expect(late.every(({ _id }) => Number(_id) >= 2)).toBe(true);
});

test('explains its score', async () => {
  const query = { semantic: { ...like, k: 2 } };
  const [hit] = (await search('one', { query, explain: true })).hits.hits;
  expect(hit._explanation.value).toBeCloseTo(hit._score, 6);
});
