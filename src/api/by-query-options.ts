// What `_delete_by_query`, `_update_by_query` and `_reindex` have in common: options of the URL and the body, and the
// answer, at once or as a task.
import type { ByQueryRequest, Json, JsonObject } from '../backend.js';
import { QuarryError } from '../errors.js';
import { checkWaits, durationMs, type UrlParams } from './params.js';
import { type Answer, type ApiDeps, type ApiRequest, ok } from './routes.js';

export const BY_QUERY_PARAMS = [
  'refresh',
  'timeout',
  'wait_for_active_shards',
  'wait_for_completion',
  'requests_per_second',
  'slices',
  'scroll',
  'max_docs',
];

const BATCH_SIZE = 1000;
const KEEP_ALIVE = '5m';
const MOST_SLICES = 1024;

type Options = Omit<ByQueryRequest, 'search' | 'change'>;

/** `batchSize`: as the request names it. */
export function byQueryOptions(
  params: UrlParams,
  body: JsonObject,
  batchSize: number | undefined,
): Options {
  checkWaits(params);
  const size = batchSize ?? BATCH_SIZE;
  if (size <= 0) throw illegal(`[scroll_size] must be positive, got [${size}]`);
  const keepAlive = params.text('scroll') ?? KEEP_ALIVE;
  durationMs(keepAlive, 'scroll');
  const slices = readSlices(params);
  const maxDocs = readMaxDocs(params, body);
  if (maxDocs !== undefined && slices !== 'auto' && maxDocs < slices) {
    throw invalid(`maxDocs should be >= slices, got [${maxDocs}] and [${slices}]`);
  }
  return {
    conflicts: readConflicts(params.text('conflicts') ?? body['conflicts']),
    ...(maxDocs === undefined ? {} : { maxDocs }),
    batchSize: size,
    slices,
    requestsPerSecond: readPace(params) ?? Number.POSITIVE_INFINITY,
    refresh: params.flag('refresh') ?? false,
    keepAlive,
  };
}

/** Undefined when nothing was said. */
export function readPace(params: UrlParams): number | undefined {
  const text = params.text('requests_per_second');
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text === '-1' || text === 'unlimited') return Number.POSITIVE_INFINITY;
  if (text !== '' && Number.isFinite(value) && value > 0) return value;
  throw illegal(
    `[requests_per_second] must be a float greater than 0, got [${text}]. Use -1 to disable throttling.`,
  );
}

/** At once, or the name of the task. */
export async function answerByQuery(
  deps: ApiDeps,
  request: ApiRequest,
  asked: ByQueryRequest,
): Promise<Answer> {
  const wait = request.params.flag('wait_for_completion') ?? true;
  const { id, result } = deps.operations.start(asked);
  if (!wait) return ok({ task: `${deps.node.nodeId}:${id}` });
  const { status, body } = await result;
  return ok(body, status);
}

export function refusePipeline(value: Json | undefined): void {
  if (value === undefined || value === null || value === '_none') return;
  throw illegal(`pipeline with id [${String(value)}] does not exist, this server has none`);
}

function readSlices(params: UrlParams): number | 'auto' {
  const text = params.text('slices');
  if (text === undefined) return 1;
  if (text === 'auto') return text;
  if (!/^-?\d+$/.test(text)) {
    throw illegal(`[slices] must be a positive integer or the string "auto", but was [${text}]`);
  }
  const slices = Number(text);
  if (slices < 1) throw illegal(`[slices] must be at least 1, but was [${text}]`);
  if (slices > MOST_SLICES)
    throw illegal(`[slices] must be at most ${MOST_SLICES}, but was [${text}]`);
  return slices;
}

function readMaxDocs(params: UrlParams, body: JsonObject): number | undefined {
  const { max_docs: given, size } = body;
  if (given !== undefined && size !== undefined) {
    throw illegal('[max_docs] set to two different values, give only one of [max_docs] and [size]');
  }
  const value = params.integer('max_docs') ?? given ?? size;
  if (value === undefined || value === -1) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw invalid(
    `maxDocs should be greater than 0 if the request is limited to some number of documents or -1 if it isn't but it was [${String(value)}]`,
  );
}

function readConflicts(value: Json | undefined): 'abort' | 'proceed' {
  if (value === undefined) return 'abort';
  if (value === 'abort' || value === 'proceed') return value;
  throw illegal(`conflicts may only be "proceed" or "abort" but was [${String(value)}]`);
}

export function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

export function invalid(reason: string): QuarryError {
  return new QuarryError('action_request_validation_exception', `Validation Failed: 1: ${reason};`);
}
