// Merges the body of a search with its URL parameters; `q` takes the place of the query.
import type { Json, JsonObject } from '../../backend/index.js';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import { sourceParam, type UrlParams } from '../kit/params.js';
import { type ApiRequest, optionalBody } from '../kit/routes.js';
import { suggestParam } from './suggest-params.js';

/** Parameters of URI searches; they are passed on as `uri_query`, which src/query parses. */
export const URI_QUERY = [
  'q',
  'df',
  'default_operator',
  'analyzer',
  'analyze_wildcard',
  'lenient',
] as const;

/** The search body merged with the URL parameters. */
export function searchBody(request: ApiRequest): MaybePromise<JsonObject> {
  return thenMaybe(optionalBody(request), (body) => mergeParams(body, request.params));
}

/** URL parameters override members of the body, as in Elasticsearch. */
function mergeParams(body: JsonObject, params: UrlParams): JsonObject {
  const merged: Record<string, Json> = { ...withUriQuery(body, params) };
  for (const name of ['size', 'from', 'terminate_after']) {
    const value = params.integer(name);
    if (value !== undefined) merged[name] = value;
  }
  for (const name of [
    'track_scores',
    'version',
    'seq_no_primary_term',
    'explain',
    'include_named_queries_score',
  ]) {
    const value = params.flag(name);
    if (value !== undefined) merged[name] = value;
  }
  const sort = params.list('sort');
  if (sort !== undefined) merged['sort'] = sort.map(sortParam);
  const timeout = params.text('timeout');
  if (timeout !== undefined) merged['timeout'] = timeout;
  const track = params.text('track_total_hits');
  if (track !== undefined) {
    merged['track_total_hits'] = /^-?\d+$/.test(track)
      ? Number(track)
      : (params.flag('track_total_hits') ?? true);
  }
  for (const name of ['docvalue_fields', 'stored_fields']) {
    const list = params.list(name);
    if (list !== undefined) merged[name] = [...list];
  }
  const suggest = suggestParam(params);
  if (suggest !== undefined) merged['suggest'] = suggest;
  const source = sourceParam(params);
  if (source !== undefined) {
    merged['_source'] =
      typeof source === 'boolean'
        ? source
        : { includes: [...source.includes], excludes: [...source.excludes] };
  }
  return merged;
}

/** Converts `field:desc` to `{field: {order: "desc"}}`. */
export function sortParam(text: string): Json {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return text;
  return { [text.slice(0, colon)]: { order: text.slice(colon + 1) } };
}

export function withUriQuery(body: JsonObject, params: UrlParams): JsonObject {
  const query = params.text('q');
  if (query === undefined) {
    const lost = URI_QUERY.filter((name) => params.has(name));
    if (lost.length === 0) return body;
    throw new QuarryError(
      'illegal_argument_exception',
      `request contains parameters [${lost.join(', ')}] but missing query string parameter 'q'.`,
    );
  }
  const clause: Record<string, Json> = { query };
  const field = params.text('df');
  if (field !== undefined) clause['default_field'] = field;
  for (const name of ['default_operator', 'analyzer'] as const) {
    const value = params.text(name);
    if (value !== undefined) clause[name] = value;
  }
  for (const name of ['analyze_wildcard', 'lenient'] as const) {
    const value = params.flag(name);
    if (value !== undefined) clause[name] = value;
  }
  return { ...body, query: { query_string: clause } };
}
