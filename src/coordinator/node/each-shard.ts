// Work on every shard of some indexes (flush, merge), and what is answered of it.
import type { ShardsAnswer } from '../../backend/index.js';
import type { ShardRef } from '../../worker/tasks.js';
import type { IndexEntry } from '../catalog/catalog.js';
import { isOutOfService } from '../catalog/damage.js';
import { shardsOf } from '../catalog/index-shards.js';
import { forEachLimited } from './lifecycle.js';
import { shardsAnswer } from './shards-answer.js';

/**
 * Runs `work` for each shard, at most `limit` at once. Shards out of service are counted as failed; when no other is left,
 * what is wrong with one of them is thrown. Any other failure rejects.
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
