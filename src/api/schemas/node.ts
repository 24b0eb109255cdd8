// Schemas of the routes about the node: probes, cluster and node information, statistics, tables,
// tasks, snapshots.
import {
  about,
  anything,
  choice,
  count,
  document,
  flag,
  list,
  map,
  NOTHING,
  object,
  orNull,
  type RouteSchema,
  ref,
  TABLE,
  TEXT,
  text,
  whole,
} from './kinds.js';

const readiness = object({
  status: choice('ready', 'starting', 'draining', 'failed'),
  wal_replayed: flag,
  uptime_s: count,
  'indices?': count,
  'damaged?': count,
  'replay?': object({
    shards_done: count,
    shards_total: count,
    operations_done: count,
    operations_total: count,
  }),
  'reason?': text,
});

function table(id: string, summary: string): RouteSchema {
  return { id, summary, tag: 'node', answers: { 200: TABLE } };
}

export const NODE = {
  live: {
    id: 'live',
    summary: 'Whether the process answers.',
    tag: 'node',
    answers: { 200: object({ status: choice('live'), version: text, uptime_s: count }) },
  },
  ready: {
    id: 'ready',
    summary: 'Whether the node takes requests.',
    tag: 'node',
    answers: { 200: readiness, 503: readiness },
  },
  authenticate: {
    id: 'authenticate',
    summary: 'The key that was shown.',
    tag: 'node',
    answers: {
      200: object({
        username: text,
        roles: list(text),
        full_name: orNull(text),
        email: orNull(text),
        metadata: object({ indices: list(text), privileges: list(text) }),
        enabled: flag,
        authentication_realm: document,
        lookup_realm: document,
        authentication_type: text,
        api_key: object({ id: text, name: text }),
      }),
    },
  },
  metrics: {
    id: 'metrics',
    summary: 'Metrics in the text format of Prometheus.',
    tag: 'node',
    answers: { 200: TEXT },
  },
  greeting: {
    id: 'info',
    summary: 'What this server is.',
    tag: 'node',
    answers: {
      200: object({
        name: text,
        cluster_name: text,
        cluster_uuid: text,
        version: document,
        tagline: text,
      }),
    },
  },
  ping: {
    id: 'ping',
    summary: 'Whether the server is there.',
    tag: 'node',
    answers: { 200: NOTHING },
  },
  document: {
    id: 'openapi',
    summary: 'This document.',
    tag: 'node',
    answers: { 200: document },
  },
  clusterHealth: {
    id: 'cluster_health',
    summary: 'How the cluster is.',
    tag: 'node',
    params: { level: choice('cluster', 'indices', 'shards') },
    answers: {
      200: object({
        cluster_name: text,
        status: choice('green', 'yellow', 'red'),
        timed_out: flag,
        'damaged?': list(object({ kind: text, name: text, reason: text })),
      }),
      408: document,
    },
  },
  clusterState: {
    id: 'cluster_state',
    summary: 'The state of the cluster, or parts of it.',
    tag: 'node',
    answers: { 200: document },
  },
  getClusterSettings: {
    id: 'get_cluster_settings',
    summary: 'Settings of the cluster.',
    tag: 'node',
    answers: { 200: object({ persistent: document, transient: document }) },
  },
  putClusterSettings: {
    id: 'put_cluster_settings',
    summary: 'Changes settings of the cluster; unknown ones are refused.',
    tag: 'node',
    body: object({ 'persistent?': document, 'transient?': document }),
    bodyRequired: true,
    answers: { 200: object({ acknowledged: flag, persistent: document, transient: document }) },
  },
  nodes: {
    id: 'nodes_info',
    summary: 'What the node is.',
    tag: 'node',
    answers: { 200: object({ cluster_name: text, nodes: map(document) }) },
  },
  nodeStats: {
    id: 'nodes_stats',
    summary: 'What the node counts.',
    tag: 'node',
    answers: { 200: object({ cluster_name: text, nodes: map(document) }) },
  },
  stats: {
    id: 'indices_stats',
    summary: 'What indexes count.',
    tag: 'node',
    answers: { 200: document },
  },
  segments: {
    id: 'indices_segments',
    summary: 'The segments of indexes.',
    tag: 'node',
    answers: { 200: object({ _shards: ref('Shards'), indices: map(document) }) },
  },
  catIndices: table('cat_indices', 'Indexes as a table.'),
  catCount: table('cat_count', 'Documents as a table.'),
  catHealth: table('cat_health', 'The health of the cluster as a table.'),
  catAliases: table('cat_aliases', 'Aliases as a table.'),
  catShards: table('cat_shards', 'Shards as a table.'),
  catNodes: table('cat_nodes', 'The node as a table.'),
  catRepositories: table('cat_repositories', 'Snapshot repositories as a table.'),
  catSnapshots: table('cat_snapshots', 'Snapshots as a table.'),
  tasks: {
    id: 'list_tasks',
    summary: 'Operations over many documents that run.',
    tag: 'node',
    answers: { 200: document },
  },
  task: {
    id: 'get_task',
    summary: 'An operation over many documents, and its answer once it has ended.',
    tag: 'node',
    answers: { 200: object({ completed: flag, task: document, 'response?': anything }) },
  },
  cancelTasks: {
    id: 'cancel_tasks',
    summary: 'Ends operations over many documents.',
    tag: 'node',
    answers: { 200: document },
  },
  rethrottle: {
    id: 'rethrottle',
    summary: 'Changes the pace of an operation over many documents.',
    tag: 'node',
    needs: ['requests_per_second'],
    answers: { 200: document },
  },
} as const satisfies Record<string, RouteSchema>;

