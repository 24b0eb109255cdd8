// The _cat routes: indices, count, health, aliases, shards, nodes, as text tables or JSON.

import type { IndexDescription, IndexStats, JsonObject } from '../backend.js';
import { wildcardMatch } from '../wildcard.js';
import {
  ALIAS_COLUMNS,
  CLOCK_COLUMNS,
  HEALTH_COLUMNS,
  INDEX_COLUMNS,
  NODE_COLUMNS,
  SHARD_COLUMNS,
} from './cat-columns.js';
import { INDEX_OPTIONS, indexOptions, splitList } from './params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  part,
  type Route,
  resolveIndices,
} from './routes.js';
import { NODE } from './schemas/node.js';
import {
  activePercent,
  healthOf,
  isDamaged,
  replicasOf,
  shardCounts,
  shardsInService,
  statusOf,
} from './shard-health.js';
import { type Column, type Row, TABLE_PARAMS, tableAnswer } from './table.js';

export function catRoutes(deps: ApiDeps): readonly Route[] {
  const params = [...TABLE_PARAMS, ...INDEX_OPTIONS];
  return [
    {
      schema: NODE.catIndices,
      methods: ['GET'],
      paths: ['/_cat/indices', '/_cat/indices/:index'],
      params: [...params, 'health', 'pri', 'include_unloaded_segments'],
      handler: (request) => indices(deps, request),
    },
    {
      schema: NODE.catCount,
      methods: ['GET'],
      paths: ['/_cat/count', '/_cat/count/:index'],
      params,
      handler: (r) => count(deps, r),
    },
    {
      schema: NODE.catHealth,
      methods: ['GET'],
      paths: ['/_cat/health'],
      params: [...params, 'ts'],
      handler: (r) => health(deps, r),
    },
    {
      schema: NODE.catAliases,
      methods: ['GET'],
      paths: ['/_cat/aliases', '/_cat/aliases/:name'],
      params,
      handler: (r) => aliases(deps, r),
    },
    {
      schema: NODE.catShards,
      methods: ['GET'],
      paths: ['/_cat/shards', '/_cat/shards/:index'],
      params,
      handler: (r) => shards(deps, r),
    },
    {
      schema: NODE.catNodes,
      methods: ['GET'],
      paths: ['/_cat/nodes'],
      params: [...params, 'full_id'],
      handler: (r) => nodes(deps, r),
    },
  ];
}

async function indices(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const wanted = request.params.choice('health', ['green', 'yellow', 'red'] as const);
  request.params.flag('pri');
  const described = resolveIndices(deps, request, { expandWildcards: ['open', 'closed'] }).filter(
    (index) => wanted === undefined || healthOf(index) === wanted,
  );
  const rows = await Promise.all(
    described.map(async (index) => indexRow(index, await statsOf(deps, index))),
  );
  return tableAnswer(request, INDEX_COLUMNS, rows);
}

/** Closed indexes have no statistics, nor have those that are out of service as a whole. */
async function statsOf(deps: ApiDeps, index: IndexDescription): Promise<IndexStats | null> {
  if (index.state !== 'open' || shardsInService(index) === 0) return null;
  return deps.backend.stats(index.name);
}

function indexRow(index: IndexDescription, stats: IndexStats | null): Row {
  const vectors = stats === null ? null : Number(stats.detail['vector_count'] ?? 0);
  return {
    health: healthOf(index),
    status: index.state,
    index: index.name,
    uuid: index.uuid,
    pri: index.shards,
    rep: replicasOf(index),
    'docs.count': stats?.docs ?? null,
    'docs.deleted': stats?.deleted ?? null,
    'creation.date': index.creationDate,
    'creation.date.string': new Date(index.creationDate).toISOString(),
    'store.size': stats?.bytes ?? null,
    'pri.store.size': stats?.bytes ?? null,
    'dataset.size': stats?.bytes ?? null,
    'segments.count': stats?.segments ?? null,
    'dense_vector.value_count': vectors,
    'pri.dense_vector.value_count': vectors,
  };
}

function clockRow(deps: ApiDeps): Row {
  const now = deps.nowMs();
  return { epoch: Math.floor(now / 1000), timestamp: new Date(now).toISOString().slice(11, 19) };
}

