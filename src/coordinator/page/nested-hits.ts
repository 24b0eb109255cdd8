// The nested documents that hits show inside them (`inner_hits` of `nested` clauses): for each hit
// and each entry, a search inside the document of the hit.
import type { SearchHit, SearchResult } from '../../backend/index.js';
import { YieldPoints } from '../../base/cooperative-task.js';
import type { NestedInnerHits } from '../../query/inner-hits.js';
import type { ExpandedHits, TimeLeft } from './inner-hits.js';

/** Concurrent searches of a request. */
const CONCURRENCY = 4;

/** A hit's document: a shard, the snapshot of it that was searched, and the number in there. */
export interface DocumentPlace {
  readonly index: number;
  readonly shard: number;
  readonly generation: bigint;
  readonly doc: number;
}

type NestedResult = Pick<SearchResult, 'total' | 'maxScore' | 'hits' | 'timedOut'>;

/**
 * Searches one entry inside the document of a hit; `timeoutMs` is what is left of the time limit,
 * undefined if there is none.
 */
export type NestedSearch = (
  inner: NestedInnerHits,
  place: DocumentPlace,
  timeoutMs: number | undefined,
) => Promise<NestedResult> | NestedResult;

/** The result for a document that was not searched: its number of hits is unknown. */
const UNSEARCHED: NestedResult = {
  timedOut: true,
  total: { value: 0, relation: 'gte' },
  maxScore: null,
  hits: [],
};

/** Adds the inner hits to the hits of a page, which are at `places`. */
export async function withNestedHits(
  hits: readonly SearchHit[],
  places: readonly DocumentPlace[],
  innerHits: readonly NestedInnerHits[],
  timeLeft: TimeLeft,
  search: NestedSearch,
): Promise<ExpandedHits> {
  const wanted = hits.flatMap((_, hit) => innerHits.map((inner) => ({ hit, inner })));
  const found: NestedResult[] = [];
  const pauses = new YieldPoints();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < wanted.length; at = next++) {
      await pauses.due();
      const one = wanted[at];
      const place = places[one?.hit ?? -1];
      if (one === undefined || place === undefined) throw new Error('a hit has no place');
      const left = timeLeft();
      const isLate = left !== undefined && left <= 0;
      found[at] = isLate ? UNSEARCHED : await search(one.inner, place, left);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, wanted.length) }, work));
  const expanded = hits.map((hit, at) => {
    const own = innerHits.map(({ name }, i) => [name, found[at * innerHits.length + i]] as const);
    const nested = Object.fromEntries(own.flatMap(([name, one]) => (one ? [[name, one]] : [])));
    return { ...hit, innerHits: { ...hit.innerHits, ...nested } };
  });
  return { hits: expanded, timedOut: found.some(({ timedOut }) => timedOut) };
}
