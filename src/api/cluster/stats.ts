// Statistics and segments of indexes.
import type { IndexDescription, IndexStats, Json, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { healthOf, replicasOf, shardsInService } from '../indices/shard-health.js';
import { keepMetrics, type MetricNames } from '../kit/metric-names.js';
import { INDEX_OPTIONS, splitList } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  countedIndices,
  ok,
  type Route,
} from '../kit/routes.js';
import { NODE } from '../schemas/node.js';
import { statsOf } from './cat-storage.js';
import { countersOf, indexSections } from './stats-sections.js';

const LEVELS = ['cluster', 'indices', 'shards'] as const;
const STATS_PARAMS = [
  ...INDEX_OPTIONS,
  'level',
  'fields',
  'metric',
  'groups',
  'completion_fields',
  'fielddata_fields',
  'include_unloaded_segments',
  'include_segment_file_sizes',
  'forbid_closed_indices',
];

export function statsRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.stats,
      statistics: true,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_stats', '/_stats/:metric', '/:index/_stats', '/:index/_stats/:metric'],
      params: STATS_PARAMS,
      handler: (request) => stats(deps, request),
    },
    {
      schema: NODE.segments,
      statistics: true,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_segments', '/:index/_segments'],
      params: [...INDEX_OPTIONS, 'verbose'],
      handler: (request) => segments(deps, request),
    },
  ];
}

interface CountedIndex {
  readonly index: IndexDescription;
  readonly stats: IndexStats | null;
}

async function stats(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const level = request.params.choice('level', LEVELS) ?? 'indices';
  const requested = splitList(request.parts['metric'] ?? request.params.text('metric') ?? '');
  refuseUncounted(request);
  const body = (details: readonly JsonObject[]): JsonObject =>
    keepMetrics(indexSections(details), requested, METRICS, request.path);
  const indices = countedIndices(deps, request);
  const each = await Promise.all(
    indices.map(
      async (index): Promise<CountedIndex> => ({ index, stats: await statsOf(deps, index) }),
    ),
  );
  const detailsOf = (counted: readonly CountedIndex[]): readonly JsonObject[] =>
    counted.flatMap(({ stats: one }) => (one === null ? [] : [countersOf(one)]));
  const printed = each.map((counted) => {
    const { index } = counted;
    const sections = body(detailsOf([counted]));
    const head = { uuid: index.uuid, health: healthOf(index), status: index.state };
    const shards = level === 'shards' ? { shards: shardsOf(deps, counted, body) } : {};
    return [index.name, { ...head, primaries: sections, total: sections, ...shards }] as const;
  });
  const all = body(detailsOf(each));
  return ok({
    _shards: requestedShards(indices),
    _all: { primaries: all, total: all },
    ...(level === 'cluster' ? {} : { indices: Object.fromEntries(printed) }),
  });
}

/** Parameters that are rejected, each with the reason. */
const UNCOUNTED: Readonly<Record<string, string>> = {
  groups: 'searches are not counted by their [stats] groups',
  fields: 'bytes are not counted by field',
  completion_fields: 'bytes are not counted by field',
  fielddata_fields: 'bytes are not counted by field',
};

function refuseUncounted({ params }: ApiRequest): void {
  for (const [name, why] of Object.entries(UNCOUNTED)) {
    if ((params.text(name) ?? '') !== '') {
      throw illegal(`[${name}] of statistics is not supported: ${why}, leave it out`);
    }
  }
  if (params.flag('include_segment_file_sizes') === true) {
    throw illegal(
      '[include_segment_file_sizes] is not supported: [_segments] reports the size of each segment',
    );
  }
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

function requestedShards(indices: readonly IndexDescription[]): JsonObject {
  const sum = (count: (index: IndexDescription) => number): number =>
    indices.reduce((total, index) => total + count(index), 0);
  const successful = sum(shardsInService);
  return {
    total: sum((index) => index.shards * (1 + replicasOf(index))),
    successful,
    failed: sum((index) => index.shards) - successful,
  };
}

/** Statistics by shard; counters that exist only for whole indexes are left out. */
function shardsOf(
  deps: ApiDeps,
  { stats: one }: CountedIndex,
  body: (details: readonly JsonObject[]) => JsonObject,
): JsonObject {
  const shards = (one?.detail['shards'] ?? []) as readonly JsonObject[];
  const routing = {
    state: 'STARTED',
    primary: true,
    node: deps.node.nodeId,
    relocating_node: null,
  };
  return Object.fromEntries(
    shards.map((shard, number) => {
      const { request_cache: _whole, ...sections } = body([shard]);
      return [String(number), [{ routing, ...sections }]];
    }),
  );
}

const METRICS: MetricNames = {
  sectionOf: { merge: 'merges' },
  absent: [
    'bulk',
    'completion',
    'fielddata',
    'query_cache',
    'mappings',
    'recovery',
    'sparse_vector',
    'suggest',
    'translog',
    'warmer',
  ],
};

async function segments(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const indices = countedIndices(deps, request);
  const printed: [string, Json][] = [];
  let shards = 0;
  for (const index of indices) {
    shards += index.shards;
    const { detail } = await deps.backend.stats(index.name);
    const perShard = (detail['shards'] ?? []) as readonly JsonObject[];
    const body = perShard.map((shard, number) => [String(number), [shardSegments(deps, shard)]]);
    printed.push([index.name, { shards: Object.fromEntries(body) as JsonObject }]);
  }
  return ok({
    _shards: { total: shards, successful: shards, failed: 0 },
    indices: Object.fromEntries(printed),
  });
}

function shardSegments(deps: ApiDeps, shard: JsonObject): JsonObject {
  const list = (shard['segments'] ?? []) as readonly JsonObject[];
  return {
    routing: { state: 'STARTED', primary: true, node: deps.node.nodeId },
    num_committed_segments: list.filter((segment) => segment['committed'] === true).length,
    num_search_segments: list.length,
    segments: Object.fromEntries(list.map((segment, i) => [`_${i.toString(36)}`, segment])),
  };
}
