// The page of a collapsed search: each shard sends the best hit of each of its best groups, and the
// merge keeps the best hit of each group.
import type { RankedList } from '../../wire/hit-order.js';
import { type MergedHit, type MergeKey, mergeRanked } from '../shards/merge.js';

export interface CollapsedPage {
  readonly page: readonly MergedHit[];
  /** For each hit, the value of its group as JSON. */
  readonly groups: readonly string[];
}

/**
 * Groups [from, from + size). The value of a hit's group is in the column after those of `order`.
 */
export function collapsedPage(
  lists: readonly RankedList[],
  order: readonly MergeKey[],
  from: number,
  size: number,
): CollapsedPage {
  const all = lists.reduce((sum, { hits }) => sum + hits.hits, 0);
  const seen = new Set<string>();
  const page: MergedHit[] = [];
  const groups: string[] = [];
  for (const merged of mergeRanked(lists, order, 0, all)) {
    if (page.length === size) break;
    const group = groupOf(lists[merged.list], merged.hit, order.length);
    if (seen.has(group)) continue;
    seen.add(group);
    if (seen.size <= from) continue;
    page.push(merged);
    groups.push(group);
  }
  return { page, groups };
}

function groupOf(list: RankedList | undefined, hit: number, column: number): string {
  const text = list?.hits.sort[column]?.json(hit);
  if (text === undefined) throw new Error('a collapsed hit has no group');
  return JSON.parse(text) as string;
}
