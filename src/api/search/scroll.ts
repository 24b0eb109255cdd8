// Continues and clears scrolls. The id is in the path, the query string or the body.
import type { Json, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { splitList } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  type Route,
} from '../kit/routes.js';
import { SEARCH } from '../schemas/search.js';
import { searchReply } from './reply.js';

const PATHS = ['/_search/scroll', '/_search/scroll/:scroll_id'];

export function scrollRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SEARCH.scroll,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: PATHS,
      params: ['scroll', 'scroll_id', 'rest_total_hits_as_int'],
      handler: (request) => nextBatch(deps, request),
    },
    {
      schema: SEARCH.clearScroll,
      methods: ['DELETE'],
      privilege: 'read',
      paths: PATHS,
      params: ['scroll_id'],
      handler: (request) => clear(deps, request),
    },
  ];
}

async function nextBatch(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = await optionalBody(request);
  checkMembers(body, ['scroll', 'scroll_id']);
  const { params, parts } = request;
  const id = textOf(body, 'scroll_id') ?? params.text('scroll_id') ?? parts['scroll_id'];
  if (id === undefined || id === '') throw validation('scrollId is missing');
  const keepAlive = textOf(body, 'scroll') ?? params.text('scroll');
  const totalAsInt = params.flag('rest_total_hits_as_int') ?? false;
  const result = await deps.searchContexts.nextBatch(id, keepAlive, request.waiter);
  return { status: 200, raw: await searchReply(result, { totalAsInt, nodeId: deps.node.nodeId }) };
}

async function clear(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = await optionalBody(request);
  checkMembers(body, ['scroll_id']);
  const listed = request.parts['scroll_id'] ?? request.params.text('scroll_id');
  const ids = idsOf(body['scroll_id']) ?? (listed === undefined ? [] : splitList(listed));
  if (ids.length === 0) throw validation('no scroll ids specified');
  const freed = await deps.searchContexts.clearScrolls(ids.includes('_all') ? 'all' : ids);
  return ok({ succeeded: true, num_freed: freed }, freed === 0 ? 404 : 200);
}

function checkMembers(body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownMember(unknown);
}

function textOf(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === 'string') return value;
  throw unknownMember(name);
}

function idsOf(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) throw unknownMember('scroll_id');
  return value.map((id: Json) => {
    if (typeof id === 'string') return id;
    throw new QuarryError(
      'illegal_argument_exception',
      'scroll_id array element should only contain scroll_id',
    );
  });
}

function unknownMember(name: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `Unknown parameter [${name}] in request body or parameter is of the wrong type, expected [scroll] and [scroll_id] as strings`,
  );
}

function validation(reason: string): QuarryError {
  return new QuarryError('action_request_validation_exception', `Validation Failed: 1: ${reason};`);
}
