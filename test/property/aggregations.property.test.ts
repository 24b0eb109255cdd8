// Aggregations of random documents compared with a naive reference over the documents: the same
// buckets and numbers on one shard and on three, with several values per field, missing values,
// deletes and updates, before and after a merge.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 60 : 25));
const DOCS = 150;
const PATIENCE_MS = 120_000;
const INDEXES = ['one', 'three'];
const HOUR = 3_600_000;
const FIRST_MS = Date.UTC(2024, 1, 27);

interface Doc {
  readonly kind?: string | readonly string[];
  readonly rank?: number;
  readonly price?: number | readonly number[];
  readonly day?: string;
  readonly open?: boolean;
}

let server: TestServer;
const docs = new Map<string, Doc>();

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

beforeAll(async () => {
  server = await startServer();
  const next = random(11);
  const below = (n: number): number => Math.floor(next() * n);
  const make = (): Doc => ({
    ...(next() < 0.9
      ? { kind: next() < 0.7 ? `k${below(6)}` : [`k${below(6)}`, `k${below(6)}`] }
      : {}),
    ...(next() < 0.9 ? { rank: below(9) - 3 } : {}),
    ...(next() < 0.8
      ? { price: next() < 0.8 ? below(400) / 4 : [below(40), below(40) + 0.5] }
      : {}),
    ...(next() < 0.9 ? { day: new Date(FIRST_MS + below(90 * 24) * HOUR).toISOString() } : {}),
    ...(next() < 0.9 ? { open: next() < 0.5 } : {}),
  });
  const lines: string[] = [];
  for (let i = 0; i < DOCS; i++) {
    const id = `d${(i * 37) % DOCS}`;
    const doc = make();
    docs.set(id, doc);
    lines.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(doc));
  }
  const later: string[] = [];
  for (let i = 0; i < 30; i++) {
    const id = `d${below(DOCS)}`;
    if (i % 2 === 0) {
      docs.delete(id);
      later.push(JSON.stringify({ delete: { _id: id } }));
    } else {
      const doc = make();
      docs.set(id, doc);
      later.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(doc));
    }
  }
  const properties = {
    kind: { type: 'keyword' },
    rank: { type: 'integer' },
    price: { type: 'double' },
    day: { type: 'date' },
    open: { type: 'boolean' },
  };
  for (const [i, index] of INDEXES.entries()) {
    await server.call('PUT', `/${index}`, {
      settings: { number_of_shards: 1 + 2 * i },
      mappings: { properties },
    });
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
    await bulk(server, `/${index}/_bulk?refresh=true`, later);
  }
}, PATIENCE_MS);
afterAll(async () => {
  await server?.stop();
});

type Value = string | number | boolean;

function valuesOf(doc: Doc, field: keyof Doc): readonly Value[] {
  const value = doc[field];
  if (value === undefined) return [];
  const all = Array.isArray(value) ? (value as readonly Value[]) : [value as Value];
  // Keywords count once per document, numbers as often as they occur.
  return typeof all[0] === 'string' ? [...new Set(all)] : all;
}

function numbersOf(list: readonly Doc[], field: keyof Doc): readonly number[] {
  return list.flatMap((doc) =>
    valuesOf(doc, field).map((value) =>
      field === 'day' ? Date.parse(String(value)) : Number(value),
    ),
  );
}

type Tree = Readonly<Record<string, unknown>>;
interface Case {
  readonly request: Tree;
  readonly expect: (list: readonly Doc[]) => unknown;
}

function group(list: readonly Doc[], keysOf: (doc: Doc) => readonly Value[]): Map<Value, Doc[]> {
  const groups = new Map<Value, Doc[]>();
  for (const doc of list) {
    for (const key of new Set(keysOf(doc))) groups.set(key, [...(groups.get(key) ?? []), doc]);
  }
  return groups;
}

