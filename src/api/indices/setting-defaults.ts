// Defaults of index settings, as `include_defaults` shows them. Settings that the server rejects
// are not listed.
import type { Json } from '../../backend/index.js';

const SLOW = ['query', 'fetch'].flatMap((phase) =>
  ['warn', 'info', 'debug', 'trace'].map(
    (level) => [`index.search.slowlog.threshold.${phase}.${level}`, '-1'] as const,
  ),
);

export const SETTING_DEFAULTS: Readonly<Record<string, Json>> = {
  'index.allocation.max_retries': '5',
  'index.auto_expand_replicas': 'false',
  'index.blocks.read': 'false',
  'index.blocks.read_only': 'false',
  'index.blocks.read_only_allow_delete': 'false',
  'index.blocks.write': 'false',
  'index.codec': 'default',
  'index.default_pipeline': '_none',
  'index.final_pipeline': '_none',
  'index.format': '0',
  'index.hidden': 'false',
  'index.mapping.coerce': 'true',
  'index.mapping.depth.limit': '20',
  'index.mapping.field_name_length.limit': '9223372036854775807',
  'index.mapping.ignore_malformed': 'false',
  'index.mapping.nested_fields.limit': '100',
  'index.mapping.nested_objects.limit': '10000',
  'index.mapping.total_fields.limit': '1000',
  'index.max_docvalue_fields_search': '100',
  'index.max_inner_result_window': '100',
  'index.max_ngram_diff': '1',
  'index.max_regex_length': '1000',
  'index.highlight.max_analyzed_offset': '1000000',
  'index.max_rescore_window': '10000',
  'index.max_result_window': '10000',
  'index.max_script_fields': '32',
  'index.max_shingle_diff': '3',
  'index.max_slices_per_scroll': '1024',
  'index.max_terms_count': '65536',
  'index.mode': 'standard',
  'index.number_of_replicas': '1',
  'index.priority': '1',
  'index.queries.cache.enabled': 'true',
  'index.query.default_field': ['*'],
  'index.query_string.lenient': 'false',
  'index.refresh_interval': '1s',
  'index.requests.cache.enable': 'true',
  'index.routing_partition_size': '1',
  ...Object.fromEntries(SLOW),
  'index.shard.check_on_startup': 'false',
  'index.soft_deletes.enabled': 'true',
  'index.top_metrics_max_size': '10',
  'index.translog.durability': 'REQUEST',
  'index.unassigned.node_left.delayed_timeout': '1m',
};

/** Defaults of the settings that are not in `set`. */
export function unsetDefaults(
  set: ReadonlyMap<string, Json>,
): readonly (readonly [string, Json])[] {
  const window = set.get('index.max_result_window');
  const defaults =
    window === undefined
      ? SETTING_DEFAULTS
      : { ...SETTING_DEFAULTS, 'index.max_rescore_window': window };
  return Object.entries(defaults).filter(([key]) => !set.has(key));
}
