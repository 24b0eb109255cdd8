// Recovery of an opened data folder: replay of the log by shard and the first checkpoint, with
// retries.
import { QuarryError } from '../../errors.js';
import type { Logger } from '../../ops/logger.js';
import type { Readiness } from '../../ops/readiness.js';
import type { ShardRef } from '../../worker/tasks.js';
import { isOutOfService } from '../catalog/damage.js';
import type { TaskRunner } from '../shards/pools.js';

export interface RecoveryOptions {
  readonly tasks: TaskRunner;
  /** Shards that are replayed concurrently. */
  readonly concurrency: number;
  readonly readiness: Readiness;
  readonly logger: Logger;
  /** True once the node is stopping: no further attempt is made. */
  readonly stopping: () => boolean;
  readonly pause: (ms: number) => Promise<void>;
}

/** Pause before a checkpoint is retried after the disk was full. */
const DISK_FULL_RETRY_MS = 1000;
/** Pause before a shard with unreadable files is retried. */
const UNREADABLE_RETRY_MS = 2000;

/**
 * Replays and checkpoints every shard. A shard that is damaged or unreadable does not block the
 * others: the engine refuses its requests, and its log records are kept. Returns the shards that
 * may recover later; any other error rejects.
 */
export async function recoverShards(
  shards: readonly ShardRef[],
  options: RecoveryOptions,
): Promise<readonly ShardRef[]> {
  const { readiness } = options;
  const left: ShardRef[] = [];
  let done = 0;
  readiness.replaying({ shardsTotal: shards.length, shardsDone: done });
  await forEachLimited(shards, options.concurrency, async (shard) => {
    if (options.stopping()) return;
    if (!(await recoverOne(shard, options))) left.push(shard);
    done += 1;
    readiness.replaying({ shardsTotal: shards.length, shardsDone: done });
  });
  return left;
}

/**
 * Retries the shards that recoverShards() returned until each is recovered or damaged, or the node
 * stops.
 */
export async function recoverLater(
  shards: readonly ShardRef[],
  options: RecoveryOptions,
): Promise<void> {
  let left = shards;
  while (left.length > 0) {
    await options.pause(UNREADABLE_RETRY_MS);
    const still: ShardRef[] = [];
    for (const shard of left) {
      if (options.stopping()) return;
      if (!(await recoverOne(shard, options))) still.push(shard);
    }
    left = still;
  }
}

/** False: the shard may be retried. */
async function recoverOne(shard: ShardRef, options: RecoveryOptions): Promise<boolean> {
  try {
    await options.tasks.run('recover', shard);
  } catch (error) {
    // The index was dropped while the shard waited.
    if (error instanceof QuarryError && error.type === 'index_not_found_exception') return true;
    if (!isOutOfService(error)) throw error;
    const damaged = error.type === 'corrupt_index_exception';
    const then = damaged ? 'it is out of use' : 'it will be retried';
    options.logger.error({ err: error, shard }, `a shard cannot be recovered, ${then}`);
    return damaged;
  }
  await checkpoint(shard, options);
  return true;
}

/**
 * Waits while the disk is full: the node remains unready with that reason and continues when there
 * is space. If files cannot be written for another reason, the log still has their content.
 */
async function checkpoint(shard: ShardRef, options: RecoveryOptions): Promise<void> {
  while (!options.stopping()) {
    try {
      await options.tasks.run('flush', shard);
      return;
    } catch (error) {
      if (isOutOfService(error)) {
        options.logger.error({ err: error, shard }, 'the first checkpoint failed, the log stays');
        return;
      }
      if (!(error instanceof QuarryError) || error.type !== 'cluster_block_exception') throw error;
      options.logger.warn(`not ready yet, the first checkpoint waits: ${error.message}`);
      await options.pause(DISK_FULL_RETRY_MS);
    }
  }
}

/**
 * Runs `work` for each item, at most `limit` concurrently. The first error rejects after all
 * running calls have ended.
 */
export async function forEachLimited<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const item = items[next] as T;
      next += 1;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
}
