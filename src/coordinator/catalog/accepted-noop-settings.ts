// Settings of Elasticsearch and OpenSearch that do not change any response: their value states what
// is the case anyway, or they only tune parts that need no tuning here. They are stored and shown,
// so that an index can be created with the settings of another server. A value that would change a
// response is refused.
import {
  boolean,
  bytes,
  choice,
  integer,
  number,
  only,
  row,
  type SettingRow,
  time,
} from './setting-row.js';

/**
 * Tuning of files, merges and flushes, which the configuration of the node determines (`merge.*`,
 * `memtable.*`, `wal.*`).
 */
const TUNING_ROWS: Readonly<Record<string, SettingRow>> = {
  'index.codec': row(
    'static',
    choice(
      ...['default', 'best_compression', 'legacy_default', 'legacy_best_compression'],
      ...['best_speed', 'zstd', 'zstd_no_dict', 'lucene_default'],
    ),
  ),
  'index.compound_format': row('dynamic'),
  'index.flush_after_merge': row('dynamic', bytes),
  'index.gc_deletes': row('dynamic', time(-1)),
  'index.indexing.slowlog.include.user': row('dynamic', boolean),
  'index.indexing.slowlog.level': row('dynamic', choice('warn', 'info', 'debug', 'trace')),
  'index.indexing.slowlog.reformat': row('dynamic', boolean),
  'index.indexing.slowlog.source': row('dynamic'),
  ...Object.fromEntries(
    ['warn', 'info', 'debug', 'trace'].map((level) => [
      `index.indexing.slowlog.threshold.index.${level}`,
      row('dynamic', time(-1)),
    ]),
  ),
  'index.load_fixed_bitset_filters_eagerly': row('static', boolean),
  'index.mapping.dimension_fields.limit': row('dynamic', integer(0)),
  'index.mapping.source.mode': row('static', choice('stored')),
  'index.mapping.synthetic_source_keep': row('static', choice('none', 'arrays')),
  'index.max_adjacency_matrix_filters': row('dynamic', integer(2)),
  'index.max_refresh_listeners': row('dynamic', integer(0)),
  'index.merge.policy.deletes_pct_allowed': row('dynamic', number(0)),
  'index.merge.policy.expunge_deletes_allowed': row('dynamic', number(0)),
  'index.merge.policy.floor_segment': row('dynamic', bytes),
  'index.merge.policy.max_merge_at_once': row('dynamic', integer(2)),
  'index.merge.policy.max_merge_at_once_explicit': row('dynamic', integer(2)),
  'index.merge.policy.max_merged_segment': row('dynamic', bytes),
  'index.merge.policy.merge_factor': row('dynamic', integer(2)),
  'index.merge.policy.min_merge': row('dynamic', bytes),
  'index.merge.policy.reclaim_deletes_weight': row('dynamic', number(0)),
  'index.merge.policy.segments_per_tier': row('dynamic', number(2)),
  'index.merge.policy.type': row('dynamic'),
  'index.merge.scheduler.auto_throttle': row('dynamic', boolean),
  'index.merge.scheduler.max_merge_count': row('dynamic', integer(1)),
  'index.merge.scheduler.max_thread_count': row('dynamic', integer(1)),
  'index.optimize_auto_generated_id': row('dynamic', boolean),
  'index.search.idle.after': row('dynamic', time(0)),
  'index.search.slowlog.include.user': row('dynamic', boolean),
  'index.search.slowlog.level': row('dynamic', choice('warn', 'info', 'debug', 'trace')),
  'index.soft_deletes.retention.operations': row('dynamic', integer(0)),
  'index.soft_deletes.retention_lease.period': row('dynamic', time(0)),
  'index.store.fs.fs_lock': row('static', choice('native', 'simple')),
  'index.store.preload': row('static'),
  'index.store.stats_refresh_interval': row('static', time(0)),
  'index.store.type': row('static', choice('', 'fs', 'niofs', 'mmapfs', 'hybridfs', 'simplefs')),
  'index.translog.flush_threshold_age': row('dynamic', time(0)),
  'index.translog.flush_threshold_size': row('dynamic', bytes),
  'index.translog.generation_threshold_size': row('dynamic', bytes),
  'index.translog.retention.age': row('dynamic', time(-1)),
  'index.translog.retention.size': row('dynamic', bytes),
  'index.translog.sync_interval': row('dynamic', time(0)),
  'index.warmer.enabled': row('dynamic', boolean),
};

