// `_nodes`: information and statistics of the one node, whole or by metric.
import { availableParallelism, release, version } from 'node:os';
import type { JsonObject } from '../../backend/index.js';
import { keepMetrics, type MetricNames } from '../kit/metric-names.js';
import { splitList } from '../kit/params.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, type Route } from '../kit/routes.js';
import { COMPATIBLE_VERSION } from '../kit/versions.js';
import { NODE } from '../schemas/node.js';
import {
  diskUsage,
  heapUsage,
  isThisNode,
  loadAverages,
  memoryUsage,
  openDescriptors,
  publishHost,
} from './machine.js';
import { breakerStats, poolStats } from './node-activity.js';
import { nodeSections } from './stats-sections.js';

const PARAMS = [
  'flat_settings',
  'timeout',
  'level',
  'fields',
  'groups',
  'types',
  'include_segment_file_sizes',
  'include_unloaded_segments',
];

const INFO: MetricNames = {
  sectionOf: {},
  absent: [
    'settings',
    'jvm',
    'thread_pool',
    'transport',
    'aggregations',
    'indices',
    'component_versions',
    'remote_cluster_server',
    'search_pipelines',
  ],
};
const STATS: MetricNames = {
  sectionOf: { breaker: 'breakers' },
  absent: [
    'transport',
    'http',
    'script',
    'script_cache',
    'discovery',
    'adaptive_selection',
    'indexing_pressure',
    'repositories',
    'allocations',
  ],
};

/** The metrics of `_nodes/stats/indices`. */
const SECTIONS: MetricNames = {
  sectionOf: { merge: 'merges' },
  absent: [
    'bulk',
    'completion',
    'fielddata',
    'mappings',
    'recovery',
    'request_cache',
    'suggest',
    'warmer',
  ],
};

export function nodeRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.nodes,
      statistics: true,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_nodes', '/_nodes/:node', '/_nodes/:node/:metric'],
      params: PARAMS,
      gated: false,
      handler: (request) => info(deps, request),
    },
    {
      schema: NODE.nodeStats,
      statistics: true,
      methods: ['GET'],
      privilege: 'node:read',
      paths: [
        '/_nodes/stats',
        '/_nodes/stats/:metric',
        '/_nodes/stats/:metric/:section',
        '/_nodes/:node/stats',
        '/_nodes/:node/stats/:metric',
        '/_nodes/:node/stats/:metric/:section',
      ],
      params: PARAMS,
      handler: (request) => stats(deps, request),
    },
  ];
}

/** `/_nodes/{x}` names metrics if every name in it is one, else nodes. */
function info(deps: ApiDeps, request: ApiRequest): Answer {
  const { node, metric } = request.parts;
  const sections = nodeInfo(deps);
  const known = [...Object.keys(sections), ...INFO.absent];
  const named = splitList(node ?? '');
  const isMetric = metric === undefined && named.every((name) => known.includes(name));
  const requested = isMetric ? named : splitList(metric ?? '');
  const kept = keepMetrics(sections, requested, INFO, request.path);
  return answer(deps, isMetric ? undefined : node, { ...identity(deps), ...kept });
}

async function stats(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  request.params.choice('level', ['node', 'indices', 'shards'] as const);
  const requested = splitList(request.parts['metric'] ?? '');
  const within = splitList(request.parts['section'] ?? '');
  const all: JsonObject = {
    ...nodeStats(deps),
    thread_pool: await poolStats(deps),
    breakers: await breakerStats(deps),
  };
  const indices = keepMetrics(all['indices'] as JsonObject, within, SECTIONS, request.path);
  const kept = keepMetrics({ ...all, indices }, requested, STATS, request.path);
  const node = { ...identity(deps), timestamp: deps.nowMs(), ...kept };
  return answer(deps, request.parts['node'], node);
}

function answer(deps: ApiDeps, filter: string | undefined, node: JsonObject): Answer {
  const found = filter === undefined || splitList(filter).some((name) => isThisNode(deps, name));
  const count = found ? 1 : 0;
  return ok({
    _nodes: { total: count, successful: count, failed: 0 },
    cluster_name: 'quarry',
    nodes: found ? { [deps.node.nodeId]: node } : {},
  });
}

