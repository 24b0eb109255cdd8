// The columns of the _cat tables: names, aliases, descriptions, which are shown unasked.
import type { Column } from './table.js';

export const INDEX_COLUMNS: readonly Column[] = [
  { name: 'health', aliases: ['h'], about: 'current health status', shown: true },
  { name: 'status', aliases: ['s'], about: 'open/close status', shown: true },
  { name: 'index', aliases: ['i', 'idx'], about: 'index name', shown: true },
  { name: 'uuid', aliases: ['id'], about: 'index uuid', shown: true },
  {
    name: 'pri',
    aliases: ['p', 'shards.primary', 'shardsPrimary'],
    about: 'number of primary shards',
    shown: true,
    right: true,
  },
  {
    name: 'rep',
    aliases: ['r', 'shards.replica', 'shardsReplica'],
    about: 'number of replica shards',
    shown: true,
    right: true,
  },
  {
    name: 'docs.count',
    aliases: ['dc', 'docsCount'],
    about: 'available docs',
    shown: true,
    right: true,
  },
  {
    name: 'docs.deleted',
    aliases: ['dd', 'docsDeleted'],
    about: 'deleted docs',
    shown: true,
    right: true,
  },
  {
    name: 'creation.date',
    aliases: ['cd'],
    about: 'index creation date (millisecond value)',
    shown: false,
  },
  {
    name: 'creation.date.string',
    aliases: ['cds'],
    about: 'index creation date (as string)',
    shown: false,
  },
  {
    name: 'store.size',
    aliases: ['ss', 'storeSize'],
    about: 'store size of primaries & replicas',
    shown: true,
    right: true,
    bytes: true,
  },
  {
    name: 'pri.store.size',
    about: 'store size of primaries',
    shown: true,
    right: true,
    bytes: true,
  },
  { name: 'dataset.size', about: 'total size of dataset', shown: true, right: true, bytes: true },
  {
    name: 'segments.count',
    aliases: ['sc', 'segmentsCount'],
    about: 'number of segments',
    shown: false,
    right: true,
  },
  {
    name: 'dense_vector.value_count',
    aliases: ['dvc', 'denseVectorCount'],
    about: 'total count of indexed dense vector',
    shown: false,
    right: true,
  },
  {
    name: 'pri.dense_vector.value_count',
    about: 'total count of indexed dense vector of primaries',
    shown: false,
    right: true,
  },
];

export const CLOCK_COLUMNS: readonly Column[] = [
  {
    name: 'epoch',
    aliases: ['t', 'time'],
    about: 'seconds since 1970-01-01 00:00:00',
    shown: true,
  },
  { name: 'timestamp', aliases: ['ts', 'hms', 'hhmmss'], about: 'time in HH:MM:SS', shown: true },
];

export const HEALTH_COLUMNS: readonly Column[] = [
  { name: 'cluster', aliases: ['cl'], about: 'cluster name', shown: true },
  { name: 'status', aliases: ['st'], about: 'health status', shown: true },
  {
    name: 'node.total',
    aliases: ['nt', 'nodeTotal'],
    about: 'total number of nodes',
    shown: true,
    right: true,
  },
  {
    name: 'node.data',
    aliases: ['nd', 'nodeData'],
    about: 'number of nodes that can store data',
    shown: true,
    right: true,
  },
  {
    name: 'shards',
    aliases: ['sh', 'shards.total', 'shardsTotal'],
    about: 'total number of shards',
    shown: true,
    right: true,
  },
  {
    name: 'pri',
    aliases: ['p', 'shards.primary', 'shardsPrimary'],
    about: 'number of primary shards',
    shown: true,
    right: true,
  },
  {
    name: 'relo',
    aliases: ['r', 'shards.relocating', 'shardsRelocating'],
    about: 'number of relocating nodes',
    shown: true,
    right: true,
  },
  {
    name: 'init',
    aliases: ['i', 'shards.initializing', 'shardsInitializing'],
    about: 'number of initializing nodes',
    shown: true,
    right: true,
  },
  {
    name: 'unassign',
    aliases: ['u', 'shards.unassigned', 'shardsUnassigned'],
    about: 'number of unassigned shards',
    shown: true,
    right: true,
  },
  {
    name: 'pending_tasks',
    aliases: ['pt', 'pendingTasks'],
    about: 'number of pending tasks',
    shown: true,
    right: true,
  },
  {
    name: 'max_task_wait_time',
    aliases: ['mtwt', 'maxTaskWaitTime'],
    about: 'wait time of longest task pending',
    shown: true,
    right: true,
  },
  {
    name: 'active_shards_percent',
    aliases: ['asp', 'activeShardsPercent'],
    about: 'active number of shards in percent',
    shown: true,
    right: true,
  },
];

export const ALIAS_COLUMNS: readonly Column[] = [
  { name: 'alias', aliases: ['a'], about: 'alias name', shown: true },
  { name: 'index', aliases: ['i', 'idx'], about: 'index alias points to', shown: true },
  { name: 'filter', aliases: ['f', 'fi'], about: 'filter', shown: true },
  { name: 'routing.index', aliases: ['ri', 'routingIndex'], about: 'index routing', shown: true },
  {
    name: 'routing.search',
    aliases: ['rs', 'routingSearch'],
    about: 'search routing',
    shown: true,
  },
  { name: 'is_write_index', aliases: ['w', 'isWriteIndex'], about: 'write index', shown: true },
];

export const SHARD_COLUMNS: readonly Column[] = [
  { name: 'index', aliases: ['i', 'idx'], about: 'index name', shown: true },
  { name: 'shard', aliases: ['s', 'sh'], about: 'shard name', shown: true },
  {
    name: 'prirep',
    aliases: ['p', 'pr', 'primaryOrReplica'],
    about: 'primary or replica',
    shown: true,
  },
  { name: 'state', aliases: ['st'], about: 'shard state', shown: true },
  {
    name: 'docs',
    aliases: ['d', 'dc'],
    about: 'number of docs in shard',
    shown: true,
    right: true,
  },
  {
    name: 'store',
    aliases: ['sto'],
    about: 'store size of shard',
    shown: true,
    right: true,
    bytes: true,
  },
  { name: 'ip', about: 'ip of node where it lives', shown: true },
  { name: 'node', aliases: ['n'], about: 'name of node where it lives', shown: true },
];

export const NODE_COLUMNS: readonly Column[] = [
  { name: 'id', aliases: ['nodeId'], about: 'unique node id', shown: false },
  { name: 'ip', aliases: ['i'], about: 'ip address', shown: true },
  {
    name: 'heap.percent',
    aliases: ['hp', 'heapPercent'],
    about: 'used heap ratio',
    shown: true,
    right: true,
  },
  {
    name: 'ram.percent',
    aliases: ['rp', 'ramPercent'],
    about: 'used machine memory ratio',
    shown: true,
    right: true,
  },
  { name: 'cpu', about: 'recent cpu usage', shown: true, right: true },
  {
    name: 'node.role',
    aliases: ['r', 'role', 'nodeRole'],
    about: 'roles of the node',
    shown: true,
  },
  { name: 'master', aliases: ['m'], about: '*: current master', shown: true },
  { name: 'name', aliases: ['n'], about: 'node name', shown: true },
  { name: 'version', aliases: ['v'], about: 'version', shown: false },
];
