// Which shards are in service, and the resulting health: green, yellow if an index wants replicas,
// which a single node cannot allocate, red if files or entries are damaged.
import type { IndexDescription, JsonObject } from '../../backend/index.js';

export type Health = 'green' | 'yellow' | 'red';

export function replicasOf(index: IndexDescription): number {
  const settings = (index.settings['index'] ?? {}) as JsonObject;
  return Number(settings['number_of_replicas'] ?? 1);
}

/** Whether the shard is damaged; without `shard`, whether any shard is. */
export function isDamaged(index: IndexDescription, shard?: number): boolean {
  const damage = index.damage ?? [];
  if (shard === undefined) return damage.length > 0;
  return damage.some((one) => one.shard === null || one.shard === shard);
}

export function shardsInService(index: IndexDescription): number {
  if (!isDamaged(index)) return index.shards;
  let count = 0;
  for (let shard = 0; shard < index.shards; shard++) if (!isDamaged(index, shard)) count += 1;
  return count;
}

export function healthOf(index: IndexDescription): Health {
  if (isDamaged(index)) return 'red';
  return replicasOf(index) > 0 ? 'yellow' : 'green';
}

export interface ShardCounts {
  /** Primaries in service. */
  readonly primaries: number;
  readonly damaged: number;
  /** Damaged primaries and all replicas. */
  readonly unassigned: number;
}

export function shardCounts(indices: readonly IndexDescription[]): ShardCounts {
  let primaries = 0;
  let damaged = 0;
  let replicas = 0;
  for (const index of indices) {
    const inService = shardsInService(index);
    primaries += inService;
    damaged += index.shards - inService;
    replicas += index.shards * replicasOf(index);
  }
  return { primaries, damaged, unassigned: damaged + replicas };
}

/** `isComplete` is false if something other than a shard is damaged. */
export function statusOf({ damaged, unassigned }: ShardCounts, isComplete = true): Health {
  if (damaged > 0 || !isComplete) return 'red';
  return unassigned > 0 ? 'yellow' : 'green';
}

export function activePercent({ primaries, unassigned }: ShardCounts): number {
  const all = primaries + unassigned;
  return all === 0 ? 100 : (100 * primaries) / all;
}
