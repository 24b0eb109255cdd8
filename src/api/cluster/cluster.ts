// `_cluster/state` of a cluster of one node, complete enough for typed clients.
import type { IndexDescription, Json, JsonObject, TemplateKind } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { isDamaged, replicasOf } from '../indices/shard-health.js';
import { INDEX_OPTIONS, splitList } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { NODE } from '../schemas/node.js';
import { nodeOf } from './nodes.js';

const METRICS = [
  'blocks',
  'customs',
  'master_node',
  'metadata',
  'nodes',
  'routing_nodes',
  'routing_table',
  'version',
];

export function clusterRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.clusterState,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cluster/state', '/_cluster/state/:metrics', '/_cluster/state/:metrics/:index'],
      params: [
        ...INDEX_OPTIONS,
        'local',
        'master_timeout',
        'flat_settings',
        'wait_for_metadata_version',
        'wait_for_timeout',
      ],
      handler: (request) => state(deps, request),
    },
  ];
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
  const requested = splitList(request.parts['metrics'] ?? '_all');
  for (const metric of requested) {
    if (metric !== '_all' && !METRICS.includes(metric)) {
      throw new QuarryError(
        'illegal_argument_exception',
        `request [${request.path}] contains unrecognized metric: [${metric}], known are [_all, ${METRICS.join(', ')}]`,
      );
    }
  }
  const wants = (metric: string): boolean =>
    requested.includes('_all') || requested.includes(metric);
  return ok({
    cluster_name: 'quarry',
    cluster_uuid: deps.node.clusterUuid,
    ...(wants('version') ? { version: 1, state_uuid: deps.node.clusterUuid } : {}),
    ...(wants('master_node') ? { master_node: deps.node.nodeId } : {}),
    ...(wants('nodes') ? { nodes: { [deps.node.nodeId]: nodeOf(deps) } } : {}),
    ...(wants('blocks') ? { blocks: {} } : {}),
    ...(wants('metadata')
      ? {
          metadata: {
            cluster_uuid: deps.node.clusterUuid,
            indices: Object.fromEntries(metadata),
            templates: templatesOf(deps, 'legacy'),
            index_template: { index_template: templatesOf(deps, 'index') },
            component_template: { component_template: templatesOf(deps, 'component') },
            // A key for some indexes may not read what is the whole node's.
            ...(request.key === null || request.key.all
              ? { stored_scripts: storedScriptsOf(deps) }
              : {}),
          },
        }
      : {}),
    ...(wants('routing_table') ? { routing_table: { indices: routingTable(deps, indices) } } : {}),
    ...(wants('routing_nodes') ? { routing_nodes: routingNodes(deps, indices) } : {}),
  });
}

function storedScriptsOf({ searchTemplates }: ApiDeps): JsonObject {
  const entries = searchTemplates.all().map(({ id, script }): [string, Json] => {
    return [id, { ...script, options: script.options ?? {} }];
  });
  return Object.fromEntries(entries);
}

/**
 * The copies of a shard: the primary, started on this node unless it is damaged, and the replicas,
 * all unassigned.
 */
function copiesOf(deps: ApiDeps, index: IndexDescription, shard: number): readonly JsonObject[] {
  const copy = (primary: boolean): JsonObject => {
    const here = primary && !isDamaged(index, shard);
    return {
      state: here ? 'STARTED' : 'UNASSIGNED',
      primary,
      node: here ? deps.node.nodeId : null,
      relocating_node: null,
      shard,
      index: index.name,
    };
  };
  return [copy(true), ...Array.from({ length: replicasOf(index) }, () => copy(false))];
}

function routingTable(deps: ApiDeps, indices: readonly IndexDescription[]): JsonObject {
  const printed = indices.map((index): readonly [string, JsonObject] => {
    const shards = Array.from({ length: index.shards }, (_, shard) => [
      String(shard),
      copiesOf(deps, index, shard),
    ]);
    return [index.name, { shards: Object.fromEntries(shards) as JsonObject }];
  });
  return Object.fromEntries(printed);
}

function routingNodes(deps: ApiDeps, indices: readonly IndexDescription[]): JsonObject {
  const copies = indices.flatMap((index) =>
    Array.from({ length: index.shards }, (_, shard) => copiesOf(deps, index, shard)).flat(),
  );
  return {
    unassigned: copies.filter((copy) => copy['node'] === null),
    nodes: { [deps.node.nodeId]: copies.filter((copy) => copy['node'] !== null) },
  };
}

function templatesOf(deps: ApiDeps, kind: TemplateKind): JsonObject {
  return Object.fromEntries(deps.templates.get(kind, ['*']).map(({ name, body }) => [name, body]));
}
