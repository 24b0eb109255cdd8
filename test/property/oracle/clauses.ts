// Random queries for a mapping: each in the DSL, and as a naive function of a document.
import fc from 'fast-check';
import { type Doc, keyOf, type Mapping, type Type, type Value, type World } from './world.ts';

export interface Clause {
  readonly dsl: object;
  readonly matches: (world: World, doc: Doc) => boolean;
  /** For a document that matches. */
  readonly score: (world: World, doc: Doc) => number;
}

export const WORDS = ['ant', 'bee', 'cat', 'dog', 'elk', 'antler'];
export const KEYWORDS = ['a', 'ab', 'b', 'ba', 'c d', 'é', 'A'];
const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2024, 1, 25);

export function anyOf(type: Type): fc.Arbitrary<Value> {
  switch (type) {
    case 'text':
      return fc
        .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
        .map((words) => words.join(' '));
    case 'keyword':
      return fc.constantFrom(...KEYWORDS);
    case 'long':
      return fc.integer({ min: -4, max: 9 });
    case 'double':
      return fc.integer({ min: -8, max: 20 }).map((n) => n / 4);
    case 'date':
      return fc
        .integer({ min: 0, max: 9 })
        .map((n) => new Date(FIRST_MS + n * DAY_MS).toISOString());
    case 'boolean':
      return fc.boolean();
  }
}

/** The value of a query on one word or value. */
const termOf = (type: Type): fc.Arbitrary<Value> =>
  type === 'text' ? fc.constantFrom(...WORDS) : anyOf(type);

const isWords = (type: Type): boolean => type === 'text' || type === 'keyword';
const isWeighed = (type: Type): boolean => isWords(type) || type === 'boolean';

function holds(world: World, doc: Doc, field: string, type: Type, value: Value): boolean {
  if (isWords(type)) return world.terms(doc, field).includes(String(value));
  return world.keys(doc, field).includes(keyOf(type, value));
}

function term(field: string, type: Type): fc.Arbitrary<Clause> {
  return termOf(type).map((value) => ({
    dsl: { term: { [field]: value } },
    matches: (world, doc) => holds(world, doc, field, type, value),
    score: (world, doc) => (isWeighed(type) ? world.bm25(doc, field, String(value)) : 1),
  }));
}

function terms(field: string, type: Type): fc.Arbitrary<Clause> {
  return fc.array(termOf(type), { maxLength: 3 }).map((values) => ({
    dsl: { terms: { [field]: values } },
    matches: (world, doc) => values.some((value) => holds(world, doc, field, type, value)),
    score: () => 1,
  }));
}

function exists(field: string): fc.Arbitrary<Clause> {
  return fc.constant({
    dsl: { exists: { field } },
    matches: (_world, doc) => (doc.values.get(field) ?? []).length > 0,
    score: () => 1,
  });
}

function range(field: string, type: Type): fc.Arbitrary<Clause> {
  const bound = fc.option(fc.tuple(fc.boolean(), anyOf(type)), { nil: undefined, freq: 4 });
  return fc.tuple(bound, bound).map(([low, high]) => ({
    dsl: {
      range: {
        [field]: {
          ...(low === undefined ? {} : { [low[0] ? 'gt' : 'gte']: low[1] }),
          ...(high === undefined ? {} : { [high[0] ? 'lt' : 'lte']: high[1] }),
        },
      },
    },
    matches: (world, doc) =>
      world.keys(doc, field).some((key) => {
        if (low !== undefined) {
          const from = keyOf(type, low[1]);
          if (low[0] ? key <= from : key < from) return false;
        }
        if (high === undefined) return true;
        const to = keyOf(type, high[1]);
        return high[0] ? key < to : key <= to;
      }),
    score: () => 1,
  }));
}

function match(field: string): fc.Arbitrary<Clause> {
  const words = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
  return fc.tuple(words, fc.integer({ min: 1, max: 4 })).map(([requested, most]) => {
    const least = Math.min(most, requested.length);
    const found = (world: World, doc: Doc) =>
      requested.filter((word) => world.terms(doc, field).includes(word));
    return {
      dsl: { match: { [field]: { query: requested.join(' '), minimum_should_match: least } } },
      matches: (world, doc) => found(world, doc).length >= least,
      score: (world, doc) =>
        found(world, doc).reduce((sum, word) => sum + world.bm25(doc, field, word), 0),
    };
  });
}

