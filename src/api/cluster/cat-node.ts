// The _cat tables about the node: its attributes, resources and tasks, and the tables that only a
// larger cluster or a plugin would fill.

import type { PrivilegeRule } from '../../auth/privilege-rule.js';
import { shardCounts } from '../indices/shard-health.js';
import { INDEX_OPTIONS } from '../kit/params.js';
import type { Answer, ApiDeps, ApiRequest, Route } from '../kit/routes.js';
import { type Column, TABLE_PARAMS, tableAnswer } from '../kit/table.js';
import { COMPATIBLE_VERSION } from '../kit/versions.js';
import { CLUSTER } from '../schemas/cluster.js';
import type { RouteSchema } from '../schemas/kinds.js';
import { NODE } from '../schemas/node.js';
import { columns, NODE_COLUMNS } from './cat-columns.js';
import {
  diskUsage,
  heapUsage,
  isThisNode,
  loadAverages,
  memoryUsage,
  publishHost,
} from './machine.js';

const ALLOCATION_COLUMNS = columns([
  ['shards', 's', 'number of shards on node', 'shown right'],
  ['disk.indices', 'di,diskIndices', 'disk used by ES indices', 'shown bytes'],
  ['disk.used', 'du,diskUsed', 'disk used (total, not just ES)', 'shown bytes'],
  ['disk.avail', 'da,diskAvail', 'disk available', 'shown bytes'],
  ['disk.total', 'dt,diskTotal', 'total capacity of all volumes', 'shown bytes'],
  ['disk.percent', 'dp,diskPercent', 'percent disk used', 'shown right'],
  ['host', 'h', 'host of node', 'shown'],
  ['ip', '', 'ip of node', 'shown'],
  ['node', 'n', 'name of node', 'shown'],
  ['node.role', 'r,role,nodeRole', 'node roles', 'shown'],
]);

const MASTER_COLUMNS = columns([
  ['id', '', 'node id', 'shown'],
  ['host', 'h', 'host name', 'shown'],
  ['ip', '', 'ip address', 'shown'],
  ['node', 'n', 'node name', 'shown'],
]);

const TASK_COLUMNS = columns([
  ['id', '', 'id of the task with the node'],
  ['action', 'ac', 'task action', 'shown'],
  ['task_id', 'ti', 'unique task id', 'shown'],
  ['parent_task_id', 'pti', 'parent task id', 'shown'],
  ['type', 'ty', 'task type', 'shown'],
  ['start_time', 'start', 'start time in ms', 'shown'],
  ['timestamp', 'ts,hms,hhmmss', 'start time in HH:MM:SS', 'shown'],
  ['running_time_ns', 'time', 'running time ns'],
  ['running_time', 'time', 'running time', 'shown time'],
  ['node_id', 'ni', 'unique node id'],
  ['ip', 'i', 'ip address', 'shown'],
  ['port', 'po', 'bound transport port'],
  ['node', 'n', 'node name', 'shown'],
  ['version', 'v', 'es version'],
  ['x_opaque_id', 'x', 'X-Opaque-ID header'],
]);
const DESCRIBED_TASK_COLUMNS = [
  ...TASK_COLUMNS,
  ...columns([['description', 'desc', 'task action', 'shown']]),
];

/** Tables that are always empty on a single node without plugins. */
const EMPTY: readonly (readonly [RouteSchema, paths: readonly string[], readonly Column[]])[] = [
  [
    CLUSTER.catPendingTasks,
    ['/_cat/pending_tasks'],
    columns([
      ['insertOrder', 'o', 'task insertion order', 'shown right'],
      ['timeInQueue', 't', 'how long task has been in queue', 'shown time'],
      ['priority', 'p', 'task priority', 'shown'],
      ['source', 's', 'task source', 'shown'],
    ]),
  ],
  [
    CLUSTER.catPlugins,
    ['/_cat/plugins'],
    columns([
      ['id', '', 'unique node id'],
      ['name', 'n', 'node name', 'shown'],
      ['component', 'c', 'component', 'shown'],
      ['version', 'v', 'component version', 'shown'],
      ['description', 'd', 'plugin details'],
    ]),
  ],
  [
    CLUSTER.catNodeAttributes,
    ['/_cat/nodeattrs'],
    columns([
      ['node', 'name', 'node name', 'shown'],
      ['id', 'id,nodeId', 'unique node id'],
      ['pid', 'p', 'process id'],
      ['host', 'h', 'host name', 'shown'],
      ['ip', 'i', 'ip address', 'shown'],
      ['port', 'po', 'bound transport port'],
      ['attr', 'attr.name', 'attribute description', 'shown'],
      ['value', 'attr.value', 'attribute value', 'shown'],
    ]),
  ],
  [
    CLUSTER.catFieldData,
    ['/_cat/fielddata', '/_cat/fielddata/:fields'],
    columns([
      ['id', '', 'node id', 'shown'],
      ['host', 'h', 'host name', 'shown'],
      ['ip', '', 'ip address', 'shown'],
      ['node', 'n', 'node name', 'shown'],
      ['field', 'f', 'field name', 'shown'],
      ['size', 's', 'field data usage', 'shown bytes'],
    ]),
  ],
];

