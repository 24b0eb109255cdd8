// The columns of the _cat tables: names, aliases, descriptions, and the format of their cells.
import type { Column } from '../kit/table.js';

/**
 * `looks` is a space-separated list of: `shown` (in the table without `h`), `right` (aligned),
 * `bytes`, `time` (milliseconds).
 */
type ColumnRow = readonly [name: string, aliases: string, about: string, looks?: string];

export function columns(rows: readonly ColumnRow[]): readonly Column[] {
  return rows.map(([name, aliases, about, looks = '']) => ({
    name,
    aliases: aliases === '' ? [] : aliases.split(','),
    about,
    shown: looks.includes('shown'),
    ...(/right|bytes|time/.test(looks) ? { right: true as const } : {}),
    ...(looks.includes('bytes') ? { bytes: true as const } : {}),
    ...(looks.includes('time') ? { time: true as const } : {}),
  }));
}

/**
 * Columns that index rows and shard rows share, each with the name of the core's counter for it.
 */
const COUNTERS: readonly (readonly [row: ColumnRow, counter: string])[] = [
  [['flush.total', 'ft,flushTotal', 'number of flushes', 'right'], 'flush_total'],
  [['get.total', 'gto,getTotal', 'number of get ops', 'right'], 'get_total'],
  [['get.missing_total', 'gmto,getMissingTotal', 'number of failed gets', 'right'], 'get_missing'],
  [
    ['indexing.delete_total', 'idto,indexingDeleteTotal', 'number of delete ops', 'right'],
    'delete_total',
  ],
  [
    ['indexing.index_total', 'iito,indexingIndexTotal', 'number of indexing ops', 'right'],
    'index_total',
  ],
  [
    ['indexing.index_failed', 'iif,indexingIndexFailed', 'number of failed indexing ops', 'right'],
    'index_failed',
  ],
  [['merges.total', 'mt,mergesTotal', 'number of completed merge ops', 'right'], 'merge_total'],
  [['merges.total_docs', 'mtd,mergesTotalDocs', 'docs merged', 'right'], 'merge_docs'],
  [['merges.total_size', 'mts,mergesTotalSize', 'size merged', 'bytes'], 'merge_bytes'],
  [['refresh.total', 'rto,refreshTotal', 'total refreshes', 'right'], 'refresh_total'],
  [
    ['search.fetch_total', 'sfto,searchFetchTotal', 'total fetch ops', 'right'],
    'search_fetch_total',
  ],
  [
    ['search.query_total', 'sqto,searchQueryTotal', 'total query phase ops', 'right'],
    'search_query_total',
  ],
  [['segments.count', 'sc,segmentsCount', 'number of segments', 'right'], 'segments'],
  [
    ['dense_vector.value_count', 'dvc,denseVectorCount', 'number of indexed vectors', 'right'],
    'vector_count',
  ],
];

const COUNTER_ROWS = COUNTERS.map(([row]) => row);

/**
 * Cells of COUNTERS, read from the core's statistics; null for a counter that `detail` does not
 * hold.
 */
