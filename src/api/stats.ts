// Statistics and segments of indexes.
import type { IndexStats, Json, JsonObject } from '../backend.js';
import { keepMetrics, type MetricNames } from './metric-names.js';
import { INDEX_OPTIONS, splitList } from './params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  resolveIndices,
} from './routes.js';
import { NODE } from './schemas/node.js';
import { healthOf, replicasOf, shardsInService } from './shard-health.js';

const LEVELS = ['cluster', 'indices', 'shards'] as const;
const STATS_PARAMS = [
  ...INDEX_OPTIONS,
  'level',
  'fields',
  'metric',
  'groups',
  'include_segment_file_sizes',
  'forbid_closed_indices',
];

export function statsRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.stats,
      methods: ['GET'],
      paths: ['/_stats', '/_stats/:metric', '/:index/_stats', '/:index/_stats/:metric'],
      params: STATS_PARAMS,
      handler: (request) => stats(deps, request),
    },
    {
      schema: NODE.segments,
      methods: ['GET'],
      paths: ['/_segments', '/:index/_segments'],
      params: [...INDEX_OPTIONS, 'verbose'],
      handler: (request) => segments(deps, request),
    },
  ];
}

async function stats(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  request.params.choice('level', LEVELS);
  const asked = splitList(request.parts['metric'] ?? request.params.text('metric') ?? '');
  const body = (parts: readonly IndexStats[]): JsonObject =>
    keepMetrics(statsBody(parts), asked, METRICS, request.path);
  const indices = resolveIndices(deps, request);
  const each = await Promise.all(
    indices.map(async (index) => [index, await deps.backend.stats(index.name)] as const),
  );
  const shards = indices.reduce((sum, index) => sum + index.shards * (1 + replicasOf(index)), 0);
  const primaries = indices.reduce((sum, index) => sum + shardsInService(index), 0);
  const damaged = indices.reduce((sum, index) => sum + index.shards, 0) - primaries;
  const printed = each.map(([index, one]) => {
    const counted = body([one]);
    return [
      index.name,
      {
        uuid: index.uuid,
        health: healthOf(index),
        status: index.state,
        primaries: counted,
        total: counted,
      },
    ];
  });
  const all = body(each.map(([, one]) => one));
  return ok({
    _shards: { total: shards, successful: primaries, failed: damaged },
    _all: { primaries: all, total: all },
    indices: Object.fromEntries(printed),
  });
}

const METRICS: MetricNames = {
  sectionOf: { merge: 'merges' },
  absent: [
    'bulk',
    'completion',
    'fielddata',
    'query_cache',
    'recovery',
    'shard_stats',
    'suggest',
    'translog',
    'warmer',
  ],
};

function statsBody(parts: readonly IndexStats[]): JsonObject {
  const sum = (read: (one: IndexStats) => number): number =>
    parts.reduce((total, one) => total + read(one), 0);
  const counter = (name: string): number => sum((one) => Number(one.detail[name] ?? 0));
  return {
    docs: { count: sum((one) => one.docs), deleted: sum((one) => one.deleted) },
    store: {
      size_in_bytes: sum((one) => one.bytes),
      total_data_set_size_in_bytes: sum((one) => one.bytes),
      reserved_in_bytes: 0,
    },
    indexing: {
      index_total: counter('index_total'),
      index_failed: counter('index_failed'),
      delete_total: counter('delete_total'),
    },
    get: { total: counter('get_total'), missing_total: counter('get_missing') },
    search: {
      query_total: counter('search_query_total'),
      query_time_in_millis: Math.floor(counter('search_query_ns') / 1e6),
      fetch_total: counter('search_fetch_total'),
    },
    refresh: { total: counter('refresh_total') },
    flush: { total: counter('flush_total') },
    merges: { total: counter('merge_total') },
    segments: { count: sum((one) => one.segments) },
    request_cache: {
      memory_size_in_bytes: counter('request_cache_bytes'),
      evictions: counter('request_cache_evictions'),
      hit_count: counter('request_cache_hits'),
      miss_count: counter('request_cache_misses'),
    },
    dense_vector: {
      value_count: counter('vector_count'),
      off_heap: vectorBytes(
        counter('vector_row_bytes'),
        counter('vector_code_bytes'),
        counter('vector_graph_bytes'),
      ),
    },
  };
}

/** Under the names of Elasticsearch: rows, what is quantised of them, graphs. */
function vectorBytes(rows: number, codes: number, graphs: number): JsonObject {
  return {
    total_size_bytes: rows + codes + graphs,
    total_veb_size_bytes: 0,
    total_vec_size_bytes: rows,
    total_veq_size_bytes: codes,
    total_vex_size_bytes: graphs,
  };
}

async function segments(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const indices = resolveIndices(deps, request);
  const printed: [string, Json][] = [];
  let shards = 0;
  for (const index of indices) {
    shards += index.shards;
    const { detail } = await deps.backend.stats(index.name);
    const perShard = (detail['shards'] ?? []) as readonly JsonObject[];
    const body = perShard.map((shard, number) => [String(number), [shardSegments(deps, shard)]]);
    printed.push([index.name, { shards: Object.fromEntries(body) as JsonObject }]);
  }
  return ok({
    _shards: { total: shards, successful: shards, failed: 0 },
    indices: Object.fromEntries(printed),
  });
}

function shardSegments(deps: ApiDeps, shard: JsonObject): JsonObject {
  const list = (shard['segments'] ?? []) as readonly JsonObject[];
  return {
    routing: { state: 'STARTED', primary: true, node: deps.node.nodeId },
    num_committed_segments: list.filter((segment) => segment['committed'] === true).length,
    num_search_segments: list.length,
    segments: Object.fromEntries(list.map((segment, i) => [`_${i.toString(36)}`, segment])),
  };
}
