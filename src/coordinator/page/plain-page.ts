// Selects the hits of the page of a search that fuses no lists: in the order of the search, as the
// best hits of collapsed groups, or by the scores of rescore queries.
import type { CooperativeTask } from '../../base/cooperative-task.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { RankedList } from '../../wire/hit-order.js';
import { type MergedHit, mergeOrder, mergeRanked } from '../shards/merge.js';
import { pageSize } from '../shards/totals.js';
import { collapsedPage } from './collapsed.js';
import { type RescoredHit, rescored } from './rescored.js';

export interface PlainPage {
  readonly page: readonly MergedHit[];
  /** With `collapse`: for each hit, the value of its group as JSON. */
  readonly groups?: readonly string[] | undefined;
  /** With `rescore`: the hits of the page with their scores. */
  readonly rescored?: readonly RescoredHit[];
  /** With `rescore`: the best score of all hits. */
  readonly best?: number | null;
}

/**
 * `timedOut`: the time limit stopped the shards. Their hits are then in the order of the query,
 * without rescoring, as in Elasticsearch.
 */
export function* plainPage(
  lists: readonly RankedList[],
  search: CompiledSearch,
  timedOut: boolean,
): CooperativeTask<PlainPage> {
  const { sort, collapse, rescores, size } = search;
  const from = size === 0 ? 0 : search.from;
  if (rescores.length > 0) {
    const window = size === 0 ? 0 : Math.max(from + size, ...rescores.map((one) => one.window));
    const all = yield* rescored(lists, timedOut ? [] : rescores, window);
    const page = all.slice(from, from + size);
    return { page, rescored: page, best: all[0]?.score ?? null };
  }
  const order = mergeOrder(sort);
  if (collapse !== undefined) return collapsedPage(lists, order, from, size);
  return { page: mergeRanked(lists, order, from, pageSize(search)) };
}
