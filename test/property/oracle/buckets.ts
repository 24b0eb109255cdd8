// Random aggregations for a mapping, and their expected counts by a naive loop.
import fc from 'fast-check';
import type { Clause } from './clauses.ts';
import type { Doc, Mapping, World } from './world.ts';

export interface Aggregation {
  readonly dsl: object;
  readonly expect: (world: World, docs: readonly Doc[]) => unknown;
}

const numbers = (world: World, docs: readonly Doc[], field: string): readonly number[] =>
  docs.flatMap((doc) => world.keys(doc, field).map(Number));
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function metric(field: string): fc.Arbitrary<Aggregation> {
  return fc.constantFrom('sum', 'min', 'max', 'avg', 'value_count').map((name) => ({
    dsl: { [name]: { field } },
    expect: (world, docs) => {
      const values = numbers(world, docs, field);
      if (name === 'value_count') return { value: values.length };
      if (name === 'sum') return { value: sum(values) };
      if (values.length === 0) return { value: null };
      if (name === 'avg') return { value: sum(values) / values.length };
      return { value: name === 'min' ? Math.min(...values) : Math.max(...values) };
    },
  }));
}

function cardinality(field: string): fc.Arbitrary<Aggregation> {
  return fc.constant({
    dsl: { cardinality: { field } },
    expect: (world, docs) => ({
      value: new Set(docs.flatMap((doc) => world.keys(doc, field))).size,
    }),
  });
}

type Inner = fc.Arbitrary<Aggregation>;

function terms(field: string, type: string, inner: Inner): Inner {
  const size = fc.integer({ min: 1, max: 20 });
  return fc.tuple(size, fc.boolean(), inner).map(([most, byKey, inside]) => ({
    dsl: {
      terms: { field, size: most, ...(byKey ? { order: { _key: 'asc' } } : { shard_size: 100 }) },
      aggs: { in: inside.dsl },
    },
    expect: (world, docs) => {
      const groups = new Map<string | number, Doc[]>();
      for (const doc of docs) {
        for (const key of new Set(world.keys(doc, field))) {
          groups.set(key, [...(groups.get(key) ?? []), doc]);
        }
      }
      const all = [...groups].sort(
        ([a, x], [b, y]) => (byKey ? 0 : y.length - x.length) || (a < b ? -1 : 1),
      );
      return {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: sum(all.slice(most).map(([, some]) => some.length)),
        buckets: all.slice(0, most).map(([key, some]) => ({
          key,
          ...(type === 'boolean' ? { key_as_string: String(key === 1) } : {}),
          doc_count: some.length,
          in: inside.expect(world, some),
        })),
      };
    },
  }));
}

function histogram(field: string, inner: Inner): Inner {
  return fc.tuple(fc.constantFrom(1, 2, 2.5, 7), inner).map(([interval, inside]) => ({
    dsl: { histogram: { field, interval, min_doc_count: 1 }, aggs: { in: inside.dsl } },
    expect: (world, docs) => {
      const keysOf = (doc: Doc) =>
        new Set(world.keys(doc, field).map((key) => Math.floor(Number(key) / interval) * interval));
      const keys = [...new Set(docs.flatMap((doc) => [...keysOf(doc)]))].sort((a, b) => a - b);
      return {
        buckets: keys.map((key) => {
          const some = docs.filter((doc) => keysOf(doc).has(key));
          return { key: key + 0, doc_count: some.length, in: inside.expect(world, some) };
        }),
      };
    },
  }));
}

function ofQuery(query: fc.Arbitrary<Clause>, inner: Inner): Inner {
  return fc.tuple(query, inner).map(([{ dsl, matches }, inside]) => ({
    dsl: { filter: dsl, aggs: { in: inside.dsl } },
    expect: (world, docs) => {
      const some = docs.filter((doc) => matches(world, doc));
      return { doc_count: some.length, in: inside.expect(world, some) };
    },
  }));
}

function missing(field: string, inner: Inner): Inner {
  return inner.map((inside) => ({
    dsl: { missing: { field }, aggs: { in: inside.dsl } },
    expect: (world, docs) => {
      const some = docs.filter((doc) => world.keys(doc, field).length === 0);
      return { doc_count: some.length, in: inside.expect(world, some) };
    },
  }));
}

/** Trees with at most three levels. */
export function aggregationFor(mapping: Mapping, query: fc.Arbitrary<Clause>): Inner {
  const columns = [...mapping].filter(([, type]) => type !== 'text');
  const plain = columns.filter(([, type]) => type === 'long' || type === 'double');
  const leaf = fc.oneof(
    ...plain.map(([field]) => metric(field)),
    ...columns.map(([field]) => cardinality(field)),
  );
  const around = (inner: Inner): Inner =>
    fc.oneof(
      ...columns
        .filter(([, type]) => type === 'keyword' || type === 'long' || type === 'boolean')
        .map(([field, type]) => terms(field, type, inner)),
      ...plain.map(([field]) => histogram(field, inner)),
      ...columns.map(([field]) => missing(field, inner)),
      ofQuery(query, inner),
    );
  return fc.oneof(leaf, around(leaf), around(around(leaf)));
}
