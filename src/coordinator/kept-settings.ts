// Settings that are checked, kept and shown, and change no answer: they tune parts that only other engines have, or bound what
// this server does not do at all. An index of another server can be made here with the settings it has there.
import {
  anything,
  boolean,
  choice,
  integer,
  row,
  type SettingRow,
  size,
  time,
} from './setting-row.js';

export const KEPT_ROWS: Readonly<Record<string, SettingRow>> = {
  'index.allocation.max_retries': row('dynamic', integer(0)),
  'index.codec': row('static', choice('default', 'best_compression', 'best_speed')),
  // Documents pass through no pipeline.
  'index.default_pipeline': row('dynamic', choice('_none')),
  'index.final_pipeline': row('dynamic', choice('_none')),
  'index.flush_after_merge': row('dynamic', size),
  // A number of the owner's own.
  'index.format': row('final', integer(0)),
  'index.gc_deletes': row('dynamic', time(-1)),
  'index.load_fixed_bitset_filters_eagerly': row('static', boolean),
  'index.mapping.dimension_fields.limit': row('dynamic', integer(0)),
  'index.mapping.nested_fields.limit': row('dynamic', integer(0)),
  'index.mapping.nested_objects.limit': row('dynamic', integer(0)),
  'index.max_adjacency_matrix_filters': row('dynamic', integer(2)),
  'index.max_refresh_listeners': row('dynamic', integer(0)),
  'index.max_script_fields': row('dynamic', integer(0)),
  'index.mode': row('final', choice('standard')),
  // Only matters to splitting an index, which this server does not do.
  'index.number_of_routing_shards': row('final', integer(1, 1024)),
  'index.optimize_auto_generated_id': row('dynamic', boolean),
  'index.priority': row('dynamic', integer(0)),
  'index.queries.cache.enabled': row('static', boolean),
  'index.replication.type': row('final', choice('document', 'segment')),
  // A document has one shard, whatever its routing.
  'index.routing_partition_size': row('final', integer(1, 1)),
  'index.search.idle.after': row('dynamic', time(0)),
  'index.shard.check_on_startup': row('static', choice('false')),
  'index.soft_deletes.enabled': row('final', choice('true')),
  'index.soft_deletes.retention_lease.period': row('dynamic', time(0)),
  'index.store.preload': row('static'),
  'index.store.type': row('static', choice('fs', 'niofs', 'mmapfs', 'hybridfs')),
  'index.translog.flush_threshold_age': row('dynamic', time(0)),
  'index.translog.flush_threshold_size': row('dynamic', size),
  'index.translog.generation_threshold_size': row('dynamic', size),
  'index.unassigned.node_left.delayed_timeout': row('dynamic', time(-1)),
  'index.verified_before_close': row('internal'),
  'index.warmer.enabled': row('dynamic', boolean),
};

/** How another engine merges; this one's merges are configured for the node. */
export const KEPT_GROUPS: readonly (readonly [string, SettingRow])[] = [
  ['index.merge.policy.', row('dynamic', anything)],
  ['index.merge.scheduler.', row('dynamic', anything)],
];
