// Nested documents compared with a naive reference over the documents: random trees in indexes of
// one, two and five shards, with single objects, nulls and empty lists, updates, deletes, merges
// and a restart.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 80 : 25));
const DOCS = 120;
const PATIENCE_MS = 120_000;
const INDEXES: Readonly<Record<string, number>> = { one: 1, two: 2, five: 5 };

interface Answer {
  readonly who: string;
  readonly n: number;
}
interface Comment {
  readonly who?: string;
  readonly stars?: number | readonly number[];
  readonly r?: Answer | readonly (Answer | null)[] | null;
}
interface Doc {
  readonly tag: string;
  readonly c?: Comment | readonly (Comment | null)[] | null;
}

const MAPPINGS = {
  properties: {
    tag: { type: 'keyword' },
    c: {
      type: 'nested',
      properties: {
        who: { type: 'keyword' },
        stars: { type: 'integer' },
        r: {
          type: 'nested',
          properties: { who: { type: 'keyword' }, n: { type: 'integer' } },
        },
      },
    },
  },
};

let server: TestServer;
const docs = new Map<string, Doc>();

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const next = random(39);
const below = (n: number): number => Math.floor(next() * n);

function some<T>(make: () => T): T | readonly (T | null)[] | null {
  const kind = below(8);
  if (kind === 0) return null;
  if (kind < 3) return make();
  return Array.from({ length: below(4) }, () => (below(9) === 0 ? null : make()));
}

function makeDoc(): Doc {
  const answer = (): Answer => ({ who: `w${below(4)}`, n: below(5) });
  const comment = (): Comment => ({
    ...(below(8) > 0 ? { who: `w${below(4)}` } : {}),
    ...(below(6) > 0 ? { stars: below(5) > 0 ? below(6) : [below(6), below(6)] } : {}),
    ...(below(2) > 0 ? { r: some(answer) } : {}),
  });
  return { tag: `t${below(3)}`, ...(below(6) > 0 ? { c: some(comment) } : {}) };
}

function listOf<T extends object>(
  value: T | readonly (T | null)[] | null | undefined,
): readonly T[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).filter((one): one is T => one !== null);
}
const comments = (doc: Doc): readonly Comment[] => listOf<Comment>(doc.c);
const answers = (comment: Comment): readonly Answer[] => listOf<Answer>(comment.r);
const starsOf = ({ stars = [] }: Comment): readonly number[] =>
  typeof stars === 'number' ? [stars] : stars;

beforeAll(async () => {
  server = await startServer();
  const lines: string[] = [];
  for (let i = 0; i < DOCS; i++) {
    const id = `d${i}`;
    docs.set(id, makeDoc());
    lines.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(docs.get(id)));
  }
  const later: string[] = [];
  for (let i = 0; i < 40; i++) {
    const id = `d${below(DOCS)}`;
    const before = docs.get(id);
    if (i % 3 === 0) {
      docs.delete(id);
      later.push(JSON.stringify({ delete: { _id: id } }));
    } else if (i % 3 === 1 && before !== undefined) {
      // A list: an object would be merged into an object.
      const c = Array.from({ length: below(3) }, () => ({ who: `w${below(4)}`, stars: below(6) }));
      const changed = { c };
      docs.set(id, { ...before, ...changed });
      later.push(JSON.stringify({ update: { _id: id } }), JSON.stringify({ doc: changed }));
    } else {
      docs.set(id, makeDoc());
      later.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(docs.get(id)));
    }
  }
  for (const [index, shards] of Object.entries(INDEXES)) {
    await server.call('PUT', `/${index}`, {
      settings: { number_of_shards: shards, refresh_interval: '-1' },
      mappings: MAPPINGS,
    });
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
    await bulk(server, `/${index}/_bulk?refresh=true`, later);
  }
});
afterAll(() => server?.stop());

/** A query of comments, and what it means. */
interface Condition {
  readonly query: object;
  readonly holds: (comment: Comment) => boolean;
}

const who = fc.integer({ min: 0, max: 4 }).map((n) => `w${n}`);

const answerCondition = fc.record({ by: who, least: fc.integer({ min: 0, max: 5 }) });

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  who.map((name) => ({
    query: { term: { 'c.who': name } },
    holds: (comment: Comment) => comment.who === name,
  })),
  fc.integer({ min: 0, max: 6 }).map((least) => ({
    query: { range: { 'c.stars': { gte: least } } },
    holds: (comment: Comment) => starsOf(comment).some((stars) => stars >= least),
  })),
  fc.constant({ query: { match_all: {} }, holds: () => true }),
  fc.constant({
    query: { exists: { field: 'c.stars' } },
    holds: (comment: Comment) => starsOf(comment).length > 0,
  }),
  answerCondition.map(({ by, least }) => ({
    query: {
      nested: {
        path: 'c.r',
        query: {
          bool: { filter: [{ term: { 'c.r.who': by } }, { range: { 'c.r.n': { gte: least } } }] },
        },
      },
    },
    holds: (comment: Comment) => answers(comment).some((one) => one.who === by && one.n >= least),
  })),
);

