// Routes of agent memory: store, recall, list, forget and drop memories, and the settings of a
// namespace.

import type { Json, JsonObject } from '../../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../../base/cooperative-task.js';
import { plainJson, printValue } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { parseJson } from '../kit/json.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
  requiredBody,
} from '../kit/routes.js';
import { MEMORY } from '../schemas/agents.js';
import { keyQuota } from './key-quota.js';

export function memoryRoutes(deps: ApiDeps): readonly Route[] {
  const namespace = ['/_memory/:namespace'];
  const memory = ['/_memory/:namespace/:id'];
  return [
    {
      schema: MEMORY.put,
      methods: ['PUT'],
      privilege: 'manage',
      paths: namespace,
      params: [],
      handler: async (r) => ok(await deps.memory.put(nameOf(r), await requiredBody(r))),
    },
    {
      schema: MEMORY.store,
      methods: ['POST'],
      privilege: 'write',
      paths: namespace,
      params: [],
      handler: (r) => store(deps, r),
    },
    ...recallRoutes(deps),
    {
      schema: MEMORY.recallMany,
      methods: ['POST', 'GET'],
      privilege: 'read',
      paths: ['/_memory/_recall'],
      params: [],
      handler: (r) => recallMany(deps, r),
    },
    {
      schema: MEMORY.list,
      methods: ['GET'],
      privilege: 'read',
      paths: namespace,
      params: ['filter', 'sort', 'size', 'after'],
      handler: (r) => list(deps, r),
    },
    {
      schema: MEMORY.namespaces,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_memory'],
      params: ['prefix', 'size', 'after'],
      handler: async (r) => ok(await deps.memory.namespaces(await paged(r, ['prefix', 'after']))),
    },
    {
      schema: MEMORY.drop,
      methods: ['DELETE'],
      privilege: 'manage',
      paths: namespace,
      params: [],
      handler: (r) => drop(deps, r),
    },
    {
      schema: MEMORY.audit,
      methods: ['POST', 'GET'],
      privilege: 'read',
      paths: ['/_memory/:namespace/_audit'],
      params: [],
      handler: async (r) => ok(await deps.memory.audit(nameOf(r), await optionalBody(r))),
    },
    {
      schema: MEMORY.changes,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_memory/:namespace/_changes'],
      params: ['since', 'size'],
      handler: (r) => changes(deps, r),
    },
    {
      schema: MEMORY.get,
      methods: ['GET'],
      privilege: 'read',
      paths: memory,
      params: [],
      handler: (r) => get(deps, r),
    },
    {
      schema: MEMORY.edit,
      methods: ['PATCH'],
      privilege: 'write',
      paths: memory,
      params: [],
      handler: (r) => edit(deps, r),
    },
    {
      schema: MEMORY.forgetMatching,
      methods: ['POST'],
      privilege: 'write',
      paths: ['/_memory/:namespace/_forget'],
      params: [],
      alwaysAnswers: true,
      handler: async (r) => ok(await deps.memory.forgetMatching(nameOf(r), await requiredBody(r))),
    },
    {
      schema: MEMORY.forget,
      methods: ['DELETE'],
      privilege: 'write',
      paths: memory,
      params: [],
      handler: (r) => forget(deps, r),
    },
  ];
}

/** Recalls of one namespace. */
export function recallRoutes(deps: Pick<ApiDeps, 'memory'>): readonly Route[] {
  return [
    {
      schema: MEMORY.recall,
      methods: ['POST', 'GET'],
      privilege: 'read',
      paths: ['/_memory/:namespace/_recall'],
      params: [],
      handler: (r) => recall(deps, r),
    },
  ];
}

async function recall(deps: Pick<ApiDeps, 'memory'>, request: ApiRequest): Promise<Answer> {
  const answer = await deps.memory.recall(nameOf(request), await optionalBody(request));
  const { namespace, hits, ...rest } = answer;
  return printed({ namespace }, 'hits', hits, rest);
}

async function changes(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = await paged(request, ['since']);
  const {
    namespace,
    exists,
    reset,
    changes: list,
    ...rest
  } = await deps.memory.changes(nameOf(request), body);
  return printed({ namespace, exists, reset }, 'changes', list, rest);
}

async function recallMany(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { namespaces, hits, ...rest } = await deps.memory.recallMany(await optionalBody(request));
  return printed({ namespaces }, 'hits', hits, rest);
}

async function list(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = await paged(request, ['sort', 'after']);
  const filter = request.params.text('filter');
  const all = filter === undefined ? body : { ...body, filter: clauseOf(filter) };
  const answer = await deps.memory.list(nameOf(request), all);
  const { namespace, exists, count, entries, ...rest } = answer;
  return printed({ namespace, exists, count }, 'entries', entries, rest);
}

/** Parses the parameter [filter]. */
function clauseOf(text: string): Json {
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    throw new QuarryError(
      'illegal_argument_exception',
      `parameter [filter] must be a query clause as JSON, got [${printValue(text)}]`,
    );
  }
}

/** The body of a list, to which parameters of the address add members. */
async function paged(request: ApiRequest, texts: readonly string[]): Promise<JsonObject> {
  const { params } = request;
  const size = params.integer('size');
  const given = texts.flatMap((name): [string, Json][] => {
    const value = params.text(name);
    return value === undefined ? [] : [[name, value]];
  });
  const body = await optionalBody(request);
  return { ...body, ...Object.fromEntries(given), ...(size === undefined ? {} : { size }) };
}

/**
 * Prints a list of memories as a cooperative task, one memory at a time, because the list can be
 * long.
 */
async function printed(
  before: object,
  name: string,
  memories: readonly object[],
  after: object,
): Promise<Answer> {
  const texts = await runCooperatively(textsOf(memories));
  const [head, tail] = [plainJson(before).slice(0, -1), plainJson(after).slice(1)];
  const comma = tail === '}' ? '' : ',';
  return { status: 200, raw: Buffer.from(`${head},"${name}":[${texts.join(',')}]${comma}${tail}`) };
}

function* textsOf(memories: readonly object[]): CooperativeTask<readonly string[]> {
  const texts: string[] = [];
  for (const memory of memories) {
    texts.push(plainJson(memory));
    yield;
  }
  return texts;
}

function nameOf(request: ApiRequest): string {
  return part(request, 'namespace');
}

async function store(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = await requiredBody(request);
  const answer = await deps.memory.store(nameOf(request), body, keyQuota(request));
  return ok(answer, answer.created ? 201 : 200);
}

/** The answer may hold integers that only plainJson() prints, and long earlier versions. */
async function get(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const answer = await deps.memory.get(nameOf(request), part(request, 'id'));
  if (!answer.found) return ok(answer, 404);
  const { history, not_shown, ...head } = answer;
  return printed(head, 'history', history, { not_shown });
}

async function edit(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const id = part(request, 'id');
  const answer = await deps.memory.edit(nameOf(request), id, await requiredBody(request));
  return ok(answer, answer.found ? 200 : 404);
}

async function forget(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const answer = await deps.memory.forget(nameOf(request), part(request, 'id'));
  return ok(answer, answer.forgotten ? 200 : 404);
}

async function drop(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const answer = await deps.memory.drop(nameOf(request));
  return ok(answer, answer.dropped ? 200 : 404);
}
