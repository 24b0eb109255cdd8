// The number of hits over all shards, as `hits.total` shows it.
import type { SearchResult } from '../../backend/index.js';
import type { TotalHits } from '../../query/paging.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { ShardHits } from '../../wire/hits-reader.js';

/** Empty when totals are not tracked. Above a cap the value is the cap and the relation `gte`. */
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

/** Of a search: of shards that each counted their nearest, at most the nearest of all are hits. */
export function totalOf(
  shards: readonly Pick<ShardHits, 'total' | 'totalRelation'>[],
  { nearest, trackTotalHits }: Pick<CompiledSearch, 'nearest' | 'trackTotalHits'>,
): SearchResult['total'] {
  const { total } = sumTotals(shards, trackTotalHits);
  if (nearest === undefined || total === undefined || total.value < nearest) return total;
  return { value: nearest, relation: 'eq' };
}

/** Of shards that each sent their nearest, only the nearest of all are hits. */
export function pageSize({ nearest, from, size }: CompiledSearch): number {
  return nearest === undefined ? size : Math.max(0, Math.min(size, nearest - from));
}
