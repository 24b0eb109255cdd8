// The _cat routes. The tables about indexes (indices, counts, aliases) are in this file, the others
// are imported.

import type { IndexDescription, IndexStats, JsonObject } from '../../backend/index.js';
import { asText } from '../../base/json-text.js';
import { selected } from '../indices/alias-names.js';
import {
  activePercent,
  healthOf,
  replicasOf,
  shardCounts,
  statusOf,
} from '../indices/shard-health.js';
import { INDEX_OPTIONS, indexOptions, splitList } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  countedIndices,
  optionalBody,
  part,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { type Row, TABLE_PARAMS, tableAnswer } from '../kit/table.js';
import { CLUSTER } from '../schemas/cluster.js';
import { NODE } from '../schemas/node.js';
import {
  ALIAS_COLUMNS,
  CLOCK_COLUMNS,
  COUNT_COLUMNS,
  counted,
  HEALTH_COLUMNS,
  INDEX_COLUMNS,
} from './cat-columns.js';
import { catNodeRoutes } from './cat-node.js';
import { catSnapshotRoutes } from './cat-snapshots.js';
import { catStorageRoutes, statsOf } from './cat-storage.js';
import { catTemplateRoutes } from './cat-templates.js';
import { countersOf } from './stats-sections.js';

/** The routes of all tables, and of `/_cat`, which lists their paths. */
export function catRoutes(deps: ApiDeps): readonly Route[] {
  const tables = [
    ...indexTables(deps),
    ...catNodeRoutes(deps),
    ...catStorageRoutes(deps),
    ...catTemplateRoutes(deps),
    ...catSnapshotRoutes(deps),
  ];
  const paths = tables.flatMap((table) =>
    table.paths.map((path) => path.replace(/:(\w+)/, '{$1}')),
  );
  const list = ['=^.^=', ...paths.sort(), ''].join('\n');
  return [
    ...tables,
    {
      schema: CLUSTER.cat,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cat'],
      params: [],
      handler: () => ({ status: 200, text: list }),
    },
  ];
}

function indexTables(deps: ApiDeps): readonly Route[] {
  const params = [...TABLE_PARAMS, ...INDEX_OPTIONS];
  return [
    {
      schema: NODE.catIndices,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cat/indices', '/_cat/indices/:index'],
      params: [...params, 'health', 'pri', 'include_unloaded_segments'],
      handler: (request) => indices(deps, request),
    },
    {
      schema: NODE.catCount,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_cat/count', '/_cat/count/:index'],
      params,
      handler: (r) => count(deps, r),
    },
    {
      schema: NODE.catHealth,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cat/health'],
      params: [...params, 'ts'],
      handler: (r) => health(deps, r),
    },
    {
      schema: NODE.catAliases,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cat/aliases', '/_cat/aliases/:name'],
      params,
      handler: (r) => aliases(deps, r),
    },
  ];
}

async function indices(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const wanted = request.params.choice('health', ['green', 'yellow', 'red'] as const);
  request.params.flag('pri');
  const described = countedIndices(deps, request, { expandWildcards: ['open', 'closed'] }).filter(
    (index) => wanted === undefined || healthOf(index) === wanted,
  );
  const rows = await Promise.all(
    described.map(async (index) => indexRow(index, await statsOf(deps, index))),
  );
  return tableAnswer(request, INDEX_COLUMNS, rows);
}

function indexRow(index: IndexDescription, stats: IndexStats | null): Row {
  const cells = counted(stats === null ? undefined : countersOf(stats));
  const primaries = Object.entries(cells).map(([name, value]) => [`pri.${name}`, value]);
  const cache = (name: string): number | null =>
    stats === null ? null : Number(stats.detail[`request_cache_${name}`] ?? 0);
  return {
    ...cells,
    ...Object.fromEntries(primaries),
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
    'request_cache.memory_size': cache('bytes'),
    'request_cache.evictions': cache('evictions'),
    'request_cache.hit_count': cache('hits'),
    'request_cache.miss_count': cache('misses'),
  };
}

function clockRow(deps: ApiDeps): Row {
  const now = deps.nowMs();
  return { epoch: Math.floor(now / 1000), timestamp: new Date(now).toISOString().slice(11, 19) };
}

async function count(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const result = await deps.backend.count({
    index: part(request, 'index'),
    body: await optionalBody(request),
    ...indexOptions(request.params),
  });
  return tableAnswer(request, COUNT_COLUMNS, [{ ...clockRow(deps), count: result.count }]);
}

function health(deps: ApiDeps, request: ApiRequest): Answer {
  const all = deps.backend.resolve('', { expandWildcards: ['all'] });
  const counts = shardCounts(all);
  const { primaries, unassigned } = counts;
  const clock = request.params.flag('ts') === false ? [] : CLOCK_COLUMNS;
  const row: Row = {
    ...clockRow(deps),
    cluster: 'quarry',
    status: statusOf(counts, deps.backend.damaged().length === 0),
    'node.total': 1,
    'node.data': 1,
    shards: primaries,
    pri: primaries,
    relo: 0,
    init: 0,
    unassign: unassigned,
    'unassign.pri': counts.damaged,
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
      .filter(([alias]) => selected(patterns, alias, new Set()))
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
    'routing.index': asText(properties['index_routing'] ?? '-'),
    'routing.search': asText(properties['search_routing'] ?? '-'),
    is_write_index: write === undefined ? '-' : String(write),
  };
}
