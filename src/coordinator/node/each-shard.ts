// Runs an operation (flush, merge) on every shard of some indexes and summarizes the outcome.
import type { ShardsAnswer } from '../../backend/index.js';
import type { ShardRef } from '../../worker/tasks.js';
import type { IndexEntry } from '../catalog/catalog.js';
import { isOutOfService } from '../catalog/damage.js';
import { shardsOf } from '../catalog/index-shards.js';
import { forEachLimited } from './lifecycle.js';
import { shardsAnswer } from './shards-answer.js';

/**
 * Runs `work` for each shard, at most `limit` concurrently. Shards out of service count as failed;
 * if all are, the error of one of them is thrown. Any other error rejects.
 */
export async function eachShard(
  entries: readonly IndexEntry[],
  limit: number,
  work: (shard: ShardRef) => Promise<void>,
): Promise<ShardsAnswer> {
  const shards = entries.flatMap(shardsOf);
  const failures: unknown[] = [];
  await forEachLimited(shards, limit, (shard) =>
    work(shard).catch((error: unknown) => {
      if (!isOutOfService(error)) throw error;
      failures.push(error);
    }),
  );
  if (failures.length > 0 && failures.length === shards.length) throw failures.at(-1);
  return shardsAnswer(entries, failures.length);
}