const condition: fc.Arbitrary<Condition> = fc.oneof(
  leaf,
  fc.tuple(leaf, leaf).map(([a, b]) => ({
    query: { bool: { filter: [a.query, b.query] } },
    holds: (comment: Comment) => a.holds(comment) && b.holds(comment),
  })),
  fc.tuple(leaf, leaf).map(([a, b]) => ({
    query: { bool: { should: [a.query, b.query] } },
    holds: (comment: Comment) => a.holds(comment) || b.holds(comment),
  })),
  leaf.map((a) => ({
    query: { bool: { must_not: [a.query] } },
    holds: (comment: Comment) => !a.holds(comment),
  })),
);

interface ShownHit {
  readonly _id: string;
  readonly _score: number | null;
  readonly _source?: unknown;
  readonly sort?: readonly unknown[];
  readonly _nested?: { readonly offset: number; readonly _nested?: { readonly offset: number } };
  readonly inner_hits?: Readonly<
    Record<string, { hits: { total: { value: number }; hits: readonly ShownHit[] } }>
  >;
}

async function search(index: string, body: object) {
  const reply = await server.call('POST', `/${index}/_search`, { size: DOCS, ...body });
  expect(reply.status, reply.text).toBe(200);
  return reply.json as {
    readonly hits: {
      readonly total: { readonly value: number };
      readonly hits: readonly ShownHit[];
    };
    // biome-ignore lint/suspicious/noExplicitAny: the tests read answers of many shapes
    readonly aggregations: any;
  };
}

const nested = (query: object, more: object = {}): object => ({
  nested: { path: 'c', query, ...more },
});

function matching({ holds }: Condition): readonly string[] {
  return [...docs]
    .filter(([, doc]) => comments(doc).some(holds))
    .map(([id]) => id)
    .sort();
}

const idsOf = (hits: readonly ShownHit[]): readonly string[] => hits.map(({ _id }) => _id).sort();

async function checkAll(check: (index: string) => Promise<void>): Promise<void> {
  for (const index of Object.keys(INDEXES)) await check(index);
}

const runs = (check: (index: string, one: Condition) => Promise<void>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(condition, (one) => checkAll((index) => check(index, one))),
    { numRuns: RUNS },
  );

