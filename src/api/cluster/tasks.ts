// `_tasks`: running and completed operations over many documents; list, read, cancel and rethrottle
// them.

import type { JsonObject, TaskFilter } from '../../backend/index.js';
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import { illegal, readPace } from '../documents/by-query-options.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, part, type Route } from '../kit/routes.js';
import { NODE } from '../schemas/node.js';

const GROUPINGS = ['nodes', 'parents', 'none'] as const;
const LIST_PARAMS = [
  'actions',
  'detailed',
  'group_by',
  'nodes',
  'parent_task_id',
  'timeout',
  'master_timeout',
  'wait_for_completion',
];
const WAIT_MS = 30_000;

export function taskRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.tasks,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_tasks'],
      params: LIST_PARAMS,
      handler: (request) =>
        listed(
          deps,
          request,
          here(deps, request) ? deps.operations.running(filterOf(request)) : [],
        ),
    },
    {
      schema: NODE.task,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_tasks/:task_id'],
      params: ['timeout', 'wait_for_completion'],
      handler: (request) => one(deps, request),
    },
    {
      schema: NODE.cancelTasks,
      methods: ['POST'],
      privilege: 'any',
      paths: ['/_tasks/_cancel', '/_tasks/:task_id/_cancel'],
      params: LIST_PARAMS,
      handler: (request) => cancel(deps, request),
    },
    {
      schema: NODE.rethrottle,
      methods: ['POST'],
      privilege: 'any',
      paths: ['_delete_by_query', '_update_by_query', '_reindex'].map(
        (name) => `/${name}/:task_id/_rethrottle`,
      ),
      params: ['requests_per_second', 'group_by'],
      handler: (request) => rethrottle(deps, request),
    },
  ];
}

async function one(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const name = part(request, 'task_id');
  const id = taskId(deps, name);
  if (params.flag('wait_for_completion') === true) {
    const timeout = params.text('timeout');
    await deps.operations.ended(
      id,
      timeout === undefined ? WAIT_MS : parseTime(timeout, 'timeout'),
    );
  }
  const found = deps.operations.task(id);
  if (found === undefined)
    throw missing(`task [${name}] isn't running and hasn't stored its results`);
  return ok({ ...found, task: onNode(deps, found['task'] as JsonObject) });
}

async function cancel(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const name = request.parts['task_id'];
  if (name === undefined) {
    return listed(
      deps,
      request,
      here(deps, request) ? deps.operations.cancel(filterOf(request)) : [],
    );
  }
  const id = taskId(deps, name);
  const reported = deps.operations.cancel(id);
  if (reported.length === 0) throw missing(`task [${name}] is not found`);
  if (request.params.flag('wait_for_completion') === true) await deps.operations.ended(id, WAIT_MS);
  return listed(deps, request, reported);
}

function rethrottle(deps: ApiDeps, request: ApiRequest): Answer {
  const pace = readPace(request.params);
  if (pace === undefined) throw illegal('requests_per_second is a required parameter');
  const name = part(request, 'task_id');
  const task = deps.operations.rethrottle(taskId(deps, name), pace);
  if (task === undefined) throw missing(`task [${name}] is missing`);
  return listed(deps, request, [task], true);
}

/** Parses `node:number` and returns the number; a task of another node does not exist here. */
function taskId(deps: ApiDeps, name: string): number {
  const match = /^([^:]+):(\d{1,15})$/.exec(name);
  if (match === null) throw illegal(`malformed task id ${name}`);
  if (match[1] === deps.node.nodeId) return Number(match[2]);
  throw missing(`task [${name}] belongs to the node [${match[1]}] which isn't part of the cluster`);
}

function filterOf({ params }: ApiRequest): TaskFilter {
  params.flag('wait_for_completion');
  return { actions: params.list('actions') ?? [] };
}

/**
 * Whether the filters `nodes` and `parent_task_id` include this node and tasks without a parent.
 */
function here(deps: ApiDeps, { params }: ApiRequest): boolean {
  const { nodeId, name } = deps.node;
  const nodes = params.list('nodes');
  const own = ['_all', '_local', '_master', '*', nodeId, name];
  const parent = params.text('parent_task_id');
  return (nodes === undefined || nodes.some((node) => own.includes(node))) && parent === undefined;
}

function listed(
  deps: ApiDeps,
  { params }: ApiRequest,
  tasks: readonly JsonObject[],
  always = false,
): Answer {
  const detailed = always || params.flag('detailed') === true;
  const grouping = params.choice('group_by', GROUPINGS) ?? 'nodes';
  const shown = tasks.map((task) => onNode(deps, detailed ? task : withoutDetails(task)));
  if (grouping === 'none') return ok({ tasks: shown });
  const byName = Object.fromEntries(
    shown.map((task) => [`${deps.node.nodeId}:${String(task['id'])}`, task]),
  );
  if (grouping === 'parents') return ok({ tasks: byName });
  const { name, nodeId } = deps.node;
  const node = {
    name,
    transport_address: '127.0.0.1:9300',
    host: '127.0.0.1',
    ip: '127.0.0.1:9300',
  };
  return ok({
    nodes: shown.length === 0 ? {} : { [nodeId]: { ...node, roles: ROLES, tasks: byName } },
  });
}

const ROLES = ['data', 'ingest', 'master'];

function onNode(deps: ApiDeps, task: JsonObject): JsonObject {
  return { node: deps.node.nodeId, ...task };
}

function withoutDetails({ status: _status, description: _what, ...rest }: JsonObject): JsonObject {
  return rest;
}

function missing(reason: string): QuarryError {
  return new QuarryError('resource_not_found_exception', reason);
}
