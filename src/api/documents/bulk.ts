// Bulk: one NDJSON body of many operations, answered item by item in body order.

import { QuarryError } from '../../errors.js';
import { speaksSeven } from '../kit/compatible-seven.js';
import { refuseManyLines } from '../kit/item-limit.js';
import { checkContentType } from '../kit/media-types.js';
import { checkWaits, refreshParam, SOURCE_PARAMS, sourceParam } from '../kit/params.js';
import type { Answer, ApiDeps, ApiRequest, Route } from '../kit/routes.js';
import { DOCUMENTS } from '../schemas/search.js';
import { bulkReply } from './bulk-reply.js';

const PARAMS = [
  'refresh',
  'require_alias',
  'timeout',
  'wait_for_active_shards',
  'routing',
  'pipeline',
  'list_executed_pipelines',
  'include_source_on_error',
  ...SOURCE_PARAMS,
];

export function bulkRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: DOCUMENTS.bulk,
      methods: ['POST', 'PUT'],
      privilege: 'write',
      paths: ['/_bulk', '/:index/_bulk'],
      params: PARAMS,
      ndjson: true,
      alwaysAnswers: true,
      handler: (request) => bulk(deps, request),
    },
  ];
}

async function bulk(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  if (request.body === undefined)
    throw new QuarryError('parse_exception', 'request body is required');
  checkContentType(request.contentType, true);
  refuseManyLines(deps, request.body, 2, 'operations');
  const { params } = request;
  checkWaits(params);
  for (const name of ['list_executed_pipelines', 'include_source_on_error']) params.flag(name);
  const pipeline = params.text('pipeline');
  if (pipeline !== undefined && pipeline !== '_none') {
    throw new QuarryError(
      'illegal_argument_exception',
      'parameter [pipeline] is not supported by bulk requests',
    );
  }
  const index = request.parts['index'];
  const source = sourceParam(params);
  const routing = params.text('routing');
  const result = await deps.backend.bulk({
    ...(index === undefined ? {} : { defaultIndex: index }),
    ...(source === undefined ? {} : { defaultSource: source }),
    ...(routing === undefined ? {} : { defaultRouting: routing }),
    requireAlias: params.flag('require_alias') ?? false,
    ...(speaksSeven(request) ? { types: true } : {}),
    refresh: refreshParam(params),
    body: request.body,
  });
  return { status: 200, raw: await bulkReply(result, request.names) };
}
