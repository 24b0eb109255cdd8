// `_recovery`: how the shards in service came to this node. Nothing is copied during a recovery and
// no measurements are kept, so these members are 0; they are present because typed clients require
// them.
import type { IndexDescription, JsonObject } from '../../backend/index.js';
import { isDamaged } from '../indices/shard-health.js';
import { INDEX_OPTIONS } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { CLUSTER } from '../schemas/cluster.js';
import { placeOf } from './nodes.js';

export function recoveryRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.recovery,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_recovery', '/:index/_recovery'],
      params: [...INDEX_OPTIONS, 'active_only', 'detailed'],
      handler: (request) => recovery(deps, request),
    },
  ];
}

/** `EMPTY_STORE` for an index created since the node started. */
export function recoveryType(deps: ApiDeps, index: IndexDescription): string {
  return index.creationDate >= startOf(deps) ? 'EMPTY_STORE' : 'EXISTING_STORE';
}

/** Start of the node in milliseconds since the epoch. */
function startOf(deps: ApiDeps): number {
  return deps.nowMs() - deps.readiness.uptimeMs;
}

const NOTHING_COPIED: JsonObject = {
  index: {
    size: {
      total_in_bytes: 0,
      reused_in_bytes: 0,
      recovered_in_bytes: 0,
      recovered_from_snapshot_in_bytes: 0,
      percent: '100.0%',
    },
    files: { total: 0, reused: 0, recovered: 0, percent: '100.0%' },
    total_time_in_millis: 0,
    source_throttle_time_in_millis: 0,
    target_throttle_time_in_millis: 0,
  },
  translog: {
    recovered: 0,
    total: 0,
    percent: '100.0%',
    total_on_start: 0,
    total_time_in_millis: 0,
  },
  verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
};

function recovery(deps: ApiDeps, request: ApiRequest): Answer {
  const { params } = request;
  params.flag('detailed');
  const done = params.flag('active_only') !== true;
  const indices = done ? resolveIndices(deps, request) : [];
  return ok(Object.fromEntries(indices.map((index) => [index.name, shardsOf(deps, index)])));
}

function shardsOf(deps: ApiDeps, index: IndexDescription): { readonly shards: JsonObject[] } {
  const at = Math.floor(Math.max(index.creationDate, startOf(deps)));
  const numbers = Array.from({ length: index.shards }, (_, shard) => shard);
  const shards = numbers
    .filter((shard) => !isDamaged(index, shard))
    .map((id) => ({
      id,
      type: recoveryType(deps, index),
      stage: 'DONE',
      primary: true,
      start_time_in_millis: at,
      stop_time_in_millis: at,
      total_time_in_millis: 0,
      source: {},
      target: placeOf(deps),
      ...NOTHING_COPIED,
    }));
  return { shards };
}