const metric: fc.Arbitrary<Case> = fc.oneof(
  fc.constantFrom('asc' as const, 'desc' as const).map((order) => ({
    request: { top_metrics: { metrics: [{ field: 'rank' }], sort: { rank: order }, size: 3 } },
    expect: (list: readonly Doc[]) => {
      const ranks = numbersOf(list, 'rank').toSorted((a, b) => (order === 'asc' ? a - b : b - a));
      return {
        top: ranks.slice(0, 3).map((rank) => ({ sort: [rank], metrics: { rank } })),
      };
    },
  })),
  fc.constantFrom('rank' as const, 'price' as const).map((field) => ({
    request: { stats: { field } },
    expect: (list: readonly Doc[]) => {
      const all = numbersOf(list, field);
      const sum = all.reduce((a, b) => a + b, 0);
      const empty = all.length === 0;
      return {
        count: all.length,
        min: empty ? null : Math.min(...all),
        max: empty ? null : Math.max(...all),
        avg: empty ? null : sum / all.length,
        sum,
      };
    },
  })),
  fc.constantFrom('kind' as const, 'rank' as const, 'open' as const).map((field) => ({
    request: { cardinality: { field } },
    expect: (list: readonly Doc[]) => ({
      value: new Set(list.flatMap((doc) => valuesOf(doc, field))).size,
    }),
  })),
  fc.constant({
    request: { percentiles: { field: 'price', percents: [0, 30, 50, 100] } },
    expect: (list: readonly Doc[]) => {
      const all = [...numbersOf(list, 'price')].sort((a, b) => a - b);
      const at = (percent: number): number | null => {
        if (all.length === 0) return null;
        const rank = (percent / 100) * (all.length - 1);
        const low = all[Math.floor(rank)] ?? 0;
        return low + ((all[Math.ceil(rank)] ?? 0) - low) * (rank - Math.floor(rank));
      };
      return { values: { '0.0': at(0), '30.0': at(30), '50.0': at(50), '100.0': at(100) } };
    },
  }),
);

/** Every combination of a value of each field. */
function tuplesOf(doc: Doc, fields: readonly (keyof Doc)[]): readonly (readonly Value[])[] {
  return fields.reduce<readonly (readonly Value[])[]>(
    (all, field) => {
      const values = [...new Set(valuesOf(doc, field))];
      return all.flatMap((tuple) => values.map((value) => [...tuple, value]));
    },
    [[]],
  );
}

/** By count, then by key: strings and numbers ascend, false comes before true. */
function compareTuples(a: readonly Value[], b: readonly Value[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i] ?? left;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function multiTerms(inner: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const fields = fc.constantFrom<readonly (keyof Doc)[]>(
    ['kind', 'rank'],
    ['rank', 'open', 'kind'],
    ['price', 'open'],
  );
  return fc
    .tuple(fields, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3 }), inner)
    .map(([names, size, least, inside]) => ({
      request: {
        multi_terms: {
          terms: names.map((field) => ({ field })),
          size,
          min_doc_count: least,
        },
        aggs: { in: inside.request },
      },
      expect: (list: readonly Doc[]) => {
        const groups = new Map<string, { key: readonly Value[]; docs: Doc[] }>();
        for (const doc of list) {
          for (const key of tuplesOf(doc, names)) {
            const known = groups.get(JSON.stringify(key)) ?? { key, docs: [] };
            known.docs.push(doc);
            groups.set(JSON.stringify(key), known);
          }
        }
        const all = [...groups.values()]
          .filter((one) => one.docs.length >= least)
          .sort((a, b) => b.docs.length - a.docs.length || compareTuples(a.key, b.key));
        const text = (value: Value, field: keyof Doc | undefined): string =>
          field === 'price' && Number.isInteger(value) ? `${value}.0` : String(value);
        return {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: all.slice(size).reduce((sum, one) => sum + one.docs.length, 0),
          buckets: all.slice(0, size).map(({ key, docs: some }) => ({
            key,
            key_as_string: key.map((value, i) => text(value, names[i])).join('|'),
            doc_count: some.length,
            in: inside.expect(some),
          })),
        };
      },
    }));
}

