// Laws of fused lists through the engine, over random documents and lists: a hybrid search is equal
// to a naive reference over the results of its queries, each sent alone; the order of the queries
// is irrelevant, a weight of 0 removes a list, a single list keeps its order, pages are pieces of
// one list, and the number of shards is irrelevant.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 60 : 25));
const DOCS = 120;
const PATIENCE_MS = 120_000;
const INDEXES = ['one', 'three'];
const WORDS = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox'];

let server: TestServer;

interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number;
}
interface List {
  readonly query: object;
  readonly weight: number;
}
type Fusion = 'rrf' | 'linear';

/** Repeatable, and without a pattern in common with ids. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

beforeAll(async () => {
  server = await startServer();
  const next = random(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const properties = {
    text: { type: 'text' },
    kind: { type: 'keyword' },
    rank: { type: 'integer' },
    v: { type: 'dense_vector', dims: 3 },
  };
  const lines: string[] = [];
  for (let i = 0; i < DOCS; i++) {
    // In another order than the ids, so that ties by id and by insertion differ.
    lines.push(JSON.stringify({ index: { _id: `d${(i * 37) % DOCS}` } }));
    const words = Array.from({ length: 1 + Math.floor(next() * 5) }, () => pick(WORDS));
    const v = [next() - 0.5, next() - 0.5, next() + 0.1];
    const doc = { text: words.join(' '), kind: pick(['x', 'y']), rank: i % 7, v };
    lines.push(JSON.stringify(doc));
  }
  for (const [i, index] of INDEXES.entries()) {
    const settings = { number_of_shards: 1 + 2 * i };
    await server.call('PUT', `/${index}`, { settings, mappings: { properties } });
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
  }
}, PATIENCE_MS);
afterAll(async () => {
  await server?.stop();
});

async function search(index: string, body: object): Promise<readonly Hit[]> {
  const reply = await server.call('POST', `/${index}/_search`, { _source: false, ...body });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.hits.hits;
}

function hybrid(index: string, lists: readonly List[], fusion: Fusion, more: object = {}) {
  return search(index, { query: { hybrid: { queries: lists, fusion } }, size: 200, ...more });
}

const outline = (hits: readonly Hit[]) => hits.map(({ _id, _score }) => [_id, _score]);

interface ListedHits {
  readonly weight: number;
  readonly hits: readonly Pick<Hit, '_id' | '_score'>[];
}

/** The result of each list alone; scores are 32-bit floats. */
function alone(index: string, lists: readonly List[]): Promise<readonly ListedHits[]> {
  return Promise.all(
    lists.map(async ({ query, weight }) => {
      const hits = weight === 0 ? [] : await search(index, { query, size: 200 });
      return {
        weight,
        hits: hits.map(({ _id, _score }) => ({ _id, _score: Math.fround(_score) })),
      };
    }),
  );
}

/**
 * Hits of each list that are added up; below them the best rank counts if it is more than the sum.
 */
const WINDOW = 50;

/** By the definitions, one document at a time: best score, then best rank, then id. */
function reference(
  found: readonly ListedHits[],
  fusion: Fusion,
  window = WINDOW,
): readonly Pick<Hit, '_id' | '_score'>[] {
  const counting = found.filter(({ weight }) => weight > 0);
  const ids = new Set(counting.flatMap(({ hits }) => hits.map(({ _id }) => _id)));
  const rows = [...ids].map((id) => {
    const ranks = counting.map(({ hits }) => hits.findIndex(({ _id }) => _id === id));
    const shares = counting.map(({ hits, weight }, i) =>
      share(
        hits.map(({ _score }) => _score),
        ranks[i] ?? -1,
        weight,
        fusion,
        window,
      ),
    );
    const adding = shares.filter((_, i) => (ranks[i] ?? 0) < window);
    const sum = adding.sort((a, b) => a - b).reduce((total, one) => total + one, 0);
    const score = Math.max(sum, ...shares.filter((_, i) => (ranks[i] ?? 0) >= window));
    return { id, score, best: Math.min(...ranks.filter((rank) => rank >= 0)) };
  });
  rows.sort((a, b) => b.score - a.score || a.best - b.best || (a.id < b.id ? -1 : 1));
  return rows.map(({ id, score }) => ({ _id: id, _score: score }));
}

function expectSame(
  actual: readonly Hit[],
  expected: readonly Pick<Hit, '_id' | '_score'>[],
): void {
  expect(actual.map(({ _id }) => _id)).toEqual(expected.map(({ _id }) => _id));
  for (const [i, { _score }] of actual.entries()) {
    expect(Math.abs(_score - (expected[i]?._score ?? Number.NaN))).toBeLessThan(1e-9);
  }
}

function share(
  scores: readonly number[],
  rank: number,
  weight: number,
  fusion: Fusion,
  window: number,
): number {
  if (rank < 0) return 0;
  if (fusion === 'rrf') return weight / (61 + rank);
  const low = Math.min(...scores.slice(0, window));
  const high = Math.max(...scores.slice(0, window));
  const score = scores[rank] ?? 0;
  if (low === high) return score < low ? 0 : weight;
  return weight * Math.max(0, (score - low) / (high - low));
}

