// Routes of inference endpoints: register, change, read and delete them, and request vectors from
// one. Task types are text_embedding and rerank.
import type { InferenceTask } from '../../backend/index.js';
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  part,
  type Route,
  requiredBody,
} from '../kit/routes.js';
import { INFERENCE } from '../schemas/inference.js';

const TASKS: readonly InferenceTask[] = ['text_embedding', 'rerank'];
/** Task types of Elasticsearch that this server does not offer. */
const OTHER_TASKS = ['sparse_embedding', 'completion', 'chat_completion', 'embedding'];
const DEFAULT_TIMEOUT = '30s';
/** `:first` is a task type if `:second` follows, otherwise a task type or an endpoint id. */
const ONE = ['/_inference/:first', '/_inference/:first/:second'];

export function inferenceRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: INFERENCE.put,
      methods: ['PUT'],
      privilege: 'node:manage',
      paths: ONE,
      params: ['timeout'],
      handler: (r) => put(deps, r),
    },
    {
      schema: INFERENCE.update,
      methods: ['PUT'],
      privilege: 'node:manage',
      paths: ['/_inference/:first/:second/_update'],
      params: [],
      handler: async (r) => ok(await deps.inference.update(idOf(r), await requiredBody(r))),
    },
    {
      schema: INFERENCE.get,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/_inference', ...ONE],
      params: [],
      handler: (r) => get(deps, r),
    },
    {
      schema: INFERENCE.delete,
      methods: ['DELETE'],
      privilege: 'node:manage',
      paths: ONE,
      params: ['force', 'dry_run'],
      handler: (r) => remove(deps, r),
    },
    {
      schema: INFERENCE.infer,
      methods: ['POST'],
      privilege: 'node:read',
      paths: ONE,
      params: ['timeout'],
      handler: (r) => infer(deps, r),
    },
  ];
}

async function put(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  timeoutOf(request);
  const { first = '', second } = request.parts;
  if (second === '_update')
    return ok(await deps.inference.update(first, await requiredBody(request)));
  const task = second === undefined ? undefined : taskOf(first);
  return ok(await deps.inference.put(idOf(request), await requiredBody(request), task));
}

function get(deps: ApiDeps, request: ApiRequest): Answer {
  const { first, second } = request.parts;
  // A task type alone lists all endpoints of that type.
  const isTask = second === undefined && TASKS.some((task) => task === first);
  const id = second ?? (isTask ? '_all' : first);
  const task = isTask || second !== undefined ? taskOf(first ?? '') : undefined;
  const found = deps.inference.get(id === undefined || id === '_all' ? undefined : id);
  const endpoints = found.filter(({ task_type: one }) => task === undefined || one === task);
  if (id !== undefined && id !== '_all' && endpoints.length === 0) throw notFound(id, task);
  return ok({ endpoints });
}

async function remove(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const force = request.params.flag('force') ?? false;
  const dryRun = request.params.flag('dry_run') ?? false;
  const { acknowledged, indexes } = await deps.inference.remove(idOf(request), { force, dryRun });
  return ok({ acknowledged, pipelines: [], indexes });
}

async function infer(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const id = idOf(request);
  const body = await requiredBody(request);
  const { ms, text } = timeoutOf(request);
  const late = new AbortController();
  const timer = setTimeout(() => {
    const reason = `inference endpoint [${id}] gave no answer within [${text}]`;
    late.abort(new QuarryError('inference_exception', reason, { status: 408 }));
  }, ms);
  const hangUp = request.waiter.signal();
  const leave = (): void => late.abort(hangUp.reason);
  hangUp.addEventListener('abort', leave, { once: true });
  try {
    return ok(await deps.inference.infer(id, body, late.signal));
  } finally {
    clearTimeout(timer);
    hangUp.removeEventListener('abort', leave);
  }
}

function timeoutOf(request: ApiRequest): { readonly ms: number; readonly text: string } {
  const text = request.params.text('timeout') ?? DEFAULT_TIMEOUT;
  const ms = parseTime(text, 'timeout');
  if (ms >= 1 && ms <= 2 ** 31 - 1) return { ms, text };
  throw illegal(`[timeout] must be between [1ms] and [24d], got [${text}]`);
}

/** The endpoint id: the second part if a task type precedes it, else the first part. */
function idOf(request: ApiRequest): string {
  const { first = '', second } = request.parts;
  if (second === undefined) {
    if ([...TASKS, ...OTHER_TASKS].includes(first)) {
      throw illegal(`[${first}] is a task type, give the id of an endpoint after it`);
    }
    return first;
  }
  taskOf(first);
  return part(request, 'second');
}

function taskOf(type: string): InferenceTask {
  const task = TASKS.find((one) => one === type);
  if (task !== undefined) return task;
  const why = OTHER_TASKS.includes(type) ? 'is not supported' : 'is unknown';
  throw illegal(`task type [${type}] ${why}, expected one of [${TASKS.join(', ')}]`);
}

function notFound(id: string, task: string | undefined): QuarryError {
  return new QuarryError(
    'resource_not_found_exception',
    `Inference endpoint not found [${id}] of task type [${task}]`,
  );
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
