// The shards of an index, from its entry in the catalog.
import type { ShardRef } from '../../worker/tasks.js';
import type { IndexEntry } from './catalog.js';

const shardLists = new WeakMap<IndexEntry, readonly ShardRef[]>();

export function shardsOf(entry: IndexEntry): readonly ShardRef[] {
  const known = shardLists.get(entry);
  if (known !== undefined) return known;
  const { number: index, shards } = entry;
  const list = Array.from({ length: shards }, (_, shard) => ({ index, shard }));
  shardLists.set(entry, list);
  return list;
}

export function replicasOf(entry: IndexEntry | undefined): number {
  const value = entry?.settings.get('index.number_of_replicas');
  return typeof value === 'string' ? Number(value) : 1;
}
