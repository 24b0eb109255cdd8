// The dynamic cluster settings of Elasticsearch: valid values, default, and effect on this server.
// Most of them control how nodes share work; on a single node they are only stored and shown.
import { parseSize, parseTime } from '../base/units.js';
import { QuarryError } from '../errors.js';

/** A value as it is stored and printed. */
export type ClusterValue = string | readonly string[];

export interface ClusterSettingRow {
  /** Throws for an invalid value. */
  readonly check: (name: string, value: ClusterValue) => void;
  /** The default; undefined if there is none. */
  readonly unset?: ClusterValue;
}

type Check = ClusterSettingRow['check'];

const PERCENT = /^\d+(?:\.\d+)?%$/;
const FRACTION = /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/;
const MAX_INT = 2 ** 31 - 1;

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

function single(name: string, value: ClusterValue): string {
  if (typeof value === 'string') return value;
  throw illegal(
    `Failed to parse value [${value.join(', ')}] for setting [${name}], expected one value`,
  );
}

function failed(name: string, text: string, more = ''): QuarryError {
  return illegal(`Failed to parse value [${text}] for setting [${name}]${more}`);
}

const flag: Check = (name, value) => {
  const text = single(name, value);
  if (text === 'true' || text === 'false') return;
  throw failed(name, text, ' as only [true] or [false] are allowed.');
};

function whole(least: number, most = MAX_INT): Check {
  return (name, value) => {
    const text = single(name, value);
    if (!/^[+-]?\d+$/.test(text)) throw failed(name, text);
    if (Number(text) < least) throw failed(name, text, ` must be >= ${least}`);
    if (Number(text) > most) throw failed(name, text, ` must be <= ${most}`);
  };
}

const decimal: Check = (name, value) => {
  const text = single(name, value);
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw failed(name, text, ' must be a number >= 0.0');
};

const time: Check = (name, value) => void parseTime(single(name, value), name);

const aboveZero: Check = (name, value) => {
  const text = single(name, value);
  if (!(parseTime(text, name) > 0)) throw illegal(`[${name}] must be longer than 0, got [${text}]`);
};

const bytes: Check = (name, value) => void parseSize(single(name, value), name);

/** Accepts a percentage or fraction of the disk or memory, or a size. */
const share: Check = (name, value) => {
  const text = single(name, value);
  if (PERCENT.test(text) || FRACTION.test(text)) return;
  try {
    parseSize(text, name);
  } catch {
    throw illegal(`unable to parse [${name}=${text}] as either percentage or bytes`);
  }
};

function oneOf(...words: readonly string[]): Check {
  return (name, value) => {
    const text = single(name, value);
    if (words.includes(text.toLowerCase())) return;
    throw illegal(
      `unknown value [${text}] for setting [${name}] must be one of [${words.join(', ')}]`,
    );
  };
}

const anything: Check = () => {};
const texts: Check = anything;

/** Accepts only the default value. */
function only(word: string, remedy: string): Check {
  return (name, value) => {
    const text = single(name, value);
    if (text === word) return;
    throw illegal(
      `setting [${name}] with the value [${text}] is not supported by this server, only [${word}] is: ${remedy}`,
    );
  };
}

const autoCreate: Check = (name, value) => {
  for (const pattern of patternsOf(value)) {
    if (/^[+-]?\s*$/.test(pattern)) {
      throw illegal(
        `Can't parse [${patternsOf(value).join(',')}] for setting [${name}] must be either [true, false, or a comma separated list of index patterns]`,
      );
    }
  }
};

export function patternsOf(value: ClusterValue): readonly string[] {
  const list = typeof value === 'string' ? value.split(',') : value;
  return list.map((one) => one.trim());
}

/** Settings that have an effect on this server. */
export const DESTRUCTIVE = 'action.destructive_requires_name';
export const AUTO_CREATE = 'action.auto_create_index';
export const MAX_SCROLLS = 'search.max_open_scroll_context';
export const MAX_BUCKETS = 'search.max_buckets';
export const MAX_KEEP_ALIVE = 'search.max_keep_alive';
export const MAX_SHARDS = 'cluster.max_shards_per_node';

const ALLOCATION = 'cluster.routing.allocation.';