export function catNodeRoutes(deps: ApiDeps): readonly Route[] {
  const table = (
    schema: RouteSchema,
    privilege: PrivilegeRule,
    paths: readonly string[],
    extra: readonly string[],
    handler: Route['handler'],
  ): Route => ({
    schema,
    methods: ['GET'],
    privilege,
    paths,
    params: [...TABLE_PARAMS, ...extra],
    handler,
  });
  const { catAllocation, catMaster, catTasks } = CLUSTER;
  const nodeParams = ['full_id', 'include_unloaded_segments', ...INDEX_OPTIONS];
  return [
    table(NODE.catNodes, 'any', ['/_cat/nodes'], nodeParams, (r) => nodes(deps, r)),
    table(catAllocation, 'node:read', ['/_cat/allocation', '/_cat/allocation/:node'], [], (r) =>
      allocation(deps, r),
    ),
    table(catMaster, 'any', ['/_cat/master', '/_cat/cluster_manager'], [], (r) => {
      const { nodeId, name } = deps.node;
      const host = publishHost(deps);
      return tableAnswer(r, MASTER_COLUMNS, [{ id: nodeId, host, ip: host, node: name }]);
    }),
    table(catTasks, 'any', ['/_cat/tasks'], TASK_PARAMS, (r) => tasks(deps, r)),
    ...EMPTY.map(([schema, paths, shown]) =>
      table(schema, 'any', paths, ['fields', 'include_bootstrap'], (r) =>
        tableAnswer(r, shown, []),
      ),
    ),
  ];
}

function nodes(deps: ApiDeps, request: ApiRequest): Answer {
  const heap = heapUsage();
  const memory = memoryUsage();
  const disk = diskUsage(deps);
  const load = loadAverages();
  const host = publishHost(deps);
  const port = deps.live.get('server.port');
  const { nodeId, name } = deps.node;
  return tableAnswer(request, NODE_COLUMNS, [
    {
      id: request.params.flag('full_id') === true ? nodeId : nodeId.slice(0, 4),
      pid: process.pid,
      ip: host,
      port,
      http_address: `${host}:${port}`,
      version: COMPATIBLE_VERSION,
      type: 'npm',
      build: deps.version,
      'disk.total': disk?.total ?? null,
      'disk.used': disk?.used ?? null,
      'disk.avail': disk?.free ?? null,
      'disk.used_percent': disk === undefined ? null : ((100 * disk.used) / disk.total).toFixed(2),
      'heap.current': heap.used,
      'heap.percent': heap.percent,
      'heap.max': heap.total,
      'ram.current': memory.used,
      'ram.percent': memory.percent,
      'ram.max': memory.total,
      cpu: null,
      load_1m: load['1m'].toFixed(2),
      load_5m: load['5m'].toFixed(2),
      load_15m: load['15m'].toFixed(2),
      uptime: deps.readiness.uptimeSeconds * 1000,
      'node.role': 'dim',
      master: '*',
      name,
    },
  ]);
}

/** One row for this node, and one for all unassigned shards; replicas are always unassigned. */
function allocation(deps: ApiDeps, request: ApiRequest): Answer {
  const wanted = request.parts['node'];
  const counts = shardCounts(deps.backend.resolve('', { expandWildcards: ['all'] }));
  const disk = diskUsage(deps);
  const host = publishHost(deps);
  const here = {
    shards: counts.primaries,
    'disk.indices': Number(deps.backend.nodeStats()['disk_bytes'] ?? 0),
    'disk.used': disk?.used ?? null,
    'disk.avail': disk?.free ?? null,
    'disk.total': disk?.total ?? null,
    'disk.percent': disk?.percent ?? null,
    host,
    ip: host,
    node: deps.node.name,
    'node.role': 'dim',
  };
  const rows =
    wanted === undefined || wanted.split(',').some((one) => isThisNode(deps, one)) ? [here] : [];
  const elsewhere = { shards: counts.unassigned, node: 'UNASSIGNED' };
  const all = wanted === undefined && counts.unassigned > 0 ? [...rows, elsewhere] : rows;
  return tableAnswer(request, ALLOCATION_COLUMNS, all);
}

const TASK_PARAMS = [
  'actions',
  'detailed',
  'nodes',
  'parent_task_id',
  'timeout',
  'wait_for_completion',
];

function tasks(deps: ApiDeps, request: ApiRequest): Answer {
  const { params } = request;
  const { nodeId, name } = deps.node;
  const detailed = params.flag('detailed') === true;
  const requested = params.list('nodes');
  const here = requested === undefined || requested.some((one) => isThisNode(deps, one));
  const running =
    here && !params.has('parent_task_id')
      ? deps.operations.running({ actions: params.list('actions') ?? [] })
      : [];
  const rows = running.map((task) => {
    const started = Number(task['start_time_in_millis']);
    const nanos = Number(task['running_time_in_nanos']);
    return {
      id: nodeId.slice(0, 4),
      action: String(task['action']),
      task_id: `${nodeId}:${String(task['id'])}`,
      parent_task_id: '-',
      type: String(task['type']),
      start_time: started,
      timestamp: new Date(started).toISOString().slice(11, 19),
      running_time_ns: nanos,
      running_time: nanos / 1e6,
      node_id: nodeId,
      ip: publishHost(deps),
      port: deps.live.get('server.port'),
      node: name,
      version: COMPATIBLE_VERSION,
      x_opaque_id: null,
      description: String(task['description'] ?? ''),
    };
  });
  return tableAnswer(request, detailed ? DESCRIBED_TASK_COLUMNS : TASK_COLUMNS, rows);
}
