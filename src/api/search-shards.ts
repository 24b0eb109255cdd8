// Which shards a search would ask, and where the copies of shards lie: all of them here.
import type { IndexDescription, JsonObject } from '../backend.js';
import { nodeOf } from './nodes.js';
import { INDEX_OPTIONS, INDEX_READ_PARAMS } from './params.js';
import { preferenceParam } from './preference.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  type Route,
  resolveIndices,
} from './routes.js';
import { CLUSTER } from './schemas/cluster.js';
import { healthOf, isDamaged } from './shard-health.js';

const STATUSES = ['green', 'yellow', 'red', 'all'];

export function searchShardRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.searchShards,
      methods: ['GET', 'POST'],
      paths: ['/_search_shards', '/:index/_search_shards'],
      params: [...INDEX_READ_PARAMS, 'preference', 'routing'],
      handler: (request) => searchShards(deps, request),
    },
    {
      schema: CLUSTER.shardStores,
      methods: ['GET'],
      paths: ['/_shard_stores', '/:index/_shard_stores'],
      params: [...INDEX_OPTIONS, 'status'],
      handler: (request) => shardStores(deps, request),
    },
  ];
}

/** Numbers of the shards that answer. */
function inService(index: IndexDescription): readonly number[] {
  const numbers = Array.from({ length: index.shards }, (_, shard) => shard);
  return numbers.filter((shard) => !isDamaged(index, shard));
}

function searchShards(deps: ApiDeps, request: ApiRequest): Answer {
  optionalBody(request);
  const indices = resolveIndices(deps, request);
  const { shards: chosen } = preferenceParam(request.params);
  const asked = (shard: number): boolean => chosen?.includes(shard) ?? true;
  const shards = indices.flatMap((index) =>
    inService(index)
      .filter(asked)
      .map((shard) => [
        {
          state: 'STARTED',
          primary: true,
          node: deps.node.nodeId,
          relocating_node: null,
          shard,
          index: index.name,
        },
      ]),
  );
  const named = indices.map(({ name, aliases }) => {
    const list = Object.keys(aliases).sort();
    return [name, list.length === 0 ? {} : { aliases: list }] as const;
  });
  return ok({
    nodes: { [deps.node.nodeId]: nodeOf(deps) },
    indices: Object.fromEntries(named),
    shards,
  });
}

/** Without `status`: of indexes of which a copy is missing. */
function shardStores(deps: ApiDeps, request: ApiRequest): Answer {
  const asked = request.params.list('status') ?? ['yellow', 'red'];
  for (const status of asked) {
    if (!STATUSES.includes(status)) request.params.choice('status', STATUSES);
  }
  const indices = resolveIndices(deps, request).filter(
    (index) => asked.includes('all') || asked.includes(healthOf(index)),
  );
  const store = { [deps.node.nodeId]: nodeOf(deps), allocation: 'primary' };
  const printed = indices.map((index): readonly [string, JsonObject] => {
    const shards = inService(index).map((shard) => [String(shard), { stores: [store] }]);
    return [index.name, { shards: Object.fromEntries(shards) as JsonObject }];
  });
  return ok({ indices: Object.fromEntries(printed) });
}