function pattern(field: string): fc.Arbitrary<Clause> {
  return fc
    .tuple(
      fc.constantFrom('a', 'an', 'b', 'e', 'x'),
      fc.constantFrom('prefix', 'wildcard', 'regexp'),
    )
    .map(([start, kind]) => {
      const text = kind === 'prefix' ? start : kind === 'wildcard' ? `${start}*` : `${start}.*`;
      return {
        dsl: { [kind]: { [field]: { value: text } } },
        matches: (world, doc) => world.terms(doc, field).some((one) => one.startsWith(start)),
        score: () => 1,
      };
    });
}

const everything: Clause = { dsl: { match_all: {} }, matches: () => true, score: () => 1 };

function leaf(mapping: Mapping): fc.Arbitrary<Clause> {
  const all = [...mapping].flatMap(([field, type]): fc.Arbitrary<Clause>[] => [
    term(field, type),
    terms(field, type),
    exists(field),
    ...(type === 'text' ? [match(field), match(field)] : [range(field, type)]),
    ...(isWords(type) ? [pattern(field)] : []),
  ]);
  return fc.oneof(fc.constant(everything), ...all);
}

const some = (inner: fc.Arbitrary<Clause>, minLength = 0): fc.Arbitrary<readonly Clause[]> =>
  fc.array(inner, { minLength, maxLength: 2 });
const dsls = (list: readonly Clause[]): readonly object[] => list.map(({ dsl }) => dsl);

function bool(inner: fc.Arbitrary<Clause>): fc.Arbitrary<Clause> {
  return fc
    .tuple(some(inner), some(inner), some(inner), some(inner))
    .map(([must, should, filter, not]) => {
      const least = must.length + filter.length === 0 && should.length > 0 ? 1 : 0;
      return {
        dsl: {
          bool: {
            must: dsls(must),
            should: dsls(should),
            filter: dsls(filter),
            must_not: dsls(not),
          },
        },
        matches: (world, doc) =>
          [...must, ...filter].every((one) => one.matches(world, doc)) &&
          !not.some((one) => one.matches(world, doc)) &&
          should.filter((one) => one.matches(world, doc)).length >= least,
        score: (world, doc) => {
          // With exclusions only, all other documents match with equal scores.
          if (must.length + should.length + filter.length === 0) return not.length === 0 ? 1 : 0;
          return [...must, ...should.filter((one) => one.matches(world, doc))].reduce(
            (sum, one) => sum + one.score(world, doc),
            0,
          );
        },
      };
    });
}

function bestOf(inner: fc.Arbitrary<Clause>): fc.Arbitrary<Clause> {
  return fc.tuple(some(inner, 1), fc.constantFrom(0, 0.25, 1)).map(([queries, tie]) => ({
    dsl: { dis_max: { queries: dsls(queries), tie_breaker: tie } },
    matches: (world, doc) => queries.some((one) => one.matches(world, doc)),
    score: (world, doc) => {
      const scores = queries
        .filter((one) => one.matches(world, doc))
        .map((one) => one.score(world, doc));
      const best = Math.max(...scores);
      return best + tie * (scores.reduce((sum, one) => sum + one, 0) - best);
    },
  }));
}

function changed(inner: fc.Arbitrary<Clause>): fc.Arbitrary<Clause> {
  const constant = fc.tuple(inner, fc.constantFrom(0.5, 2)).map(([{ dsl, matches }, boost]) => ({
    dsl: { constant_score: { filter: dsl, boost } },
    matches,
    score: () => boost,
  }));
  const demoted = fc.tuple(inner, inner).map(([positive, negative]) => ({
    dsl: { boosting: { positive: positive.dsl, negative: negative.dsl, negative_boost: 0.25 } },
    matches: positive.matches,
    score: (world: World, doc: Doc) =>
      positive.score(world, doc) * (negative.matches(world, doc) ? 0.25 : 1),
  }));
  const weighed = fc.tuple(inner, inner, fc.constantFrom('multiply', 'sum', 'replace')).map(
    ([query, filter, mode]): Clause => ({
      dsl: {
        function_score: {
          query: query.dsl,
          functions: [
            { filter: filter.dsl, weight: 3 },
            { field_value_factor: { field: 'n', modifier: 'log1p' } },
          ],
          score_mode: 'sum',
          boost_mode: mode,
        },
      },
      matches: query.matches,
      score: (world, doc) => {
        const factor = (filter.matches(world, doc) ? 3 : 0) + Math.log10(1 + doc.n);
        const score = query.score(world, doc);
        return mode === 'multiply' ? score * factor : mode === 'sum' ? score + factor : factor;
      },
    }),
  );
  return fc.oneof(constant, demoted, weighed);
}

export function clauseFor(mapping: Mapping): fc.Arbitrary<Clause> {
  const one = leaf(mapping);
  const two = fc.oneof(one, bool(one), bestOf(one), changed(one));
  return fc.oneof(one, two, bool(two), changed(two));
}
