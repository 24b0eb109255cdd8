// Asynchronous searches, in the form of Elasticsearch: a search whose client waits for a part of its
// time and asks for its answer later. It is executed as any other search.
import type { AsyncAnswer, AsyncSearch, AsyncWork, JsonObject } from '../../backend/index.js';
import { thenMaybe } from '../../base/maybe-promise.js';
import { parseTime } from '../../base/units.js';
import { QuarryError, toEnvelope } from '../../errors.js';
import { toJson } from '../kit/json.js';
import type { UrlParams } from '../kit/params.js';
import {
  ACKNOWLEDGED,
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  part,
  type Route,
} from '../kit/routes.js';
import { SEARCH } from '../schemas/search.js';
import { replyAround } from './reply.js';
import { searchBody } from './request-body.js';
import { type RequestedSearch, readSearch, SEARCH_PARAMS } from './search.js';

const WAIT = 'wait_for_completion_timeout';
const KEEP = 'keep_alive';
/** Parameters of a search that have no meaning here. */
const NOT_HERE: readonly string[] = ['scroll', 'pre_filter_shard_size'];
const SUBMIT_PARAMS = [
  ...SEARCH_PARAMS.filter((name) => !NOT_HERE.includes(name)),
  ...[WAIT, KEEP, 'keep_on_completion'],
];

const WAIT_MS = 1000;
const KEEP_ALIVE_MS = 5 * 24 * 3_600_000;
const LEAST_KEEP_ALIVE_MS = 1000;

export function asyncSearchRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SEARCH.submitAsync,
      methods: ['POST'],
      privilege: 'read',
      paths: ['/_async_search', '/:index/_async_search'],
      params: SUBMIT_PARAMS,
      handler: (request) => submit(deps, request),
    },
    {
      schema: SEARCH.getAsync,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_async_search/:id'],
      params: [WAIT, KEEP, 'typed_keys'],
      handler: (request) => get(deps, request),
    },
    {
      schema: SEARCH.asyncStatus,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_async_search/status/:id'],
      params: [KEEP],
      handler: (request) => status(deps, request),
    },
    {
      schema: SEARCH.deleteAsync,
      methods: ['DELETE'],
      privilege: 'read',
      paths: ['/_async_search/:id'],
      params: [],
      handler: (request) => {
        deps.asyncSearches.delete(find(deps, request));
        return ACKNOWLEDGED;
      },
    },
  ];
}

/** A search that fails before its first answer is answered like any other, and is not kept. */
async function submit(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params, waiter } = request;
  const waitMs = timeParam(params, WAIT) ?? WAIT_MS;
  const keepAliveMs = timeParam(params, KEEP) ?? KEEP_ALIVE_MS;
  if (keepAliveMs < LEAST_KEEP_ALIVE_MS) {
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: [${KEEP}] must be greater or equals than 1 second, got:${params.text(KEEP)};`,
    );
  }
  const isKept = params.flag('keep_on_completion') ?? false;
  const read = readSearch(deps, request, await searchBody(request));
  const search = deps.asyncSearches.start(workOf(deps, read), {
    keepAliveMs,
    caller: request.key,
    isKept,
  });
  try {
    await search.ended(waitMs, waiter);
  } catch (error) {
    deps.asyncSearches.delete(search);
    throw error;
  }
  const { outcome } = search;
  if (outcome === undefined) search.keep();
  else if ('error' in outcome || !isKept) deps.asyncSearches.delete(search);
  if (outcome !== undefined && 'error' in outcome) throw outcome.error;
  return shown(search, outcome === undefined || isKept);
}

async function get(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const waitMs = timeParam(params, WAIT) ?? 0;
  const search = find(deps, request);
  const typedKeys = params.flag('typed_keys') ?? false;
  if (typedKeys !== search.typedKeys) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[typed_keys] must be [${search.typedKeys}] as it was when the asynchronous search was submitted, got [${typedKeys}]`,
    );
  }
  await search.ended(waitMs, request.waiter);
  // It may have been deleted in the meantime.
  return shown(find(deps, request), true);
}

function status(deps: ApiDeps, request: ApiRequest): Promise<Answer> | Answer {
  const search = find(deps, request);
  const { id, outcome } = search;
  const head = { id, ...flagsOf(search), ...timesOf(search) };
  const answer = (shards: object, completion?: number): Answer => {
    const ended = completion === undefined ? {} : { completion_status: completion };
    return { ...ok({ ...head, _shards: shards, ...ended }), headers: headersOf(search) };
  };
  if (outcome === undefined) {
    return thenMaybe(search.progress(), ({ shards }) => answer(counts(shards)));
  }
  if ('answer' in outcome) return answer(counts(outcome.answer.shards), 200);
  return answer(
    { total: 0, successful: 0, skipped: 0, failed: 0 },
    toEnvelope(outcome.error).status,
  );
}

