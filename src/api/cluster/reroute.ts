// `_cluster/reroute`: explains commands that move shards. One node holds every shard, so no command
// can be carried out.
import type { Json, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  type Route,
} from '../kit/routes.js';
import { CLUSTER } from '../schemas/cluster.js';
import { nodeOf } from './nodes.js';

/** For each command of Elasticsearch, why it cannot be carried out. */
const COMMANDS: Readonly<Record<string, string>> = {
  move: 'there is one node, so that no shard can be moved to another',
  cancel: 'no shard is on its way here, so that there is nothing to cancel',
  allocate_replica: 'there is one node, which holds the primary: no replica has a place on it',
  allocate_stale_primary: 'a damaged shard is mended by a restore from a snapshot',
  allocate_empty_primary: 'a damaged shard is mended by a restore from a snapshot',
};

export function rerouteRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.reroute,
      methods: ['POST'],
      privilege: 'node:manage',
      paths: ['/_cluster/reroute'],
      params: ['dry_run', 'explain', 'retry_failed', 'metric', 'timeout', 'master_timeout'],
      handler: (request) => reroute(deps, request),
    },
  ];
}

async function reroute(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const { commands = [], ...unknown } = await optionalBody(request);
  const [first] = Object.keys(unknown);
  if (first !== undefined) throw illegal(`[${first}] is unknown here, known is [commands]`);
  if (!Array.isArray(commands)) throw illegal('[commands] must be an array of commands');
  const isDry = params.flag('dry_run') === true;
  const explains = params.flag('explain') === true;
  params.flag('retry_failed');
  const explanations = (commands as readonly Json[]).map(explained);
  const [refused] = explanations;
  if (refused !== undefined && !(isDry && explains)) {
    const { command, decisions } = refused;
    throw illegal(`[${command}] is not allowed: ${decisions[0].explanation}`);
  }
  const none = params.list('metric')?.includes('none') === true;
  const state = {
    cluster_uuid: deps.node.clusterUuid,
    version: 1,
    state_uuid: deps.node.clusterUuid,
    master_node: deps.node.nodeId,
    blocks: {},
    nodes: { [deps.node.nodeId]: nodeOf(deps) },
  };
  return ok({
    acknowledged: true,
    ...(none ? {} : { state }),
    ...(explains ? { explanations: explanations as readonly JsonObject[] } : {}),
  });
}

function explained(value: Json) {
  const [entry] = isObject(value) ? Object.entries(value) : [];
  const [command = '', parameters] = entry ?? [];
  const explanation = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (explanation === undefined || !isObject(parameters)) {
    throw illegal(
      `[commands] must hold objects of one of [${Object.keys(COMMANDS).join(', ')}], found [${command}]`,
    );
  }
  const decision = { decider: `${command}_allocation_command`, decision: 'NO', explanation };
  return { command, parameters, decisions: [decision] as const };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
