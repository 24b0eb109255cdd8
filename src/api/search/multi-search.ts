// Multi-search: a body of alternating header and search lines, executed concurrently and answered
// in request order.

import { availableParallelism } from 'node:os';
import type { JsonObject, SearchRequest, SearchResult } from '../../backend/index.js';
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runCooperatively,
  YieldPoints,
} from '../../base/cooperative-task.js';
import { asText } from '../../base/json-text.js';
import { QuarryError, toEnvelope } from '../../errors.js';
import { AnswerTooLarge } from '../../ops/in-flight.js';
import { speaksSeven } from '../kit/compatible-seven.js';
import { refuseManyLines } from '../kit/item-limit.js';
import { decodeUtf8, objectSteps } from '../kit/json.js';
import { checkContentType } from '../kit/media-types.js';
import {
  checkSearchType,
  INDEX_OPTIONS,
  indexOptions,
  requestCacheParam,
  routingParam,
  UrlParams,
} from '../kit/params.js';
import { type Answer, type ApiDeps, type ApiRequest, part, type Route } from '../kit/routes.js';
import { SEARCH } from '../schemas/search.js';
import { multiSearchReply, shownBytes } from './reply.js';
import { checkSearchParams, checkTotalAsInt } from './search.js';
import { bodyWithStored } from './stored-fields.js';

export const MSEARCH_PARAMS = [
  ...INDEX_OPTIONS,
  'rest_total_hits_as_int',
  'typed_keys',
  'search_type',
  'routing',
  'max_concurrent_searches',
  'max_concurrent_shard_requests',
  'pre_filter_shard_size',
  'ccs_minimize_roundtrips',
  'include_named_queries_score',
];

/** Status of a search on an index that the key may not use. */
const FORBIDDEN = 403;
/** Maximum number of concurrent searches of one request. */
const CONCURRENT_SEARCHES = 10;

export function multiSearchRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SEARCH.msearch,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_msearch', '/:index/_msearch'],
      params: MSEARCH_PARAMS,
      ndjson: true,
      handler: (request) => multiSearch(deps, request, (body) => body),
    },
  ];
}

/**
 * `bodyOf` returns the search that a body line means; an error that it throws is the answer to that
 * line.
 */
export async function multiSearch(
  deps: ApiDeps,
  request: ApiRequest,
  bodyOf: (body: JsonObject) => JsonObject,
): Promise<Answer> {
  if (request.body === undefined)
    throw new QuarryError('parse_exception', 'request body is required');
  checkContentType(request.contentType, true);
  refuseManyLines(deps, request.body, 2, 'searches');
  const started = deps.nowMs();
  const limit = request.params.integer('max_concurrent_searches');
  if (limit !== undefined && limit < 1) {
    throw new QuarryError('illegal_argument_exception', 'max_concurrent_searches must be >= 1');
  }
  checkSearchParams(request.params);
  const searches = await runCooperatively(readSearches(request));
  const totalAsInt = request.params.flag('rest_total_hits_as_int') ?? false;
  if (totalAsInt) for (const { body } of searches) checkTotalAsInt(body);
  let bytes = 0;
  // From the first search on whose answer has no room, the others are refused without being executed.
  let refusal: AnswerTooLarge | undefined;
  const items = await inLanes(searches, limit ?? concurrency(deps), async (one) => {
    if (refusal !== undefined) return toEnvelope(refusal);
    const check = (result: SearchResult): void => {
      bytes += shownBytes(result);
      deps.inFlight.checkAnswer(bytes, 'documents');
    };
    const item = await answerOne(deps, one, bodyOf, check, (error) => {
      refusal ??= error;
    });
    if (!('error' in item && item.status === FORBIDDEN)) request.names?.add(one.index);
    return item;
  });
  const took = Math.max(0, Math.round(deps.nowMs() - started));
  return {
    status: 200,
    raw: await multiSearchReply(took, items, { totalAsInt, nodeId: deps.node.nodeId }),
  };
}

/**
 * One search per thread of the pool, so that the searches of one request do not fill the queue
 * ahead of other requests.
 */
function concurrency(deps: ApiDeps): number {
  const threads = deps.live.get('pools.search_threads');
  return Math.min(CONCURRENT_SEARCHES, threads === 0 ? availableParallelism() : threads);
}

/**
 * Applies `work` to every item, at most `limit` at once; the results are in the order of the items.
 * Yields regularly, because rejected and cached searches complete synchronously.
 */
