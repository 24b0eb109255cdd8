// Cluster health. A single node is green, or yellow if an index wants replicas, which it cannot
// allocate.

import type {
  DamagedEntry,
  IndexDescription,
  IndexOptions,
  JsonObject,
} from '../../backend/index.js';
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import {
  activePercent,
  healthOf,
  isDamaged,
  replicasOf,
  type ShardCounts,
  shardCounts,
  shardsInService,
  statusOf,
} from '../indices/shard-health.js';
import { checkWaits, INDEX_OPTIONS, indexOptions } from '../kit/params.js';
import type { Answer, ApiDeps, ApiRequest, Route } from '../kit/routes.js';
import { NODE } from '../schemas/node.js';

const HEALTH_PARAMS = [
  ...INDEX_OPTIONS,
  'level',
  'local',
  'master_timeout',
  'timeout',
  'wait_for_active_shards',
  'wait_for_events',
  'wait_for_no_initializing_shards',
  'wait_for_no_relocating_shards',
  'wait_for_nodes',
  'wait_for_status',
];

export function clusterHealthRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.clusterHealth,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cluster/health', '/_cluster/health/:index'],
      params: HEALTH_PARAMS,
      handler: (request) => health(deps, request),
    },
  ];
}

const LEVELS = ['cluster', 'indices', 'shards'] as const;
const STATUSES = ['green', 'yellow', 'red'] as const;

function health(deps: ApiDeps, request: ApiRequest): Answer {
  const { params } = request;
  checkWaits(params);
  const level = params.choice('level', LEVELS) ?? 'cluster';
  const wanted = params.choice('wait_for_status', STATUSES);
  for (const flag of ['wait_for_no_initializing_shards', 'wait_for_no_relocating_shards'])
    params.flag(flag);
  const timeout = parseTime(params.text('timeout') ?? '30s', 'timeout');
  const options = { expandWildcards: ['all'], ...indexOptions(params) };
  const named = request.parts['index'];
  const indices = healthIndices(deps, named, options);
  const known =
    named === undefined || indices.length > 0 || named.includes('*') || named === '_all';
  const counts = shardCounts(indices);
  const damaged = damagedAmong(deps, named === undefined ? undefined : indices);
  const status = known ? statusOf(counts, damaged.length === 0) : 'red';
  // Elasticsearch waits for an unknown index to appear; here the request is answered at once as
  // timed out.
  const late =
    !known ||
    (wanted !== undefined && STATUSES.indexOf(status) > STATUSES.indexOf(wanted)) ||
    !nodesFit(params.text('wait_for_nodes')) ||
    !activeFit(params.text('wait_for_active_shards'), counts);
  const body = {
    ...healthBody(status, late && timeout >= 0, counts),
    // Left out if empty, because clients of Elasticsearch do not know this member.
    ...(damaged.length === 0 ? {} : { damaged: damaged as unknown as readonly JsonObject[] }),
  };
  const detail =
    level === 'cluster'
      ? {}
      : {
          indices: Object.fromEntries(
            indices.map((index) => [index.name, indexHealth(index, level)]),
          ),
        };
  return { status: late ? 408 : 200, body: { ...body, ...detail } };
}

/** The damaged entries; with `indices`, only those of these indexes and their aliases. */
function damagedAmong(
  deps: ApiDeps,
  indices: readonly IndexDescription[] | undefined,
): readonly DamagedEntry[] {
  const all = deps.backend.damaged();
  if (indices === undefined || all.length === 0) return all;
  const names = new Set(indices.flatMap(({ name, aliases }) => [name, ...Object.keys(aliases)]));
  return all.filter(({ kind, name }) => (kind === 'index' || kind === 'alias') && names.has(name));
}

/** Unknown names are skipped here: they make the health red and are not an error. */
function healthIndices(
  deps: ApiDeps,
  expression: string | undefined,
  options: Pick<IndexOptions, 'expandWildcards'>,
): readonly IndexDescription[] {
  return deps.backend.resolve(expression ?? '', { ...options, ignoreUnavailable: true });
}

function healthBody(status: string, timedOut: boolean, counts: ShardCounts): JsonObject {
  return {
    cluster_name: 'quarry',
    status,
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    active_primary_shards: counts.primaries,
    active_shards: counts.primaries,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: counts.unassigned,
    unassigned_primary_shards: counts.damaged,
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: activePercent(counts),
  };
}

function indexHealth(index: IndexDescription, level: (typeof LEVELS)[number]): JsonObject {
  const replicas = replicasOf(index);
  const active = shardsInService(index);
  const damaged = index.shards - active;
  const shards = Object.fromEntries(
    Array.from({ length: index.shards }, (_, i) => [String(i), shardHealth(index, i)]),
  );
  return {
    status: healthOf(index),
    number_of_shards: index.shards,
    number_of_replicas: replicas,
    active_primary_shards: active,
    active_shards: active,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: index.shards * replicas + damaged,
    unassigned_primary_shards: damaged,
    ...(level === 'shards' ? { shards } : {}),
  };
}

function shardHealth(index: IndexDescription, shard: number): JsonObject {
  const damaged = isDamaged(index, shard) ? 1 : 0;
  const replicas = replicasOf(index);
  return {
    status: damaged > 0 ? 'red' : replicas > 0 ? 'yellow' : 'green',
    primary_active: damaged === 0,
    active_shards: 1 - damaged,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: replicas + damaged,
    unassigned_primary_shards: damaged,
  };
}

/**
 * Evaluates `wait_for_nodes` for a cluster of one node: a number, or one with >=, <=, >, < or
 * ge(n), le(n), gt(n), lt(n).
 */
function nodesFit(expression: string | undefined): boolean {
  if (expression === undefined) return true;
  const match = /^(>=|<=|>|<|ge\(|le\(|gt\(|lt\()?(\d+)\)?$/.exec(expression.trim());
  if (match === null) {
    throw new QuarryError(
      'illegal_argument_exception',
      `wait_for_nodes cannot read [${expression}], expected for example [>=1]`,
    );
  }
  const wanted = Number(match[2]);
  switch (match[1]) {
    case '>=':
    case 'ge(':
      return 1 >= wanted;
    case '<=':
    case 'le(':
      return 1 <= wanted;
    case '>':
    case 'gt(':
      return 1 > wanted;
    case '<':
    case 'lt(':
      return 1 < wanted;
    default:
      return wanted === 1;
  }
}

function activeFit(expression: string | undefined, counts: ShardCounts): boolean {
  if (expression === undefined) return true;
  if (expression === 'all') return counts.unassigned === 0;
  return counts.primaries >= Number(expression);
}
