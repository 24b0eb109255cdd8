// Searches with fused lists over HTTP, on one shard and on three: the options of a hybrid query,
// and its page, total and explanation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const DOCS = 200;
let server: TestServer;

interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number;
  readonly sort?: readonly number[];
}

beforeAll(async () => {
  server = await startServer();
  const properties = {
    text: { type: 'text' },
    n: { type: 'integer' },
    even: { type: 'boolean' },
    v: { type: 'dense_vector', dims: 2 },
  };
  const lines = Array.from({ length: DOCS }, (_, i) => [
    JSON.stringify({ index: { _id: String(i) } }),
    // Longer texts have lower scores: no two of the first hundred have equal scores for "red".
    JSON.stringify({
      text: i < 100 ? `red${' red'.repeat(i % 4)} ${'word '.repeat(i)}` : 'blue',
      n: i % 10,
      even: i % 2 === 0,
      v: [Math.cos(i / 100), Math.sin(i / 100)],
    }),
  ]).flat();
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    const settings = { number_of_shards: shards };
    await server.call('PUT', `/${index}`, { settings, mappings: { properties } });
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
  }
});
afterAll(async () => {
  await server?.stop();
});

const red = { match: { text: 'red' } };
const near = { knn: { field: 'v', query_vector: [1, 0], k: 20 } };
const hybrid = { queries: [{ query: red }, { query: near, weight: 0.5 }] };

async function search(index: string, body: object) {
  const reply = await server.call('POST', `/${index}/_search`, { _source: false, ...body });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}
const hitsOf = async (index: string, body: object): Promise<readonly Hit[]> =>
  (await search(index, body)).hits.hits;
const ids = (hits: readonly Hit[]) => hits.map(({ _id }) => _id);

