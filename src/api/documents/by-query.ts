// `_delete_by_query` and `_update_by_query`.

import type { Json, JsonObject, SearchRequest, SourceSpec } from '../../backend/index.js';
import { parseTime } from '../../base/units.js';
import {
  checkSearchType,
  INDEX_OPTIONS,
  indexOptions,
  routingParam,
  SOURCE_PARAMS,
  sourceParam,
} from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  optionalBody,
  part,
  type Route,
} from '../kit/routes.js';
import { DOCUMENTS } from '../schemas/search.js';
import { sortParam, URI_QUERY, withUriQuery } from '../search/request-body.js';
import {
  answerByQuery,
  BY_QUERY_PARAMS,
  byQueryOptions,
  checkSlicing,
  illegal,
  invalid,
  refusePipeline,
} from './by-query-options.js';
import { readSearch, refuseWithoutSource } from './by-query-search.js';

const PARAMS = [
  ...BY_QUERY_PARAMS,
  ...URI_QUERY,
  ...INDEX_OPTIONS,
  ...SOURCE_PARAMS,
  'conflicts',
  'from',
  'preference',
  'request_cache',
  'routing',
  'scroll_size',
  'search_timeout',
  'search_type',
  'size',
  'sort',
  'stats',
  'terminate_after',
  'version',
];

const OWN_KEYS = ['max_docs', 'conflicts'];

export function byQueryRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: DOCUMENTS.deleteByQuery,
      methods: ['POST'],
      privilege: 'read&write',
      paths: ['/:index/_delete_by_query'],
      params: PARAMS,
      handler: (request) => run(deps, request, 'delete'),
    },
    {
      schema: DOCUMENTS.updateByQuery,
      methods: ['POST'],
      privilege: 'read&write',
      paths: ['/:index/_update_by_query'],
      params: [...PARAMS, 'pipeline'],
      handler: (request) => run(deps, request, 'update'),
    },
  ];
}

async function run(deps: ApiDeps, request: ApiRequest, kind: 'delete' | 'update'): Promise<Answer> {
  const { params } = request;
  refusePipeline(params.text('pipeline'));
  if (params.has('size')) throw illegal('invalid parameter [size], use [max_docs] instead');
  const body = withUriQuery(withoutNulls(await optionalBody(request)), params);
  const { max_docs: _most, conflicts: _conflicts, ...rest } = body;
  const { script, ...withoutScript } = rest;
  if (kind === 'delete' && body['query'] === undefined) throw invalid('query is missing');
  const options = byQueryOptions(params, body);
  const { search, batchSize } = searchOf(
    request,
    withParams(kind === 'delete' ? rest : withoutScript, request),
    kind,
  );
  checkSlicing(search.body['slice'], options);
  return answerByQuery(deps, request, {
    ...options,
    batchSize,
    search,
    change: kind === 'delete' || script === undefined ? { kind } : { kind, script },
  });
}

/** Drops members that are null and do not belong to the search. */
function withoutNulls(body: JsonObject): JsonObject {
  const own = [...OWN_KEYS, 'script'];
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => value !== null || !own.includes(key)),
  );
}

/** Adds the URL parameters to the body, which they override. */
function withParams(body: JsonObject, { params }: ApiRequest): JsonObject {
  const sort = params.list('sort')?.map(sortParam);
  const timeout = params.text('search_timeout');
  if (timeout !== undefined) parseTime(timeout, 'search_timeout');
  const from = params.integer('from');
  const terminateAfter = params.integer('terminate_after');
  const source = sourceParam(params);
  return {
    ...body,
    ...(sort === undefined ? {} : { sort }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(from === undefined ? {} : { from }),
    ...(terminateAfter === undefined ? {} : { terminate_after: terminateAfter }),
    ...(source === undefined ? {} : { _source: sourceBody(source) }),
  };
}

function sourceBody(source: SourceSpec): Json {
  if (typeof source === 'boolean') return source;
  return { includes: [...source.includes], excludes: [...source.excludes] };
}

function searchOf(
  request: ApiRequest,
  requested: JsonObject,
  kind: 'delete' | 'update',
): { readonly search: SearchRequest; readonly batchSize: number } {
  const { params } = request;
  checkSearchType(params);
  if (params.has('request_cache'))
    throw invalid('[request_cache] cannot be used in a scroll context');
  params.flag('version');
  const others = kind === 'delete' ? OWN_KEYS : [...OWN_KEYS, 'script'];
  const { body, batchSize } = readSearch(
    requested,
    `_${kind}_by_query`,
    others,
    params.integer('scroll_size'),
  );
  if (kind === 'update') refuseWithoutSource(body);
  return {
    batchSize,
    search: {
      index: part(request, 'index'),
      body,
      ...routingParam(params),
      ...indexOptions(params),
    },
  };
}