async function count(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const result = await deps.backend.count({
    index: part(request, 'index'),
    body: {},
    ...indexOptions(request.params),
  });
  const columns: readonly Column[] = [
    ...CLOCK_COLUMNS,
    {
      name: 'count',
      aliases: ['dc', 'docs.count', 'docsCount'],
      about: 'the document count',
      shown: true,
    },
  ];
  return tableAnswer(request, columns, [{ ...clockRow(deps), count: result.count }]);
}

function health(deps: ApiDeps, request: ApiRequest): Answer {
  const all = deps.backend.resolve('', { expandWildcards: ['all'] });
  const counts = shardCounts(all);
  const { primaries, unassigned } = counts;
  const clock = request.params.flag('ts') === false ? [] : CLOCK_COLUMNS;
  const row: Row = {
    ...clockRow(deps),
    cluster: 'quarry',
    status: statusOf(counts),
    'node.total': 1,
    'node.data': 1,
    shards: primaries,
    pri: primaries,
    relo: 0,
    init: 0,
    unassign: unassigned,
    pending_tasks: 0,
    max_task_wait_time: '-',
    active_shards_percent: `${activePercent(counts).toFixed(1)}%`,
  };
  return tableAnswer(request, [...clock, ...HEALTH_COLUMNS], [row]);
}

function aliases(deps: ApiDeps, request: ApiRequest): Answer {
  const name = request.parts['name'];
  const patterns = name === undefined ? ['*'] : splitList(name);
  const all = resolveIndices(deps, request, { expandWildcards: ['all'] });
  const rows = all.flatMap((index) =>
    Object.entries(index.aliases)
      .filter(([alias]) => patterns.some((pattern) => wildcardMatch(pattern, alias)))
      .map(([alias, properties]) => aliasRow(alias, index.name, properties)),
  );
  return tableAnswer(request, ALIAS_COLUMNS, rows);
}

function aliasRow(alias: string, index: string, properties: JsonObject): Row {
  const write = properties['is_write_index'];
  return {
    alias,
    index,
    filter: properties['filter'] === undefined ? '-' : '*',
    'routing.index': String(properties['index_routing'] ?? '-'),
    'routing.search': String(properties['search_routing'] ?? '-'),
    is_write_index: write === undefined ? '-' : String(write),
  };
}

async function shards(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const rows: Row[] = [];
  for (const index of resolveIndices(deps, request, { expandWildcards: ['all'] })) {
    const stats = await statsOf(deps, index);
    const perShard = (stats?.detail['shards'] ?? []) as readonly JsonObject[];
    for (let shard = 0; shard < index.shards; shard++) {
      rows.push(...shardRows(deps, index, shard, perShard[shard]));
    }
  }
  return tableAnswer(request, SHARD_COLUMNS, rows);
}

function shardRows(
  deps: ApiDeps,
  index: IndexDescription,
  shard: number,
  stats: JsonObject | undefined,
): readonly Row[] {
  const primary: Row = {
    index: index.name,
    shard,
    prirep: 'p',
    state: isDamaged(index, shard) ? 'UNASSIGNED' : 'STARTED',
    docs: stats === undefined ? null : Number(stats['docs'] ?? 0),
    store: stats === undefined ? null : Number(stats['bytes'] ?? 0),
    ip: '127.0.0.1',
    node: deps.node.name,
  };
  const replica: Row = {
    index: index.name,
    shard,
    prirep: 'r',
    state: 'UNASSIGNED',
    docs: null,
    store: null,
  };
  return [primary, ...Array.from({ length: replicasOf(index) }, () => replica)];
}

function nodes(deps: ApiDeps, request: ApiRequest): Answer {
  const memory = process.memoryUsage();
  const row: Row = {
    id: request.params.flag('full_id') === true ? deps.node.nodeId : deps.node.nodeId.slice(0, 4),
    ip: '127.0.0.1',
    'heap.percent': Math.round((100 * memory.heapUsed) / memory.heapTotal),
    'ram.percent': null,
    cpu: null,
    'node.role': 'dim',
    master: '*',
    name: deps.node.name,
    version: deps.version,
  };
  return tableAnswer(request, NODE_COLUMNS, [row]);
}