describe.each(['one', 'three'])('over %s shard(s)', (index) => {
  test('lists end at fifty, and the total says so', async () => {
    const { hits } = await search(index, { query: { hybrid } });
    expect(hits.total.relation).toBe('gte');
    expect(hits.total.value).toBeGreaterThanOrEqual(50);
    expect(hits.total.value).toBeLessThanOrEqual(70);
    expect(hits.max_score).toBe(hits.hits[0]._score);
  });

  test('a total that is asked for counts what the lists leave out', async () => {
    const total = async (track: unknown) =>
      (await search(index, { query: { hybrid }, track_total_hits: track })).hits.total;
    // The hundred red documents; the twenty nearest vectors are among them.
    expect(await total(true)).toEqual({ value: 100, relation: 'eq' });
    expect(await total(80)).toEqual({ value: 80, relation: 'gte' });
    expect(await total(5)).toEqual({ value: 5, relation: 'gte' });
    expect(await total(false)).toBeUndefined();
  });

  test('a list of weight 0 does not count towards the total', async () => {
    const queries = [{ query: near }, { query: red, weight: 0 }];
    const { hits } = await search(index, {
      query: { hybrid: { queries } },
      track_total_hits: true,
    });
    expect(hits.total).toEqual({ value: 20, relation: 'eq' });
  });

  test('neighbours are the k of all shards', async () => {
    const queries = [{ query: near }];
    const { hits } = await search(index, { query: { hybrid: { queries } }, size: 100 });
    expect(hits.total).toEqual({ value: 20, relation: 'eq' });
    expect(ids(hits.hits)).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
  });

  test('neighbours inside another query are those of all shards, too', async () => {
    const query = { bool: { must: [near], filter: [{ term: { even: true } }] } };
    const queries = [{ query }, { query: near }];
    const { hits } = await search(index, { query: { hybrid: { queries } }, size: 100 });
    expect(hits.total.value).toBe(20);
    const alone = await search(index, { query });
    expect(alone.hits.total.value).toBe(10);
  });

  test('pages follow each other', async () => {
    const whole = ids(await hitsOf(index, { query: { hybrid }, size: 50 }));
    const pages: string[] = [];
    for (let from = 0; from < 50; from += 5) {
      pages.push(...ids(await hitsOf(index, { query: { hybrid }, from, size: 5 })));
    }
    expect(pages).toEqual(whole);
    expect(await hitsOf(index, { query: { hybrid }, from: 900 })).toEqual([]);
    expect((await search(index, { query: { hybrid }, size: 0 })).hits).toMatchObject({
      max_score: null,
      hits: [],
    });
  });

  test('sort orders the fused documents, scores stay theirs', async () => {
    const fused = await hitsOf(index, { query: { hybrid }, size: 100 });
    const sorted = await hitsOf(index, {
      query: { hybrid },
      size: 100,
      sort: [{ n: 'desc' }, '_score'],
    });
    const scores = new Map(fused.map(({ _id, _score }) => [_id, _score]));
    expect(sorted.map(({ _id, _score }) => [_id, _score])).toEqual(
      sorted.map(({ _id }) => [_id, scores.get(_id)]),
    );
    expect(ids(sorted).sort()).toEqual(ids(fused).sort());
    const keys = sorted.map(({ sort = [] }) => sort);
    const compare = (x: readonly number[], y: readonly number[]) =>
      (y[0] ?? 0) - (x[0] ?? 0) || (y[1] ?? 0) - (x[1] ?? 0);
    expect(keys).toEqual([...keys].sort(compare));
  });

  test('a post filter leaves out documents and keeps the places of the others', async () => {
    const all = await hitsOf(index, { query: { hybrid }, size: 100 });
    const { hits } = await search(index, {
      query: { hybrid },
      post_filter: { term: { even: true } },
      size: 100,
    });
    const even = all.filter(({ _id }) => Number(_id) % 2 === 0);
    expect(hits.hits).toEqual(even);
    expect(hits.total).toEqual({ value: even.length, relation: 'eq' });
  });

  test('min_score is about fused scores', async () => {
    const all = await hitsOf(index, { query: { hybrid }, size: 100 });
    const least = all[9]?._score ?? 0;
    const { hits } = await search(index, { query: { hybrid }, min_score: least, size: 100 });
    expect(hits.hits).toEqual(all.filter(({ _score }) => _score >= least));
    expect(hits.total.value).toBe(hits.hits.length);
  });

  test('filter comes before neighbours are chosen', async () => {
    const queries = [{ query: near }];
    const body = { query: { hybrid: { queries, filter: { term: { even: true } } } }, size: 100 };
    expect(ids(await hitsOf(index, body))).toEqual(
      Array.from({ length: 20 }, (_, i) => String(2 * i)),
    );
  });

  test('a boost moves no place in its list', async () => {
    const of = (boost: number) => {
      const queries = [{ query: { match: { text: { query: 'red', boost } } } }, { query: near }];
      return hitsOf(index, { query: { hybrid: { queries, fusion: 'linear' } }, size: 40 });
    };
    const plain = await of(1);
    const boosted = await of(1e37);
    expect(ids(boosted)).toEqual(ids(plain));
    for (const [i, { _score }] of boosted.entries()) {
      expect(_score).toBeCloseTo(plain[i]?._score ?? 0, 5);
    }
  });

  test('an explanation adds up', async () => {
    const [hit] = (await search(index, { query: { hybrid }, size: 1, explain: true })).hits.hits;
    const { value, details } = hit._explanation;
    expect(value).toBe(hit._score);
    expect(details).toHaveLength(2);
    const shares = details.map((one: { value: number }) => one.value);
    expect(Math.abs(shares[0] + shares[1] - value)).toBeLessThan(1e-12);
    for (const [i, one] of details.entries()) {
      expect(one.description).toMatch(`list [${i}]`);
      if (one.value > 0) {
        expect(one.description).toMatch(/rank \[\d+\], score \[[\d.]+\], share/);
        expect(one.details[0].value).toBeGreaterThan(0);
      }
    }
  });

  test('a profile counts the rounds', async () => {
    const reply = await search(index, { query: { hybrid }, sort: ['n'], profile: true });
    const shards = reply.profile.shards;
    expect(shards).toHaveLength(index === 'one' ? 1 : 3);
    for (const { work } of shards) expect(work.phases).toBe(2);
  });

  test('what is deleted is in no list', async () => {
    const before = await hitsOf(index, { query: { hybrid }, size: 100 });
    const [first] = before;
    await server.call('DELETE', `/${index}/_doc/${first?._id}?refresh=true`);
    const after = ids(await hitsOf(index, { query: { hybrid }, size: 100 }));
    expect(after).not.toContain(first?._id);
  });
});

