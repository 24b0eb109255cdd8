// Snapshots as the API shows them, with the members of Elasticsearch 8.
import type { IndexSummary, ShardCounts, SnapshotRecord } from './records.js';
import type { SnapshotRun } from './snapshot-run.js';

/** The common form of running, completed and failed snapshots. */
export interface SnapshotView {
  readonly name: string;
  readonly uuid: string;
  readonly version: string;
  readonly state: 'IN_PROGRESS' | 'SUCCESS' | 'PARTIAL' | 'FAILED';
  readonly indices: readonly string[];
  readonly includesGlobalState: boolean;
  readonly metadata: object | null;
  readonly startMs: number;
  /** 0 while the snapshot is running. */
  readonly endMs: number;
  readonly failures: readonly object[];
  readonly shards: { readonly total: number; readonly failed: number; readonly successful: number };
  /** Why the snapshot failed and was rolled back. */
  readonly reason?: string;
  readonly status: readonly IndexStatus[];
}

interface IndexStatus {
  readonly name: string;
  readonly stage: 'INIT' | 'STARTED' | 'DONE' | 'FAILURE';
  readonly shards: readonly ShardStatus[];
  readonly startMs: number;
  readonly tookMs: number;
}

interface ShardStatus {
  readonly total: Count;
  readonly incremental: Count;
  /** Null once the snapshot has ended. */
  readonly processed: Count | null;
}

interface Count {
  readonly file_count: number;
  readonly size_in_bytes: number;
}

export function shownRecord(record: SnapshotRecord): SnapshotView {
  const failed = record.failures.length;
  const total = record.shardsTotal;
  return {
    ...record,
    indices: record.indices.map(({ name }) => name),
    shards: { total, failed, successful: total - failed },
    status: record.indices.map(statusOf),
  };
}

function statusOf({ name, counts, startMs, endMs }: IndexSummary): IndexStatus {
  const shards = counts.map((count) => ({ ...shardStatus(count), processed: null }));
  return { name, stage: 'DONE', shards, startMs, tookMs: endMs - startMs };
}

function shardStatus({ files, bytes, newFiles, newBytes }: ShardCounts) {
  return {
    total: { file_count: files, size_in_bytes: bytes },
    incremental: { file_count: newFiles, size_in_bytes: newBytes },
  };
}

export function shownRun(run: SnapshotRun, nowMs: number): SnapshotView {
  const { plan } = run;
  const status = plan.indices.map(({ name }): IndexStatus => {
    const at = run.progress.get(name);
    const shards = (at?.counts ?? []).map((count) => ({
      ...shardStatus(count),
      processed: { file_count: count.doneFiles, size_in_bytes: count.doneBytes },
    }));
    return {
      name,
      stage: at?.stage ?? 'INIT',
      shards,
      startMs: at?.startMs ?? 0,
      tookMs: at === undefined || at.startMs === 0 ? 0 : (at.endMs || nowMs) - at.startMs,
    };
  });
  const shardsIn = (...stages: readonly string[]): number =>
    sum(status.filter(({ stage }) => stages.includes(stage)).map(({ shards }) => shards.length));
  return {
    name: plan.name,
    uuid: plan.uuid,
    version: plan.version,
    state: 'IN_PROGRESS',
    indices: plan.indices.map(({ name }) => name),
    includesGlobalState: plan.includesGlobalState,
    metadata: plan.metadata,
    startMs: run.startMs,
    endMs: 0,
    failures: [],
    shards: {
      total: shardsIn('INIT', 'STARTED', 'DONE', 'FAILURE'),
      failed: shardsIn('FAILURE'),
      successful: shardsIn('DONE'),
    },
    status,
  };
}

/**
 * The snapshot in the form of GET. With `verbose` false, only the members that Elasticsearch shows
 * without reading the snapshot's metadata.
 */
export function snapshotInfo(repository: string, shown: SnapshotView, verbose = true): object {
  const { name, uuid, state, indices } = shown;
  const head = { snapshot: name, uuid, repository };
  if (!verbose) return { ...head, indices, data_streams: [], state };
  const { startMs, endMs, metadata, reason } = shown;
  return {
    ...head,
    version_id: versionId(shown.version),
    version: shown.version,
    indices,
    data_streams: [],
    include_global_state: shown.includesGlobalState,
    ...(metadata === null ? {} : { metadata }),
    state,
    ...(reason === undefined ? {} : { reason }),
    start_time: new Date(startMs).toISOString(),
    start_time_in_millis: startMs,
    end_time: new Date(endMs).toISOString(),
    end_time_in_millis: endMs,
    duration_in_millis: endMs === 0 ? 0 : endMs - startMs,
    failures: shown.failures,
    shards: shown.shards,
    feature_states: [],
  };
}

/**
 * The snapshot in the form of GET …/_status, by index; the shards of an index are copied together.
 */
export function snapshotStatus(repository: string, shown: SnapshotView, nowMs: number): object {
  const { status, startMs, endMs } = shown;
  return {
    snapshot: shown.name,
    repository,
    uuid: shown.uuid,
    state: shown.state === 'IN_PROGRESS' ? 'STARTED' : shown.state,
    include_global_state: shown.includesGlobalState,
    shards_stats: addStages(status),
    stats: statsOf(
      status.flatMap(({ shards }) => shards),
      startMs,
      (endMs || nowMs) - startMs,
    ),
    indices: Object.fromEntries(
      status.map((one) => [
        one.name,
        {
          shards_stats: addStages([one]),
          stats: statsOf(one.shards, one.startMs, one.tookMs),
          shards: Object.fromEntries(
            one.shards.map((shard, i) => [
              String(i),
              { stage: one.stage, stats: statsOf([shard], one.startMs, one.tookMs) },
            ]),
          ),
        },
      ]),
    ),
  };
}

function addStages(status: readonly IndexStatus[]): object {
  const shardsIn = (stage: string): number =>
    sum(status.filter((one) => one.stage === stage).map(({ shards }) => shards.length));
  return {
    initializing: shardsIn('INIT'),
    started: shardsIn('STARTED'),
    finalizing: 0,
    done: shardsIn('DONE'),
    failed: shardsIn('FAILURE'),
    total: sum(status.map(({ shards }) => shards.length)),
  };
}

function statsOf(shards: readonly ShardStatus[], startMs: number, tookMs: number): object {
  const processed = shards.flatMap((one) => (one.processed === null ? [] : [one.processed]));
  return {
    incremental: add(shards.map(({ incremental }) => incremental)),
    ...(processed.length === 0 ? {} : { processed: add(processed) }),
    total: add(shards.map(({ total }) => total)),
    start_time_in_millis: startMs,
    time_in_millis: tookMs,
  };
}

function add(counts: readonly Count[]): Count {
  return {
    file_count: sum(counts.map((one) => one.file_count)),
    size_in_bytes: sum(counts.map((one) => one.size_in_bytes)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/**
 * 8.19.2 becomes 8190299, the numbering of versions before 8.9; this server's own version numbers
 * are unrelated.
 */
function versionId(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  return major * 1_000_000 + minor * 10_000 + patch * 100 + 99;
}