function addressOf(deps: ApiDeps): string {
  return `${publishHost(deps)}:${deps.live.get('server.port')}`;
}

const ROLES = ['data', 'ingest', 'master'];

/** The node that holds a shard, in the form of recoveries and allocation explanations. */
export function placeOf(deps: ApiDeps): JsonObject {
  const host = publishHost(deps);
  const { nodeId: id, name } = deps.node;
  return { id, name, host, ip: host, transport_address: addressOf(deps) };
}

/** The node in the form of the cluster state. */
export function nodeOf(deps: ApiDeps): JsonObject {
  return {
    name: deps.node.name,
    ephemeral_id: deps.node.nodeId,
    transport_address: addressOf(deps),
    external_id: deps.node.name,
    attributes: {},
    roles: ROLES,
    version: COMPATIBLE_VERSION,
  };
}

/** The members that describe the node in every answer. */
function identity(deps: ApiDeps): JsonObject {
  const host = publishHost(deps);
  return {
    name: deps.node.name,
    transport_address: addressOf(deps),
    host,
    ip: host,
    version: COMPATIBLE_VERSION,
    build_flavor: 'default',
    build_type: 'npm',
    build_hash: deps.version,
    roles: ROLES,
    attributes: {},
  };
}

function nodeInfo(deps: ApiDeps): JsonObject {
  return {
    os: {
      name: process.platform,
      pretty_name: version(),
      arch: process.arch,
      version: release(),
      available_processors: availableParallelism(),
      allocated_processors: availableParallelism(),
    },
    process: { id: process.pid, mlockall: false },
    http: {
      bound_address: [`${deps.live.get('server.host')}:${deps.live.get('server.port')}`],
      publish_address: addressOf(deps),
      max_content_length_in_bytes: deps.live.get('limits.bulk_bytes'),
    },
    plugins: [],
    modules: [],
    ingest: { processors: [] },
  };
}

function nodeStats(deps: ApiDeps): JsonObject {
  const timestamp = deps.nowMs();
  const heap = heapUsage();
  return {
    indices: nodeSections(deps.backend.nodeStats()),
    os: osStats(timestamp),
    process: processStats(timestamp),
    jvm: {
      timestamp,
      uptime_in_millis: deps.readiness.uptimeSeconds * 1000,
      mem: {
        heap_used_in_bytes: heap.used,
        heap_used_percent: heap.percent,
        heap_max_in_bytes: heap.total,
        pools: {},
      },
      gc: { collectors: collectors(deps) },
    },
    ...fsStats(deps, timestamp),
    ingest: { total: { count: 0, time_in_millis: 0, current: 0, failed: 0 }, pipelines: {} },
  };
}

function collectors({ activity }: ApiDeps): JsonObject {
  return Object.fromEntries(
    Object.entries(activity.collections()).map(([name, { count, ms }]) => [
      name,
      { collection_count: count, collection_time_in_millis: Math.round(ms) },
    ]),
  );
}

function osStats(timestamp: number): JsonObject {
  const memory = memoryUsage();
  return {
    timestamp,
    cpu: { load_average: loadAverages() },
    mem: {
      total_in_bytes: memory.total,
      free_in_bytes: memory.free,
      used_in_bytes: memory.used,
      free_percent: 100 - memory.percent,
      used_percent: memory.percent,
    },
  };
}

function processStats(timestamp: number): JsonObject {
  const { user, system } = process.cpuUsage();
  const open = openDescriptors();
  return {
    timestamp,
    ...(open === undefined ? {} : { open_file_descriptors: open }),
    cpu: { total_in_millis: Math.floor((user + system) / 1000) },
    mem: { resident_in_bytes: process.memoryUsage.rss() },
  };
}

/** Empty if the file system cannot be read. */
function fsStats(deps: ApiDeps, timestamp: number): JsonObject {
  const disk = diskUsage(deps);
  if (disk === undefined) return {};
  const bytes = {
    total_in_bytes: disk.total,
    free_in_bytes: disk.free,
    available_in_bytes: disk.free,
  };
  const path = deps.live.get('data_dir');
  return { fs: { timestamp, total: bytes, data: [{ path, ...bytes }] } };
}
