// Search and count: validates the request and passes it to the backend.
import type { JsonObject, SearchRequest, SearchResult } from '../../backend/index.js';
import { turn } from '../../base/cooperative-task.js';
import {
  awaitMaybe,
  type MaybePromise,
  runSyncFirst,
  type SyncFirstTask,
  thenMaybe,
} from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import {
  checkSearchType,
  INDEX_OPTIONS,
  indexOptions,
  routingParam,
  SOURCE_PARAMS,
  type UrlParams,
} from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
} from '../kit/routes.js';
import { SEARCH } from '../schemas/search.js';
import type { PreparedRequest } from './prepared-requests.js';
import { searchReply } from './reply.js';
import { searchBody, URI_QUERY, withUriQuery } from './request-body.js';
import { bodyWithStored } from './stored-fields.js';
import { SUGGEST_PARAMS } from './suggest-params.js';

const BODY_PARAMS = [
  'size',
  'from',
  'sort',
  'track_total_hits',
  'track_scores',
  'timeout',
  'terminate_after',
  'version',
  'seq_no_primary_term',
  'explain',
  'docvalue_fields',
  'stored_fields',
  'include_named_queries_score',
];

export const SEARCH_PARAMS = [
  ...URI_QUERY,
  ...BODY_PARAMS,
  ...INDEX_OPTIONS,
  ...SOURCE_PARAMS,
  ...SUGGEST_PARAMS,
  'ignore_throttled',
  'rest_total_hits_as_int',
  'typed_keys',
  'preference',
  'routing',
  'search_type',
  'request_cache',
  'scroll',
  'batched_reduce_size',
  'max_concurrent_shard_requests',
  'pre_filter_shard_size',
  'ccs_minimize_roundtrips',
  'allow_partial_search_results',
];

/** Size in bytes from which parsing a body takes milliseconds. */
const LARGE_BODY = 100_000;

const COUNT_PARAMS = [
  ...URI_QUERY,
  ...INDEX_OPTIONS,
  'ignore_throttled',
  'min_score',
  'preference',
  'routing',
  'terminate_after',
];

export function searchRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SEARCH.search,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_search', '/:index/_search'],
      params: SEARCH_PARAMS,
      handler: (request) => answer(deps, request),
    },
    {
      schema: SEARCH.count,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_count', '/:index/_count'],
      params: COUNT_PARAMS,
      handler: (request) => runSyncFirst(count(deps, request)),
    },
  ];
}

/** The answer to a search; a request that was sent before is executed as it was prepared then. */
function answer(deps: ApiDeps, request: ApiRequest): MaybePromise<Answer> {
  const key = deps.prepared.keyOf(request);
  const known = key === undefined ? undefined : deps.prepared.get(key);
  if (known !== undefined) return run(known, request);
  return thenMaybe(searchBody(request), (body) =>
    runSyncFirst(searchSteps(deps, request, body, key)),
  );
}

function run({ search, answer }: PreparedRequest, { waiter }: ApiRequest): MaybePromise<Answer> {
  return thenMaybe(search.run(waiter), answer);
}

/** `body` is already merged with the URL parameters. */
export function search(deps: ApiDeps, request: ApiRequest, body: JsonObject): MaybePromise<Answer> {
  return runSyncFirst(searchSteps(deps, request, body));
}

/** `key`: where the prepared request is kept; undefined if it is not. */
function* searchSteps(
  deps: ApiDeps,
  request: ApiRequest,
  body: JsonObject,
  key?: string,
): SyncFirstTask<Answer> {
  const { params } = request;
  // Yields between parsing and executing a large body, each of which takes a time slice.
  if ((request.body?.length ?? 0) > LARGE_BODY) yield* awaitMaybe(turn());
  const { requested, answer } = readSearch(deps, request, body);
  const scroll = params.text('scroll');
  if (scroll !== undefined) {
    const result = yield* awaitMaybe(deps.searchContexts.startScroll(requested, scroll));
    return yield* awaitMaybe(answer(result));
  }
  const prepared = { search: deps.backend.prepareSearch(requested), answer };
  const made = yield* awaitMaybe(run(prepared, request));
  if (key !== undefined) deps.prepared.set(key, prepared);
  return made;
}

export interface RequestedSearch {
  readonly requested: SearchRequest;
  readonly answer: (found: SearchResult) => MaybePromise<JsonAnswer>;
}

/** An answer that is JSON bytes. */
export type JsonAnswer = Answer & { readonly raw: Buffer };

