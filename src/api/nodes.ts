// The nodes of the cluster, of which there is one: what it is and what it counts, whole or by metric.
import { availableParallelism } from 'node:os';
import type { JsonObject } from '../backend.js';
import { wildcardMatch } from '../wildcard.js';
import { COMPATIBLE_VERSION } from './health.js';
import { keepMetrics, type MetricNames } from './metric-names.js';
import { splitList } from './params.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, type Route } from './routes.js';
import { NODE } from './schemas/node.js';

const PARAMS = [
  'flat_settings',
  'timeout',
  'level',
  'fields',
  'groups',
  'types',
  'include_segment_file_sizes',
];

const INFO: MetricNames = {
  sectionOf: {},
  absent: ['settings', 'jvm', 'thread_pool', 'transport', 'aggregations', 'indices', 'ingest'],
};
const STATS: MetricNames = {
  sectionOf: {},
  absent: ['os', 'fs', 'transport', 'http', 'breaker', 'script', 'discovery', 'thread_pool'],
};

export function nodeRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.nodes,
      methods: ['GET'],
      paths: ['/_nodes', '/_nodes/:node', '/_nodes/:node/:metric'],
      params: PARAMS,
      gated: false,
      handler: (request) => info(deps, request),
    },
    {
      schema: NODE.nodeStats,
      methods: ['GET'],
      paths: [
        '/_nodes/stats',
        '/_nodes/stats/:metric',
        '/_nodes/:node/stats',
        '/_nodes/:node/stats/:metric',
      ],
      params: PARAMS,
      handler: (request) => stats(deps, request),
    },
  ];
}

/** `/_nodes/{x}` names nodes, or metrics where that is what it is. */
function info(deps: ApiDeps, request: ApiRequest): Answer {
  const { node, metric } = request.parts;
  const sections = nodeInfo(deps);
  const known = [...Object.keys(sections), ...INFO.absent];
  const named = splitList(node ?? '');
  const isMetric = metric === undefined && named.every((name) => known.includes(name));
  const asked = isMetric ? named : splitList(metric ?? '');
  const kept = keepMetrics(sections, asked, INFO, request.path);
  return answer(deps, isMetric ? undefined : node, { ...identity(deps), ...kept });
}

function stats(deps: ApiDeps, request: ApiRequest): Answer {
  const asked = splitList(request.parts['metric'] ?? '');
  const kept = keepMetrics(nodeStats(deps), asked, STATS, request.path);
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

function isThisNode(deps: ApiDeps, name: string): boolean {
  if (['_all', '_local', '_master'].includes(name)) return true;
  const [role, wanted] = name.split(':');
  if (['master', 'data', 'ingest'].includes(role ?? '')) return wanted === 'true';
  const names = [deps.node.nodeId, deps.node.name, deps.live.get('server.host')];
  return names.some((own) => wildcardMatch(name, own));
}

function addressOf(deps: ApiDeps): string {
  return `${deps.live.get('server.host')}:${deps.live.get('server.port')}`;
}

/** What every answer says of the node. */
function identity(deps: ApiDeps): JsonObject {
  return {
    name: deps.node.name,
    transport_address: addressOf(deps),
    host: deps.live.get('server.host'),
    ip: deps.live.get('server.host'),
    version: COMPATIBLE_VERSION,
    build_flavor: 'default',
    build_type: 'npm',
    build_hash: deps.version,
    roles: ['data', 'ingest', 'master'],
  };
}

function nodeInfo(deps: ApiDeps): JsonObject {
  return {
    os: {
      name: process.platform,
      arch: process.arch,
      available_processors: availableParallelism(),
      allocated_processors: availableParallelism(),
    },
    process: { id: process.pid, mlockall: false },
    http: {
      bound_address: [addressOf(deps)],
      publish_address: addressOf(deps),
      max_content_length_in_bytes: deps.live.get('limits.bulk_bytes'),
    },
    plugins: [],
    modules: [],
  };
}

function nodeStats(deps: ApiDeps): JsonObject {
  const memory = process.memoryUsage();
  return {
    indices: deps.backend.nodeStats(),
    process: { timestamp: deps.nowMs(), mem: { resident_in_bytes: memory.rss } },
    jvm: {
      timestamp: deps.nowMs(),
      uptime_in_millis: deps.readiness.uptimeSeconds * 1000,
      mem: { heap_used_in_bytes: memory.heapUsed, heap_max_in_bytes: memory.heapTotal, pools: {} },
      gc: { collectors: {} },
    },
    ingest: { total: { count: 0, time_in_millis: 0, current: 0, failed: 0 }, pipelines: {} },
  };
}
