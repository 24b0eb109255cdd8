// Operations on the shards of whole indexes on request: refresh, flush, merge, and clearing the
// cache.
import type { ForceMergeOptions, IndexOptions, ShardsAnswer } from '../../backend/index.js';
import type { Addon } from '../../native/addon.js';
import type { ShardRef } from '../../worker/tasks.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { IndexEntry } from '../catalog/catalog.js';
import type { DamageReport } from '../catalog/damage.js';
import { shardsOf } from '../catalog/index-shards.js';
import type { RequestCache } from '../search/request-cache.js';
import { shardKey } from '../shards/refresh.js';
import { eachShard } from './each-shard.js';
import type { EngineNode } from './engine-node.js';
import { shardPairs } from './maintenance.js';
import { shardsAnswer } from './shards-answer.js';

export interface UpkeepOptions {
  readonly addon: Pick<Addon, 'dirtyShards'>;
  readonly node: EngineNode;
  readonly cache: RequestCache;
  /** The current report. */
  readonly damage: () => DamageReport;
  /** Number of shards that are processed concurrently. */
  readonly threads: number;
}

/** Expressions resolve as in a search; a closed index is an error. */
export class Upkeep {
  readonly #options: UpkeepOptions;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  async refresh(expression: string, options: IndexOptions): Promise<ShardsAnswer> {
    const { addon, node, damage } = this.#options;
    const entries = this.#openEntries(expression, options);
    const dirty = new Set(shardPairs(addon.dirtyShards()).map(shardKey));
    const shards = entries
      .flatMap(shardsOf)
      .filter((shard) => dirty.has(shardKey(shard)) || node.refresh.knows(shard));
    await node.refresh.now(shards);
    return shardsAnswer(entries, damage().countAmong(entries.flatMap(shardsOf)));
  }

  /** Resolves when everything acknowledged so far is visible to searches. */
  publish(expression: string): Promise<void> {
    const entries = this.#openEntries(expression, {});
    return this.#options.node.refresh.settled(entries.flatMap(shardsOf));
  }

  async flush(expression: string, options: IndexOptions): Promise<ShardsAnswer> {
    const entries = this.#openEntries(expression, options);
    return this.#each(entries, (shard) => this.#options.node.flush(shard));
  }

  clearCache(expression: string, options: IndexOptions): ShardsAnswer {
    const { cache, node } = this.#options;
    const entries = this.#openEntries(expression, options);
    // Other threads drop what they cached, as after a change.
    node.published.wrote(entries.flatMap(shardsOf));
    return shardsAnswer(cache.clear(entries));
  }

  async forceMerge(
    expression: string,
    maxSegments: number,
    { isCancelled = () => false, ...options }: ForceMergeOptions,
  ): Promise<ShardsAnswer> {
    const entries = this.#openEntries(expression, options);
    for (const entry of entries) refuseBlocked(entry, 'change_index');
    return this.#each(entries, async (shard) => {
      while (!isCancelled() && (await this.#options.node.merge(shard, maxSegments)));
    });
  }

  #openEntries(expression: string, options: IndexOptions): readonly IndexEntry[] {
    return this.#options.node.catalog
      .resolve(expression, { ...options, forbidClosed: true })
      .map(({ index }) => index);
  }

  #each(
    entries: readonly IndexEntry[],
    work: (shard: ShardRef) => Promise<void>,
  ): Promise<ShardsAnswer> {
    return eachShard(entries, this.#options.threads, work);
  }
}
