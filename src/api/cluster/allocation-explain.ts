// `_cluster/allocation/explain`: why a shard copy is where it is. A cluster of one node has no
// place for replicas, and a damaged shard is out of service.

import type { IndexDescription, JsonObject } from '../../backend/index.js';
import { asText } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { isDamaged, replicasOf } from '../indices/shard-health.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  type Route,
} from '../kit/routes.js';
import { CLUSTER } from '../schemas/cluster.js';
import { nodeOf, placeOf } from './nodes.js';

const KEYS = ['index', 'shard', 'primary', 'current_node'];

export function allocationExplainRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.allocationExplain,
      methods: ['GET', 'POST'],
      privilege: 'any',
      paths: ['/_cluster/allocation/explain'],
      params: ['include_yes_decisions', 'include_disk_info', 'master_timeout', ...KEYS],
      handler: (request) => explain(deps, request),
    },
  ];
}

/** Explains the shard copy that the request names, or else the first unassigned one. */
async function explain(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = { ...fromUrl(request), ...(await optionalBody(request)) };
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw new QuarryError(
      'x_content_parse_exception',
      `[cluster/allocation/explain] unknown field [${unknown}], expected one of [${KEYS.join(', ')}]`,
    );
  }
  const { index: name, shard, primary } = body;
  if (name === undefined && shard === undefined && primary === undefined) {
    const missing = firstMissing(deps.backend.resolve('', { expandWildcards: ['all'] }));
    return ok(explained(deps, missing.index, missing.shard, missing.primary));
  }
  if (typeof name !== 'string' || typeof shard !== 'number' || typeof primary !== 'boolean') {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: index, shard, and primary must all be specified for a shard to be explained;',
    );
  }
  const [index] = deps.backend.resolve(name, { expandWildcards: ['none'] });
  if (index === undefined || shard < 0 || shard >= index.shards) {
    throw new QuarryError(
      'illegal_argument_exception',
      `there is no shard [${shard}] of the index [${name}]`,
    );
  }
  return ok(explained(deps, index, shard, primary));
}

/** The keys of the body are accepted as URL parameters too; the body takes precedence. */
function fromUrl({ params }: ApiRequest): JsonObject {
  const shard = params.integer('shard');
  const primary = params.flag('primary');
  const index = params.text('index');
  return {
    ...(index === undefined ? {} : { index }),
    ...(shard === undefined ? {} : { shard }),
    ...(primary === undefined ? {} : { primary }),
  };
}

interface ShardCopy {
  readonly index: IndexDescription;
  readonly shard: number;
  readonly primary: boolean;
}

function firstMissing(indices: readonly IndexDescription[]): ShardCopy {
  for (const index of indices) {
    const damaged = Array.from({ length: index.shards }, (_, i) => i).find((i) =>
      isDamaged(index, i),
    );
    if (damaged !== undefined) return { index, shard: damaged, primary: true };
  }
  const index = indices.find((one) => replicasOf(one) > 0);
  if (index !== undefined) return { index, shard: 0, primary: false };
  throw new QuarryError(
    'illegal_argument_exception',
    'There are no unassigned shards in this cluster. Specify an assigned shard in the request body to explain its allocation.',
  );
}

function explained(
  deps: ApiDeps,
  index: IndexDescription,
  shard: number,
  primary: boolean,
): JsonObject {
  const what = { index: index.name, shard, primary };
  const damage = index.damage?.find((one) => one.shard === null || one.shard === shard);
  if (primary && damage === undefined) {
    return {
      ...what,
      current_state: 'started',
      current_node: placeOf(deps),
      can_remain_on_current_node: 'yes',
      can_rebalance_cluster: 'no',
      can_rebalance_to_other_node: 'no',
      rebalance_explanation: 'this node is the only one of its cluster',
    };
  }
  const why = primary
    ? `files of this shard are damaged: ${damage?.reason ?? ''}`
    : 'a copy of this shard is already allocated to this node, which is the only one of its cluster';
  return {
    ...what,
    current_state: 'unassigned',
    unassigned_info: {
      reason: primary ? 'ALLOCATION_FAILED' : 'INDEX_CREATED',
      at: new Date(index.creationDate).toISOString(),
      last_allocation_status: 'no_attempt',
    },
    can_allocate: 'no',
    allocate_explanation: why,
    node_allocation_decisions: [
      {
        node_id: deps.node.nodeId,
        node_name: deps.node.name,
        transport_address: asText(nodeOf(deps)['transport_address']),
        node_decision: 'no',
        deciders: [{ decider: 'same_shard', decision: 'NO', explanation: why }],
      },
    ],
  };
}
