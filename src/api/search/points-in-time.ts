// Points in time, in the forms of Elasticsearch (`_pit`) and OpenSearch (`_search/point_in_time`).
// A search names one in its body.
import type { Json, PointInTime } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { INDEX_OPTIONS, indexOptions, routingParam } from '../kit/params.js';
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
import { SEARCH } from '../schemas/search.js';

const OPEN_PARAMS = [
  'keep_alive',
  'routing',
  'preference',
  'allow_partial_search_results',
  'max_concurrent_shard_requests',
  ...INDEX_OPTIONS,
];

export function pointInTimeRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SEARCH.openPit,
      methods: ['POST'],
      privilege: 'read',
      paths: ['/:index/_pit'],
      params: OPEN_PARAMS,
      handler: async (request) => {
        const { id, shards } = await open(deps, request);
        return ok({ id, _shards: shardsSection(shards) });
      },
    },
    {
      schema: SEARCH.closePit,
      methods: ['DELETE'],
      privilege: 'read',
      paths: ['/_pit'],
      params: [],
      handler: async (request) => {
        const freed = await deps.searchContexts.closePointInTime(await readId(request));
        return ok({ succeeded: true, num_freed: freed }, freed === 0 ? 404 : 200);
      },
    },
    {
      schema: SEARCH.openPit2,
      methods: ['POST'],
      privilege: 'read',
      paths: ['/:index/_search/point_in_time'],
      params: [...OPEN_PARAMS, 'allow_partial_pit_creation'],
      handler: async (request) => {
        const { id, shards, createdMs } = await open(deps, request);
        return ok({ pit_id: id, _shards: shardsSection(shards), creation_time: createdMs });
      },
    },
    {
      schema: SEARCH.listPits,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_search/point_in_time/_all'],
      params: [],
      handler: async () => ok({ pits: (await deps.searchContexts.pointsInTime()).map(listed) }),
    },
    {
      schema: SEARCH.closeAllPits,
      methods: ['DELETE'],
      privilege: 'read',
      paths: ['/_search/point_in_time/_all'],
      params: [],
      handler: async () => {
        const open = await deps.searchContexts.pointsInTime();
        return closeAll(
          deps,
          open.map(({ id }) => id),
        );
      },
    },
    {
      schema: SEARCH.closePits,
      methods: ['DELETE'],
      privilege: 'read',
      paths: ['/_search/point_in_time'],
      params: [],
      handler: async (request) => closeAll(deps, readIds((await requiredBody(request))['pit_id'])),
    },
  ];
}

async function open(deps: ApiDeps, request: ApiRequest): Promise<PointInTime> {
  const { params } = request;
  const keepAlive = params.text('keep_alive');
  if (keepAlive === undefined) throw validation('[keep_alive] is not specified');
  const [key] = Object.keys(await optionalBody(request));
  if (key !== undefined) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[${key}] is not supported by this server when a point in time is opened, leave it out`,
    );
  }
  params.flag('allow_partial_search_results');
  params.flag('allow_partial_pit_creation');
  return deps.searchContexts.openPointInTime(
    { index: part(request, 'index'), ...routingParam(params), ...indexOptions(params) },
    keepAlive,
  );
}

function shardsSection(total: number): object {
  return { total, successful: total, skipped: 0, failed: 0 };
}

function listed({ id, createdMs, keepAliveMs }: PointInTime): object {
  return { pit_id: id, creation_time: createdMs, keep_alive: keepAliveMs };
}

async function readId(request: ApiRequest): Promise<string> {
  const { id, ...rest } = await requiredBody(request);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw wrongMember(unknown, 'id');
  if (id === undefined) throw validation('[id] is not specified');
  if (typeof id !== 'string') throw wrongMember('id', 'id');
  return id;
}

function readIds(value: Json | undefined): readonly string[] {
  const ids = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  if (ids.length === 0) throw validation('no pit ids specified');
  return ids.map((id: Json) => {
    if (typeof id === 'string') return id;
    throw wrongMember('pit_id', 'pit_id');
  });
}

async function closeAll(deps: ApiDeps, ids: readonly string[]): Promise<Answer> {
  const pits: object[] = [];
  for (const id of ids) {
    const freed = await deps.searchContexts.closePointInTime(id);
    pits.push({ successful: freed > 0, pit_id: id });
  }
  return ok({ pits });
}

function wrongMember(name: string, expected: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `Unknown parameter [${name}] in request body or parameter is of the wrong type, expected [${expected}] as a string`,
  );
}

function validation(reason: string): QuarryError {
  return new QuarryError('action_request_validation_exception', `Validation Failed: 1: ${reason};`);
}
