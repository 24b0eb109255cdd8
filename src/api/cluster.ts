// The state of the cluster as one node is, complete enough for typed clients.
import { INDEX_OPTIONS } from './params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  resolveIndices,
} from './routes.js';

export function clusterRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
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
