// Metrics that are read at scrape time: counters of the engine and its caches, the disk, the lag of
// refreshes.
import { statfsSync } from 'node:fs';
import type { JsonObject } from '../../backend/index.js';
import type { Metrics } from '../../ops/metrics.js';
import { numberOf } from '../admin/stats.js';
import { parseJson } from '../catalog/json-text.js';
import type { CacheCounts } from '../search/cache-metrics.js';

export interface NodeMetricsOptions {
  readonly metrics: Metrics;
  /** Names of all indexes. */
  readonly indexNames: () => Iterable<string>;
  /** The engine's node statistics as JSON; `{}` while it is not open. */
  readonly stats: () => string;
  /**
   * Milliseconds for which the oldest write has waited for a refresh that is due; 0: none waits.
   */
  readonly refreshLagMs: () => number;
  /** The data folder. */
  readonly dataDir: string;
}

/** Metric, help, member of the engine's node statistics. */
const ENGINE_GAUGES = [
  ['quarry_documents', 'Documents that searches can find.', 'docs'],
  ['quarry_deleted_documents', 'Deleted documents that no merge has removed yet.', 'deleted'],
  ['quarry_segments', 'Segments of all shards.', 'segments'],
  ['quarry_disk_bytes', 'Bytes of segments on disk.', 'disk_bytes'],
  ['quarry_memory_segment_bytes', 'Bytes of segments that are in memory only.', 'memory_bytes'],
  ['quarry_memtable_bytes', 'Bytes of writes that no refresh has published.', 'memtable_bytes'],
  ['quarry_wal_bytes', 'Bytes of the log on disk.', 'wal_bytes'],
  ['quarry_wal_files', 'Files of the log.', 'wal_files'],
  [
    'quarry_vectors',
    'Vectors of all segments, those of deleted documents included.',
    'vector_count',
  ],
  ['quarry_vector_row_bytes', 'Bytes of vectors in full precision.', 'vector_row_bytes'],
  ['quarry_vector_code_bytes', 'Bytes of compact codes of vectors.', 'vector_code_bytes'],
  ['quarry_vector_graph_bytes', 'Bytes of graphs over vectors.', 'vector_graph_bytes'],
] as const;

/** Counters of the same statistics: metric, help, member. They restart with the process. */
const ENGINE_COUNTERS = [
  ['quarry_refreshes_total', 'Refreshes that published something.', 'refresh_total'],
  ['quarry_flushes_total', 'Flushes of shards to disk.', 'flush_total'],
  ['quarry_merges_total', 'Merges of segments.', 'merge_total'],
  ['quarry_merged_documents_total', 'Documents that merges have written.', 'merge_docs'],
  ['quarry_merged_bytes_total', 'Bytes that merges have written.', 'merge_bytes'],
  ['quarry_wal_syncs_total', 'Syncs of the log.', 'wal_syncs'],
  ['quarry_replayed_operations_total', 'Operations replayed from the log.', 'recovery_replayed'],
] as const;

/**
 * Time for which statistics are reused, so that all metrics of one scrape come from the same
 * statistics.
 */
const FRESH_MS = 500;
const NAMESPACE = /^\.svc-memory-.*(?<!-edges)$/;

export function observeNode(options: NodeMetricsOptions): void {
  const { metrics, indexNames, refreshLagMs, dataDir } = options;
  const engine = engineReader(options.stats);
  metrics.observe('quarry_indexes', 'Indexes, closed ones included.', () => count(indexNames()));
  metrics.observe('quarry_namespaces', 'Namespaces of memories.', () =>
    count(indexNames(), (name) => NAMESPACE.test(name)),
  );
  metrics.observe(
    'quarry_refresh_lag_seconds',
    'How long the oldest write waits to be found, where a refresh is due.',
    () => refreshLagMs() / 1000,
  );
  metrics.observe('quarry_disk_free_bytes', 'Free bytes where the data is.', () => {
    const disk = statfsSync(dataDir);
    return disk.bavail * disk.bsize;
  });
  metrics.observe(
    'quarry_native_memory_bytes',
    'Resident memory outside the JavaScript heap: segments, caches and mapped files in use.',
    () => {
      const { rss, heapTotal, external } = process.memoryUsage();
      return Math.max(0, rss - heapTotal - external);
    },
  );
  for (const [name, help, member] of ENGINE_GAUGES) {
    metrics.observe(name, help, () => numberOf(engine()[member]));
  }
  for (const [name, help, member] of ENGINE_COUNTERS) {
    metrics.count(name, help, () => numberOf(engine()[member]));
  }
}

/** The counts of the filter cache. */
export function filterCounts(stats: () => string): () => CacheCounts {
  const engine = engineReader(stats);
  const of = (member: string): number => numberOf(engine()[`filter_cache_${member}`]);
  return () => ({
    bytes: of('bytes'),
    hits: of('hits'),
    misses: of('misses'),
  });
}

function engineReader(stats: () => string): () => JsonObject {
  let read: { readonly at: number; readonly values: JsonObject } | undefined;
  return () => {
    const now = performance.now();
    if (read === undefined || now - read.at > FRESH_MS) {
      read = { at: now, values: parseJson(stats()) as JsonObject };
    }
    return read.values;
  };
}

function count(names: Iterable<string>, matches: (name: string) => boolean = () => true): number {
  let found = 0;
  for (const name of names) if (matches(name)) found += 1;
  return found;
}