/** The search of a request, and its answer. `body` is already merged with the URL parameters. */
export function readSearch(deps: ApiDeps, request: ApiRequest, body: JsonObject): RequestedSearch {
  const { params } = request;
  const totalAsInt = params.flag('rest_total_hits_as_int') ?? false;
  if (totalAsInt) checkTotalAsInt(body);
  checkSearchParams(params);
  checkSearchContext(params, body);
  const allowPartialResults = params.flag('allow_partial_search_results');
  const index = part(request, 'index');
  const options = indexOptions(params);
  const { routing, shards } = routingParam(params);
  // Assigned member by member, because spreading objects is slow.
  const requested: SearchRequest = {
    index,
    body: bodyWithStored(deps, index, options, body),
    waiter: request.waiter,
    routing,
    shards,
    allowPartialResults,
    requestCache: params.flag('request_cache'),
    typedKeys: params.flag('typed_keys'),
    ignoreUnavailable: options.ignoreUnavailable,
    allowNoIndices: options.allowNoIndices,
    expandWildcards: options.expandWildcards,
    hitsJson: true,
    totalAsInt,
  };
  const format = { totalAsInt, nodeId: deps.node.nodeId, ...batchOf(params, body) };
  const answer = (found: SearchResult): MaybePromise<JsonAnswer> =>
    thenMaybe(searchReply(found, format), (raw) => ({ status: 200, raw }));
  return { requested, answer };
}

/**
 * No batch size if the search only counts hits, because then there are no partial results to
 * reduce.
 */
function batchOf(params: UrlParams, body: JsonObject): { readonly batch?: number } {
  const batch = params.integer('batched_reduce_size');
  const hasResults = body['size'] !== 0 || (body['aggs'] ?? body['aggregations']) !== undefined;
  return batch === undefined || !hasResults ? {} : { batch };
}

function* count(deps: ApiDeps, request: ApiRequest): SyncFirstTask<Answer> {
  const { params } = request;
  const body = withUriQuery(yield* awaitMaybe(optionalBody(request)), params);
  const minScore = params.text('min_score');
  const terminateAfter = params.integer('terminate_after');
  const counted = deps.backend.count({
    index: part(request, 'index'),
    waiter: request.waiter,
    body: {
      ...body,
      ...(minScore === undefined ? {} : { min_score: numeric('min_score', minScore) }),
      ...(terminateAfter === undefined ? {} : { terminate_after: terminateAfter }),
    },
    ...routingParam(params),
    ...indexOptions(params),
  });
  const result = yield* awaitMaybe(counted);
  return ok({ count: result.count, _shards: result.shards });
}

function numeric(name: string, text: string): number {
  const value = Number(text);
  if (text !== '' && Number.isFinite(value)) return value;
  throw new QuarryError(
    'illegal_argument_exception',
    `Failed to parse float parameter [${name}] with value [${text}]`,
  );
}

/** Checks a search whose total is printed as a plain number. */
export function checkTotalAsInt(body: JsonObject): void {
  const track = body['track_total_hits'];
  // Values below -1 are invalid, which the backend reports.
  if (typeof track !== 'number' || track < 0) return;
  throw new QuarryError(
    'illegal_argument_exception',
    `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${track}`,
  );
}

/** Checks parameters that single searches and multi-searches share. */
export function checkSearchParams(params: UrlParams): void {
  checkSearchType(params);
  for (const name of [
    'batched_reduce_size',
    'max_concurrent_shard_requests',
    'pre_filter_shard_size',
  ]) {
    const value = params.integer(name);
    const least = name === 'batched_reduce_size' ? 2 : 1;
    if (value !== undefined && value < least) {
      throw new QuarryError(
        'illegal_argument_exception',
        `${camelCase(name)} must be >= ${least}, got [${value}]`,
      );
    }
  }
  params.flag('ccs_minimize_roundtrips');
}

/** Rejects parameters that conflict with a scroll or a point in time. */
function checkSearchContext(params: UrlParams, body: JsonObject): void {
  const wrong =
    params.has('scroll') && params.has('request_cache')
      ? '[request_cache] cannot be used in a scroll context'
      : body['pit'] !== undefined && params.has('preference')
        ? '[preference] cannot be used with point in time'
        : undefined;
  if (wrong === undefined) return;
  throw new QuarryError('action_request_validation_exception', `Validation Failed: 1: ${wrong};`);
}

/** The spelling of a parameter in error messages of Elasticsearch. */
function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
