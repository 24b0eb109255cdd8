// The number of hits over all shards, as in `hits.total`.
import type { SearchResult } from '../../backend/index.js';
import type { TotalHits } from '../../query/paging.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { ShardHits } from '../../wire/hits-reader.js';

/** Empty if totals are not tracked. Above a cap the value is the cap and the relation is `gte`. */
export function sumTotals(
  shards: readonly Pick<ShardHits, 'total' | 'totalRelation'>[],
  track: TotalHits,
): Pick<SearchResult, 'total'> {
  if (track === false) return {};
  const value = shards.reduce((sum, { total }) => sum + total, 0);
  const bounded = shards.some(({ totalRelation }) => totalRelation === 'gte');
  if (typeof track === 'number' && value > track) {
    return { total: { value: track, relation: 'gte' } };
  }
  return { total: { value, relation: bounded ? 'gte' : 'eq' } };
}

/** The total of a search. If it is a single vector clause, at most its k hits count. */
export function totalOf(
  shards: readonly Pick<ShardHits, 'total' | 'totalRelation'>[],
  { nearest, trackTotalHits }: Pick<CompiledSearch, 'nearest' | 'trackTotalHits'>,
): SearchResult['total'] {
  const { total } = sumTotals(shards, trackTotalHits);
  if (nearest === undefined || total === undefined || total.value < nearest) return total;
  return { value: nearest, relation: 'eq' };
}

/** The number of hits of the page. A single vector clause has at most k hits in all. */
export function pageSize({ nearest, from, size }: CompiledSearch): number {
  return nearest === undefined ? size : Math.max(0, Math.min(size, nearest - from));
}
