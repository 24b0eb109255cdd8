// One round of a search: sends plans to shards, and separates their replies into hits and failures.
import type { SearchRequest } from '../../backend/index.js';
import {
  awaitMaybe,
  type MaybePromise,
  runSyncFirst,
  type SyncFirstTask,
} from '../../base/maybe-promise.js';
import type { QuarryError } from '../../errors.js';
import type { Metrics } from '../../ops/metrics.js';
import type { SearchReply, ShardHits, ShardReply } from '../../wire/hits-reader.js';
import { withoutInlineFetch } from '../../wire/plan-copies.js';
import type { ShardRef } from '../../worker/tasks.js';
import type { Catalog, IndexEntry } from '../catalog/catalog.js';
import type { Accounted } from '../search/search-watch.js';
import { type FanOutOptions, fanOut } from './fan-out.js';
import { shardKey } from './refresh.js';
import { isGone } from './retry.js';
import { type FailedShard, searchFailed, toFailedShard } from './search-failures.js';
import { type SearchedIndex, shardsOfAll } from './search-targets.js';

/** Shards that are searched with the same plan. */
export interface PlannedShards {
  readonly entries: readonly SearchedIndex[];
  readonly plan: Uint8Array<ArrayBuffer>;
}

/** The plan that was sent to the shards of an index. */
export function shardPlan(
  requested: readonly PlannedShards[],
  index: number,
): Uint8Array<ArrayBuffer> {
  const of = requested.find(({ entries }) => entries.some(({ number }) => number === index));
  if (of === undefined) throw new Error(`index number ${index} was not requested`);
  return of.plan;
}

export interface ShardReplies {
  readonly total: number;
  readonly hits: readonly ShardHits[];
  readonly failed: readonly FailedShard[];
  /** The documents of the page, if a single shard returned them with its hits. */
  readonly inline?: Uint8Array<ArrayBuffer> | undefined;
}

interface ShardBatch {
  readonly shards: readonly ShardRef[];
  readonly plan: Uint8Array<ArrayBuffer>;
}

/** The state that earlier rounds of a search leave for the next one. */
export interface Round {
  /** The shardKey() of shards that are excluded because they failed. */
  readonly except: ReadonlySet<string>;
  /** Whether the plans name snapshots. If one is gone, the whole search fails and is retried. */
  readonly pinned: boolean;
}

export const FIRST_ROUND: Round = { except: new Set(), pinned: false };

export interface ShardClientOptions {
  readonly catalog: Pick<Catalog, 'version'>;
  readonly fanOut: FanOutOptions;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly metrics: Metrics;
}

/** A request with the scoped pool of its search. */
export type ShardSearchRequest = SearchRequest & Pick<Accounted, 'pool'> & Partial<Accounted>;

export class ShardClient {
  readonly #options: ShardClientOptions;

  constructor(options: ShardClientOptions) {
    this.#options = options;
  }

  /** Searches every shard. Fails if all of them failed, or any if no partial result is allowed. */
  ask(
    requested: readonly PlannedShards[],
    request: ShardSearchRequest,
    round = FIRST_ROUND,
  ): MaybePromise<ShardReplies> {
    return runSyncFirst(this.#ask(requested, request, round));
  }

  *#ask(
    requested: readonly PlannedShards[],
    request: ShardSearchRequest,
    round: Round,
  ): SyncFirstTask<ShardReplies> {
    request.waiter?.check();
    const fanOut = { ...this.#options.fanOut, pool: request.pool };
    const groups: readonly ShardBatch[] = requested.map(({ entries, plan }) => ({
      shards: shardsLeft(entries, round),
      plan,
    }));
    const total = groups.reduce((sum, { shards }) => sum + shards.length, 0);
    if (total === 0) return { total: 0, hits: [], failed: [] };
    const [only] = groups;
    const replies =
      groups.length === 1 && only !== undefined
        ? [yield* awaitMaybe(send(only, total, fanOut))]
        : yield* awaitMaybe(sendAll(groups, total, fanOut));
    const hits: ShardHits[] = [];
    const failed: FailedShard[] = [];
    for (const { shards } of replies) {
      for (const reply of shards) {
        if (reply.ok) hits.push(reply);
        else failed.push(toFailedShard(reply, entryOf(reply, requested), this.#options.toError));
      }
    }
    this.#checkDropped(failed, request);
    checkFailures(failed, hits.length, round, request);
    request.account?.count(hits);
    this.countWork(hits);
    const inline = total === 1 ? replies[0]?.fetch : undefined;
    return { total, hits, failed, inline };
  }

  /**
   * Throws for an index that was dropped since its name was resolved, so that withRetry() retries.
   */
  #checkDropped(failed: readonly FailedShard[], { account }: ShardSearchRequest): void {
    const resolvedBy = account?.resolvedBy;
    if (failed.length === 0 || resolvedBy === undefined) return;
    const gone = failed.find(({ error }) => isGone(error, this.#options.catalog, resolvedBy));
    if (gone?.error.type === 'index_not_found_exception') throw gone.error;
  }

  /** Adds the work of the shards to the metrics. */
  countWork(hits: readonly ShardHits[]): void {
    const { searchWork: work } = this.#options.metrics;
    for (const shard of hits) {
      const { vectors } = shard;
      work.blocksDecoded += shard.blocksDecoded;
      work.docsScored += shard.docsScored;
      work.docsSorted += shard.docsSorted;
      work.positionsRead += shard.positionsRead;
      work.termsVisited += shard.termsVisited;
      work.postingsBytes += shard.postingsBytes;
      work.sketchDistances += vectors.sketchDistances;
      work.codeDistances += vectors.codeDistances;
      work.floatDistances += vectors.exactDistances;
      work.graphHops += vectors.hops;
      work.vectorBytes += vectors.bytesRead;
    }
  }
}

function send(
  { shards, plan }: ShardBatch,
  total: number,
  options: FanOutOptions,
): MaybePromise<SearchReply> {
  return fanOut(options, shards, total === 1 ? plan : withoutInlineFetch(plan));
}

function sendAll(
  groups: readonly ShardBatch[],
  total: number,
  options: FanOutOptions,
): Promise<readonly SearchReply[]> {
  const some = groups.filter(({ shards }) => shards.length > 0);
  return Promise.all(some.map((group) => send(group, total, options)));
}

function shardsLeft(entries: readonly SearchedIndex[], { except }: Round): readonly ShardRef[] {
  const shards = shardsOfAll(entries);
  return except.size === 0 ? shards : shards.filter((shard) => !except.has(shardKey(shard)));
}

function checkFailures(
  failed: readonly FailedShard[],
  succeeded: number,
  { pinned }: Round,
  { allowPartialResults }: SearchRequest,
): void {
  const gone = failed.find(({ error }) => error.type === 'search_context_missing_exception');
  if (pinned && gone !== undefined) throw gone.error;
  if (succeeded === 0) throw searchFailed(failed, 'all shards failed');
  if (failed.length > 0 && allowPartialResults === false) {
    throw searchFailed(failed, 'Partial shards failure');
  }
}

/** The index entry at the start of the search: the index may have been dropped since. */
function entryOf(reply: ShardReply, requested: readonly PlannedShards[]): IndexEntry {
  for (const { entries } of requested) {
    const entry = entries.find(({ number }) => number === reply.index);
    if (entry !== undefined) return entry;
  }
  throw new Error(`the engine answered for index number ${reply.index}, which was not requested`);
}
