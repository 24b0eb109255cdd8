// Errors of the cluster as errors of this service: type, reason, causes and status pass.
import type { Json, JsonObject } from '../backend/index.js';
import { parseExact } from '../base/exact-json.js';
import { asText } from '../base/json-text.js';
import { ERROR_STATUS, type ErrorType, QuarryError } from '../errors.js';
import type { ClusterAnswer } from './exchange.js';
import type { IndexNames } from './index-names.js';

type Cause = ReturnType<QuarryError['toCause']>;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON of an answer; the error of the cluster is thrown. */
export function readAnswer(answer: ClusterAnswer, names: IndexNames): JsonObject {
  if (answer.status >= 400) throw clusterError(answer, names);
  return parseExact(answer.body.toString('utf8')) as JsonObject;
}

export function clusterError(answer: ClusterAnswer, names: IndexNames): QuarryError {
  const { status, retryAfter } = answer;
  const text = answer.body.toString('utf8');
  const headers = retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } };
  let body: Json = null;
  try {
    body = parseExact(text);
  } catch {
    // A proxy answers with a page.
  }
  const error = isObject(body) ? body['error'] : undefined;
  const failure = isObject(body) ? shardFailure(body) : undefined;
  if (isObject(failure) && status >= 500) {
    return toError(failure, ERROR_STATUS.node_not_ready_exception, names, headers);
  }
  if (!isObject(error)) {
    const reason = `the cluster answered [${status}]: ${asText(error ?? text.slice(0, 200))}`;
    return new QuarryError(usualType(status), reason, { status, ...headers });
  }
  return toError(error, status, names, headers);
}

/**
 * A refresh or flush that not every copy of a shard could do has no other error. Whatever the copy
 * says, it is because the engine has not left it out yet.
 */
function shardFailure({ _shards: shards }: JsonObject): Json | undefined {
  const failures = isObject(shards) ? shards['failures'] : undefined;
  const [first] = Array.isArray(failures) ? (failures as readonly Json[]) : [];
  return isObject(first) ? first['reason'] : undefined;
}

/** What the engine answers with 500 or 502 while one of its nodes leaves. */
const LEAVING: ReadonlySet<Json | undefined> = new Set([
  'connect_transport_exception',
  'node_closed_exception',
  'node_disconnected_exception',
  'node_not_connected_exception',
  'receive_timeout_transport_exception',
  'send_request_transport_exception',
  'shard_not_found_exception',
]);

function statusOf({ type, root_cause: roots }: JsonObject, status: number): number {
  if (status !== 500 && status !== 502) return status;
  const causes = Array.isArray(roots) ? (roots as readonly Json[]) : [];
  const isLeaving = [type, ...causes.map((cause) => isObject(cause) && cause['type'])].some(
    (name) => LEAVING.has(name),
  );
  return isLeaving ? ERROR_STATUS.node_not_ready_exception : status;
}

const NO_DOCUMENT: ReadonlySet<Json | undefined> = new Set([
  'document_parsing_exception',
  'mapper_parsing_exception',
]);

/** Why a document could not be read: a text that is no number is named as such by the engine alone. */
function causeOf(type: Json | undefined, cause: JsonObject): Cause {
  const isNoNumber = NO_DOCUMENT.has(type) && cause['type'] === 'number_format_exception';
  return { ...cause, ...(isNoNumber ? { type: 'illegal_argument_exception' } : {}) } as Cause;
}

/** An error object of the cluster, such as that of an item of a bulk. */
export function toError(
  error: JsonObject,
  status: number,
  names: IndexNames,
  options: { readonly headers?: Readonly<Record<string, string>> } = {},
): QuarryError {
  const shown = withoutNodes(namesTaken(error, names) as JsonObject);
  const { type, reason, caused_by: cause, root_cause: roots, ...extra } = shown;
  return new QuarryError(typeOf(type, status), asText(reason ?? ''), {
    status: statusOf(error, status),
    extra,
    ...(isObject(cause) ? { causedBy: causeOf(type, cause) } : {}),
    ...(Array.isArray(roots) ? { rootCauses: roots as unknown as readonly Cause[] } : {}),
    ...options,
  });
}

/** Nodes of the cluster mean nothing here, and the cause of a failed shard stands with the shard. */
function withoutNodes(error: JsonObject): JsonObject {
  const { failed_shards: failed, caused_by: _cause, ...rest } = error;
  if (!Array.isArray(failed) || failed.length === 0) return error;
  const shards = (failed as readonly Json[]).map((shard) => {
    if (!isObject(shard)) return shard;
    const { node: _node, ...kept } = shard;
    return kept;
  });
  return { ...rest, failed_shards: shards };
}

/** A type of the engine that this service does not know is shown as it is. */
function typeOf(type: Json | undefined, status: number): ErrorType {
  return typeof type === 'string' ? (type as ErrorType) : usualType(status);
}

function usualType(status: number): ErrorType {
  if (status === 429) return 'es_rejected_execution_exception';
  if (status === 401 || status === 403) return 'security_exception';
  if (status === 503) return 'node_not_ready_exception';
  return status >= 500 ? 'internal_server_error' : 'illegal_argument_exception';
}

/**
 * A search of named indexes keeps nothing that its client could name: where the engine misses a
 * context of it, the node that had it has left between two phases.
 */
export function lostContext(
  path: string,
  { status, body }: ClusterAnswer,
): QuarryError | undefined {
  const isNamed = path.endsWith('/_search') && path !== '/_search';
  if (status !== 404 || !isNamed || !body.includes('search_context_missing_exception'))
    return undefined;
  return new QuarryError(
    'node_not_ready_exception',
    'a node of the cluster has left during the search, send it again',
    { headers: { 'Retry-After': '1' } },
  );
}

export function isKnownType(type: string): type is ErrorType {
  return type in ERROR_STATUS;
}

/** Takes the prefix off the names of indexes in an error. */
export function namesTaken(value: Json, names: IndexNames): Json {
  if (names.prefix === '') return value;
  if (typeof value === 'string') return names.shownIn(value);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item) => namesTaken(item, names));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, namesTaken(member, names)]),
  );
}
