// The cluster as one node is: settings, state and nodes, complete enough for typed clients.
import type { JsonObject } from '../backend.js';
import { QuarryError } from '../errors.js';
import { COMPATIBLE_VERSION } from './health.js';
import { checkWaits, INDEX_OPTIONS } from './params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  requiredBody,
  resolveIndices,
} from './routes.js';

const NODE_PARAMS = [
  'flat_settings',
  'timeout',
  'level',
  'fields',
  'groups',
  'types',
  'include_segment_file_sizes',
];

export function clusterRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      methods: ['GET'],
      paths: ['/_cluster/settings'],
      params: ['flat_settings', 'include_defaults', 'timeout', 'master_timeout'],
      handler: () => ok({ persistent: {}, transient: {} }),
    },
    {
      methods: ['PUT'],
      paths: ['/_cluster/settings'],
      params: ['flat_settings', 'timeout', 'master_timeout'],
      handler: putSettings,
    },
    {
      methods: ['GET'],
      paths: ['/_cluster/state', '/_cluster/state/:metrics', '/_cluster/state/:metrics/:index'],
      params: [...INDEX_OPTIONS, 'local', 'master_timeout', 'flat_settings'],
      handler: (request) => state(deps, request),
    },
    {
      methods: ['GET'],
      paths: ['/_nodes', '/_nodes/:node', '/_nodes/:node/:metric'],
      params: NODE_PARAMS,
      gated: false,
      handler: () => ok(nodes(deps, nodeInfo(deps))),
    },
    {
      methods: ['GET'],
      paths: ['/_nodes/stats', '/_nodes/stats/:metric'],
      params: NODE_PARAMS,
      handler: () => ok(nodes(deps, nodeStats(deps))),
    },
  ];
}

function putSettings(request: ApiRequest): Answer {
  checkWaits(request.params);
  const body = requiredBody(request);
  const asked = ['persistent', 'transient'].flatMap((scope) => {
    const tree = (body[scope] ?? {}) as JsonObject;
    return Object.entries(tree).filter(([, value]) => value !== null);
  });
  const [first] = asked;
  if (first !== undefined) {
    throw new QuarryError(
      'illegal_argument_exception',
      `setting [${first[0]}], not recognized: this node is configured by its file, environment and flags`,
    );
  }
  return ok({ acknowledged: true, persistent: {}, transient: {} });
}

function state(deps: ApiDeps, request: ApiRequest): Answer {
  const indices = resolveIndices(deps, request, { expandWildcards: ['all'] });
  const metadata = indices.map((index) => [
    index.name,
    {
      state: index.state,
      settings: index.settings,
      mappings: { _doc: index.mappings },
      aliases: Object.keys(index.aliases),
    },
  ]);
  const wants = (metric: string): boolean => {
    const metrics = request.parts['metrics'] ?? '_all';
    return metrics === '_all' || metrics.split(',').includes(metric);
  };
  return ok({
    cluster_name: 'quarry',
    cluster_uuid: deps.node.clusterUuid,
    ...(wants('version') ? { version: 1, state_uuid: deps.node.clusterUuid } : {}),
    ...(wants('master_node') ? { master_node: deps.node.nodeId } : {}),
    ...(wants('nodes') ? { nodes: { [deps.node.nodeId]: { name: deps.node.name } } } : {}),
    ...(wants('metadata')
      ? {
          metadata: {
            cluster_uuid: deps.node.clusterUuid,
            indices: Object.fromEntries(metadata),
            templates: {},
          },
        }
      : {}),
  });
}

function nodes(deps: ApiDeps, node: JsonObject): JsonObject {
  return {
    _nodes: { total: 1, successful: 1, failed: 0 },
    cluster_name: 'quarry',
    nodes: { [deps.node.nodeId]: node },
  };
}

function nodeIdentity(deps: ApiDeps): JsonObject {
  const address = `${deps.config['server.host']}:${deps.config['server.port']}`;
  return {
    name: deps.node.name,
    transport_address: address,
    host: deps.config['server.host'],
    ip: deps.config['server.host'],
    roles: ['data', 'ingest', 'master'],
  };
}

function nodeInfo(deps: ApiDeps): JsonObject {
  const address = `${deps.config['server.host']}:${deps.config['server.port']}`;
  return {
    ...nodeIdentity(deps),
    version: COMPATIBLE_VERSION,
    build_flavor: 'default',
    build_type: 'npm',
    build_hash: deps.version,
    http: {
      bound_address: [address],
      publish_address: address,
      max_content_length_in_bytes: deps.config['limits.bulk_bytes'],
    },
    os: {
      name: process.platform,
      arch: process.arch,
      available_processors: 1,
      allocated_processors: 1,
    },
    process: { id: process.pid, mlockall: false },
    plugins: [],
    modules: [],
  };
}

function nodeStats(deps: ApiDeps): JsonObject {
  const memory = process.memoryUsage();
  return {
    ...nodeIdentity(deps),
    timestamp: deps.nowMs(),
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
