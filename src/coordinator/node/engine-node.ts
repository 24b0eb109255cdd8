// An engine and its operation: opening and recovery, group commit, refreshes, flushes, merges, and
// shutdown. The request paths are built on top of it.
import { setTimeout as pause } from 'node:timers/promises';
import { plainJson } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import type { Addon, NativeErrors } from '../../native/addon.js';
import type { LiveConfig } from '../../ops/live-config.js';
import type { Logger } from '../../ops/logger.js';
import type { MemoryGuard } from '../../ops/memory-guard.js';
import type { Metrics } from '../../ops/metrics.js';
import type { Readiness } from '../../ops/readiness.js';
import type { ShardRef } from '../../worker/tasks.js';
import { Catalog, type ReadIndex, readIndex } from '../catalog/catalog.js';
import { MappingParts } from '../catalog/mapping-parts.js';
import { applyClauseLimit } from '../shards/clause-limit.js';
import type { EngineUse } from '../shards/engine-use.js';
import type { WorkerPools } from '../shards/pools.js';
import { RefreshScheduler } from '../shards/refresh.js';
import { WriteMarks } from '../shards/write-marks.js';
import { GroupCommit } from './commit.js';
import { forEachLimited, type RecoveryOptions, recoverLater, recoverShards } from './lifecycle.js';
import { Maintenance, shardPairs } from './maintenance.js';
import { MergeTurns } from './merge-turns.js';
import { observeNode } from './node-metrics.js';

export interface EngineNodeOptions {
  /** Loaded on the main thread before any worker was started. */
  readonly addon: Addon;
  readonly errors: NativeErrors;
  readonly pools: WorkerPools & { close(): Promise<void> };
  readonly live: LiveConfig;
  readonly guard: Pick<MemoryGuard, 'check'>;
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Shared with the threads that search the engine of this process. */
  readonly engineUse: EngineUse;
}

type Job = 'refresh' | 'flush' | 'merge';

/**
 * Time limit for the last checkpoint in milliseconds: the process has 15 seconds to end, including
 * the grace period and requests in flight.
 */
const CHECKPOINT_MS = 6000;

export class EngineNode {
  readonly catalog = new Catalog();
  readonly commit: GroupCommit;
  /** Marks of shards in which refreshes and flushes may have changed what searches see. */
  readonly published: WriteMarks;
  readonly refresh: RefreshScheduler;
  readonly maintenance: Maintenance;
  readonly #options: EngineNodeOptions;
  readonly #mergeTurns: MergeTurns;
  #opened = false;
  #starting: Promise<void> = Promise.resolve();
  #stopping = false;
  #relieving = false;