export function counted(
  detail: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, number | null>> {
  const cells = COUNTERS.map(([[name], counter]) => {
    const value = detail?.[counter];
    // The segments of a shard come as a list, and the cell shows its length.
    if (Array.isArray(value)) return [name, value.length] as const;
    return [name, typeof value === 'number' ? value : null] as const;
  });
  return Object.fromEntries(cells);
}

/**
 * Columns of the index table. Replicas are never allocated, so each counter of an index is repeated
 * for its primaries as `pri.<counter>`.
 */
export const INDEX_COLUMNS: readonly Column[] = columns([
  ['health', 'h', 'current health status', 'shown'],
  ['status', 's', 'open/close status', 'shown'],
  ['index', 'i,idx', 'index name', 'shown'],
  ['uuid', 'id,uuid', 'index uuid', 'shown'],
  ['pri', 'p,shards.primary,shardsPrimary', 'number of primary shards', 'shown right'],
  ['rep', 'r,shards.replica,shardsReplica', 'number of replica shards', 'shown right'],
  ['docs.count', 'dc,docsCount', 'available docs', 'shown right'],
  ['docs.deleted', 'dd,docsDeleted', 'deleted docs', 'shown right'],
  ['creation.date', 'cd', 'index creation date (millisecond value)'],
  ['creation.date.string', 'cds', 'index creation date (as string)'],
  ['store.size', 'ss,storeSize', 'store size of primaries & replicas', 'shown bytes'],
  ['pri.store.size', '', 'store size of primaries', 'shown bytes'],
  ['dataset.size', '', 'total size of dataset', 'shown bytes'],
  ['request_cache.memory_size', 'rcm,requestCacheMemory', 'used request cache', 'bytes'],
  ['request_cache.evictions', 'rce,requestCacheEvictions', 'request cache evictions', 'right'],
  ['request_cache.hit_count', 'rchc,requestCacheHitCount', 'request cache hit count', 'right'],
  ['request_cache.miss_count', 'rcmc,requestCacheMissCount', 'request cache miss count', 'right'],
  ...COUNTER_ROWS.flatMap((row): readonly ColumnRow[] => {
    const [name, , about, looks = ''] = row;
    return [row, [`pri.${name}`, '', about, looks]];
  }),
]);

export const CLOCK_COLUMNS: readonly Column[] = columns([
  ['epoch', 't,time', 'seconds since 1970-01-01 00:00:00', 'shown'],
  ['timestamp', 'ts,hms,hhmmss', 'time in HH:MM:SS', 'shown'],
]);

export const COUNT_COLUMNS: readonly Column[] = [
  ...CLOCK_COLUMNS,
  ...columns([['count', 'dc,docs.count,docsCount', 'the document count', 'shown']]),
];

export const HEALTH_COLUMNS: readonly Column[] = columns([
  ['cluster', 'cl', 'cluster name', 'shown'],
  ['status', 'st', 'health status', 'shown'],
  ['node.total', 'nt,nodeTotal', 'total number of nodes', 'shown right'],
  ['node.data', 'nd,nodeData', 'number of nodes that can store data', 'shown right'],
  ['shards', 't,sh,shards.total,shardsTotal', 'total number of shards', 'shown right'],
  ['pri', 'p,shards.primary,shardsPrimary', 'number of primary shards', 'shown right'],
  ['relo', 'r,shards.relocating,shardsRelocating', 'number of relocating nodes', 'shown right'],
  [
    'init',
    'i,shards.initializing,shardsInitializing',
    'number of initializing nodes',
    'shown right',
  ],
  [
    'unassign',
    'u,shards.unassigned,shardsUnassigned',
    'number of unassigned shards',
    'shown right',
  ],
  [
    'unassign.pri',
    'up,shards.unassigned.primary,shardsUnassignedPrimary',
    'number of unassigned primary shards',
    'shown right',
  ],
  ['pending_tasks', 'pt,pendingTasks', 'number of pending tasks', 'shown right'],
  [
    'max_task_wait_time',
    'mtwt,maxTaskWaitTime',
    'wait time of longest task pending',
    'shown right',
  ],
  [
    'active_shards_percent',
    'asp,activeShardsPercent',
    'active number of shards in percent',
    'shown right',
  ],
]);

export const ALIAS_COLUMNS: readonly Column[] = columns([
  ['alias', 'a', 'alias name', 'shown'],
  ['index', 'i,idx', 'index alias points to', 'shown'],
  ['filter', 'f,fi', 'filter', 'shown'],
  ['routing.index', 'ri,routingIndex', 'index routing', 'shown'],
  ['routing.search', 'rs,routingSearch', 'search routing', 'shown'],
  ['is_write_index', 'w,isWriteIndex', 'write index', 'shown'],
]);

export const SHARD_COLUMNS: readonly Column[] = columns([
  ['index', 'i,idx', 'index name', 'shown'],
  ['shard', 's,sh', 'shard name', 'shown'],
  ['prirep', 'p,pr,primaryOrReplica', 'primary or replica', 'shown'],
  ['state', 'st', 'shard state', 'shown'],
  ['docs', 'd,dc', 'number of docs in shard', 'shown right'],
  ['store', 'sto', 'store size of shard (how much disk it uses)', 'shown bytes'],
  ['dataset', '', 'total size of dataset', 'shown bytes'],
  ['ip', '', 'ip of node where it lives', 'shown'],
  ['id', '', 'unique id of node where it lives'],
  ['node', 'n', 'name of node where it lives', 'shown'],
  ['unassigned.reason', 'ur', 'reason shard became unassigned'],
  ['unassigned.details', 'ud', 'additional details as to why the shard became unassigned'],
  ...COUNTER_ROWS,
]);

export const NODE_COLUMNS: readonly Column[] = columns([
  ['id', 'id,nodeId', 'unique node id'],
  ['pid', 'p', 'process id'],
  ['ip', 'i', 'ip address', 'shown'],
  ['port', 'po', 'bound transport port'],
  ['http_address', 'http', 'bound http address'],
  ['version', 'v', 'es version'],
  ['type', 't', 'es distribution type'],
  ['build', 'b', 'es build hash'],
  ['disk.total', 'dt,diskTotal', 'total disk space', 'bytes'],
  ['disk.used', 'du,diskUsed', 'used disk space', 'bytes'],
  ['disk.avail', 'd,da,disk,diskAvail', 'available disk space', 'bytes'],
  ['disk.used_percent', 'dup,diskUsedPercent', 'used disk space percentage', 'right'],
  ['heap.current', 'hc,heapCurrent', 'used heap', 'bytes'],
  ['heap.percent', 'hp,heapPercent', 'used heap ratio', 'shown right'],
  ['heap.max', 'hm,heapMax', 'max configured heap', 'bytes'],
  ['ram.current', 'rc,ramCurrent', 'used machine memory', 'bytes'],
  ['ram.percent', 'rp,ramPercent', 'used machine memory ratio', 'shown right'],
  ['ram.max', 'rm,ramMax', 'total machine memory', 'bytes'],
  ['cpu', 'cpu', 'recent cpu usage', 'shown right'],
  ['load_1m', 'l', '1m load avg', 'shown right'],
  ['load_5m', 'l', '5m load avg', 'shown right'],
  ['load_15m', 'l', '15m load avg', 'shown right'],
  ['uptime', 'u', 'node uptime', 'time'],
  [
    'node.role',
    'r,role,nodeRole',
    'm:master eligible node, d:data node, i:ingest node, -:coordinating node only',
    'shown',
  ],
  ['master', 'm', '*:current master', 'shown'],
  ['name', 'n', 'node name', 'shown'],
]);
