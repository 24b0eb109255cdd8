// Routes about the cluster as a whole: statistics, pending tasks (none), dangling indexes (none),
// and which clusters an expression reaches (this one).
import { availableParallelism } from 'node:os';
import type { IndexDescription, JsonObject } from '../../backend/index.js';
import { shardCounts, statusOf } from '../indices/shard-health.js';
import { INDEX_OPTIONS, splitList } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { COMPATIBLE_VERSION, VERSION } from '../kit/versions.js';
import { CLUSTER } from '../schemas/cluster.js';
import { diskUsage, heapUsage, isThisNode, memoryUsage } from './machine.js';
import { nodeSections } from './stats-sections.js';

export function clusterInfoRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.stats,
      statistics: true,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/_cluster/stats', '/_cluster/stats/nodes/:node'],
      params: ['timeout', 'flat_settings', 'include_remotes'],
      handler: (request) => stats(deps, request),
    },
    {
      schema: CLUSTER.pendingTasks,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cluster/pending_tasks'],
      params: ['local', 'master_timeout'],
      handler: () => ok({ tasks: [] }),
    },
    {
      schema: CLUSTER.resolveCluster,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_resolve/cluster', '/_resolve/cluster/:index'],
      params: [...INDEX_OPTIONS, 'ignore_throttled', 'timeout'],
      handler: (request) => resolveCluster(deps, request),
    },
    {
      schema: CLUSTER.dangling,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_dangling'],
      params: [],
      handler: () => ok({ ...header(1), dangling_indices: [] }),
    },
  ];
}

function header(nodes: number): JsonObject {
  return { _nodes: { total: nodes, successful: nodes, failed: 0 }, cluster_name: 'quarry' };
}

function stats(deps: ApiDeps, request: ApiRequest): Answer {
  const wanted = request.parts['node'];
  const here = wanted === undefined || splitList(wanted).some((name) => isThisNode(deps, name));
  const indices = deps.backend.resolve('', { expandWildcards: ['all'] });
  const counts = shardCounts(indices);
  return ok({
    ...header(here ? 1 : 0),
    cluster_uuid: deps.node.clusterUuid,
    timestamp: deps.nowMs(),
    status: statusOf(counts, deps.backend.damaged().length === 0),
    indices: {
      count: indices.length,
      shards: {
        total: counts.primaries,
        primaries: counts.primaries,
        replication: 0,
        index: { shards: spread(indices), primaries: spread(indices) },
      },
      ...nodeSections(deps.backend.nodeStats()),
      mappings: { field_types: fieldTypes(indices) },
    },
    nodes: here ? nodeSums(deps) : { count: { total: 0 } },
  });
}

function spread(indices: readonly IndexDescription[]): JsonObject {
  if (indices.length === 0) return {};
  const shards = indices.map((index) => index.shards);
  const sum = shards.reduce((total, count) => total + count, 0);
  return { min: Math.min(...shards), max: Math.max(...shards), avg: sum / shards.length };
}

function nodeSums(deps: ApiDeps): JsonObject {
  const memory = memoryUsage();
  const disk = diskUsage(deps);
  const heap = heapUsage();
  const cores = availableParallelism();
  return {
    count: { total: 1, data: 1, ingest: 1, master: 1, coordinating_only: 0 },
    versions: [COMPATIBLE_VERSION],
    os: {
      available_processors: cores,
      allocated_processors: cores,
      names: [{ name: process.platform, count: 1 }],
      architectures: [{ arch: process.arch, count: 1 }],
      mem: {
        total_in_bytes: memory.total,
        free_in_bytes: memory.free,
        used_in_bytes: memory.used,
        free_percent: 100 - memory.percent,
        used_percent: memory.percent,
      },
    },
    jvm: {
      max_uptime_in_millis: deps.readiness.uptimeSeconds * 1000,
      mem: { heap_used_in_bytes: heap.used, heap_max_in_bytes: heap.total },
    },
    ...(disk === undefined
      ? {}
      : {
          fs: {
            total_in_bytes: disk.total,
            free_in_bytes: disk.free,
            available_in_bytes: disk.free,
          },
        }),
    plugins: [],
    packaging_types: [{ flavor: 'default', type: 'npm', count: 1 }],
  };
}

/** For each field type, the number of its fields and of the indexes that hold them. */
function fieldTypes(indices: readonly IndexDescription[]): JsonObject[] {
  const found = new Map<string, { count: number; indices: Set<string> }>();
  const visit = (index: string, properties: JsonObject): void => {
    for (const field of Object.values(properties) as readonly JsonObject[]) {
      const type = String(field['type'] ?? 'object');
      const entry = found.get(type) ?? { count: 0, indices: new Set() };
      entry.count += 1;
      found.set(type, { ...entry, indices: entry.indices.add(index) });
      visit(index, (field['properties'] ?? {}) as JsonObject);
      visit(index, (field['fields'] ?? {}) as JsonObject);
    }
  };
  for (const { name, mappings } of indices)
    visit(name, (mappings['properties'] ?? {}) as JsonObject);
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => ({ name, count: entry.count, index_count: entry.indices.size }));
}

function resolveCluster(deps: ApiDeps, request: ApiRequest): Answer {
  const named = request.parts['index'] !== undefined;
  const local = {
    connected: true,
    skip_unavailable: false,
    ...(named ? { matching_indices: matches(deps, request) } : {}),
    version: {
      number: VERSION.number,
      build_flavor: VERSION.build_flavor,
      minimum_wire_compatibility_version: VERSION.minimum_wire_compatibility_version,
      minimum_index_compatibility_version: VERSION.minimum_index_compatibility_version,
    },
  };
  // Like Elasticsearch, leaves out the local cluster if the request names no index.
  return ok(named ? { '(local)': local } : {});
}

function matches(deps: ApiDeps, request: ApiRequest): boolean {
  return resolveIndices(deps, request).length > 0;
}
