// `_health_report`: the health of this node by indicator, with Elasticsearch's symptom texts if it
// has one.
import type { JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { MAX_SHARDS } from '../../ops/cluster-setting-rows.js';
import { type Health, shardCounts } from '../indices/shard-health.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, type Route } from '../kit/routes.js';
import { CLUSTER } from '../schemas/cluster.js';
import { diskUsage } from './machine.js';

interface Indicator {
  /** unknown: it cannot be measured, and does not count for the whole. */
  readonly status: Health | 'unknown';
  readonly symptom: string;
  readonly details: JsonObject;
  readonly impacts?: readonly JsonObject[];
}

const ORDER: readonly Indicator['status'][] = ['green', 'yellow', 'red'];
/** Disk watermarks in percent, and the fraction at which a limit counts as nearly reached. */
const HIGH_PERCENT = 90;
const FLOOD_PERCENT = 95;
const NEAR_FULL = 0.9;

const INDICATORS: Readonly<Record<string, (deps: ApiDeps) => Indicator>> = {
  master_is_stable: ({ node }) => {
    const current = { node_id: node.nodeId, name: node.name };
    return {
      status: 'green',
      symptom: 'The cluster has a stable master node',
      details: { current_master: current, recent_masters: [current] },
    };
  },
  repository_integrity: repositories,
  disk,
  shards_capacity: capacity,
  shards_availability: availability,
};

export function healthReportRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.healthReport,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/_health_report', '/_health_report/:feature'],
      params: ['timeout', 'verbose', 'size'],
      handler: (request) => report(deps, request),
    },
  ];
}

function report(deps: ApiDeps, { params, parts }: ApiRequest): Answer {
  params.integer('size');
  const verbose = params.flag('verbose') ?? true;
  const { feature } = parts;
  if (feature !== undefined && !Object.hasOwn(INDICATORS, feature)) {
    throw new QuarryError(
      'resource_not_found_exception',
      `Did not find indicator ${feature}, known are [${Object.keys(INDICATORS).join(', ')}]`,
    );
  }
  const names = feature === undefined ? Object.keys(INDICATORS) : [feature];
  const all = names.map((name) => [name, INDICATORS[name]?.(deps)] as const);
  const printed = all.flatMap(([name, indicator]): (readonly [string, JsonObject])[] => {
    if (indicator === undefined) return [];
    const { details, impacts, ...rest } = indicator;
    const more = impacts === undefined ? {} : { impacts };
    return [[name, { ...rest, ...(verbose ? { details, ...more } : {}) }]];
  });
  const worst = Math.max(...all.map(([, one]) => ORDER.indexOf(one?.status ?? 'green')));
  const status = feature === undefined ? { status: ORDER[worst] ?? 'green' } : {};
  return ok({ ...status, cluster_name: 'quarry', indicators: Object.fromEntries(printed) });
}

function availability(deps: ApiDeps): Indicator {
  const { primaries, damaged, unassigned } = shardCounts(
    deps.backend.resolve('', { expandWildcards: ['all'] }),
  );
  const replicas = unassigned - damaged;
  const missing = [
    ...(damaged > 0 ? [`${damaged} unavailable primary shard${damaged > 1 ? 's' : ''}`] : []),
    ...(replicas > 0 ? [`${replicas} unavailable replica shard${replicas > 1 ? 's' : ''}`] : []),
  ];
  const impact = (id: string, severity: number, description: string): JsonObject => ({
    id: `elasticsearch:health:shards_availability:impact:${id}`,
    severity,
    description,
    impact_areas: id === 'primary_unassigned' ? ['ingest', 'search'] : ['search'],
  });
  return {
    status: damaged > 0 ? 'red' : replicas > 0 ? 'yellow' : 'green',
    symptom:
      missing.length === 0
        ? 'This cluster has all shards available.'
        : `This cluster has ${missing.join(', ')}.`,
    details: {
      started_primaries: primaries,
      unassigned_primaries: damaged,
      unassigned_replicas: replicas,
      started_replicas: 0,
      initializing_primaries: 0,
      initializing_replicas: 0,
      restarting_primaries: 0,
      restarting_replicas: 0,
      creating_primaries: 0,
      creating_replicas: 0,
    },
    impacts: [
      ...(damaged > 0
        ? [
            impact(
              'primary_unassigned',
              1,
              'Shards that are damaged cannot be searched or written to.',
            ),
          ]
        : []),
      ...(replicas > 0
        ? [impact('replica_unassigned', 2, 'This is one node: replicas have no place on it.')]
        : []),
    ],
  };
}

function disk(deps: ApiDeps): Indicator {
  const used = diskUsage(deps);
  const percent = used?.percent ?? 0;
  const status = used === undefined ? 'unknown' : statusOf(percent);
  const counts = { green: 0, yellow: 0, red: 0, unknown: 0, [status]: 1 };
  return {
    status,
    symptom:
      status === 'unknown'
        ? 'The disk of the data folder cannot be read.'
        : status === 'green'
          ? 'The cluster has enough available disk space.'
          : `${percent}% of the disk is in use: writes are refused when it is full.`,
    details: {
      indices_with_readonly_block: 0,
      nodes_with_enough_disk_space: counts.green,
      nodes_over_high_watermark: counts.yellow,
      nodes_over_flood_stage_watermark: counts.red,
      nodes_with_unknown_disk_status: counts.unknown,
    },
  };
}

function statusOf(percent: number): 'red' | 'yellow' | 'green' {
  if (percent >= FLOOD_PERCENT) return 'red';
  return percent >= HIGH_PERCENT ? 'yellow' : 'green';
}

function capacity(deps: ApiDeps): Indicator {
  const { primaries } = shardCounts(deps.backend.resolve('', { expandWildcards: ['open'] }));
  const { cluster } = deps;
  const set = cluster.of('transient').get(MAX_SHARDS) ?? cluster.of('persistent').get(MAX_SHARDS);
  const most = Number(set ?? cluster.defaults().get(MAX_SHARDS));
  const isNear = primaries >= NEAR_FULL * most;
  return {
    status: isNear ? (primaries >= most ? 'red' : 'yellow') : 'green',
    symptom: isNear
      ? 'Cluster is close to reaching the configured maximum number of shards for data nodes.'
      : 'The cluster has enough room to add new shards.',
    details: {
      data: { max_shards_in_cluster: most, current_used_shards: primaries },
      frozen: { max_shards_in_cluster: 0 },
    },
  };
}

function repositories({ snapshots }: ApiDeps): Indicator {
  const damaged = snapshots.repositories.damaged();
  const isSound = damaged.length === 0;
  return {
    status: isSound ? 'green' : 'red',
    symptom: isSound
      ? 'All repositories are healthy.'
      : `Detected [${damaged.length}] damaged snapshot repositories.`,
    details: { corrupted_repositories: damaged.length },
  };
}
