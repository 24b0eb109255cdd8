// The table of configuration keys: type, default, unit, and whether a reload may change it. All
// other parts of the configuration (flags, environment, file, help, reload) are derived from these
// rows.

import {
  flag,
  integer,
  type KeySpec,
  list,
  MAX_INT,
  MAX_INT32,
  MIB,
  optional,
  slowQuery,
  text,
} from './key-spec.js';

export type { ConfigValue, KeySpec } from './key-spec.js';

export const SCHEMA = {
  'server.host': text('127.0.0.1', 'address to listen on'),
  'server.port': integer(9200, 'port to listen on, 0 for any free one', { min: 0, max: 65535 }),
  'server.insecure': flag(false, 'allow an address beyond loopback without authentication'),
  'server.read_only': flag(false, 'refuse every request that changes something, as a standby does'),
  'auth.enabled': flag(false, 'requests need a key, made by quarry keys create'),
  'auth.metrics_token': optional('token that /v1/metrics takes in the place of a key', {
    secret: true,
    reloadable: true,
  }),
  'tls.cert': optional('file with the certificate (PEM, chain included); none: plain HTTP'),
  'tls.key': optional('file with its private key (PEM)'),
  'audit.file': optional('file that a line is appended to for every request; none: no audit log'),
  'cors.allow_origins': {
    ...list(
      'origins of web pages that may send requests, * for all; none: no page of another origin',
    ),
    reloadable: true,
  },
  'console.enabled': flag(
    true,
    'serve the console at /v1/console; its files need no key, its data does',
  ),
  'mcp.enabled': flag(true, 'agents may speak the Model Context Protocol at /mcp'),
  'mcp.allow_hosts': list(
    'host names that /mcp accepts in addition to those of this machine; none: any name with keys, no other without keys',
  ),
  'server.request_timeout_ms': integer(20000, 'time in which a client must have sent its request', {
    min: 1000,
    max: 24000,
    unit: 'ms',
  }),
  data_dir: text('./data', 'folder of all indexes and the log'),
  'cluster.enabled': flag(
    false,
    'storage and search are those of an Elasticsearch or OpenSearch cluster; no data folder is used',
  ),
  'cluster.urls': list('addresses of nodes of the cluster, such as https://node-1:9200'),
  'cluster.api_key': optional('API key of the cluster, best given in the environment', {
    secret: true,
  }),
  'cluster.username': optional('user of the cluster, if there is no API key'),
  'cluster.password': optional('password of that user, best given in the environment', {
    secret: true,
  }),
  'cluster.ca': optional('file with certificates (PEM) that the cluster is trusted by'),
  'cluster.index_prefix': optional(
    'stands in front of the names of all indexes in the cluster; indexes without it are not seen',
  ),
  'cluster.timeout_ms': integer(30_000, 'time that a request may wait for the cluster', {
    min: 100,
    max: 600_000,
    unit: 'ms',
  }),
  'cluster.connect_timeout_ms': integer(3000, 'time in which a node must take a connection', {
    min: 10,
    max: 60_000,
    unit: 'ms',
  }),
  'cluster.max_retries': integer(3, 'further attempts of a request that may be sent again', {
    min: 0,
    max: 20,
  }),
  'cluster.connections': integer(64, 'connections to each node of the cluster', {
    min: 1,
    max: 4096,
  }),
  'limits.body_bytes': integer(
    16 * MIB,
    'largest request body, unpacked, and what a script may put into a document',
    {
      min: 1024,
      max: 1024 * MIB,
      unit: 'bytes',
      reloadable: true,
    },
  ),
  'limits.bulk_bytes': integer(100 * MIB, 'largest bulk body, unpacked', {
    min: 1024,
    max: 1024 * MIB,
    unit: 'bytes',
    reloadable: true,
  }),
  'limits.requests_per_second': integer(
    0,
    'requests of one key, or of one address without keys; more are answered 429; 0 for no limit',
    { min: 0, max: 1000000, reloadable: true },
  ),
  'limits.max_concurrent_searches': integer(256, 'searches in flight; more are answered 429', {
    min: 1,
    max: 100000,
    reloadable: true,
  }),
  'limits.write_queue': integer(1000, 'write requests that may wait; more are answered 429', {
    min: 1,
    max: 100000,
    reloadable: true,
  }),
  'limits.write_bytes': integer(256 * MIB, 'bytes of writes in flight; more are answered 429', {
    min: MIB,
    max: MAX_INT,
    unit: 'bytes',
    reloadable: true,
  }),
  'limits.max_requests': integer(4096, 'requests in progress; more are answered 429', {
    min: 1,
    max: 1_000_000,
    reloadable: true,
  }),
  'limits.in_flight_bytes': integer(
    512 * MIB,
    'bytes of request bodies, updates by script and answers, the latter from reading their documents until the client has received them; more are answered 429',
    { min: MIB, max: MAX_INT, unit: 'bytes', reloadable: true },
  ),
  'limits.request_items': integer(
    250_000,
    'operations of a bulk, documents of a _mget, searches of a _msearch in one request',
    { min: 1, max: MAX_INT32, reloadable: true },
  ),
  'limits.memory_bytes': integer(
    0,
    'memory of the process from which writes, and an eighth above it searches, are answered 429; 0: 80 % of the available memory',
    { min: 0, max: MAX_INT, unit: 'bytes', reloadable: true },
  ),
  'indices.query.bool.max_clause_count': integer(
    0,
    'clauses of one query, including the terms and fields that it expands to; 0: 16,384 for each GiB of limits.memory_bytes, 16,384 at most',
    { min: 0, max: 65_536 },
  ),
  'pools.http_threads': integer(
    0,
    'threads with connections of their own (HTTP workers), the main thread included; 0 for one per core, four at most',
    { min: 0, max: 64 },
  ),
  'pools.search_threads': integer(0, 'search workers, 0 for one per core', { min: 0, max: 256 }),
  'pools.write_threads': integer(0, 'write workers, 0 for half the cores', { min: 0, max: 256 }),
  'pools.background_threads': integer(1, 'workers of background merges', {
    min: 1,
    max: 64,
  }),
  'merge.max_merge_count': integer(2, 'merges that may run at once', {
    min: 1,
    max: 64,
    reloadable: true,
  }),
  'merge.max_bytes_per_sec': integer(
    32 * MIB,
    'bytes that merges write while searches run, four times as many otherwise, 0 for no limit',
    { min: 0, max: MAX_INT, unit: 'bytes', reloadable: true },
  ),
  'wal.file_bytes': integer(64 * MIB, 'size of one log file', {
    min: MIB,
    max: 4096 * MIB,
    unit: 'bytes',
  }),
  'wal.flush_bytes': integer(256 * MIB, 'log size from which all shards are flushed', {
    min: MIB,
    max: 65536 * MIB,
    unit: 'bytes',
  }),
  'wal.sync_interval_ms': integer(100, 'how often the log is synced for durability async', {
    min: 1,
    max: 60000,
    unit: 'ms',
    reloadable: true,
  }),
  'memtable.flush_bytes': integer(
    64 * MIB,
    'unflushed bytes of a shard from which it is flushed; a shard that is smaller on disk is flushed from its size, at least 16 MiB',
    {
      min: MIB,
      max: 16384 * MIB,
      unit: 'bytes',
    },
  ),
  'cache.filter_bytes': integer(64 * MIB, 'memory for cached filters', {
    min: 0,
    max: MAX_INT,
    unit: 'bytes',
  }),
  'cache.request_bytes': integer(16 * MIB, 'memory for answers without hits, of each HTTP thread', {
    min: 0,
    max: MAX_INT,
    unit: 'bytes',
    reloadable: true,
  }),
  'disk.reserve_bytes': integer(64 * MIB, 'free disk space below which writes are refused', {
    min: 0,
    max: MAX_INT,
    unit: 'bytes',
  }),
  'search.snapshot_retention_ms': integer(
    30000,
    'how long hits can be fetched from a replaced snapshot',
    {
      min: 1000,
      max: 3600000,
      unit: 'ms',
    },
  ),
  'search.max_open_contexts': integer(
    500,
    'scrolls, points in time and asynchronous searches that may be open at once; more are answered 429',
    { min: 0, max: 100000, reloadable: true },
  ),
  'search.max_buckets': integer(
    65536,
    'buckets in the aggregations of one search; the cluster setting of the same name overrides it',
    { min: 0, max: MAX_INT32, reloadable: true },
  ),
  'search.max_keep_alive_ms': integer(
    86400000,
    'longest keep-alive of a scroll or a point in time',
    { min: 1000, max: MAX_INT32, unit: 'ms', reloadable: true },
  ),
  'search.held_bytes': integer(
    256 * MIB,
    'memory that scrolls and points in time may retain, and with scrolls the kept answers of asynchronous searches',
    { min: 0, max: MAX_INT, unit: 'bytes' },
  ),
  'inference.allowed_hosts': list(
    'hosts of embeddings services: names, addresses, networks, with or without port; none: loopback, with auth.enabled no host',
  ),
  'inference.api_key_envs': list(
    'environment variables whose content may be sent as a key, stars allowed; none: all, with auth.enabled none',
  ),
  'inference.timeout_ms': integer(30000, 'time in which an embeddings service must have answered', {
    min: 1,
    max: 600000,
    unit: 'ms',
    reloadable: true,
  }),
  'inference.batch_size': integer(32, 'texts in one request to an embeddings service', {
    min: 1,
    max: 2048,
    reloadable: true,
  }),
  'inference.max_concurrent': integer(4, 'requests to one embeddings service at once', {
    min: 1,
    max: 256,
    reloadable: true,
  }),
  'inference.max_retries': integer(3, 'further tries after 429, 5xx and network errors', {
    min: 0,
    max: 10,
    reloadable: true,
  }),
  'inference.cache_bytes': integer(32 * MIB, 'memory for vectors of texts seen before', {
    min: 0,
    max: MAX_INT,
    unit: 'bytes',
    reloadable: true,
  }),
  'inference.max_pending_texts': integer(100000, 'texts that may wait; more are answered 429', {
    min: 1,
    max: MAX_INT,
    reloadable: true,
  }),
  'inference.max_pending_bytes': integer(
    512 * MIB,
    'bytes of waiting texts and their vectors; more are answered 429',
    { min: 1024, max: MAX_INT, unit: 'bytes', reloadable: true },
  ),
  'inference.runtime_dir': optional(
    'folder in which onnxruntime-node is installed, for local models; none: that of the program',
  ),
  'inference.local_threads': integer(0, 'threads of a local model, 0 for half the cores', {
    min: 0,
    max: 256,
  }),
  'inference.local_memory_bytes': integer(
    2048 * MIB,
    'memory of the process of a local model; one that takes more is ended',
    { min: 64 * MIB, max: MAX_INT, unit: 'bytes', reloadable: true },
  ),
  'reindex.remote.whitelist': list(
    'servers that _reindex may read from: host:port, both with or without stars; none: no server',
  ),
  'reindex.remote.secret_envs': list(
    'environment variables whose content _reindex may send to such a server as a password or an API key, stars allowed; none: none',
  ),
  'index.idle_close_ms': integer(
    30000,
    'an index that was not used for this long is flushed and closed until its next use',
    { min: 1000, max: MAX_INT32, unit: 'ms' },
  ),
  'snapshot.path': list(
    'folders that snapshot repositories may lie in; none: there are no snapshots',
  ),
  'snapshot.s3_places': list(
    'places of S3 that snapshot repositories may lie in, as ENDPOINT/BUCKET or ENDPOINT/BUCKET/PATH; none: there are none in S3',
  ),
  'snapshot.max_bytes_per_sec': integer(
    40 * MIB,
    'bytes in a second that a snapshot or a restore copies, 0 for as many as it can',
    { min: 0, max: MAX_INT, unit: 'bytes', reloadable: true },
  ),
  'snapshot.ship_log': optional(
    'folder, or https://ENDPOINT/BUCKET/PATH of S3, that the log is shipped to, so that any moment can be brought back without this machine; none: it is not shipped',
  ),
  'snapshot.ship_region': optional('region of that bucket; none: us-east-1'),
  'snapshot.ship_interval_ms': integer(60_000, 'at most so much is lost with the machine', {
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    reloadable: true,
  }),
  'snapshot.ship_keep_hours': integer(
    168,
    'age up to which any moment can be brought back; what was deleted or forgotten is in the shipped log for up to two days longer',
    { min: 1, max: 87_600, unit: 'hours', reloadable: true },
  ),
  'snapshot.ship_held_bytes': integer(
    4096 * MIB,
    'log that may wait on this disk while the place does not answer; beyond it, shipping begins anew with a full copy',
    { min: MIB, max: MAX_INT, unit: 'bytes', reloadable: true },
  ),
  'memory.analyzer': text('memory', 'analyzer of memories; a namespace may choose another'),
  'memory.speaker_names': {
    ...list('members of the metadata that name the speaker; the first that is there counts'),
    default: 'speaker,author,from',
  },
  'memory.session_names': {
    ...list('members of the metadata that name the session; the first that is there counts'),
    default: 'session',
  },
  'memory.time_names': {
    ...list('members of the metadata with the time when it was said or became true'),
    default: 'said_at,valid_at',
  },
  'memory.link_sessions': flag(true, 'link memories of one session in the order of storing'),
  'memory.detect': flag(false, 'look for links in every memory that is stored'),
  'memory.count_recalls': {
    ...flag(false, 'count how often each memory is recalled, for an audit; written once a minute'),
    reloadable: true,
  },
  'memory.expiry_pause_ms': integer(60_000, 'time between two removals of expired memories', {
    min: 100,
    max: 86_400_000,
    unit: 'ms',
    reloadable: true,
  }),
  'shutdown.grace_ms': integer(0, 'time between readiness 503 and closing the listener', {
    min: 0,
    max: 14000,
    unit: 'ms',
  }),
  'logging.level': text('info', 'lowest level that is logged', [
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'silent',
  ]),
  'logging.slow_query_warn_ms': slowQuery(5000, 'warn'),
  'logging.slow_query_info_ms': slowQuery(-1, 'info'),
  'logging.slow_query_debug_ms': slowQuery(-1, 'debug'),
  'logging.slow_query_trace_ms': slowQuery(-1, 'trace'),
  'logging.slow_query_values': {
    ...flag(false, 'slow-query lines show what was searched for, not only its shape'),
    reloadable: true,
  },
  'tracing.enabled': flag(false, 'send OpenTelemetry traces over OTLP/HTTP'),
  'tracing.endpoint': text('http://127.0.0.1:4318/v1/traces', 'where traces are posted'),
  'tracing.sample_percent': integer(
    100,
    'share of requests that are traced, unless the client says',
    {
      min: 0,
      max: 100,
      unit: 'percent',
    },
  ),
} as const satisfies Record<string, KeySpec<string> | KeySpec<number> | KeySpec<boolean>>;

export type ConfigKey = keyof typeof SCHEMA;
type ValueOf<S> = S extends KeySpec<infer T> ? T : never;

/** Every key with its effective value, frozen. */
export type Config = { readonly [K in ConfigKey]: ValueOf<(typeof SCHEMA)[K]> };

export const CONFIG_KEYS = Object.keys(SCHEMA) as readonly ConfigKey[];

export function specOf(key: ConfigKey): KeySpec {
  return SCHEMA[key] as KeySpec;
}

/** `limits.body_bytes` becomes `QUARRY_LIMITS_BODY_BYTES`. */
export function environmentName(key: ConfigKey): string {
  return `QUARRY_${key.toUpperCase().replaceAll('.', '_')}`;
}
