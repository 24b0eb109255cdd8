// The searches that the gate runs: a few of each kind. A sample of the time covers `batch`
// searches, enough to exceed the resolution of the clock.
import { seeded } from '../tools/seeded.ts';
import { PAGES, VECTORS, vectorsOf, wordOf } from './documents.ts';

export interface GateCase {
  readonly name: string;
  readonly path: string;
  readonly bodies: readonly string[];
  readonly batch: number;
}

const QUERIES = 20;
const search = (index: string): string => `/${index}/_search?request_cache=false`;

export function gateCases(): readonly GateCase[] {
  return [...wordCases(), ...vectorCases(), ...pageCases()];
}

function make(name: string, index: string, batch: number, bodies: readonly object[]): GateCase {
  return { name, path: search(index), batch, bodies: bodies.map((body) => JSON.stringify(body)) };
}

function wordCases(): readonly GateCase[] {
  const random = seeded(21);
  const word = (below: number): string => wordOf(Math.floor(random() * below));
  const of = (body: () => object): readonly object[] => Array.from({ length: QUERIES }, body);
  const two = (): object => ({ match: { text: `${word(30)} ${word(200)}` } });
  const total = { track_total_hits: false };
  return [
    make(
      'two words, no total',
      'texts',
      5,
      of(() => ({ query: two(), ...total })),
    ),
    make(
      'two words, exact total',
      'texts',
      5,
      of(() => ({ query: two(), track_total_hits: true })),
    ),
    make(
      'phrase',
      'texts',
      5,
      of(() => ({ query: { match_phrase: { text: `${word(9)} ${word(9)}` } } })),
    ),
    make(
      'prefix',
      'texts',
      5,
      of(() => ({ query: { prefix: { text: word(90).slice(0, 2) } } })),
    ),
    make(
      'filtered, sorted',
      'texts',
      5,
      of(() => filteredBody(two(), random())),
    ),
    make(
      'aggregations',
      'texts',
      5,
      of(() => aggregationBody(word(60))),
    ),
  ];
}

function filteredBody(query: object, share: number): object {
  const range = { n: { gte: Math.floor(share * 5000) } };
  return { query: { bool: { must: [query], filter: [{ range }] } }, sort: [{ n: 'desc' }] };
}

function aggregationBody(word: string): object {
  const day = { date_histogram: { field: 'at', fixed_interval: '1d' } };
  const tags = { terms: { field: 'tag', size: 50 }, aggs: { n: { avg: { field: 'n' } } } };
  return { size: 0, query: { match: { text: word } }, aggs: { day, tags } };
}

function vectorCases(): readonly GateCase[] {
  const probes = vectorsOf(VECTORS + QUERIES).slice(VECTORS);
  const knn = (rest: object): readonly object[] =>
    probes.map((query_vector) => ({
      knn: { field: 'v', k: 10, query_vector, ...rest },
      _source: false,
    }));
  const filter = { range: { n: { lt: VECTORS / 10 } } };
  return [
    make('neighbours', 'vectors', 5, knn({ num_candidates: 100 })),
    make('neighbours, filtered', 'vectors', 5, knn({ num_candidates: 100, filter })),
  ];
}

function pageCases(): readonly GateCase[] {
  const body = { query: { match_all: {} }, size: PAGES };
  return [make('a page of long documents', 'pages', 5, [body])];
}
