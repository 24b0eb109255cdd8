// The memory of agents: store, recall, list, forget, drop, and the settings of a namespace.
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
  requiredBody,
} from './routes.js';
import { MEMORY } from './schemas/agents.js';

export function memoryRoutes(deps: ApiDeps): readonly Route[] {
  const namespace = ['/_memory/:namespace'];
  return [
    {
      schema: MEMORY.put,
      methods: ['PUT'],
      paths: namespace,
      params: [],
      handler: async (r) => ok(await deps.memory.put(nameOf(r), requiredBody(r))),
    },
    {
      schema: MEMORY.store,
      methods: ['POST'],
      paths: namespace,
      params: [],
      handler: (r) => store(deps, r),
    },
    {
      schema: MEMORY.recall,
      methods: ['POST', 'GET'],
      paths: ['/_memory/:namespace/_recall'],
      params: [],
      handler: async (r) => printed(await deps.memory.recall(nameOf(r), optionalBody(r))),
    },
    {
      schema: MEMORY.list,
      methods: ['GET'],
      paths: namespace,
      params: [],
      handler: async (r) => ok(await deps.memory.list(nameOf(r))),
    },
    {
      schema: MEMORY.drop,
      methods: ['DELETE'],
      paths: namespace,
      params: [],
      handler: (r) => drop(deps, r),
    },
    {
      schema: MEMORY.forget,
      methods: ['DELETE'],
      paths: ['/_memory/:namespace/:id'],
      params: [],
      handler: (r) => forget(deps, r),
    },
  ];
}

/** By the printer of the platform, several times faster, unless there are numbers that only the other one takes. */
function printed(answer: object): Answer {
  try {
    return { status: 200, raw: Buffer.from(JSON.stringify(answer)) };
  } catch {
    return ok(answer);
  }
}

function nameOf(request: ApiRequest): string {
  return part(request, 'namespace');
}

async function store(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const answer = await deps.memory.store(nameOf(request), requiredBody(request));
  return ok(answer, answer.created ? 201 : 200);
}

async function forget(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const answer = await deps.memory.forget(nameOf(request), part(request, 'id'));
  return ok(answer, answer.forgotten ? 200 : 404);
}

async function drop(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const answer = await deps.memory.drop(nameOf(request));
  return ok(answer, answer.dropped ? 200 : 404);
}
