// The requests of the nested suite by family, with what their answers are compared by.
import type { QueryFamily } from '../peers/duel.ts';
import { type Random, seeded } from '../tools/seeded.ts';
import { MOST_N, numbersOf, type Parent, type Passages, PEOPLE, wordOf } from './documents.ts';

/** Different requests of a family. */
const BODIES = 40;
export const K = 10;
/** Of a search of vectors; the whole share is unfiltered. */
export const SHARES = [1, 0.5, 0.1, 0.01];

const below = (next: Random, n: number): number => Math.floor(next() * n);
const person = (next: Random): string => `p${below(next, PEOPLE)}`;
const nested = (query: object, more: object = {}): object => ({
  nested: { path: 'c', query, ...more },
});
/** About half of the parents, and others in every request, so that nobody keeps the answer. */
const half = (next: Random): object => ({
  range: { n: { gte: below(next, MOST_N / 2), lt: MOST_N / 2 + below(next, MOST_N / 2) } },
});
const counted = { size: 10, _source: false, track_total_hits: true };

type Make = (next: Random) => object;

const QUERIES: Readonly<Record<string, Make>> = {
  'query: a term': (next) => ({
    ...counted,
    query: nested({ term: { 'c.who': person(next) } }),
  }),
  'query: a word, sum': (next) => ({
    ...counted,
    query: nested({ match: { 'c.text': wordOf(next) } }, { score_mode: 'sum' }),
  }),
  'query: words, max, of half of the parents': (next) => ({
    ...counted,
    query: {
      bool: {
        must: [
          nested({ match: { 'c.text': `${wordOf(next)} ${wordOf(next)}` } }, { score_mode: 'max' }),
        ],
        filter: [half(next)],
      },
    },
  }),
  'query: a person and many stars': (next) => ({
    ...counted,
    query: nested({
      bool: {
        filter: [{ term: { 'c.who': person(next) } }, { range: { 'c.stars': { gte: 7 } } }],
      },
    }),
  }),
  'query: a range': (next) => {
    const from = below(next, 900);
    return {
      ...counted,
      query: nested({ range: { 'c.price': { gte: from, lt: from + 50 } } }, { score_mode: 'none' }),
    };
  },
  'inner hits: a term': (next) => ({
    ...counted,
    query: nested({ term: { 'c.who': person(next) } }, { inner_hits: { _source: false } }),
  }),
  'sort: smallest price of half of the parents': (next) => ({
    ...counted,
    query: half(next),
    sort: [{ 'c.price': { order: 'asc', mode: 'min', nested: { path: 'c' } } }],
  }),
  'sort: largest price of a person': (next) => {
    const filter = { term: { 'c.who': person(next) } };
    return {
      ...counted,
      query: nested(filter),
      sort: [{ 'c.price': { order: 'desc', mode: 'max', nested: { path: 'c', filter } } }],
    };
  },
  'aggregation: terms of children': (next) => ({
    size: 0,
    query: half(next),
    aggs: { a: { nested: { path: 'c' }, aggs: { b: { terms: { field: 'c.who', size: 20 } } } } },
  }),
  'aggregation: averages by stars': (next) => ({
    size: 0,
    query: half(next),
    aggs: {
      a: {
        nested: { path: 'c' },
        aggs: {
          b: {
            terms: { field: 'c.stars', size: 20 },
            aggs: { x: { avg: { field: 'c.price' } } },
          },
        },
      },
    },
  }),
  'aggregation: a person, back to parents': (next) => ({
    size: 0,
    aggs: {
      a: {
        nested: { path: 'c' },
        aggs: {
          b: {
            filter: { term: { 'c.who': person(next) } },
            aggs: { x: { reverse_nested: {}, aggs: { t: { terms: { field: 'tag', size: 20 } } } } },
          },
        },
      },
    },
  }),
};

const OF_MANY: Readonly<Record<string, Make>> = {
  'one with 5,000: a word, sum': (next) => ({
    ...counted,
    query: nested({ match: { 'c.text': wordOf(next) } }, { score_mode: 'sum' }),
  }),
  'one with 5,000: inner hits by price': (next) => ({
    ...counted,
    query: {
      bool: {
        must: [
          nested(
            { range: { 'c.stars': { gte: below(next, 9) } } },
            { inner_hits: { size: 10, _source: false, sort: [{ 'c.price': 'asc' }] } },
          ),
        ],
        filter: [{ ids: { values: ['1000'] } }],
      },
    },
  }),
  'one with 5,000: sort': (next) => ({
    ...counted,
    query: half(next),
    sort: [
      {
        'c.price': {
          order: 'asc',
          mode: 'avg',
          nested: { path: 'c', filter: { range: { 'c.stars': { gte: below(next, 9) } } } },
        },
      },
    ],
  }),
  'one with 5,000: aggregation': (next) => ({
    size: 0,
    query: half(next),
    aggs: { a: { nested: { path: 'c' }, aggs: { b: { terms: { field: 'c.who', size: 20 } } } } },
  }),
};

function families(index: string, makers: Readonly<Record<string, Make>>): readonly QueryFamily[] {
  const next = seeded(7);
  return Object.entries(makers).map(([name, make]) => ({
    name,
    path: `/${index}/_search`,
    bodies: Array.from({ length: BODIES }, () => JSON.stringify(make(next))),
  }));
}

export const wordFamilies = (): readonly QueryFamily[] => families('nested', QUERIES);
export const manyFamilies = (): readonly QueryFamily[] => families('nested_many', OF_MANY);

/** Parents with a child that the first family's request `at` asks for. */
export function countOf(parents: readonly Parent[], body: string): number {
  const who = JSON.parse(body).query.nested.query.term['c.who'];
  return parents.filter(({ c }) => c.some((child) => child.who === who)).length;
}

/** Bodies of searches for the nearest parents among a share of them. */
export function passageBodies(
  { probes, ranks }: Passages,
  share: number,
  candidates: number,
): readonly string[] {
  const filter =
    share === 1 ? '' : `,"filter":{"range":{"rank":{"lt":${Math.floor(ranks.length * share)}}}}`;
  return probes.map(
    (probe) =>
      `{"size":${K},"_source":false,"knn":{"field":"p.v","k":${K},"num_candidates":${candidates},"query_vector":${numbersOf(probe)}${filter}}}`,
  );
}
