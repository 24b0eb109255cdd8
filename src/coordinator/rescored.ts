// The page of a search with `rescore`: the lists of all shards become one by the scores of the query, then each rescore
// query in turn changes the scores of the best so many of it. So the number of shards changes nothing.
import { combined, type Rescore } from '../query/rescore.js';
import type { RankedList } from '../wire/hit-order.js';
import { type MergedHit, mergeRanked } from './merge.js';

export interface RescoredHit extends MergedHit {
  readonly score: number;
  /** By rescore query: what it added, null where it does not match; undefined where it was not asked. */
  readonly seconds: readonly (number | null | undefined)[];
}

/** The hits that a shard sent, best first. `window`: how many of them all can be scored anew or shown. */
export function rescored(
  lists: readonly RankedList[],
  rescores: readonly Rescore[],
  window: number,
): readonly RescoredHit[] {
  let hits: readonly RescoredHit[] = mergeRanked(lists, [], 0, window).map((merged) => ({
    ...merged,
    score: lists[merged.list]?.hits.scores[merged.hit] ?? 0,
    seconds: [],
  }));
  for (const [at, rescore] of rescores.entries()) {
    hits = hits
      .map((hit, rank) => scoredAnew(hit, rank < rescore.window, lists, rescore, at))
      .toSorted((a, b) => b.score - a.score || inFirstOrder(lists, a, b));
  }
  return hits;
}

function scoredAnew(
  hit: RescoredHit,
  asked: boolean,
  lists: readonly RankedList[],
  rescore: Rescore,
  at: number,
): RescoredHit {
  const second = asked ? secondOf(lists, hit, at) : undefined;
  const score = combined(rescore, hit.score, second ?? null);
  return { ...hit, score, seconds: [...hit.seconds, second] };
}

function secondOf(lists: readonly RankedList[], { list, hit }: MergedHit, at: number) {
  const column = lists[list]?.hits.sort[at];
  if (column === undefined) throw new Error('a hit has no second score');
  const value = column.reader()(hit);
  return typeof value === 'number' ? value : null;
}

/** By index and insertion, as all ties are. */
function inFirstOrder(lists: readonly RankedList[], a: MergedHit, b: MergedHit): number {
  const listA = lists[a.list];
  const listB = lists[b.list];
  if (listA === undefined || listB === undefined) return 0;
  if (listA.indexName !== listB.indexName) return listA.indexName < listB.indexName ? -1 : 1;
  const seqA = listA.hits.seqNos[a.hit] ?? 0n;
  const seqB = listB.hits.seqNos[b.hit] ?? 0n;
  return seqA < seqB ? -1 : seqA > seqB ? 1 : 0;
}
