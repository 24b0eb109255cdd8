// Schemas of the routes about the cluster, including its _cat tables.
import {
  anything,
  count,
  document,
  flag,
  list,
  map,
  object,
  type RouteSchema,
  ref,
  TABLE,
  text,
} from './kinds.js';

function table(id: string, summary: string): RouteSchema {
  return { id, summary, tag: 'node', answers: { 200: TABLE } };
}

function reading(id: string, summary: string, answer: RouteSchema['answers'][200]): RouteSchema {
  return { id, summary, tag: 'node', answers: { 200: answer } };
}

export const CLUSTER = {
  cat: reading('cat', 'The tables that there are.', TABLE),
  catSegments: table('cat_segments', 'Segments as a table.'),
  catRecovery: table('cat_recovery', 'How shards came to be here, as a table.'),
  catAllocation: table('cat_allocation', 'Shards and disk of the node as a table.'),
  catMaster: table('cat_master', 'The node as a table.'),
  catTasks: table('cat_tasks', 'Operations over many documents as a table.'),
  catPendingTasks: table('cat_pending_tasks', 'Changes that wait as a table: none.'),
  catPlugins: table('cat_plugins', 'Plugins as a table: none.'),
  catNodeAttributes: table('cat_nodeattrs', 'Attributes of the node as a table: none.'),
  catFieldData: table('cat_fielddata', 'Fields held in memory as a table: none.'),
  catTemplates: table('cat_templates', 'Index templates as a table.'),
  catComponents: table('cat_component_templates', 'Component templates as a table.'),
  catThreadPool: table('cat_thread_pool', 'Pools of threads as a table.'),
  hotThreads: {
    id: 'nodes_hot_threads',
    summary: 'Returns the threads that used the most processor time in an interval, as text.',
    tag: 'node',
    answers: { 200: TABLE },
  },
  nodesUsage: reading(
    'nodes_usage',
    'How many requests each route received.',
    object({ _nodes: document, cluster_name: text, nodes: map(document) }),
  ),
  healthReport: reading(
    'health_report',
    'What is wrong with the node, indicator by indicator.',
    object({ 'status?': text, cluster_name: text, indicators: map(document) }),
  ),
  reroute: {
    id: 'cluster_reroute',
    summary: 'Explains what moving shards would do; one node holds them all.',
    tag: 'node',
    body: object({ 'commands?': list(document) }),
    answers: { 200: object({ acknowledged: flag, 'state?': document }) },
  },
  stats: reading('cluster_stats', 'What the cluster counts.', document),
  pendingTasks: reading(
    'cluster_pending_tasks',
    'Changes that wait, of which there are none.',
    object({ tasks: list(document) }),
  ),
  allocationExplain: {
    id: 'cluster_allocation_explain',
    summary: 'Explains why a copy of a shard is allocated, or is not.',
    tag: 'node',
    body: object({ 'index?': text, 'shard?': count, 'primary?': flag, 'current_node?': text }),
    answers: { 200: document },
  },
  resolveCluster: reading(
    'resolve_cluster',
    'Which clusters an expression reaches: this one.',
    map(document),
  ),
  dangling: reading(
    'dangling_indices',
    'Dangling indexes, of which there are none.',
    object({ dangling_indices: list(document), _nodes: document, cluster_name: text }),
  ),
  recovery: reading('indices_recovery', 'How shards came to be here.', map(document)),
  searchShards: {
    id: 'search_shards',
    summary: 'Returns the shards that a search would use.',
    tag: 'node',
    body: document,
    answers: { 200: object({ nodes: map(document), indices: map(document), shards: anything }) },
  },
  shardStores: reading(
    'indices_shard_stores',
    'Where copies of shards lie.',
    object({ indices: map(document) }),
  ),
  knnSearch: {
    id: 'knn_search',
    summary: 'Searches the documents with the nearest vectors.',
    tag: 'search',
    body: object({ knn: document, 'filter?': anything }),
    bodyRequired: true,
    answers: { 200: ref('SearchAnswer') },
  },
} as const satisfies Record<string, RouteSchema>;
