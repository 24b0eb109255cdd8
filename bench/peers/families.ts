// The requests to servers: the families of the shared workload as search bodies, aggregations,
// nearest vectors, and hybrid searches.
import type { JsonObject } from '../../src/backend/index.ts';
import { type Embeddings, toJson } from '../vectors/embeddings.ts';
import type { Commit } from '../words/corpus.ts';
import {
  Oracle,
  readAggregations,
  readWorkload,
  toAggregationBody,
  toBody,
  type WorkloadQuery,
} from '../words/workload.ts';
import type { Best } from './contest.ts';
import type { QueryFamily } from './duel.ts';
import { nearest } from './vector-truth.ts';

const QUERIES = 20;
const K = 10;

/** The first queries of each family, in the order of the families. */
function byFamily<T extends { readonly family: string }>(
  queries: readonly T[],
  nameOf: (query: T) => string,
): readonly (readonly [name: string, queries: readonly T[]])[] {
  const names = [...new Set(queries.map(nameOf))];
  return names.map((name) => [name, queries.filter((query) => nameOf(query) === name)]);
}

function searches(index: string, bodies: readonly object[]): Pick<QueryFamily, 'path' | 'bodies'> {
  const path = `/${index}/_search?request_cache=false`;
  return { path, bodies: bodies.map((body) => JSON.stringify(body)) };
}

export function wordFamilies(shared: string, commits: readonly Commit[]): readonly QueryFamily[] {
  const oracle = new Oracle(commits);
  return byFamily(readWorkload(shared), ({ family }) => family).map(([name, all]) => {
    const queries = all.slice(0, QUERIES);
    const verify = (at: number, found: Best): void => {
      const query: WorkloadQuery | undefined = queries[at];
      const wanted = query === undefined ? 0 : Math.min(K, oracle.count(query));
      if (found.length !== wanted) throw new Error(`${query?.id}: ${found.length}, not ${wanted}`);
    };
    return { name, ...searches('words', queries.map(toBody)), verify };
  });
}

/** In turn over all documents, over those of frequent words and over those of rarer words. */
export function aggregationFamilies(shared: string): readonly QueryFamily[] {
  const nameOf = ({ family }: { readonly family: string }): string =>
    family.replace(/_(all|high|mid)$/, '');
  return byFamily(readAggregations(shared), nameOf).map(([name, queries]) => ({
    name,
    ...searches('words', queries.map(toAggregationBody)),
  }));
}

/** `text`: the words of every probe, for hybrid searches. */
export function vectorFamilies(
  base: Embeddings,
  probes: Embeddings,
  text: (at: number) => string,
): readonly QueryFamily[] {
  const all = Array.from({ length: probes.count }, (_, at) => at);
  const right = all.map((at) => nearest(base, probes, at, K));
  const knn = (at: number, filter = ''): string =>
    `"knn":{"field":"v","k":${K},"num_candidates":100,"query_vector":${toJson(probes, at)}${filter}}`;
  const match = (at: number): JsonObject => ({ match: { text: text(at) } });
  const tenth = `,"filter":{"range":{"n":{"lt":${base.count / 10}}}}`;
  const requested = (name: string, body: (at: number) => string): QueryFamily => ({
    name,
    path: '/vectors/_search?request_cache=false',
    bodies: all.map((at) => `{"_source":false,${body(at)}}`),
  });
  return [
    { ...requested('knn', (at) => knn(at)), right: (at) => right[at] ?? [] },
    requested('knn, filter 10 %', (at) => knn(at, tenth)),
    requested('hybrid: match + knn', (at) => `"query":${JSON.stringify(match(at))},${knn(at)}`),
  ];
}
