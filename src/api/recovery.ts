// `_recovery`: how the shards that answer came to be here. Bytes and times of it are not kept, and left out.
import type { IndexDescription, JsonObject } from '../backend.js';
import { placeOf } from './nodes.js';
import { INDEX_OPTIONS } from './params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  resolveIndices,
} from './routes.js';
import { CLUSTER } from './schemas/cluster.js';
import { isDamaged } from './shard-health.js';

export function recoveryRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.recovery,
      methods: ['GET'],
      paths: ['/_recovery', '/:index/_recovery'],
      params: [...INDEX_OPTIONS, 'active_only', 'detailed'],
      handler: (request) => recovery(deps, request),
    },
  ];
}

/** Of an index made since the node started, `EMPTY_STORE`. */
export function recoveryType(deps: ApiDeps, index: IndexDescription): string {
  return index.creationDate >= deps.nowMs() - deps.readiness.uptimeMs
    ? 'EMPTY_STORE'
    : 'EXISTING_STORE';
}

function recovery(deps: ApiDeps, request: ApiRequest): Answer {
  const { params } = request;
  params.flag('detailed');
  const done = params.flag('active_only') !== true;
  const indices = done ? resolveIndices(deps, request) : [];
  return ok(Object.fromEntries(indices.map((index) => [index.name, shardsOf(deps, index)])));
}

function shardsOf(deps: ApiDeps, index: IndexDescription): { readonly shards: JsonObject[] } {
  const numbers = Array.from({ length: index.shards }, (_, shard) => shard);
  const shards = numbers
    .filter((shard) => !isDamaged(index, shard))
    .map((id) => ({
      id,
      type: recoveryType(deps, index),
      stage: 'DONE',
      primary: true,
      source: {},
      target: placeOf(deps),
    }));
  return { shards };
}
