// `_delete_by_query` and `_update_by_query`.
import type { ByQueryRequest, JsonObject, SearchRequest } from '../backend.js';
import { QuarryError } from '../errors.js';
import { sortParam, URI_QUERY, withUriQuery } from './asked-body.js';
import {
  answerByQuery,
  BY_QUERY_PARAMS,
  byQueryOptions,
  illegal,
  invalid,
  refusePipeline,
} from './by-query-options.js';
import {
  checkSearchType,
  durationMs,
  INDEX_OPTIONS,
  indexOptions,
  routingParam,
} from './params.js';
import { type Answer, type ApiDeps, type ApiRequest, anyBody, part, type Route } from './routes.js';
import { DOCUMENTS } from './schemas/search.js';

const PARAMS = [
  ...BY_QUERY_PARAMS,
  ...URI_QUERY,
  ...INDEX_OPTIONS,
  'conflicts',
  'preference',
  'request_cache',
  'routing',
  'scroll_size',
  'search_timeout',
  'search_type',
  'sort',
  'stats',
  'terminate_after',
  'version',
];

const BODY_KEYS = ['query', 'sort', 'slice', 'max_docs', 'size', 'conflicts'];

export function byQueryRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: DOCUMENTS.deleteByQuery,
      methods: ['POST'],
      paths: ['/:index/_delete_by_query'],
      params: PARAMS,
      handler: (request) => run(deps, request, 'delete'),
    },
    {
      schema: DOCUMENTS.updateByQuery,
      methods: ['POST'],
      paths: ['/:index/_update_by_query'],
      params: [...PARAMS, 'pipeline'],
      handler: (request) => run(deps, request, 'update'),
    },
  ];
}

async function run(deps: ApiDeps, request: ApiRequest, kind: 'delete' | 'update'): Promise<Answer> {
  const { params } = request;
  refusePipeline(params.text('pipeline'));
  const body = withUriQuery(await anyBody(request), params);
  // What would be shown of documents says nothing of which of them go; the mapper of Elasticsearch 9's client sends it.
  const known = [...BODY_KEYS, kind === 'update' ? 'script' : '_source'];
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new QuarryError(
      'parsing_exception',
      `[${unknown}] is not supported by _${kind}_by_query, it takes [${known.join(', ')}]`,
    );
  }
  if (kind === 'delete' && body['query'] === undefined) throw invalid('query is missing');
  const options = byQueryOptions(params, body, params.integer('scroll_size'));
  if (body['slice'] !== undefined && options.slices !== 1) {
    throw invalid("can't specify both manual and automatic slicing at the same time");
  }
  const { script } = body;
  const asked: ByQueryRequest = {
    ...options,
    search: searchOf(request, body),
    change: kind === 'delete' || script === undefined ? { kind } : { kind, script },
  };
  return answerByQuery(deps, request, asked);
}

function searchOf(request: ApiRequest, body: JsonObject): SearchRequest {
  const { params } = request;
  checkSearchType(params);
  if (params.has('request_cache'))
    throw invalid('[request_cache] cannot be used in a scroll context');
  params.flag('version');
  const { query, slice } = body;
  const sort = params.list('sort')?.map(sortParam) ?? body['sort'];
  const timeout = params.text('search_timeout');
  if (timeout !== undefined) durationMs(timeout, 'search_timeout');
  const terminateAfter = params.integer('terminate_after');
  if (terminateAfter !== undefined && terminateAfter !== 0) {
    throw illegal('[terminate_after] is not supported here, use [max_docs]');
  }
  return {
    index: part(request, 'index'),
    body: {
      ...(query === undefined ? {} : { query }),
      ...(slice === undefined ? {} : { slice }),
      ...(sort === undefined ? {} : { sort }),
      ...(timeout === undefined ? {} : { timeout }),
    },
    ...routingParam(params),
    ...indexOptions(params),
  };
}
