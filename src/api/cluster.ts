// The state of the cluster as one node is, complete enough for typed clients.
import type { JsonObject, TemplateKind } from '../backend.js';
import { QuarryError } from '../errors.js';
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

const METRICS = ['blocks', 'master_node', 'metadata', 'nodes', 'version'];

export function clusterRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.clusterState,
      methods: ['GET'],
      paths: ['/_cluster/state', '/_cluster/state/:metrics', '/_cluster/state/:metrics/:index'],
      params: [...INDEX_OPTIONS, 'local', 'master_timeout', 'flat_settings'],
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
  const asked = splitList(request.parts['metrics'] ?? '_all');
  for (const metric of asked) {
    if (metric !== '_all' && !METRICS.includes(metric)) {
      throw new QuarryError(
        'illegal_argument_exception',
        `request [${request.path}] contains unrecognized metric: [${metric}], known are [_all, ${METRICS.join(', ')}]`,
      );
    }
  }
  const wants = (metric: string): boolean => asked.includes('_all') || asked.includes(metric);
  return ok({
    cluster_name: 'quarry',
    cluster_uuid: deps.node.clusterUuid,
    ...(wants('version') ? { version: 1, state_uuid: deps.node.clusterUuid } : {}),
    ...(wants('master_node') ? { master_node: deps.node.nodeId } : {}),
    ...(wants('nodes') ? { nodes: { [deps.node.nodeId]: { name: deps.node.name } } } : {}),
    ...(wants('blocks') ? { blocks: {} } : {}),
    ...(wants('metadata')
      ? {
          metadata: {
            cluster_uuid: deps.node.clusterUuid,
            indices: Object.fromEntries(metadata),
            templates: templatesOf(deps, 'legacy'),
            index_template: { index_template: templatesOf(deps, 'index') },
            component_template: { component_template: templatesOf(deps, 'component') },
          },
        }
      : {}),
  });
}

function templatesOf(deps: ApiDeps, kind: TemplateKind): JsonObject {
  return Object.fromEntries(deps.templates.get(kind, ['*']).map(({ name, body }) => [name, body]));
}
