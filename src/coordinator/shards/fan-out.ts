// Sends a plan to shards: one task for each shard when they are big and threads are idle, one task over several when
// they are small or the pool is busy. What a shard of an index costs is learned from the searches before.

import { BoundedMap } from '../../base/bounded-map.js';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import type { Addon } from '../../native/addon.js';
import { readSearchReply, type SearchReply } from '../../wire/hits-reader.js';
import type { ShardRef } from '../../worker/tasks.js';
import type { WorkerPool } from './pools.js';
import { attemptsOf, encodeShards, QuickSearches } from './quick-searches.js';
import { ThreadWatch } from './stopwatch.js';

/** Work below this is not worth a second task: a task costs about 20 us and a switch of threads. */
export const MIN_TASK_MS = 0.5;
/** What a shard is taken to cost before its index was searched. */
const UNKNOWN_MS = 0.2;
/** Weight of the newest measurement. */
const LEARNING = 0.3;
/** Indexes whose cost is remembered. */
const REMEMBERED = 10_000;

/** Milliseconds that one shard of an index takes, as of late. */
export class ShardCosts {
  readonly #costs = new BoundedMap<number, number>(REMEMBERED);

  of(index: number): number {
    return this.#costs.get(index) ?? UNKNOWN_MS;
  }
  learn(shards: readonly ShardRef[], ms: number): void {
    const each = ms / Math.max(1, shards.length);
    for (const index of new Set(shards.map((shard) => shard.index))) {
      const known = this.#costs.get(index) ?? each;
      this.#costs.set(index, known + LEARNING * (each - known));
    }
  }
}

/** Splits shards, in order, into at most `idle` runs of about the same cost, none cheaper than a task is worth. */
export function splitByCost(
  shards: readonly ShardRef[],
  cost: (index: number) => number,
  idle: number,
): readonly (readonly ShardRef[])[] {
  const total = shards.reduce((sum, shard) => sum + cost(shard.index), 0);
  const tasks = Math.max(1, Math.min(shards.length, idle, Math.floor(total / MIN_TASK_MS)));
  if (tasks === 1) return [shards];
  const runs: ShardRef[][] = [];
  let run: ShardRef[] = [];
  let filled = 0;
  for (const [i, shard] of shards.entries()) {
    run.push(shard);
    filled += cost(shard.index);
    const runsLeft = tasks - runs.length - 1;
    const shardsLeft = shards.length - i - 1;
    const full = filled >= (total * (runs.length + 1)) / tasks || shardsLeft === runsLeft;
    if (full && runsLeft > 0) {
      runs.push(run);
      run = [];
    }
  }
  runs.push(run);
  return runs;
}

export interface FanOutOptions {
  readonly pool: WorkerPool;
  readonly costs: ShardCosts;
  readonly now: () => number;
  /** Absent: every search goes to the pool. */
  readonly quick?: QuickSearches;
}

export function fanOutOver(
  pool: WorkerPool,
  engine: Pick<Addon, 'search' | 'fetch' | 'get' | 'steadyMicros' | 'threadUsage'>,
  now: () => number,
  writes: () => boolean,
  busy: () => boolean,
): FanOutOptions {
  const quick = new QuickSearches(
    {
      ...attemptsOf(engine),
      get: ({ index, id, routing, realtime, plan }) =>
        engine.get(index, id, routing, realtime, plan),
      writes,
      documents: (index) => documentsOf(pool, index),
      busy,
    },
    now,
    { watch: new ThreadWatch(now, (into) => engine.threadUsage(into)) },
  );
  return { pool, costs: new ShardCosts(), now, quick };
}

export async function documentsOf(pool: WorkerPool, index: number): Promise<number> {
  const { docs } = JSON.parse(await pool.run('indexStats', { index })) as { docs: number };
  return docs;
}

/** The replies of all shards, in the order of `shards`. `plan` is copied to each task. `weight`: see QuickSearches. */
export function fanOut(
  options: FanOutOptions,
  shards: readonly ShardRef[],
  plan: Uint8Array,
  weight = Infinity,
): MaybePromise<SearchReply> {
  const { pool, costs, quick } = options;
  const here = quick?.search(shards, plan, weight);
  if (here !== undefined) return readSearchReply(here);
  const runs = splitByCost(shards, (index) => costs.of(index), pool.idle);
  const [only] = runs;
  const light = Number.isFinite(weight);
  if (runs.length === 1 && only !== undefined) return searchRun(options, only, plan, light);
  return thenMaybe(
    Promise.all(runs.map((run) => searchRun(options, run, plan, light))),
    (replies) => ({
      shards: replies.flatMap((reply) => reply.shards),
    }),
  );
}

async function searchRun(
  { pool, costs, now, quick }: FanOutOptions,
  shards: readonly ShardRef[],
  plan: Uint8Array,
  light: boolean,
): Promise<SearchReply> {
  const measured = pool.idle > 0;
  const started = now();
  const reply = await pool.run('search', { shards: encodeShards(shards), plan, light });
  if (measured) costs.learn(shards, now() - started);
  const [first] = shards;
  if (first !== undefined) quick?.seen(first.index);
  return readSearchReply(reply);
}