function buckets(inner: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc.oneof(
    fc.tuple(fc.constantFrom('kind' as const, 'rank' as const), inner).map(([field, inside]) => ({
      request: { terms: { field, size: 50, order: { _key: 'asc' } }, aggs: { in: inside.request } },
      expect: (list: readonly Doc[]) => ({
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [...group(list, (doc) => valuesOf(doc, field))]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, some]) => ({ key, doc_count: some.length, in: inside.expect(some) })),
      }),
    })),
    fc.tuple(fc.integer({ min: 1, max: 3 }), inner).map(([interval, inside]) => ({
      request: {
        histogram: { field: 'rank', interval, min_doc_count: 1 },
        aggs: { in: inside.request },
      },
      expect: (list: readonly Doc[]) => ({
        buckets: [
          ...group(list, (doc) =>
            valuesOf(doc, 'rank').map((rank) => Math.floor(Number(rank) / interval) * interval),
          ),
        ]
          .sort(([a], [b]) => Number(a) - Number(b))
          .map(([key, some]) => ({ key, doc_count: some.length, in: inside.expect(some) })),
      }),
    })),
    inner.map((inside) => ({
      request: {
        date_histogram: { field: 'day', calendar_interval: 'month', min_doc_count: 1 },
        aggs: { in: inside.request },
      },
      expect: (list: readonly Doc[]) => ({
        buckets: [
          ...group(list, (doc) =>
            valuesOf(doc, 'day').map((day) => `${String(day).slice(0, 7)}-01T00:00:00.000Z`),
          ),
        ]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, some]) => ({
            key_as_string: key,
            key: Date.parse(String(key)),
            doc_count: some.length,
            in: inside.expect(some),
          })),
      }),
    })),
    inner.map((inside) => ({
      request: {
        filters: {
          filters: { open: { term: { open: true } }, low: { range: { rank: { lt: 1 } } } },
        },
        aggs: { in: inside.request },
      },
      expect: (list: readonly Doc[]) => {
        const open = list.filter((doc) => doc.open === true);
        const low = list.filter((doc) => (doc.rank ?? 1) < 1);
        return {
          buckets: {
            open: { doc_count: open.length, in: inside.expect(open) },
            low: { doc_count: low.length, in: inside.expect(low) },
          },
        };
      },
    })),
    inner.map((inside) => ({
      request: { missing: { field: 'price' }, aggs: { in: inside.request } },
      expect: (list: readonly Doc[]) => {
        const without = list.filter((doc) => doc.price === undefined);
        return { doc_count: without.length, in: inside.expect(without) };
      },
    })),
    inner.map((inside) => ({
      request: {
        range: { field: 'price', ranges: [{ to: 20 }, { from: 10, to: 60.5 }, { from: 60.5 }] },
        aggs: { in: inside.request },
      },
      expect: (list: readonly Doc[]) => ({
        buckets: [
          { key: '*-20.0', to: 20 },
          { key: '10.0-60.5', from: 10, to: 60.5 },
          { key: '60.5-*', from: 60.5 },
        ].map((range) => {
          const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = range as {
            from?: number;
            to?: number;
          };
          const some = list.filter((doc) =>
            numbersOf([doc], 'price').some((price) => price >= from && price < to),
          );
          return { ...range, doc_count: some.length, in: inside.expect(some) };
        }),
      }),
    })),
  );
}

const tree = fc.oneof(
  { weight: 1, arbitrary: metric },
  { weight: 3, arbitrary: buckets(metric) },
  { weight: 2, arbitrary: multiTerms(metric) },
  { weight: 1, arbitrary: buckets(multiTerms(metric)) },
  { weight: 2, arbitrary: buckets(buckets(metric)) },
);

/** Sums in another order differ in their last digits. */
function close(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, close(member)]));
}

async function check(one: Case): Promise<void> {
  const matching = [...docs.values()].filter((doc) => (doc.rank ?? -9) >= -2);
  for (const index of INDEXES) {
    const reply = await server.call('POST', `/${index}/_search`, {
      size: 0,
      query: { range: { rank: { gte: -2 } } },
      aggs: { all: one.request },
    });
    expect(reply.status, reply.text).toBe(200);
    expect(close(reply.json.aggregations.all), index).toEqual(close(one.expect(matching)));
  }
}

describe('aggregations', () => {
  test('filters inside ranges that overlap see every document of each range', async () => {
    const reply = await server.call('POST', '/one/_search', {
      size: 0,
      aggs: {
        all: {
          range: { field: 'rank', ranges: [{ to: 100 }, { to: 200 }] },
          aggs: { in: { filters: { filters: { open: { term: { open: true } } } } } },
        },
      },
    });
    const open = [...docs.values()].filter((doc) => doc.open === true && doc.rank !== undefined);
    const counts = reply.json.aggregations.all.buckets.map(
      (bucket: { in: { buckets: { open: { doc_count: number } } } }) =>
        bucket.in.buckets.open.doc_count,
    );
    expect(counts).toEqual([open.length, open.length]);
  });
  test(
    'are what a plain reference counts',
    async () => {
      await fc.assert(fc.asyncProperty(tree, check), { numRuns: RUNS });
    },
    PATIENCE_MS,
  );
  test(
    'stay the same after a merge',
    async () => {
      for (const index of INDEXES)
        await server.call('POST', `/${index}/_forcemerge?max_num_segments=1`);
      await fc.assert(fc.asyncProperty(tree, check), { numRuns: RUNS });
    },
    PATIENCE_MS,
  );
});
