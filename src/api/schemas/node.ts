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

const apiKey = object({
  id: text,
  name: text,
  type: text,
  creation: whole,
  'expiration?': whole,
  invalidated: flag,
  'invalidation?': whole,
  username: text,
  realm: text,
  realm_type: text,
  metadata: document,
  role_descriptors: map(document),
});

export const NODE = {
  live: {
    id: 'live',
    summary: 'Liveness: 200 while the process answers.',
    tag: 'node',
    answers: { 200: object({ status: choice('live'), version: text, uptime_s: count }) },
  },
  ready: {
    id: 'ready',
    summary: 'Readiness: 200 once the node takes requests.',
    tag: 'node',
    answers: { 200: readiness, 503: readiness },
  },
  authenticate: {
    id: 'authenticate',
    summary: 'Returns the API key of the request and its privileges.',
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
  apiKeys: {
    id: 'security_get_api_key',
    summary:
      'Lists the API keys without their secrets; a key that does not manage the node sees itself.',
    tag: 'node',
    params: {
      id: text,
      name: about(text, 'May have stars.'),
      username: text,
      realm_name: text,
      owner: about(flag, 'Only the key of the request.'),
      active_only: about(flag, 'Without expired and revoked keys.'),
    },
    answers: { 200: object({ api_keys: list(apiKey) }), 404: object({ api_keys: list(apiKey) }) },
  },
  metrics: {
    id: 'metrics',
    summary: 'Returns metrics in the text format of Prometheus.',
    tag: 'node',
    params: { name: about(text, 'Names of metrics, separated by commas; default all.') },
    answers: { 200: TEXT },
  },
  greeting: {
    id: 'info',
    summary: 'Returns the name and the version of the server.',
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
    summary: 'Checks whether the server answers.',
    tag: 'node',
    answers: { 200: NOTHING },
  },
  document: {
    id: 'openapi',
    summary: 'Returns this OpenAPI document.',
    tag: 'node',
    answers: { 200: document },
  },
  clusterHealth: {
    id: 'cluster_health',
    summary: 'Returns the health of the cluster.',
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
    summary: 'Returns the state of the cluster, or parts of it.',
    tag: 'node',
    answers: { 200: document },
  },
  getClusterSettings: {
    id: 'get_cluster_settings',
    summary: 'Returns the settings of the cluster.',
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
    summary: 'Returns information about the node.',
    tag: 'node',
    answers: { 200: object({ cluster_name: text, nodes: map(document) }) },
  },
  nodeStats: {
    id: 'nodes_stats',
    summary: 'Returns statistics of the node.',
    tag: 'node',
    answers: { 200: object({ cluster_name: text, nodes: map(document) }) },
  },
  stats: {
    id: 'indices_stats',
    summary: 'Returns statistics of indexes.',
    tag: 'node',
    answers: { 200: document },
  },
  segments: {
    id: 'indices_segments',
    summary: 'Returns the segments of indexes.',
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
    summary: 'Lists the running tasks over many documents.',
    tag: 'node',
    answers: { 200: document },
  },
  task: {
    id: 'get_task',
    summary: 'Returns a task, and its response once it has ended.',
    tag: 'node',
    answers: { 200: object({ completed: flag, task: document, 'response?': anything }) },
  },
  cancelTasks: {
    id: 'cancel_tasks',
    summary: 'Cancels tasks.',
    tag: 'node',
    answers: { 200: document },
  },
  rethrottle: {
    id: 'rethrottle',
    summary: 'Changes the rate limit of a task.',
    tag: 'node',
    needs: ['requests_per_second'],
    answers: { 200: document },
  },
} as const satisfies Record<string, RouteSchema>;

const accepted = object({ 'accepted?': flag, 'snapshot?': document });

export const SNAPSHOTS = {
  getRepositories: {
    id: 'get_repository',
    summary: 'Returns the registered snapshot repositories.',
    tag: 'snapshots',
    answers: { 200: map(object({ type: text, settings: document })) },
  },
  putRepository: {
    id: 'create_repository',
    summary: 'Registers a snapshot repository.',
    tag: 'snapshots',
    body: object({ type: text, settings: document }),
    bodyRequired: true,
    answers: { 200: ref('Acknowledged') },
  },
  deleteRepository: {
    id: 'delete_repository',
    summary: 'Removes snapshot repositories; their files stay.',
    tag: 'snapshots',
    answers: { 200: ref('Acknowledged') },
  },
  verify: {
    id: 'verify_repository',
    summary: 'Checks whether a repository can be written to.',
    tag: 'snapshots',
    answers: { 200: object({ nodes: map(document) }) },
  },
  cleanup: {
    id: 'cleanup_repository',
    summary: 'Removes files that no snapshot of the repository needs.',
    tag: 'snapshots',
    answers: { 200: object({ results: object({ deleted_bytes: count, deleted_blobs: count }) }) },
  },
  status: {
    id: 'snapshot_status',
    summary: 'Returns the progress of snapshots.',
    tag: 'snapshots',
    answers: { 200: object({ snapshots: list(document) }) },
  },
  create: {
    id: 'create_snapshot',
    summary: 'Creates a snapshot of indexes.',
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
    summary: 'Returns the snapshots of a repository.',
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
    summary: 'Deletes snapshots and the files that only they need.',
    tag: 'snapshots',
    answers: { 200: ref('Acknowledged') },
  },
  restore: {
    id: 'restore_snapshot',
    summary: 'Restores indexes from a snapshot.',
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

const policy = object({
  schedule: about(
    text,
    'A cron expression `seconds minutes hours day-of-month month day-of-week [year]` in UTC; one of the days is `?`.',
  ),
  name: about(text, 'The name of each snapshot, with date math as in `<nightly-{now/d}>`.'),
  repository: text,
  'config?': orNull(document),
  'retention?': orNull(
    object({
      'expire_after?': orNull(text),
      'min_count?': anything,
      'max_count?': anything,
    }),
  ),
});

export const SNAPSHOT_POLICIES = {
  get: {
    id: 'get_snapshot_policy',
    summary: 'Returns snapshot policies with their last runs.',
    tag: 'snapshots',
    answers: { 200: map(document) },
  },
  put: {
    id: 'put_snapshot_policy',
    summary: 'Creates or replaces a snapshot policy.',
    tag: 'snapshots',
    body: policy,
    bodyRequired: true,
    answers: { 200: ref('Acknowledged') },
  },
  delete: {
    id: 'delete_snapshot_policy',
    summary: 'Deletes a snapshot policy; its snapshots stay.',
    tag: 'snapshots',
    answers: { 200: ref('Acknowledged') },
  },
  execute: {
    id: 'execute_snapshot_policy',
    summary: 'Starts a snapshot of a policy now.',
    tag: 'snapshots',
    answers: { 200: object({ snapshot_name: text }) },
  },
  retain: {
    id: 'execute_snapshot_retention',
    summary: 'Deletes the snapshots that policies no longer keep.',
    tag: 'snapshots',
    answers: { 200: ref('Acknowledged') },
  },
  start: {
    id: 'start_snapshot_policies',
    summary: 'Resumes the schedules of snapshot policies.',
    tag: 'snapshots',
    answers: { 200: ref('Acknowledged') },
  },
  stop: {
    id: 'stop_snapshot_policies',
    summary: 'Suspends the schedules of snapshot policies.',
    tag: 'snapshots',
    answers: { 200: ref('Acknowledged') },
  },
  status: {
    id: 'snapshot_policies_status',
    summary: 'Tells whether schedules of snapshot policies are followed.',
    tag: 'snapshots',
    answers: { 200: object({ operation_mode: choice('RUNNING', 'STOPPED') }) },
  },
  stats: {
    id: 'snapshot_policies_stats',
    summary: 'Counts the snapshots that policies made and deleted.',
    tag: 'snapshots',
    answers: {
      200: object({
        retention_runs: count,
        retention_failed: count,
        total_snapshots_taken: count,
        total_snapshots_failed: count,
        total_snapshots_deleted: count,
        policy_stats: list(document),
      }),
    },
  },
} as const satisfies Record<string, RouteSchema>;
