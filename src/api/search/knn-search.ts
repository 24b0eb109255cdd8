// `_knn_search`, the older route of Elasticsearch for nearest vectors: one vector clause with an
// optional filter.
import type { Json, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { INDEX_OPTIONS, indexOptions, routingParam } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  part,
  type Route,
  requiredBody,
} from '../kit/routes.js';
import { CLUSTER } from '../schemas/cluster.js';
import { searchReply } from './reply.js';

const KEYS = ['knn', 'filter', '_source', 'fields', 'docvalue_fields', 'stored_fields'];

export function knnSearchRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.knnSearch,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/:index/_knn_search'],
      params: [...INDEX_OPTIONS, 'routing'],
      handler: (request) => knnSearch(deps, request),
    },
  ];
}

async function knnSearch(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const result = await deps.backend.search({
    index: part(request, 'index'),
    body: searchOf(await requiredBody(request)),
    waiter: request.waiter,
    ...routingParam(request.params),
    ...indexOptions(request.params),
  });
  return {
    status: 200,
    raw: await searchReply(result, { totalAsInt: false, nodeId: deps.node.nodeId }),
  };
}

/** The equivalent search; its size is the clause's k. */
function searchOf(body: JsonObject): JsonObject {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw new QuarryError(
      'parsing_exception',
      `[_knn_search] unknown key [${unknown}], expected one of [${KEYS.join(', ')}]`,
    );
  }
  const { knn, filter, ...shown } = body;
  if (typeof knn !== 'object' || knn === null || Array.isArray(knn)) {
    throw new QuarryError('parsing_exception', '[_knn_search] needs an object [knn]');
  }
  const clause = knn as JsonObject;
  const size: Json = clause['k'] ?? 10;
  return { ...shown, size, knn: filter === undefined ? clause : { ...clause, filter } };
}