function suite(): void {
  test('counts see whole documents alone', async () => {
    await checkAll(async (index) => {
      expect((await server.call('GET', `/${index}/_count`)).json.count).toBe(docs.size);
      expect((await search(index, {})).hits.total.value).toBe(docs.size);
      const { indices } = (await server.call('GET', `/${index}/_stats/docs`)).json;
      let all = docs.size;
      for (const doc of docs.values()) {
        all += comments(doc).reduce((sum, one) => sum + 1 + answers(one).length, 0);
      }
      expect(indices[index].primaries.docs.count).toBe(all);
    });
  });

  test(
    'queries find the documents with a nested document that matches',
    () =>
      runs(async (index, one) => {
        const { hits } = await search(index, { query: nested(one.query), _source: false });
        expect(idsOf(hits.hits)).toEqual(matching(one));
        const none = { bool: { must_not: [nested(one.query)] } };
        const others = await search(index, { query: none, _source: false });
        expect(others.hits.total.value).toBe(docs.size - matching(one).length);
      }),
    PATIENCE_MS,
  );

  test.each(['avg', 'sum', 'max', 'min', 'none'])(
    'scores are joined by %s',
    (mode) =>
      fc.assert(
        fc.asyncProperty(leaf, leaf, async (a, b) => {
          const scored = (one: Condition, boost: number) => ({
            constant_score: { filter: one.query, boost },
          });
          const either = { bool: { should: [scored(a, 1), scored(b, 2)] } };
          await checkAll(async (index) => {
            const { hits } = await search(index, {
              query: nested(either, { score_mode: mode }),
              _source: false,
            });
            for (const { _id, _score } of hits.hits) {
              const scores = comments(docs.get(_id) ?? { tag: '' })
                .map((one) => (a.holds(one) ? 1 : 0) + (b.holds(one) ? 2 : 0))
                .filter((score) => score > 0);
              const sum = scores.reduce((total, score) => total + score, 0);
              const expected = {
                avg: sum / scores.length,
                sum,
                max: Math.max(...scores),
                min: Math.min(...scores),
                none: 0,
              }[mode];
              expect(_score).toBeCloseTo(expected ?? Number.NaN, 4);
            }
          });
        }),
        { numRuns: Math.ceil(RUNS / 3) },
      ),
    PATIENCE_MS,
  );

  test(
    'inner hits are the nested documents that match, with those inside them',
    () =>
      runs(async (index, one) => {
        const inside = {
          nested: { path: 'c.r', query: { match_all: {} }, inner_hits: { size: 9 } },
        };
        const query = nested(
          { bool: { filter: [one.query], should: [inside] } },
          { inner_hits: { size: 9, sort: ['_doc'] } },
        );
        const { hits } = await search(index, { query });
        for (const { _id, inner_hits: inner } of hits.hits) {
          const all = comments(docs.get(_id) ?? { tag: '' });
          const expected = [...all.entries()].filter(([, comment]) => one.holds(comment));
          const found = inner?.['c']?.hits;
          expect(found?.total.value).toBe(expected.length);
          expect(found?.hits.map(({ _nested }) => _nested?.offset)).toEqual(
            expected.map(([at]) => at),
          );
          for (const [i, [, comment]] of expected.entries()) {
            expect(found?.hits[i]?._source).toEqual(comment);
            const replies = found?.hits[i]?.inner_hits?.['c.r']?.hits;
            expect(replies?.hits.map(({ _source }) => _source)).toEqual(answers(comment));
          }
        }
      }),
    PATIENCE_MS,
  );

  test.each([
    ['min', 'asc'],
    ['max', 'desc'],
    ['sum', 'desc'],
    ['avg', 'asc'],
  ])(
    'sorts by the %s of the nested documents that match, %s',
    (mode, order) =>
      runs(async (index, one) => {
        const key = { order, mode, nested: { path: 'c', filter: one.query }, missing: -1 };
        const { hits } = await search(index, { sort: [{ 'c.stars': key }, { tag: 'asc' }] });
        expect(hits.hits.length).toBe(docs.size);
        for (const { _id, sort } of hits.hits) {
          const doc = docs.get(_id) ?? { tag: '' };
          const values = comments(doc).filter(one.holds).flatMap(starsOf);
          const sum = values.reduce((total, value) => total + value, 0);
          const joined = {
            min: Math.min(...values),
            max: Math.max(...values),
            sum,
            avg: Math.floor(sum / values.length + 0.5),
          }[mode];
          expect(sort?.[0]).toBe(values.length === 0 ? -1 : joined);
        }
        const keys = hits.hits.map(({ sort }) => Number(sort?.[0]));
        const sorted = [...keys].sort((a, b) => (order === 'asc' ? a - b : b - a));
        expect(keys).toEqual(sorted);
      }),
    PATIENCE_MS,
  );

  test(
    'aggregations count nested documents and go back to whole ones',
    () =>
      runs(async (index, one) => {
        const { aggregations } = await search(index, {
          size: 0,
          aggs: {
            tags: {
              terms: { field: 'tag', order: { _key: 'asc' } },
              aggs: {
                comments: {
                  nested: { path: 'c' },
                  aggs: {
                    kept: {
                      filter: one.query,
                      aggs: {
                        stars: { sum: { field: 'c.stars' } },
                        by: {
                          terms: { field: 'c.who', order: { _key: 'asc' } },
                          aggs: { docs: { reverse_nested: {} } },
                        },
                        answers: {
                          nested: { path: 'c.r' },
                          aggs: { comments: { reverse_nested: { path: 'c' } } },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        });
        for (const bucket of aggregations.tags.buckets) {
          const of = [...docs.values()].filter(({ tag }) => tag === bucket.key);
          expect(bucket.doc_count).toBe(of.length);
          const all = of.flatMap(comments);
          expect(bucket.comments.doc_count).toBe(all.length);
          const { kept } = bucket.comments;
          const chosen = all.filter(one.holds);
          expect(kept.doc_count).toBe(chosen.length);
          const total = chosen.flatMap(starsOf).reduce((sum, value) => sum + value, 0);
          expect(kept.stars.value).toBe(total);
          for (const { key, doc_count: count, docs: whole } of kept.by.buckets) {
            const isOfKey = (comment: Comment): boolean =>
              one.holds(comment) && comment.who === key;
            expect(count).toBe(chosen.filter(isOfKey).length);
            expect(whole.doc_count).toBe(of.filter((doc) => comments(doc).some(isOfKey)).length);
          }
          expect(kept.answers.doc_count).toBe(chosen.flatMap(answers).length);
          expect(kept.answers.comments.doc_count).toBe(
            chosen.filter((comment) => answers(comment).length > 0).length,
          );
        }
      }),
    PATIENCE_MS,
  );
}

describe('several segments with deletions', suite);

describe('one segment', () => {
  beforeAll(async () => {
    for (const index of Object.keys(INDEXES)) {
      await server.call('POST', `/${index}/_forcemerge?max_num_segments=1`);
    }
  });
  suite();
});

describe('after a restart', () => {
  beforeAll(async () => {
    const { dataDir } = server;
    const lines = [JSON.stringify({ index: { _id: 'late' } })];
    docs.set('late', { tag: 't0', c: [{ who: 'w1', stars: 2, r: { who: 'w2', n: 3 } }] });
    lines.push(JSON.stringify(docs.get('late')));
    for (const index of Object.keys(INDEXES)) await bulk(server, `/${index}/_bulk`, lines);
    await server.kill('SIGKILL');
    server = await startServer({ dataDir });
    for (const index of Object.keys(INDEXES)) await server.call('POST', `/${index}/_refresh`);
  });
  suite();
});
