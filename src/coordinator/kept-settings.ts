// Settings of Elasticsearch and OpenSearch that change nothing here because their value says what is so anyway: an index of
// another server can be made with what it has there. A value that would ask for anything else is refused. What asks for parts
// that this server does not have is in refused-settings.ts.
import { choice, integer, row, type SettingRow, time } from './setting-row.js';

export const KEPT_ROWS: Readonly<Record<string, SettingRow>> = {
  // The only way in which documents are stored: LZ4.
  'index.codec': row('static', choice('default')),
  // Documents pass through no pipeline.
  'index.default_pipeline': row('dynamic', choice('_none')),
  'index.final_pipeline': row('dynamic', choice('_none')),
  // A number of the owner's own.
  'index.format': row('final', integer(0)),
  // Nested fields are refused, so that there are never more of them than this.
  'index.mapping.nested_fields.limit': row('dynamic', integer(0)),
  'index.mapping.nested_objects.limit': row('dynamic', integer(0)),
  // Nor is there a search with script fields.
  'index.max_script_fields': row('dynamic', integer(0)),
  'index.mode': row('final', choice('standard')),
  // Only matters to splitting an index, which this server does not do.
  'index.number_of_routing_shards': row('final', integer(1, 1024)),
  'index.queries.cache.enabled': row('static', choice('true')),
  'index.replication.type': row('final', choice('document')),
  // A document has one shard, whatever its routing.
  'index.routing_partition_size': row('final', integer(1, 1)),
  'index.shard.check_on_startup': row('static', choice('false')),
  'index.soft_deletes.enabled': row('final', choice('true')),
  'index.verified_before_close': row('internal'),
  // Of other nodes: when and in which order they get their copies.
  'index.allocation.max_retries': row('dynamic', integer(0)),
  'index.priority': row('dynamic', integer(0)),
  'index.unassigned.node_left.delayed_timeout': row('dynamic', time(-1)),
};
