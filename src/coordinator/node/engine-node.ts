// One engine and everything that keeps it going: opening and recovery, group commit, refreshes, flushes, merges, and
// the orderly end. The request paths (search.ts, write.ts, get.ts) are built on top of it.
import { setTimeout as pause } from 'node:timers/promises';
import { plainJson } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import type { Addon, NativeErrors } from '../../native/addon.js';
import type { LiveConfig } from '../../ops/live-config.js';
import type { Logger } from '../../ops/logger.js';
import type { MemoryGuard } from '../../ops/memory-guard.js';
import type { Metrics } from '../../ops/metrics.js';
import { memoryLimit } from '../../ops/process-memory.js';
import type { Readiness } from '../../ops/readiness.js';
import { clauseLimit } from '../../query/limits.js';
import type { ShardRef } from '../../worker/tasks.js';
import { Catalog, type ReadIndex, readIndex } from '../catalog/catalog.js';
import type { WorkerPools } from '../shards/pools.js';
import { RefreshScheduler } from '../shards/refresh.js';
import { WriteMarks } from '../write/write-marks.js';
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
}

type Job = 'refresh' | 'flush' | 'merge';

/** For the last checkpoint: the process has 15 seconds to end, grace and requests in flight included. */
const CHECKPOINT_MS = 6000;

export class EngineNode {
  readonly catalog = new Catalog();
  readonly commit: GroupCommit;
  /** What refreshes and flushes may have made searches see. */
  readonly published = new WriteMarks();
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
    const { addon, errors, live, metrics, logger, pools } = options;
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

  /** The engine's node statistics as JSON; `{}` while it is not open. */
  engineStats(): string {
    return this.#opened ? this.#options.addon.nodeStats() : '{}';
  }

  /** Opens the data, replays the log and writes the first checkpoint. Rejects when the data cannot be served. */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  /** Writes in-memory segments to disk: writers may be held back until it is done, so it never has a low priority. */
  flush(shard: ShardRef): Promise<void> {
    const { awaited, write } = this.#options.pools;
    const pool = awaited.idle > 0 ? awaited : write;
    return this.#timed('flush', async () => {
      await this.#publishes(shard, pool.run('flush', shard));
    });
  }

  /** Writes of which only memory and the log know go to segments on disk; one round at a time. */
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

  /** One merge step; true when something was merged. `maxSegments` 0: as the policy has it, else somebody waits for it. */
  merge(shard: ShardRef, maxSegments: number): Promise<boolean> {
    const { awaited, background } = this.#options.pools;
    const pool = maxSegments > 0 ? awaited : background;
    return this.#mergeTurns.run(() =>
      this.#timed('merge', () => pool.run('merge', { ...shard, maxSegments })),
    );
  }

  /** Ends what runs, writes the last checkpoint and closes the engine. Requests must have ended. */
  async close(): Promise<void> {
    this.#stopping = true;
    const { pools } = this.#options;
    await this.#starting.catch(() => {});
    this.refresh.close();
    // A graph of vectors takes longer to build than the process has to end.
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
    // Behind the recovery: what the log has of them is in their files by now.
    for (const [index, reason] of unreadable) addon.putOutOfService(index, reason);
    recoverLater(left, recovery).catch((error: unknown) => {
      if (!this.#stopping) this.#options.logger.error({ err: error }, 'a recovery was given up');
    });
    this.maintenance.check();
  }

  /** Every index on disk gets its place. Numbers of those whose description cannot be read, with the reason. */
  #loadCatalog(): ReadonlyMap<number, string> {
    const unreadable = new Map<number, string>();
    const read: ReadIndex[] = [];
    for (const line of this.#options.addon.describeAll().split('\n')) {
      if (line === '') continue;
      read.push(readIndex(line));
    }
    this.catalog.change(read, []);
    for (const { entry, damage } of read) {
      if (damage !== undefined) unreadable.set(entry.number, damage);
    }
    return unreadable;
  }

  /** A damaged shard has nothing to publish: every use of it says so, trying again would not help. */
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
      max_clauses: clauseLimit(
        live.get('indices.query.bool.max_clause_count'),
        memoryLimit(live.get('limits.memory_bytes')),
      ),
    });
  }

  /**
   * The engine's close() would flush shard after shard; here all threads do. What fails, or is not reached in time, is in
   * the log and replayed. Returns the time that is left.
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

  /** Before anybody learns that it has ended. */
  async #publishes<T>(shard: ShardRef, job: Promise<T>): Promise<T> {
    try {
      return await job;
    } finally {
      this.published.wrote([shard]);
    }
  }

  /** A job on an index that was dropped meanwhile has nothing to do any more. */
  #failed(job: Job, shard: ShardRef, error: unknown): void {
    const index = this.catalog.byNumber(shard.index);
    if (index === undefined || (this.#stopping && job === 'merge')) return;
    this.#options.logger.error(
      { err: error, index: index.name, shard: shard.shard },
      `${job} failed, it is tried again`,
    );
  }

  /** Not only the log: a failed sync of any file or folder of the data ends the writes. */
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