const query: fc.Arbitrary<object> = fc.oneof(
  fc.constantFrom(...WORDS).map((word) => ({ match: { text: word } })),
  fc
    .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS))
    .map(([a, b]) => ({ match: { text: `${a} ${b}` } })),
  fc.constantFrom('x', 'y', 'z').map((kind) => ({ term: { kind } })),
  fc
    .record({ k: fc.integer({ min: 1, max: 30 }), at: fc.integer({ min: -3, max: 3 }) })
    .map(({ k, at }) => ({ knn: { field: 'v', query_vector: [at, 1, 0.5], k } })),
  fc
    .record({ k: fc.integer({ min: 1, max: 9 }), word: fc.constantFrom(...WORDS) })
    .map(({ k, word }) => ({
      bool: {
        should: [{ match: { text: word } }, { knn: { field: 'v', query_vector: [1, 0, 0], k } }],
      },
    })),
);
const weight = fc.constantFrom(0, 0.3, 0.5, 1, 2);
const lists = fc.array(fc.record({ query, weight }), { minLength: 1, maxLength: 4 });
const index = fc.constantFrom(...INDEXES);
const fusion = fc.constantFrom<Fusion>('rrf', 'linear');

function law(name: string, check: () => Promise<void>): void {
  test(name, check, PATIENCE_MS);
}

describe('a hybrid search', () => {
  law('is what a plain reference makes of its lists', () =>
    fc.assert(
      fc.asyncProperty(index, lists, fusion, async (where, given, by) => {
        expectSame(await hybrid(where, given, by), reference(await alone(where, given), by));
      }),
      { numRuns: RUNS },
    ),
  );

  law('does not depend on the order of its queries', () =>
    fc.assert(
      fc.asyncProperty(index, lists, fusion, async (where, given, by) => {
        const turned = await hybrid(where, [...given].reverse(), by);
        expect(outline(turned)).toEqual(outline(await hybrid(where, given, by)));
      }),
      { numRuns: RUNS },
    ),
  );

  law('is the same without a list of weight 0', () =>
    fc.assert(
      fc.asyncProperty(index, lists, query, fusion, async (where, given, extra, by) => {
        const more = await hybrid(where, [...given, { query: extra, weight: 0 }], by);
        expect(outline(more)).toEqual(outline(await hybrid(where, given, by)));
      }),
      { numRuns: RUNS },
    ),
  );

  law('of one query keeps its order', () =>
    fc.assert(
      fc.asyncProperty(index, query, fusion, async (where, given, by) => {
        const alone = await search(where, { query: given, size: 200 });
        const fused = await hybrid(where, [{ query: given, weight: 0.7 }], by);
        expect(fused.map(({ _id }) => _id)).toEqual(alone.map(({ _id }) => _id));
      }),
      { numRuns: RUNS },
    ),
  );

  law('has pages that are pieces of one list', () =>
    fc.assert(
      fc.asyncProperty(
        index,
        lists,
        fusion,
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 10 }),
        async (where, given, by, from, size) => {
          const whole = await hybrid(where, given, by, { size: 50 });
          const page = await hybrid(where, given, by, { from, size });
          expect(outline(page)).toEqual(outline(whole).slice(from, from + size));
        },
      ),
      { numRuns: RUNS },
    ),
  );

  law('does not depend on the number of shards but for ties in a list', () =>
    fc.assert(
      fc.asyncProperty(lists, fusion, async (given, by) => {
        const tied = async (one: List): Promise<boolean> => {
          const scores = (await search('one', { query: one.query, size: 200 })).map(
            ({ _score }) => _score,
          );
          return new Set(scores).size < scores.length;
        };
        fc.pre(!(await Promise.all(given.map(tied))).some((one) => one));
        const one = await hybrid('one', given, by);
        expect(outline(await hybrid('three', given, by))).toEqual(outline(one));
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    ),
  );
});

/** The fusing retriever of Elasticsearch. */
/** The depth of the retrievers' rankings. */
const RANKS = 200;

function retriever(
  by: Fusion,
  parts: readonly { readonly retriever: object; readonly weight: number }[],
) {
  const normalizer = by === 'linear' ? { normalizer: 'minmax' } : {};
  return { [by]: { retrievers: parts, rank_window_size: RANKS, ...normalizer } };
}
const leaves = (given: readonly List[]) =>
  given.map(({ query: one, weight: of }) => ({
    retriever: { standard: { query: one } },
    weight: of,
  }));

describe('retrievers', () => {
  law('within others are lists of theirs', () =>
    fc.assert(
      fc.asyncProperty(
        index,
        lists,
        lists,
        weight,
        fusion,
        fusion,
        async (where, inner, outer, innerWeight, within, by) => {
          const nested = { retriever: retriever(within, leaves(inner)), weight: innerWeight };
          const actual = await search(where, {
            retriever: retriever(by, [nested, ...leaves(outer)]),
            size: 200,
          });
          const list = reference(await alone(where, inner), within, RANKS);
          const found = [{ weight: innerWeight, hits: list }, ...(await alone(where, outer))];
          expectSame(actual, reference(found, by, RANKS));
        },
      ),
      { numRuns: RUNS },
    ),
  );
});
