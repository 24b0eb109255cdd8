// Multi-get: many documents by id in one request, answered in request order.
import type { GetRequest, Json, JsonObject, SourceSpec } from '../backend.js';
import { QuarryError } from '../errors.js';
import { GET_PARAMS, refuseStoredFields } from './document-reads.js';
import { sourceParam } from './params.js';
import { mgetReply } from './reply.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  part,
  type Route,
  requiredBody,
} from './routes.js';

export function multiGetRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      methods: ['GET', 'POST'],
      paths: ['/_mget', '/:index/_mget'],
      params: GET_PARAMS,
      handler: (request) => multiGet(deps, request),
    },
  ];
}

async function multiGet(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = requiredBody(request);
  refuseStoredFields(request.params);
  const requests = readMultiGet(request, body);
  return { status: 200, raw: mgetReply(await deps.backend.mget(requests)) };
}

const MGET_KEYS = new Set(['docs', 'ids']);
const MGET_DOC_KEYS = new Set([
  '_index',
  '_id',
  'routing',
  '_source',
  '_source_includes',
  '_source_excludes',
  'version',
  'version_type',
  'stored_fields',
]);

function readMultiGet(request: ApiRequest, body: JsonObject): readonly GetRequest[] {
  for (const key of Object.keys(body)) {
    if (!MGET_KEYS.has(key)) {
      throw new QuarryError(
        'parsing_exception',
        `unknown key [${key}] in the mget body, expected [docs] or [ids]`,
      );
    }
  }
  const { params } = request;
  const defaults = {
    source: sourceParam(params) ?? true,
    realtime: params.flag('realtime') ?? true,
    refresh: params.flag('refresh') ?? false,
    routing: params.text('routing'),
  };
  const docs = listOf(body, 'docs').map((doc, i) => readMultiGetDoc(doc, i, request, defaults));
  const ids = listOf(body, 'ids').map((id) => {
    if (typeof id !== 'string' && typeof id !== 'number') {
      throw new QuarryError(
        'illegal_argument_exception',
        'ids array element should only contain ids',
      );
    }
    return withRouting(
      { ...defaults, index: part(request, 'index'), id: String(id) },
      defaults.routing,
    );
  });
  const all = [...docs, ...ids];
  const problems = all.length === 0 ? ['no documents to get'] : all.flatMap(problemsOf);
  if (problems.length > 0) {
    const text = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
    throw new QuarryError('action_request_validation_exception', `Validation Failed: ${text}`);
  }
  return all;
}

function problemsOf(request: GetRequest, i: number): readonly string[] {
  return [
    ...(request.index === '' ? [`index is missing for doc ${i}`] : []),
    ...(request.id === '' ? [`id is missing for doc ${i}`] : []),
  ];
}

type MultiGetDefaults = {
  readonly source: SourceSpec;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly routing: string | undefined;
};

function withRouting(
  request: Omit<GetRequest, 'routing'> & { readonly routing?: string | undefined },
  routing: string | undefined,
): GetRequest {
  const { routing: _dropped, ...rest } = request;
  return routing === undefined ? rest : { ...rest, routing };
}

function readMultiGetDoc(
  doc: Json,
  i: number,
  request: ApiRequest,
  defaults: MultiGetDefaults,
): GetRequest {
  if (typeof doc !== 'object' || doc === null || Array.isArray(doc)) {
    throw new QuarryError(
      'illegal_argument_exception',
      'docs array element should include an object',
    );
  }
  const fields = doc as JsonObject;
  for (const key of Object.keys(fields)) {
    if (!MGET_DOC_KEYS.has(key)) {
      throw new QuarryError(
        'action_request_validation_exception',
        `Validation Failed: 1: unknown key [${key}] in doc ${i} of the mget body;`,
      );
    }
  }
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return value === undefined || value === null ? undefined : String(value);
  };
  if (fields['stored_fields'] !== undefined) {
    throw new QuarryError(
      'illegal_argument_exception',
      'parameter [stored_fields] is not supported, no field is stored apart from _source: use [_source]',
    );
  }
  return withRouting(
    {
      index: text('_index') ?? part(request, 'index'),
      id: text('_id') ?? '',
      source: readSource(fields) ?? defaults.source,
      realtime: defaults.realtime,
      refresh: defaults.refresh,
    },
    text('routing') ?? defaults.routing,
  );
}

function readSource(fields: JsonObject): SourceSpec | undefined {
  const source = fields['_source'];
  const includes = fields['_source_includes'];
  const excludes = fields['_source_excludes'];
  if (source === undefined && includes === undefined && excludes === undefined) return undefined;
  if (typeof source === 'boolean') return source;
  if (typeof source === 'object' && source !== null && !Array.isArray(source)) {
    const spec = source as JsonObject;
    return {
      includes: names(spec['includes'] ?? spec['include']),
      excludes: names(spec['excludes'] ?? spec['exclude']),
    };
  }
  return { includes: [...names(source), ...names(includes)], excludes: names(excludes) };
}

function names(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((name) => {
    if (typeof name === 'string') return name;
    throw new QuarryError(
      'parsing_exception',
      '[_source] must be true, false, a field name or a list of field names',
    );
  });
}

function listOf(body: JsonObject, key: string): readonly Json[] {
  const value = body[key];
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new QuarryError('parsing_exception', `[${key}] of the mget body must be an array`);
}