const ROWS: Readonly<Record<string, ClusterSettingRow>> = {
  [DESTRUCTIVE]: { check: flag, unset: 'false' },
  [AUTO_CREATE]: { check: autoCreate, unset: 'true' },
  [MAX_SCROLLS]: { check: whole(0) },
  [MAX_BUCKETS]: { check: whole(0) },
  [MAX_KEEP_ALIVE]: { check: aboveZero },
  [MAX_SHARDS]: { check: whole(1), unset: String(MAX_INT) },
  // Applies to search contexts that are opened implicitly, which this server does not do.
  'search.default_keep_alive': { check: aboveZero, unset: '5m' },
  'search.default_search_timeout': {
    check: only('-1', 'give each search its [timeout]'),
    unset: '-1',
  },
  'search.default_allow_partial_results': {
    check: only('true', 'give each search its [allow_partial_search_results]'),
    unset: 'true',
  },
  'search.allow_expensive_queries': {
    check: only('true', 'searches are bounded by [timeout] and by the memory guard'),
    unset: 'true',
  },
  'search.low_level_cancellation': { check: flag, unset: 'true' },
  'search.max_async_search_response_size': { check: bytes, unset: '10mb' },
  'search.worker_threads_enabled': { check: flag, unset: 'true' },
  'search.query_phase_parallel_collection_enabled': { check: flag, unset: 'true' },
  'search.aggs.rewrite_to_filter_by_filter': { check: flag, unset: 'true' },
  'cluster.blocks.read_only': {
    check: only('false', 'block indexes by [index.blocks.read_only]'),
    unset: 'false',
  },
  'cluster.blocks.read_only_allow_delete': {
    check: only('false', 'block indexes by [index.blocks.read_only_allow_delete]'),
    unset: 'false',
  },
  'cluster.indices.close.enable': {
    check: only('true', 'the privileges of keys decide who may close indexes'),
    unset: 'true',
  },
  'cluster.auto_shrink_voting_configuration': { check: flag, unset: 'true' },
  'cluster.deprecation_indexing.enabled': { check: flag, unset: 'true' },
  'cluster.info.update.interval': { check: time, unset: '30s' },
  'cluster.info.update.timeout': { check: time, unset: '15s' },
  'cluster.max_shards_per_node.frozen': { check: whole(1), unset: '3000' },
  'cluster.max_voting_config_exclusions': { check: whole(1), unset: '10' },
  'cluster.no_master_block': { check: oneOf('all', 'write', 'metadata_write'), unset: 'write' },
  'cluster.persistent_tasks.allocation.enable': { check: oneOf('all', 'none'), unset: 'all' },
  'cluster.persistent_tasks.allocation.recheck_interval': { check: time, unset: '30s' },
  'cluster.service.slow_master_task_logging_threshold': { check: time, unset: '10s' },
  'cluster.service.slow_task_logging_threshold': { check: time, unset: '30s' },
  'cluster.routing.rebalance.enable': {
    check: oneOf('all', 'primaries', 'replicas', 'none'),
    unset: 'all',
  },
  'cluster.routing.use_adaptive_replica_selection': { check: flag, unset: 'true' },
  [`${ALLOCATION}allow_rebalance`]: {
    check: oneOf('always', 'indices_primaries_active', 'indices_all_active'),
    unset: 'always',
  },
  [`${ALLOCATION}awareness.attributes`]: { check: texts, unset: [] },
  [`${ALLOCATION}balance.disk_usage`]: { check: decimal, unset: '2.0E-11' },
  [`${ALLOCATION}balance.index`]: { check: decimal, unset: '0.55' },
  [`${ALLOCATION}balance.shard`]: { check: decimal, unset: '0.45' },
  [`${ALLOCATION}balance.threshold`]: { check: decimal, unset: '1.0' },
  [`${ALLOCATION}balance.write_load`]: { check: decimal, unset: '10.0' },
  [`${ALLOCATION}cluster_concurrent_rebalance`]: { check: whole(-1), unset: '2' },
  [`${ALLOCATION}disk.reroute_interval`]: { check: time, unset: '60s' },
  [`${ALLOCATION}disk.threshold_enabled`]: { check: flag, unset: 'true' },
  [`${ALLOCATION}disk.watermark.low`]: { check: share, unset: '85%' },
  [`${ALLOCATION}disk.watermark.low.max_headroom`]: { check: bytes, unset: '200GB' },
  [`${ALLOCATION}disk.watermark.high`]: { check: share, unset: '90%' },
  [`${ALLOCATION}disk.watermark.high.max_headroom`]: { check: bytes, unset: '150GB' },
  [`${ALLOCATION}disk.watermark.flood_stage`]: { check: share, unset: '95%' },
  [`${ALLOCATION}disk.watermark.flood_stage.max_headroom`]: { check: bytes, unset: '100GB' },
  [`${ALLOCATION}disk.watermark.flood_stage.frozen`]: { check: share, unset: '95%' },
  [`${ALLOCATION}disk.watermark.flood_stage.frozen.max_headroom`]: { check: bytes, unset: '20GB' },
  [`${ALLOCATION}enable`]: {
    check: oneOf('all', 'primaries', 'new_primaries', 'none'),
    unset: 'all',
  },
  [`${ALLOCATION}node_concurrent_incoming_recoveries`]: { check: whole(0), unset: '2' },
  [`${ALLOCATION}node_concurrent_outgoing_recoveries`]: { check: whole(0), unset: '2' },
  [`${ALLOCATION}node_concurrent_recoveries`]: { check: whole(0), unset: '2' },
  [`${ALLOCATION}node_initial_primaries_recoveries`]: { check: whole(0), unset: '4' },
  [`${ALLOCATION}same_shard.host`]: { check: flag, unset: 'false' },
  [`${ALLOCATION}shard_state.reroute.priority`]: {
    check: oneOf('normal', 'high', 'urgent'),
    unset: 'NORMAL',
  },
  [`${ALLOCATION}total_shards_per_node`]: { check: whole(-1), unset: '-1' },
  'indices.breaker.total.limit': { check: share, unset: '95%' },
  'indices.breaker.fielddata.limit': { check: share, unset: '40%' },
  'indices.breaker.fielddata.overhead': { check: decimal, unset: '1.03' },
  'indices.breaker.request.limit': { check: share, unset: '60%' },
  'indices.breaker.request.overhead': { check: decimal, unset: '1.0' },
  'network.breaker.inflight_requests.limit': { check: share, unset: '100%' },
  'network.breaker.inflight_requests.overhead': { check: decimal, unset: '2.0' },
  'indices.id_field_data.enabled': {
    check: only('true', 'documents can be sorted by their ids'),
    unset: 'true',
  },
  'indices.mapping.dynamic_timeout': { check: time, unset: '30s' },
  'indices.mapping.max_in_flight_updates': { check: whole(1, 1000), unset: '10' },
  'indices.recovery.internal_action_long_timeout': { check: time, unset: '1800000ms' },
  'indices.recovery.internal_action_retry_timeout': { check: time, unset: '1m' },
  'indices.recovery.internal_action_timeout': { check: time, unset: '15m' },
  'indices.recovery.max_bytes_per_sec': { check: bytes, unset: '40mb' },
  'indices.recovery.max_concurrent_file_chunks': { check: whole(1, 8), unset: '2' },
  'indices.recovery.max_concurrent_operations': { check: whole(1, 4), unset: '1' },
  'indices.recovery.max_concurrent_snapshot_file_downloads': { check: whole(1, 20), unset: '5' },
  'indices.recovery.max_concurrent_snapshot_file_downloads_per_node': {
    check: whole(1, 25),
    unset: '25',
  },
  'indices.recovery.recovery_activity_timeout': { check: time, unset: '1800000ms' },
  'indices.recovery.retry_delay_network': { check: time, unset: '5s' },
  'indices.recovery.retry_delay_state_sync': { check: time, unset: '500ms' },
  'indices.recovery.use_snapshots': { check: flag, unset: 'true' },
  'ingest.geoip.downloader.enabled': { check: flag, unset: 'true' },
  'ingest.geoip.downloader.poll.interval': { check: time, unset: '3d' },
  'script.max_compilations_rate': { check: anything, unset: '150/5m' },
  'snapshot.max_concurrent_operations': { check: whole(1), unset: '1000' },
  'stack.templates.enabled': { check: flag, unset: 'true' },
};

/** Settings under these prefixes share one rule. */
const GROUPS: readonly (readonly [string, ClusterSettingRow])[] = [
  [`${ALLOCATION}awareness.force.`, { check: texts }],
  [`${ALLOCATION}exclude.`, { check: texts }],
  [`${ALLOCATION}include.`, { check: texts }],
  [`${ALLOCATION}require.`, { check: texts }],
  ['cluster.metadata.', { check: anything }],
  ['logger.', { check: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'off') }],
  ['xpack.monitoring.', { check: anything }],
];

/** Undefined if the setting does not exist. */
export function clusterSettingRow(name: string): ClusterSettingRow | undefined {
  if (Object.hasOwn(ROWS, name)) return ROWS[name];
  return GROUPS.find(([prefix]) => name.length > prefix.length && name.startsWith(prefix))?.[1];
}

export function clusterSettingNames(): readonly string[] {
  return Object.keys(ROWS);
}