const accepted = object({ 'accepted?': flag, 'snapshot?': document });

export const SNAPSHOTS = {
  getRepositories: {
    id: 'get_repository',
    summary: 'Registered repositories.',
    tag: 'snapshots',
    answers: { 200: map(object({ type: text, settings: document })) },
  },
  putRepository: {
    id: 'create_repository',
    summary: 'Registers a folder that snapshots go to.',
    tag: 'snapshots',
    body: object({ type: text, settings: document }),
    bodyRequired: true,
    answers: { 200: ref('Acknowledged') },
  },
  deleteRepository: {
    id: 'delete_repository',
    summary: 'Forgets repositories; what is in them stays.',
    tag: 'snapshots',
    answers: { 200: ref('Acknowledged') },
  },
  verify: {
    id: 'verify_repository',
    summary: 'Whether a repository can be written to.',
    tag: 'snapshots',
    answers: { 200: object({ nodes: map(document) }) },
  },
  cleanup: {
    id: 'cleanup_repository',
    summary: 'Removes what no snapshot needs.',
    tag: 'snapshots',
    answers: { 200: object({ results: object({ deleted_bytes: count, deleted_blobs: count }) }) },
  },
  status: {
    id: 'snapshot_status',
    summary: 'How far snapshots are.',
    tag: 'snapshots',
    answers: { 200: object({ snapshots: list(document) }) },
  },
  create: {
    id: 'create_snapshot',
    summary: 'Copies indexes into a repository.',
    tag: 'snapshots',
    body: object({
      'indices?': anything,
      'ignore_unavailable?': flag,
      'include_global_state?': flag,
      'metadata?': document,
    }),
    answers: { 200: accepted },
  },
  get: {
    id: 'get_snapshot',
    summary: 'Snapshots of a repository.',
    tag: 'snapshots',
    params: {
      sort: text,
      size: whole,
      offset: whole,
      order: choice('asc', 'desc'),
    },
    answers: { 200: object({ snapshots: list(document), 'total?': count, 'remaining?': count }) },
  },
  delete: {
    id: 'delete_snapshot',
    summary: 'Deletes snapshots and what only they need.',
    tag: 'snapshots',
    answers: { 200: ref('Acknowledged') },
  },
  restore: {
    id: 'restore_snapshot',
    summary: 'Copies indexes back.',
    tag: 'snapshots',
    body: object({
      'indices?': anything,
      'rename_pattern?': about(
        orNull(text),
        'A regular expression of at most 1,000 characters; every match in a name is replaced. Without look-around and ' +
          'back references, which are refused by name.',
      ),
      'rename_replacement?': about(
        orNull(text),
        'As in Java: `$1` and `$` with a name in braces are groups of the pattern, `\\$` is a dollar.',
      ),
      'include_aliases?': flag,
      'include_global_state?': flag,
    }),
    answers: { 200: accepted },
  },
} as const satisfies Record<string, RouteSchema>;
