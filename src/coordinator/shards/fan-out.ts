// Sends a plan to shards: first inline within a budget, then to the pool, in one task per idle
// thread.
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import { readSearchReply, type SearchReply } from '../../wire/hits-reader.js';
import type { ShardRef } from '../../worker/tasks.js';
import { encodeShards, type InlineExecution } from './inline-execution.js';
import type { WorkerPool } from './pools.js';

export interface FanOutOptions {
  readonly pool: WorkerPool;
  /** Absent: every search goes to the pool. */
  readonly inline?: InlineExecution;
}

/** Splits shards, in order, into at most `idle` runs of about the same length. */
export function splitEvenly(
  shards: readonly ShardRef[],
  idle: number,
): readonly (readonly ShardRef[])[] {
  const tasks = Math.max(1, Math.min(shards.length, idle));
  return Array.from({ length: tasks }, (_, task) =>
    shards.slice(
      Math.ceil((shards.length * task) / tasks),
      Math.ceil((shards.length * (task + 1)) / tasks),
    ),
  );
}

/** The replies of all shards, in the order of `shards`. `plan` is copied to each task. */
export function fanOut(
  options: FanOutOptions,
  shards: readonly ShardRef[],
  plan: Uint8Array,
): MaybePromise<SearchReply> {
  const reply = options.inline?.search(shards, plan);
  if (reply !== undefined) return readSearchReply(reply);
  const runs = splitEvenly(shards, options.pool.idle);
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) return searchRun(options, only, plan);
  return thenMaybe(Promise.all(runs.map((run) => searchRun(options, run, plan))), (replies) => ({
    shards: replies.flatMap((one) => one.shards),
  }));
}

async function searchRun(
  { pool, inline }: FanOutOptions,
  shards: readonly ShardRef[],
  plan: Uint8Array,
): Promise<SearchReply> {
  const reply = await pool.run('search', { shards: encodeShards(shards), plan });
  inline?.used(shards);
  return readSearchReply(reply);
}
