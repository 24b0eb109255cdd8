// From an opened data folder to a node that takes requests, and back: replay of the log shard by shard, the first
// checkpoint, and the orderly end.
import { QuarryError } from '../errors.js';
import type { Logger } from '../ops/logger.js';
import type { Readiness } from '../ops/readiness.js';
import type { ShardRef } from '../worker/tasks.js';
import type { TaskRunner } from './pools.js';

export interface RecoveryOptions {
  readonly tasks: TaskRunner;
  /** Shards replayed at once. */
  readonly concurrency: number;
  readonly readiness: Readiness;
  readonly logger: Logger;
  /** True once the node is stopping: no further attempt is made. */
  readonly stopping: () => boolean;
  readonly pause: (ms: number) => Promise<void>;
}

/** Pause before a checkpoint that found the disk full is tried again. */
const DISK_FULL_RETRY_MS = 1000;

/** Replays and checkpoints every shard. Rejects when one cannot be replayed: its data would be missing silently. */
export async function recoverShards(
  shards: readonly ShardRef[],
  options: RecoveryOptions,
): Promise<void> {
  const { readiness } = options;
  let done = 0;
  readiness.replaying({ shardsTotal: shards.length, shardsDone: done });
  await forEachLimited(shards, options.concurrency, async (shard) => {
    if (options.stopping()) return;
    await options.tasks.run('recover', shard);
    await checkpoint(shard, options);
    done += 1;
    readiness.replaying({ shardsTotal: shards.length, shardsDone: done });
  });
}

/** A full disk is waited out: the node stays unready and says why, and goes on by itself when there is space. */
async function checkpoint(shard: ShardRef, options: RecoveryOptions): Promise<void> {
  while (!options.stopping()) {
    try {
      await options.tasks.run('flush', shard);
      return;
    } catch (error) {
      if (!(error instanceof QuarryError) || error.type !== 'cluster_block_exception') throw error;
      options.logger.warn(`not ready yet, the first checkpoint waits: ${error.message}`);
      await options.pause(DISK_FULL_RETRY_MS);
    }
  }
}

/** Runs `work` for each item, at most `limit` at once. The first failure rejects after all running ones ended. */
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