describe('over several indexes', () => {
  test('a document is one of an index', async () => {
    const queries = [{ query: { term: { n: 3 } } }, { query: { term: { even: false } } }];
    const hits = await hitsOf('one,three', { query: { hybrid: { queries } }, size: 200 });
    const keys = hits.map(({ _index, _id }) => `${_index}/${_id}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(hits.map(({ _index }) => _index))).toEqual(new Set(['one', 'three']));
  });

  test('each alias lets its own documents through', async () => {
    const alias = (index: string, n: number) =>
      server.call('PUT', `/${index}/_alias/${index}-${n}`, { filter: { term: { n } } });
    await alias('one', 3);
    await alias('three', 4);
    const hits = (await search('one-3,three-4', { query: { hybrid }, size: 100, fields: ['n'] }))
      .hits.hits;
    expect(hits.length).toBeGreaterThan(10);
    for (const { _index, fields } of hits) expect(fields.n).toEqual([_index === 'one' ? 3 : 4]);
  });

  test('each alias explains its own', async () => {
    const named = { match: { text: { query: 'red', _name: 'words' } } };
    const queries = [{ query: named }, { query: near }];
    const body = { query: { hybrid: { queries } }, size: 100, explain: true };
    const { hits } = await search('one-3,three-4', body);
    expect(new Set(hits.hits.map(({ _index }: Hit) => _index)).size).toBe(2);
    for (const hit of hits.hits) {
      const [words] = hit._explanation.details;
      // Texts of the second hundred are blue.
      const red = Number(hit._id) < 100;
      expect(hit.matched_queries).toEqual(red ? ['words'] : undefined);
      expect(words.details.map(({ value }: { value: number }) => value > 0)).toEqual(
        red ? [true] : [],
      );
    }
  });

  test('an index without documents changes nothing', async () => {
    await server.call('PUT', '/empty', { mappings: { properties: { n: { type: 'integer' } } } });
    const body = { query: { hybrid }, size: 100 };
    expect(await hitsOf('one,empty', body)).toEqual(await hitsOf('one', body));
    expect(await hitsOf('empty', body)).toEqual([]);
  });
});

test('many searches at once answer as one does', async () => {
  const body = { query: { hybrid: { ...hybrid, fusion: 'linear' } } };
  const expected = await hitsOf('three', body);
  const all = await Promise.all(Array.from({ length: 20 }, () => hitsOf('three', body)));
  for (const hits of all) expect(hits).toEqual(expected);
});

describe('pages are windows of one ranking', () => {
  const RED = { match: { text: 'red' } };
  const NEAR = { knn: { field: 'v', query_vector: [0, 1], k: 120 } };
  const BLUE = { function_score: { query: { match_all: {} }, field_value_factor: { field: 'n' } } };
  const ranks = ({ json }: { json: { hits: { hits: readonly Hit[] } } }) =>
    json.hits.hits.map(({ _id, _score }) => [_id, _score]);
  const queries = (...all: object[]) => all.map((query, i) => ({ query, weight: 1 + i }));

  test.each<[string, object]>([
    ['rrf', { query: { hybrid: { queries: queries(RED, BLUE) } } }],
    ['linear', { query: { hybrid: { queries: queries(RED, BLUE), fusion: 'linear' } } }],
    ['rrf with neighbours', { query: { hybrid: { queries: queries(RED, NEAR) } } }],
    [
      'a post filter',
      { query: { hybrid: { queries: queries(RED, BLUE) } }, post_filter: { term: { even: true } } },
    ],
    [
      'a retriever',
      {
        retriever: {
          rrf: { retrievers: [{ standard: { query: RED } }, { standard: { query: BLUE } }] },
        },
      },
    ],
    [
      'nested retrievers',
      {
        retriever: {
          linear: {
            normalizer: 'minmax',
            retrievers: [
              { retriever: { standard: { query: BLUE } }, weight: 2 },
              {
                retriever: {
                  rrf: {
                    retrievers: [{ standard: { query: RED } }, { standard: { query: BLUE } }],
                  },
                },
              },
            ],
          },
        },
      },
    ],
  ])('of %s', async (_name, body) => {
    for (const index of ['one', 'three']) {
      const search = (from: number, size: number) =>
        server.call('POST', `/${index}/_search`, { ...body, from, size, _source: false });
      const long = ranks(await search(0, 160));
      expect(long.length).toBeGreaterThan(80);
      const scores = long.map(([, score]) => Number(score));
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const [from, size] of [
        [0, 10],
        [10, 10],
        [45, 10],
        [60, 20],
        [140, 20],
      ] as const) {
        expect(ranks(await search(from, size))).toEqual(long.slice(from, from + size));
      }
    }
  });

  test('of another order as well', async () => {
    const body = {
      query: { hybrid: { queries: queries(RED, BLUE) } },
      sort: [{ n: 'desc' }, '_doc'],
    };
    const search = (from: number, size: number) =>
      server.call('POST', '/one/_search', { ...body, from, size, _source: false });
    const long = ranks(await search(0, 150));
    expect(ranks(await search(30, 20))).toEqual(long.slice(30, 50));
    expect(ranks(await search(70, 20))).toEqual(long.slice(70, 90));
  });
});