  constructor(options: EngineNodeOptions) {
    this.#options = options;
    const { addon, errors, live, metrics, logger, pools, engineUse } = options;
    this.published = new WriteMarks(engineUse.published);
    this.#mergeTurns = new MergeTurns(() => live.get('merge.max_merge_count'));
    live.watch(() => {
      if (this.#opened) addon.setMergeLimit(live.get('merge.max_bytes_per_sec'));
    });
    this.commit = new GroupCommit({
      syncWal: () => addon.syncWal(),
      toError: (thrown) => this.#syncFailure(errors.fromThrown(thrown)),
      onFailure: (error) => this.#writesStopped(error),
      onSync: (seconds) => metrics.walSyncSeconds.observe(seconds),
      intervalMs: () => live.get('wal.sync_interval_ms'),
      now: () => performance.now(),
    });
    this.refresh = new RefreshScheduler({
      refresh: (shard) =>
        this.#timed('refresh', () => this.#publishes(shard, this.#refresh(shard))),
      intervalMs: (index) => this.catalog.byNumber(index)?.behaviour.refreshIntervalMs,
      onError: (shard, error) => this.#failed('refresh', shard, error),
      onUnpublished: (index, change) => engineUse.changeUnpublished(index, change),
      concurrency: pools.write.threads,
      now: () => performance.now(),
    });
    this.maintenance = new Maintenance({
      flushCandidates: () => {
        this.#watchWrites();
        return addon.flushCandidates();
      },
      mergeCandidates: () => addon.mergeCandidates(),
      flush: (shard) => this.flush(shard),
      merge: (shard) => this.merge(shard, 0),
      maxMerges: () => live.get('merge.max_merge_count'),
      onError: (job, shard, error) => this.#failed(job, shard, error),
      closeIdle: () => addon.closeIdle(),
      warnings: () => addon.takeWarnings(),
      onWarning: (warning) => logger.warn(warning),
    });
    observeNode({
      metrics,
      indexNames: () => namesOf(this.catalog.indexes()),
      stats: () => this.engineStats(),
      refreshLagMs: () => this.refresh.lagMs(),
      dataDir: live.get('data_dir'),
    });
  }

  /** Makes the log durable; resolves to the durable position. */
  syncLog(): Promise<bigint> {
    return this.#options.addon.syncWal();
  }

  /** The engine's node statistics as JSON; `{}` while it is not open. */
  engineStats(): string {
    return this.#opened ? this.#options.addon.nodeStats() : '{}';
  }

  /**
   * Opens the data, replays the log and writes the first checkpoint. Rejects when the data cannot
   * be served.
   */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  /**
   * Writes in-memory segments to disk. Writers may be blocked until it is done, so that it never
   * runs at low priority.
   */
  flush(shard: ShardRef): Promise<void> {
    const { awaited, write } = this.#options.pools;
    const pool = awaited.idle > 0 ? awaited : write;
    return this.#timed('flush', async () => {
      await this.#publishes(shard, pool.run('flush', shard));
    });
  }

  /** Flushes all shards with writes that exist only in memory and the log; one round at a time. */
  relieveMemory(): void {
    if (!this.#opened || this.#stopping || this.#relieving) return;
    this.#relieving = true;
    const shards = shardPairs(this.#options.addon.unflushedShards());
    const round = forEachLimited(shards, this.#options.pools.write.threads, (shard) =>
      this.flush(shard).catch((error: unknown) => this.#failed('flush', shard, error)),
    );
    void round.finally(() => {
      this.#relieving = false;
    });
  }

  /**
   * One merge step; true when something was merged. `maxSegments` 0: according to the merge policy,
   * else a request waits for it.
   */
  merge(shard: ShardRef, maxSegments: number): Promise<boolean> {
    const { awaited, background } = this.#options.pools;
    const pool = maxSegments > 0 ? awaited : background;
    return this.#mergeTurns.run(() =>
      this.#timed('merge', () => pool.run('merge', { ...shard, maxSegments })),
    );
  }

  /**
   * Ends running jobs, writes the last checkpoint and closes the engine. Requests must have ended.
   */
  async close(): Promise<void> {
    this.#stopping = true;
    const { pools } = this.#options;
    await this.#starting.catch(() => {});
    this.refresh.close();
    // Building a vector graph takes longer than the process has to end.
    if (this.#opened) this.#options.addon.abortMerges();
    await this.maintenance.close();
    await this.commit.close();
    if (this.#opened) {
      const checkpointMs = await this.#checkpoint();
      this.#opened = false;
      await pools.write.run('close', { checkpointMs });
    }
    await pools.close();
  }

  async #start(): Promise<void> {
    const { addon, live, pools } = this.#options;
    await pools.write.run('open', {
      dataDir: live.get('data_dir'),
      options: this.#engineOptions(),
    });
    this.#opened = true;
    this.#options.readiness.replayingOperations(() =>
      this.#opened ? addon.replayProgress() : { done: 0, total: 0 },
    );
    const unreadable = this.#loadCatalog();
    const recovery: RecoveryOptions = {
      tasks: pools.search,
      concurrency: pools.search.threads,
      readiness: this.#options.readiness,
      logger: this.#options.logger,
      stopping: () => this.#stopping,
      pause: (ms) => pause(ms, undefined, { ref: false }),
    };
    const left = await recoverShards(shardPairs(addon.needsRecovery()), recovery);
    // After the recovery, so that their log records are in their files.
    for (const [index, reason] of unreadable) addon.putOutOfService(index, reason);
    recoverLater(left, recovery).catch((error: unknown) => {
      if (!this.#stopping) this.#options.logger.error({ err: error }, 'a recovery was aborted');
    });
    this.maintenance.check();
  }

  /**
   * Adds every index on disk to the catalog. Returns the numbers of the indexes with unreadable
   * descriptions and the reasons.
   */
  #loadCatalog(): ReadonlyMap<number, string> {
    const unreadable = new Map<number, string>();
    const read: ReadIndex[] = [];
    const mappings = new MappingParts();
    for (const line of this.#options.addon.describeAll().split('\n')) {
      if (line === '') continue;
      read.push(readIndex(line, mappings));
    }
    this.catalog.change(read, []);
    for (const { entry, damage } of read) {
      if (damage !== undefined) unreadable.set(entry.number, damage);
    }
    return unreadable;
  }

  /**
   * A damaged shard has nothing to publish: every use of it fails with the reason, and a retry
   * would not help.
   */
  async #refresh(shard: ShardRef): Promise<boolean> {
    try {
      return await this.#options.pools.write.run('refresh', shard);
    } catch (error) {
      if (error instanceof QuarryError && error.type === 'corrupt_index_exception') return false;
      throw error;
    }
  }

  #engineOptions(): string {
    const { live, pools } = this.#options;
    return plainJson({
      wal_file_bytes: live.get('wal.file_bytes'),
      wal_flush_bytes: live.get('wal.flush_bytes'),
      memtable_flush_bytes: live.get('memtable.flush_bytes'),
      filter_cache_bytes: live.get('cache.filter_bytes'),
      disk_reserve_bytes: live.get('disk.reserve_bytes'),
      snapshot_retention_ms: live.get('search.snapshot_retention_ms'),
      held_bytes: live.get('search.held_bytes'),
      idle_close_ms: live.get('index.idle_close_ms'),
      merge_bytes_per_sec: live.get('merge.max_bytes_per_sec'),
      busy_searches: pools.search.threads,
      max_clauses: applyClauseLimit(live),
    });
  }

  /**
   * Flushes the shards on all write threads; the engine's close() would do it sequentially. A shard
   * that fails or is not reached in time is replayed from the log. Returns the remaining time in
   * milliseconds.
   */
  async #checkpoint(): Promise<number> {
    const { addon, pools, logger } = this.#options;
    const end = performance.now() + CHECKPOINT_MS;
    const shards = shardPairs(addon.unflushedShards());
    await forEachLimited(shards, pools.write.threads, async (shard) => {
      if (performance.now() >= end) return;
      await pools.write.run('flush', shard).catch((error: unknown) => {
        logger.warn({ err: error, shard }, 'the last checkpoint of a shard failed, its log stays');
      });
    });
    return Math.max(0, Math.round(end - performance.now()));
  }

  async #timed<T>(job: Job, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      const seconds = (performance.now() - started) / 1000;
      this.#options.metrics.backgroundSeconds.observe({ kind: job }, seconds);
    }
  }

  /** Updates the marks before the end of the job becomes visible. */
  async #publishes<T>(shard: ShardRef, job: Promise<T>): Promise<T> {
    try {
      return await job;
    } finally {
      this.published.wrote([shard]);
    }
  }

  /** An error of a job on an index that was dropped meanwhile is ignored. */
  #failed(job: Job, shard: ShardRef, error: unknown): void {
    const index = this.catalog.byNumber(shard.index);
    if (index === undefined || (this.#stopping && job === 'merge')) return;
    this.#options.logger.error(
      { err: error, index: index.name, shard: shard.shard },
      `${job} failed and will be retried`,
    );
  }

  /**
   * Writes end not only with a failed sync of the log, but with one of any file or folder of the
   * data.
   */
  #watchWrites(): void {
    const { addon, errors } = this.#options;
    const state = addon.writeState();
    if (state === null) return;
    const error = errors.toError(state.errorType, state.reason);
    if (error.type === 'store_exception') this.#writesStopped(error);
  }

  #writesStopped(error: QuarryError): void {
    const { logger, readiness } = this.#options;
    if (readiness.fault !== null) return;
    logger.fatal({ err: error }, 'a write or sync failed, writes are refused until a restart');
    readiness.failed(error.message);
  }

  #syncFailure(thrown: unknown): QuarryError {
    if (thrown instanceof QuarryError && thrown.type === 'store_exception') return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new QuarryError('store_exception', `the log could not be synced: ${message}`);
  }
}

function* namesOf(entries: Iterable<{ readonly name: string }>): Iterable<string> {
  for (const { name } of entries) yield name;
}