async function inLanes<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  const pauses = new YieldPoints();
  const lane = async (): Promise<void> => {
    for (const [i, item] of left) {
      results[i] = await work(item);
      await pauses.due();
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}

async function answerOne(
  deps: ApiDeps,
  request: SearchRequest,
  bodyOf: (body: JsonObject) => JsonObject,
  check: (result: SearchResult) => void,
  tooLarge: (error: AnswerTooLarge) => void,
): Promise<SearchResult | { readonly error: unknown; readonly status: number }> {
  try {
    const body = bodyWithStored(deps, request.index, request, bodyOf(request.body));
    const result = await deps.backend.search({ ...request, body });
    check(result);
    return result;
  } catch (error) {
    if (error instanceof AnswerTooLarge) tooLarge(error);
    if (!(error instanceof QuarryError))
      deps.logger.error({ err: error }, 'a search of _msearch failed');
    return toEnvelope(error);
  }
}

const HEADER_KEYS = new Set([
  'index',
  'indices',
  'search_type',
  'preference',
  'routing',
  'request_cache',
  'ignore_unavailable',
  'allow_no_indices',
  'expand_wildcards',
  'ccs_minimize_roundtrips',
  'allow_partial_search_results',
  'ignore_throttled',
]);

/** Older spellings of header keys that Elasticsearch accepts too. */
const OLDER_KEYS: ReadonlyMap<string, string> = new Map([
  ['requestCache', 'request_cache'],
  ['searchType', 'search_type'],
  ['ignoreUnavailable', 'ignore_unavailable'],
  ['allowNoIndices', 'allow_no_indices'],
  ['expandWildcards', 'expand_wildcards'],
  ['ccsMinimizeRoundtrips', 'ccs_minimize_roundtrips'],
]);

interface Header {
  readonly line: string;
  readonly index: string | undefined;
  readonly options: Partial<SearchRequest>;
}

/** With `withoutTypes`, ignores the mapping types that a client of version 7 may name. */
function* readHeader(line: string, withoutTypes: boolean): CooperativeTask<Header> {
  const read = line === '' ? {} : respelled(yield* objectSteps(Buffer.from(line)));
  const { type: _type, types: _types, ...untyped } = read;
  const header = withoutTypes ? untyped : read;
  return { line, index: headerIndex(header), options: headerOptions(header) };
}

/** Reads alternating header and body lines; the index of the path is the default. */
function* readSearches(request: ApiRequest): CooperativeTask<readonly SearchRequest[]> {
  const text = decodeUtf8(request.body ?? new Uint8Array());
  if (!text.endsWith('\n')) {
    throw new QuarryError(
      'illegal_argument_exception',
      'The msearch request must be terminated by a newline [\\n]',
    );
  }
  const lines = text
    .slice(0, -1)
    .split('\n')
    .map((line) => line.trim());
  const searches: SearchRequest[] = [];
  const { params } = request;
  const { waiter } = request;
  const isTyped = speaksSeven(request);
  const typed = params.flag('typed_keys') === true ? { typedKeys: true } : {};
  const scores = params.flag('include_named_queries_score');
  const scoreOption: JsonObject =
    scores === undefined ? {} : { include_named_queries_score: scores };
  const totalAsInt = params.flag('rest_total_hits_as_int') ?? false;
  const defaults = {
    ...indexOptions(params),
    ...routingParam(params),
    ...typed,
    totalAsInt,
    waiter,
  };
  let header: Header = { line: '', index: headerIndex({}), options: headerOptions({}) };
  for (let at = 0; at < lines.length; at += 2) {
    const line = lines[at] ?? '';
    // Consecutive headers of a client are mostly equal, so the last one is reused.
    if (line !== header.line) header = yield* readHeader(line, isTyped);
    const body = lines[at + 1];
    if (body === undefined) {
      if (line === '') break;
      throw new QuarryError(
        'parse_exception',
        `line ${at + 1} of the msearch body has no search after it`,
      );
    }
    searches.push({
      index: header.index ?? part(request, 'index'),
      body: { ...(yield* objectSteps(bodyBytes(body, at + 2))), ...scoreOption },
      ...defaults,
      ...header.options,
      hitsJson: true,
    });
    if (searches.length % ITEMS_PER_YIELD === 0) yield;
  }
  if (searches.length === 0) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: no requests added;',
    );
  }
  return searches;
}

function bodyBytes(line: string, number: number): Uint8Array {
  if (line !== '') return Buffer.from(line);
  throw new QuarryError(
    'parsing_exception',
    `line ${number} of the msearch body is empty, a search is at least {}`,
  );
}

function respelled(header: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(header).map(([key, value]) => [OLDER_KEYS.get(key) ?? key, value]),
  );
}

function headerIndex(header: JsonObject): string | undefined {
  for (const key of Object.keys(header)) {
    if (!HEADER_KEYS.has(key)) {
      throw new QuarryError(
        'illegal_argument_exception',
        `key [${key}] is not supported in the metadata section`,
      );
    }
  }
  const { indices, index = indices } = header;
  if (index === undefined) return undefined;
  if (typeof index === 'string') return index;
  if (typeof index === 'number') return String(index);
  if (Array.isArray(index) && index.every((name) => typeof name === 'string'))
    return index.join(',');
  throw new QuarryError(
    'illegal_argument_exception',
    'key [index] of the metadata section must be a name or a list of names',
  );
}

/** Options of a header, read and checked like URL parameters. */
function headerOptions(header: JsonObject): Partial<SearchRequest> {
  const texts = Object.entries(header)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(asText).join(',') : asText(value),
    ]);
  const params = new UrlParams(Object.fromEntries(texts));
  const allowPartialResults = params.flag('allow_partial_search_results');
  checkSearchType(params);
  return {
    ...indexOptions(params),
    ...routingParam(params),
    ...(allowPartialResults === undefined ? {} : { allowPartialResults }),
    ...requestCacheParam(params),
  };
}