function counts({ total, successful, skipped, failed }: AsyncAnswer['shards']): object {
  return { total, successful, skipped, failed };
}

/** The search that the path names, with the keep-alive time of the request. */
function find(deps: ApiDeps, request: ApiRequest): AsyncSearch {
  const id = part(request, 'id');
  const keepAliveMs = timeParam(request.params, KEEP);
  const search = deps.asyncSearches.find(id, request.key, keepAliveMs);
  if (search === undefined) throw new QuarryError('resource_not_found_exception', id);
  return search;
}

function timeParam(params: UrlParams, name: string): number | undefined {
  const text = params.text(name);
  if (text === undefined) return undefined;
  const ms = parseTime(text, name);
  if (ms >= 0 && (ms > 0 || name !== KEEP)) return ms;
  throw new QuarryError(
    'illegal_argument_exception',
    `[${name}] must be longer than 0, got [${text}]`,
  );
}

function workOf(deps: ApiDeps, { requested, answer }: RequestedSearch): AsyncWork {
  return {
    typedKeys: requested.typedKeys ?? false,
    run: (waiter) => {
      const search = deps.backend.prepareSearch({ ...requested, waiter });
      return thenMaybe(search.run(waiter), (found) => {
        const { tookMs, shards } = found;
        return thenMaybe(answer(found), ({ raw }) => ({ json: raw, tookMs, shards }));
      });
    },
    progress: async (tookMs) => {
      const total = await searchedShards(deps, requested);
      const shards = { total, successful: 0, skipped: 0, failed: 0 };
      const { raw } = await answer({
        ...{ tookMs, timedOut: false, terminatedEarly: false, shards },
        ...{ total: { value: 0, relation: 'gte' }, maxScore: null, hits: [] },
      });
      return { json: raw, tookMs, shards };
    },
  };
}

/** The number of shards that a search covers; 0 for indexes and points in time that have gone. */
async function searchedShards(
  deps: ApiDeps,
  { index, body, routing, ...options }: RequestedSearch['requested'],
): Promise<number> {
  const pit = body['pit'] as JsonObject | undefined;
  if (pit !== undefined) {
    const open = await deps.searchContexts.pointsInTime();
    return open.find(({ id }) => id === pit['id'])?.shards ?? 0;
  }
  const reached = deps.backend.searchedShards(index, {
    ...options,
    ...(routing === undefined ? {} : { routing }),
    ignoreUnavailable: true,
    allowNoIndices: true,
  });
  return reached.reduce((sum, { shards }) => sum + shards.length, 0);
}

/** `hasId`: the search can be asked for later. */
async function shown(search: AsyncSearch, hasId: boolean): Promise<Answer> {
  const { id, outcome } = search;
  const head = { ...(hasId ? { id } : {}), ...flagsOf(search), ...timesOf(search) };
  const headers = hasId ? headersOf(search) : {};
  if (outcome !== undefined && 'error' in outcome) {
    // One of our own is logged and answered where any other is.
    if (!(outcome.error instanceof QuarryError)) throw outcome.error;
    const { error, status } = toEnvelope(outcome.error);
    const { root_cause: _rootCause, ...cause } = error as { readonly root_cause: unknown };
    return { ...ok({ ...head, error: cause }, status), headers };
  }
  const { json } = outcome?.answer ?? (await search.progress());
  return {
    status: 200,
    raw: await replyAround(`${toJson(head).slice(0, -1)},"response":`, json),
    headers,
  };
}

function flagsOf({ outcome }: AsyncSearch): object {
  return {
    is_partial: outcome === undefined || 'error' in outcome,
    is_running: outcome === undefined,
  };
}

function timesOf({ startMs, expirationMs, outcome }: AsyncSearch): object {
  const endMs =
    outcome !== undefined && 'answer' in outcome ? startMs + outcome.answer.tookMs : undefined;
  return {
    start_time_in_millis: startMs,
    expiration_time_in_millis: expirationMs,
    ...(endMs === undefined ? {} : { completion_time_in_millis: endMs }),
  };
}

function headersOf({ id, outcome }: AsyncSearch): Readonly<Record<string, string>> {
  return {
    'X-Elasticsearch-Async-Id': id,
    'X-Elasticsearch-Async-Is-Running': outcome === undefined ? '?1' : '?0',
  };
}
