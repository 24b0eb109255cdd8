// `_validate/query`: checks a query by running it with `terminate_after` 1, and reports the error
// if it fails.
import type { JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { toJson } from '../kit/json.js';
import { INDEX_OPTIONS, indexOptions } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { SEARCH } from '../schemas/search.js';
import { URI_QUERY, withUriQuery } from './request-body.js';

const SHARDS = { total: 1, successful: 1, failed: 0 };

export function validateQueryRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SEARCH.validate,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_validate/query', '/:index/_validate/query'],
      params: [...URI_QUERY, ...INDEX_OPTIONS, 'explain', 'rewrite', 'all_shards'],
      handler: (request) => validate(deps, request),
    },
  ];
}

async function validate(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const explain = params.flag('explain') === true;
  const explained = params.flag('rewrite') === true || explain;
  const allShards = params.flag('all_shards') === true;
  const indexes = resolveIndices(deps, request);
  let body: JsonObject;
  try {
    body = await readQuery(request);
  } catch (error) {
    if (!(error instanceof QuarryError) || error.status !== 400) throw error;
    return ok({ valid: false, ...(explained ? { error: printed(error) } : {}) });
  }
  // A body without a query is an error.
  if (request.body !== undefined && Object.keys(body).length === 0) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: query cannot be null;',
    );
  }
  const tried = await Promise.all(
    (indexes.length === 0 ? [undefined] : indexes).map(async (index) => ({
      index: index?.name,
      shards: index?.shards ?? 0,
      error: await failureOf(deps, request, index?.name, body),
    })),
  );
  const valid = tried.every(({ error }) => error === undefined);
  const query = toJson(body['query'] ?? { match_all: {} });
  const explanations = tried.flatMap(({ index, shards, error }) => {
    if (index === undefined) return [];
    const one =
      error === undefined
        ? { index, valid: true, explanation: query }
        : { index, valid: false, error: printed(error) };
    if (!allShards) return [one];
    return Array.from({ length: shards }, (_, shard) => ({ ...one, shard }));
  });
  return ok({ _shards: SHARDS, valid, ...(explained ? { explanations } : {}) });
}

async function readQuery(request: ApiRequest): Promise<JsonObject> {
  const body = await optionalBody(request);
  for (const key of Object.keys(body)) {
    if (key === 'query') continue;
    throw new QuarryError('parsing_exception', `request does not support [${key}]`);
  }
  return withUriQuery(body, request.params);
}

/**
 * The error of the query; undefined if it runs. `index` is one of the indexes of the request,
 * undefined if there is none. Errors that the query did not cause are thrown.
 */
async function failureOf(
  deps: ApiDeps,
  request: ApiRequest,
  index: string | undefined,
  body: JsonObject,
): Promise<QuarryError | undefined> {
  try {
    await deps.backend.search({
      index: part(request, 'index'),
      ...(index === undefined ? {} : { only: [index] }),
      body: { ...body, size: 0, terminate_after: 1 },
      requestCache: false,
      waiter: request.waiter,
      ...indexOptions(request.params),
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof QuarryError) || error.status !== 400) throw error;
    return error;
  }
}

function printed(error: QuarryError): string {
  const [first] = error.rootCauses ?? [];
  return first === undefined ? `${error.type}: ${error.message}` : `${first.type}: ${first.reason}`;
}
