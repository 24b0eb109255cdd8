// Maps the core's counters to the statistics sections of Elasticsearch. What is not counted (most
// times) is left out.
import type { IndexStats, JsonObject } from '../../backend/index.js';

/** All counters of an index by name. */
export function countersOf({ detail, docs, deleted, bytes, segments }: IndexStats): JsonObject {
  return { ...detail, docs, deleted, bytes, segments };
}

/**
 * The statistics sections of several indexes or shards, summed; each element of `details` holds the
 * core's counters of one.
 */
export function indexSections(details: readonly JsonObject[]): JsonObject {
  const sum = (name: string): number =>
    details.reduce((total, detail) => total + Number(detail[name] ?? 0), 0);
  return {
    ...counterSections(
      sum,
      details.reduce((total, detail) => total + segmentsOf(detail), 0),
    ),
    shard_stats: { total_count: details.reduce((total, detail) => total + shardsOf(detail), 0) },
    request_cache: {
      memory_size_in_bytes: sum('request_cache_bytes'),
      evictions: sum('request_cache_evictions'),
      hit_count: sum('request_cache_hits'),
      miss_count: sum('request_cache_misses'),
    },
  };
}

/** The statistics sections of the node over all its indexes. */
export function nodeSections(detail: JsonObject): JsonObject {
  const count = (name: string): number => Number(detail[name] ?? 0);
  return {
    ...counterSections(count, segmentsOf(detail)),
    shard_stats: { total_count: count('shards') },
    query_cache: {
      memory_size_in_bytes: count('filter_cache_bytes'),
      total_count: count('filter_cache_hits') + count('filter_cache_misses'),
      hit_count: count('filter_cache_hits'),
      miss_count: count('filter_cache_misses'),
    },
    translog: {
      size_in_bytes: count('wal_bytes'),
      uncommitted_size_in_bytes: count('wal_unreleased_bytes'),
    },
  };
}

/** `segments` is a number for an index, and a list for a shard. */
function segmentsOf({ segments }: JsonObject): number {
  return Array.isArray(segments) ? segments.length : Number(segments ?? 0);
}

/** Number of shards of an index; 1 if the counters are those of a single shard. */
function shardsOf({ shards }: JsonObject): number {
  return Array.isArray(shards) ? shards.length : 1;
}

function counterSections(count: (name: string) => number, segments: number): JsonObject {
  const bytes = count('bytes');
  return {
    docs: { count: count('docs'), deleted: count('deleted'), total_size_in_bytes: bytes },
    store: {
      size_in_bytes: bytes,
      total_data_set_size_in_bytes: bytes,
      reserved_in_bytes: 0,
    },
    indexing: {
      index_total: count('index_total'),
      index_failed: count('index_failed'),
      delete_total: count('delete_total'),
      noop_update_total: count('noop_update_total'),
      is_throttled: false,
      throttle_time_in_millis: 0,
    },
    get: {
      total: count('get_total'),
      exists_total: count('get_total') - count('get_missing'),
      missing_total: count('get_missing'),
    },
    search: {
      query_total: count('search_query_total'),
      query_time_in_millis: Math.floor(count('search_query_ns') / 1e6),
      fetch_total: count('search_fetch_total'),
    },
    merges: {
      total: count('merge_total'),
      total_docs: count('merge_docs'),
      total_size_in_bytes: count('merge_bytes'),
      total_throttled_time_in_millis: Math.floor(count('merge_paused_ns') / 1e6),
    },
    refresh: { total: count('refresh_total') },
    flush: { total: count('flush_total') },
    segments: { count: segments },
    dense_vector: {
      value_count: count('vector_count'),
      off_heap: vectorBytes(
        count('vector_row_bytes'),
        count('vector_code_bytes'),
        count('vector_graph_bytes'),
      ),
    },
  };
}

/**
 * `rows`, `codes` and `graphs` are the bytes of full vectors, quantised vectors and HNSW graphs.
 */
function vectorBytes(rows: number, codes: number, graphs: number): JsonObject {
  return {
    total_size_bytes: rows + codes + graphs,
    total_veb_size_bytes: 0,
    total_vec_size_bytes: rows,
    total_veq_size_bytes: codes,
    total_vex_size_bytes: graphs,
  };
}