/**
 * Settings for lifecycle policies, which this server does not run: whoever reads the index finds
 * the name of its policy.
 */
const LIFECYCLE_ROWS: Readonly<Record<string, SettingRow>> = {
  'index.lifecycle.indexing_complete': row('dynamic', boolean),
  'index.lifecycle.name': row('dynamic'),
  'index.lifecycle.origination_date': row('dynamic', integer(-1, Number.MAX_SAFE_INTEGER)),
  'index.lifecycle.parse_origination_date': row('dynamic', choice('false')),
  'index.lifecycle.prefer_ilm': row('dynamic', boolean),
  'index.lifecycle.rollover_alias': row('dynamic'),
  'index.lifecycle.skip': row('dynamic', boolean),
  'index.lifecycle.step.wait_time_threshold': row('dynamic', time(0)),
  'index.plugins.index_state_management.auto_manage': row('dynamic', boolean),
  'index.plugins.index_state_management.policy_id': row('dynamic'),
  'index.plugins.index_state_management.rollover_alias': row('dynamic'),
  'index.plugins.index_state_management.rollover_skip': row('dynamic', boolean),
};

/**
 * Settings of OpenSearch for `knn_vector` fields, which tune how it finds and stores vectors. The
 * space of a field is in its mapping.
 */
const KNN_ROWS: Readonly<Record<string, SettingRow>> = {
  'index.knn': row('final', boolean),
  'index.knn.advanced.approximate_threshold': row('dynamic', integer(-1)),
  'index.knn.advanced.filtered_exact_search_threshold': row('dynamic', integer(-(2 ** 31))),
  'index.knn.algo_param.ef_construction': row('static', integer(2)),
  'index.knn.algo_param.ef_search': row('dynamic', integer(2)),
  'index.knn.algo_param.m': row('static', integer(2)),
  'index.knn.derived_source.enabled': row('final', boolean),
  'index.knn.disk.vector.shard_level_rescoring_disabled': row('dynamic', boolean),
  'index.knn.memory_optimized_search': row('static', boolean),
  'index.knn.remote_index_build.enabled': row('dynamic', boolean),
  'index.knn.remote_index_build.size.min': row('dynamic', bytes),
  'index.knn.space_type': row('static', only('l2', 'give [space_type] in the mapping of fields')),
};

export const ACCEPTED_NOOP_ROWS: Readonly<Record<string, SettingRow>> = {
  ...TUNING_ROWS,
  ...KNN_ROWS,
  ...LIFECYCLE_ROWS,
  // There are no ingest pipelines.
  'index.default_pipeline': row('dynamic', choice('_none')),
  'index.final_pipeline': row('dynamic', choice('_none')),
  // A number that only the owner of the index interprets.
  'index.format': row('final', integer(0)),
  'index.mode': row('final', choice('standard')),
  // Affects only the splitting of an index, which is not supported.
  'index.number_of_routing_shards': row('final', integer(1, 1024)),
  'index.queries.cache.enabled': row('static', choice('true')),
  'index.replication.type': row('final', choice('document')),
  // A document has one shard, whatever its routing.
  'index.routing_partition_size': row('final', integer(1, 1)),
  'index.shard.check_on_startup': row('static', choice('false')),
  'index.soft_deletes.enabled': row('final', choice('true')),
  'index.verified_before_close': row('internal'),
  // Allocation to other nodes, of which there are none.
  'index.allocation.max_retries': row('dynamic', integer(0)),
  'index.priority': row('dynamic', integer(0)),
  'index.unassigned.node_left.delayed_timeout': row('dynamic', time(-1)),
};
