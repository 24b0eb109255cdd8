// The page of a search with `rescore`: the lists of all shards are merged by the scores of the
// query, then each rescore query in turn changes the scores of the best hits, as many as its
// window. The result does not depend on the number of shards.
import { type CooperativeTask, mapSteps, sortSteps } from '../../query/aggs/steps.js';
import { combined, type Rescore } from '../../query/rescore.js';
import type { RankedList } from '../../wire/hit-order.js';
import type { SortColumn } from '../../wire/sort-column.js';
import { type MergedHit, mergeRanked } from '../shards/merge.js';

export interface RescoredHit extends MergedHit {
  readonly score: number;
  /** The score of each rescore query: null if it does not match, undefined beyond its window. */
  readonly seconds: readonly (number | null | undefined)[];
}

/** Merges and rescores hits, best first. `window`: how many can be rescored or shown. */
export function* rescored(
  lists: readonly RankedList[],
  rescores: readonly Rescore[],
  window: number,
): CooperativeTask<readonly RescoredHit[]> {
  const scores = lists.map(({ hits }) => hits.scores);
  let hits: readonly RescoredHit[] = yield* mapSteps(
    mergeRanked(lists, [], 0, window),
    ({ list, hit }) => ({ list, hit, score: scores[list]?.[hit] ?? 0, seconds: [] }),
  );
  for (const [at, rescore] of rescores.entries()) {
    const seconds = lists.map(({ hits: { sort } }) => sort[at]?.reader());
    const again = yield* mapSteps(hits, (hit, rank) => {
      const second = rank < rescore.window ? secondOf(seconds[hit.list], hit.hit) : undefined;
      return rescoredAgain(hit, second, rescore);
    });
    hits = yield* sortSteps(again, (a, b) => b.score - a.score || inFirstOrder(lists, a, b));
  }
  return hits;
}

function rescoredAgain(
  { list, hit, score, seconds }: RescoredHit,
  second: number | null | undefined,
  rescore: Rescore,
): RescoredHit {
  const again = combined(rescore, score, second ?? null);
  return { list, hit, score: again, seconds: [...seconds, second] };
}

function secondOf(column: ReturnType<SortColumn['reader']> | undefined, hit: number) {
  if (column === undefined) throw new Error('a hit has no second score');
  const value = column(hit);
  return typeof value === 'number' ? value : null;
}

/** Breaks ties by index name and insertion order, as every merge does. */
function inFirstOrder(lists: readonly RankedList[], a: MergedHit, b: MergedHit): number {
  const listA = lists[a.list];
  const listB = lists[b.list];
  if (listA === undefined || listB === undefined) return 0;
  if (listA.indexName !== listB.indexName) return listA.indexName < listB.indexName ? -1 : 1;
  const seqA = listA.hits.seqNos[a.hit] ?? 0n;
  const seqB = listB.hits.seqNos[b.hit] ?? 0n;
  return seqA < seqB ? -1 : seqA > seqB ? 1 : 0;
}
