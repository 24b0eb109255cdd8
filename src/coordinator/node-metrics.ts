// Gauges that are read at scrape time: what the engine counts, and how long the queues of the pools are.
import type { JsonObject } from '../backend.js';
import type { Metrics } from '../ops/metrics.js';
import { parseJson } from './json-text.js';
import type { WorkerPools } from './pools.js';
import { numberOf } from './stats.js';

export interface NodeMetricsOptions {
  readonly metrics: Metrics;
  readonly pools: WorkerPools;
  readonly indexes: () => number;
  /** The engine's node statistics as JSON; `{}` while it is not open. */
  readonly stats: () => string;
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
  ['quarry_filter_cache_bytes', 'Bytes of cached filters.', 'filter_cache_bytes'],
] as const;

/** All gauges of one scrape are read from one answer of the engine. */
const FRESH_MS = 500;

export function observeNode({ metrics, pools, indexes, stats }: NodeMetricsOptions): void {
  metrics.observe('quarry_indexes', 'Indexes, closed ones included.', indexes);
  for (const kind of ['search', 'write', 'background'] as const) {
    const help = `Tasks that wait for a ${kind} thread.`;
    metrics.observe(`quarry_${kind}_tasks_waiting`, help, () => pools[kind].queued);
  }
  let read: { readonly at: number; readonly values: JsonObject } | undefined;
  const engine = (): JsonObject => {
    const now = performance.now();
    if (read === undefined || now - read.at > FRESH_MS) {
      read = { at: now, values: parseJson(stats()) as JsonObject };
    }
    return read.values;
  };
  for (const [name, help, member] of ENGINE_GAUGES) {
    metrics.observe(name, help, () => numberOf(engine()[member]));
  }
}
