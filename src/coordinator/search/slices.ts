// Slices of a scroll or a point in time, distributed as in Elasticsearch: whole shards if there are
// at least as many shards as slices, otherwise parts of a shard, selected by document id.
import type { Json } from '../../backend/index.js';
import { parseSlice, type SliceClause } from '../../query/clauses/slice.js';
import { illegal } from '../../query/values.js';
import type { SearchedIndex, TargetGroup } from '../shards/search-targets.js';

/** Returns the same groups if the body has no slice. */
export function slicedGroups(
  groups: readonly TargetGroup[],
  slice: Json | undefined,
): readonly TargetGroup[] {
  if (slice === undefined) return groups;
  const requested = parseSlice(slice);
  const entries = groups.flatMap((group) => group.entries);
  const most = Math.min(...entries.map(({ behaviour }) => behaviour.maxSlices));
  if (requested.max > most) {
    throw illegal(
      `The number of slices [${requested.max}] is too large. It must be less than [${most}]. This limit can be set by changing the [index.max_slices_per_scroll] index level setting.`,
    );
  }
  return groups.flatMap((group) => {
    // Indexes with different numbers of shards are divided differently.
    const parts = new Map<string, { slice: SliceClause | undefined; entries: SearchedIndex[] }>();
    for (const entry of group.entries) {
      const part = partOf(entry, requested);
      const key = part.slice === undefined ? '' : `${part.slice.id}/${part.slice.max}`;
      const known = parts.get(key);
      if (known === undefined) parts.set(key, { slice: part.slice, entries: [part.entry] });
      else known.entries.push(part.entry);
    }
    return [...parts.values()].map(({ slice: clause, entries: some }) => ({
      ...group,
      entries: some,
      ...(clause === undefined ? {} : { slice: clause }),
    }));
  });
}

function partOf(
  entry: SearchedIndex,
  requested: SliceClause,
): { readonly entry: SearchedIndex; readonly slice: SliceClause | undefined } {
  const { id, max } = requested;
  const { shards, searched = Array.from({ length: shards }, (_, shard) => shard) } = entry;
  if (shards >= max) {
    const own = searched.filter((shard) => shard % max === id);
    return { entry: { ...entry, searched: own }, slice: undefined };
  }
  const shard = id % shards;
  const parts = Math.floor(max / shards) + (shard < max % shards ? 1 : 0);
  return {
    entry: { ...entry, searched: searched.filter((one) => one === shard) },
    slice: parts === 1 ? undefined : { ...requested, id: Math.floor(id / shards), max: parts },
  };
}
