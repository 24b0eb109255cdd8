// The _cat tables about storage: shards, segments and recoveries.

import type { IndexDescription, IndexStats, JsonObject } from '../../backend/index.js';
import { asText } from '../../base/json-text.js';
import { isDamaged, replicasOf, shardsInService } from '../indices/shard-health.js';
import { INDEX_OPTIONS } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  countedIndices,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { type Row, TABLE_PARAMS, tableAnswer } from '../kit/table.js';
import { CLUSTER } from '../schemas/cluster.js';
import { NODE } from '../schemas/node.js';
import { columns, counted, SHARD_COLUMNS } from './cat-columns.js';
import { publishHost } from './machine.js';
import { recoveryType } from './recovery.js';

const SEGMENT_COLUMNS = columns([
  ['index', 'i,idx', 'index name', 'shown'],
  ['shard', 's,sh', 'shard name', 'shown'],
  ['prirep', 'p,pr,primaryOrReplica', 'primary or replica', 'shown'],
  ['ip', '', 'ip of node where it lives', 'shown'],
  ['id', '', 'unique id of node where it lives'],
  ['segment', 'seg', 'segment name', 'shown'],
  ['generation', 'g,gen', 'segment generation', 'shown right'],
  ['docs.count', 'dc,docsCount', 'number of docs in segment', 'shown right'],
  ['docs.deleted', 'dd,docsDeleted', 'number of deleted docs in segment', 'shown right'],
  ['size', 'si', 'segment size in bytes', 'shown bytes'],
  ['committed', 'ic,isCommitted', 'is segment committed', 'shown'],
  ['searchable', 'is,isSearchable', 'is segment searched', 'shown'],
  ['compound', 'ico,isCompound', 'is segment compound', 'shown'],
]);

const RECOVERY_COLUMNS = columns([
  ['index', 'i,idx', 'index name', 'shown'],
  ['shard', 's,sh', 'shard name', 'shown'],
  ['type', 'ty', 'recovery type', 'shown'],
  ['stage', 'st', 'recovery stage', 'shown'],
  ['source_host', 'shost', 'source host', 'shown'],
  ['source_node', 'snode', 'source node name', 'shown'],
  ['target_host', 'thost', 'target host', 'shown'],
  ['target_node', 'tnode', 'target node name', 'shown'],
]);

export function catStorageRoutes(deps: ApiDeps): readonly Route[] {
  const params = [...TABLE_PARAMS, ...INDEX_OPTIONS];
  return [
    {
      schema: NODE.catShards,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cat/shards', '/_cat/shards/:index'],
      params,
      handler: (r) => shards(deps, r),
    },
    {
      schema: CLUSTER.catSegments,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cat/segments', '/_cat/segments/:index'],
      params: [...params, 'ignore_throttled', 'allow_closed'],
      handler: (r) => segments(deps, r),
    },
    {
      schema: CLUSTER.catRecovery,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_cat/recovery', '/_cat/recovery/:index'],
      params: [...params, 'active_only', 'detailed', 'index'],
      handler: (r) => recovery(deps, r),
    },
  ];
}

/** Null for an index without statistics: one that is closed, or one without a shard in service. */
export async function statsOf(deps: ApiDeps, index: IndexDescription): Promise<IndexStats | null> {
  if (index.state !== 'open' || shardsInService(index) === 0) return null;
  return deps.backend.stats(index.name);
}

/** Counters of each shard, by shard number; empty if the index has no statistics. */
async function statsByShard(
  deps: ApiDeps,
  index: IndexDescription,
): Promise<readonly JsonObject[]> {
  const stats = await statsOf(deps, index);
  return (stats?.detail['shards'] ?? []) as readonly JsonObject[];
}

async function shards(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const rows: Row[] = [];
  for (const index of countedIndices(deps, request, { expandWildcards: ['all'] })) {
    const perShard = await statsByShard(deps, index);
    for (let shard = 0; shard < index.shards; shard++) {
      rows.push(...shardRows(deps, index, shard, perShard[shard]));
    }
  }
  return tableAnswer(request, SHARD_COLUMNS, rows);
}

function shardRows(
  deps: ApiDeps,
  index: IndexDescription,
  shard: number,
  stats: JsonObject | undefined,
): readonly Row[] {
  const damage = index.damage?.find((one) => one.shard === null || one.shard === shard);
  const bytes = stats === undefined ? null : Number(stats['bytes'] ?? 0);
  const primary: Row = {
    ...counted(stats),
    index: index.name,
    shard,
    prirep: 'p',
    state: damage === undefined ? 'STARTED' : 'UNASSIGNED',
    docs: stats === undefined ? null : Number(stats['docs'] ?? 0),
    store: bytes,
    dataset: bytes,
    ip: publishHost(deps),
    id: deps.node.nodeId,
    node: deps.node.name,
    'unassigned.reason': damage === undefined ? null : 'ALLOCATION_FAILED',
    'unassigned.details': damage?.reason ?? null,
  };
  const replica: Row = {
    index: index.name,
    shard,
    prirep: 'r',
    state: 'UNASSIGNED',
    'unassigned.reason': 'INDEX_CREATED',
  };
  return [primary, ...Array.from({ length: replicasOf(index) }, () => replica)];
}

async function segments(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const rows: Row[] = [];
  for (const index of countedIndices(deps, request)) {
    for (const [shard, stats] of (await statsByShard(deps, index)).entries()) {
      const list = (stats['segments'] ?? []) as readonly JsonObject[];
      rows.push(...list.map((segment, i) => segmentRow(deps, index.name, shard, segment, i)));
    }
  }
  return tableAnswer(request, SEGMENT_COLUMNS, rows);
}

function segmentRow(
  deps: ApiDeps,
  index: string,
  shard: number,
  segment: JsonObject,
  position: number,
): Row {
  return {
    index,
    shard,
    prirep: 'p',
    ip: publishHost(deps),
    id: deps.node.nodeId,
    segment: `_${position.toString(36)}`,
    generation: Number(segment['generation']),
    'docs.count': Number(segment['num_docs']),
    'docs.deleted': Number(segment['deleted_docs']),
    size: Number(segment['size_in_bytes']),
    committed: asText(segment['committed']),
    searchable: asText(segment['search']),
    compound: asText(segment['compound']),
  };
}

/**
 * Every shard in service counts as a completed recovery, at the start of the node or at the
 * creation of the index.
 */
function recovery(deps: ApiDeps, request: ApiRequest): Answer {
  request.params.flag('detailed');
  const done = request.params.flag('active_only') !== true;
  const named = request.parts['index'] ?? request.params.text('index') ?? '';
  const requested = { ...request, parts: { index: named } };
  const rows = resolveIndices(deps, requested).flatMap((index) =>
    Array.from({ length: done ? index.shards : 0 }, (_, shard) => shard)
      .filter((shard) => !isDamaged(index, shard))
      .map((shard) => ({
        index: index.name,
        shard,
        type: recoveryType(deps, index).toLowerCase(),
        stage: 'done',
        source_host: 'n/a',
        source_node: 'n/a',
        target_host: publishHost(deps),
        target_node: deps.node.name,
      })),
  );
  return tableAnswer(request, RECOVERY_COLUMNS, rows);
}
