// Routes of the link graph: assert and retire links, read the neighbourhood of a node, read an
// overview of a brain, and name its nodes.

import { plainJson } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { readTime } from '../../graph/times.js';
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
import { GRAPH } from '../schemas/graph.js';

const EGO_PARAMS = [
  'node',
  'direction',
  'hops',
  'types',
  'include_expired',
  'include_nodes',
  'limit',
  'as_of',
  'known_at',
];
const DEFAULT_SIZE = 100;
const DEFAULT_LIMIT = 100;
const DEFAULT_TOP = 10;

export function graphRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: GRAPH.list,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_graph'],
      params: ['prefix', 'size', 'after'],
      handler: (r) => list(deps, r),
    },
    {
      schema: GRAPH.put,
      methods: ['PUT'],
      privilege: 'manage',
      paths: ['/_graph/:brain'],
      params: [],
      handler: async (r) => ok(await deps.graph.put(part(r, 'brain'), await requiredBody(r))),
    },
    {
      schema: GRAPH.ego,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_graph/:brain/ego'],
      params: EGO_PARAMS,
      handler: (r) => ego(deps, r),
    },
    {
      schema: GRAPH.overview,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_graph/:brain/overview'],
      params: ['top', 'as_of'],
      handler: (r) => overview(deps, r),
    },
    {
      schema: GRAPH.link,
      methods: ['POST'],
      privilege: 'write',
      paths: ['/_graph/:brain/link'],
      params: [],
      handler: (r) => link(deps, r),
    },
    {
      schema: GRAPH.unlink,
      methods: ['DELETE'],
      privilege: 'write',
      paths: ['/_graph/:brain/link/:edge_id'],
      params: ['invalid_at'],
      handler: (r) => unlink(deps, r),
    },
  ];
}

async function list(deps: ApiDeps, { params }: ApiRequest): Promise<Answer> {
  const request = {
    prefix: params.text('prefix') ?? '',
    size: params.integer('size') ?? DEFAULT_SIZE,
    after: params.text('after'),
    allows: () => true,
  };
  return ok(await deps.graph.brains(request));
}

async function link(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const answer = await deps.graph.link(part(request, 'brain'), await requiredBody(request));
  return ok(answer, answer.created ? 201 : 200);
}

async function unlink(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const invalidAt = await readInvalidAt(request);
  return ok(await deps.graph.unlink(part(request, 'brain'), part(request, 'edge_id'), invalidAt));
}

/**
 * The answer holds no bigint, so the plain printer serves, which is several times faster than the
 * printer for exact numbers.
 */
function plain(answer: object): Answer {
  return { status: 200, raw: Buffer.from(plainJson(answer)) };
}

/** Reads `invalid_at` from the query string or from the body; giving both is an error. */
async function readInvalidAt(request: ApiRequest): Promise<number | undefined> {
  const body = await optionalBody(request);
  const unknown = Object.keys(body).find((key) => key !== 'invalid_at');
  if (unknown !== undefined) {
    throw illegal(`unknown key [${unknown}] in the body, expected [invalid_at]`);
  }
  const inQuery = timeParam(request, 'invalid_at');
  const value = body['invalid_at'] ?? null;
  if (value === null) return inQuery;
  if (inQuery !== undefined) {
    throw illegal('[invalid_at] is in the query string and in the body, send it in one of them');
  }
  return readTime(value, 'invalid_at');
}

async function ego(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const node = params.text('node');
  if (node === undefined) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: [node] is missing, name the id of the node to look around;',
    );
  }
  const hops = params.integer('hops') ?? 1;
  if (hops < 1) throw illegal(`[hops] must be 1 or 2, got [${hops}]`);
  const types = params.lists('types');
  return plain(
    await deps.graph.ego(part(request, 'brain'), {
      node,
      direction: params.choice('direction', ['out', 'in', 'both'] as const) ?? 'both',
      hops,
      types: types === undefined || types.length === 0 ? undefined : [...new Set(types)],
      includeExpired: params.flag('include_expired') ?? false,
      includeNodes: params.flag('include_nodes') ?? true,
      limit: params.integer('limit') ?? DEFAULT_LIMIT,
      asOf: timeParam(request, 'as_of'),
      knownAt: timeParam(request, 'known_at'),
      waiter: request.waiter,
    }),
  );
}

async function overview(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const top = request.params.integer('top') ?? DEFAULT_TOP;
  const asOf = timeParam(request, 'as_of');
  return plain(
    await deps.graph.overview(part(request, 'brain'), { top, asOf, waiter: request.waiter }),
  );
}

function timeParam(request: ApiRequest, name: string): number | undefined {
  const value = request.params.text(name);
  return value === undefined ? undefined : readTime(value, name);
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
