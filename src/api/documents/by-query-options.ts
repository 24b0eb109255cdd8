// What `_delete_by_query`, `_update_by_query` and `_reindex` have in common: options in the URL and
// the body, and the answer, which is the result or the id of a task.

import type { ByQueryRequest, Json, JsonObject } from '../../backend/index.js';
import { asText, printValue } from '../../base/json-text.js';
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import { checkWaits, type UrlParams } from '../kit/params.js';
import { type Answer, type ApiDeps, type ApiRequest, ok } from '../kit/routes.js';

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

const KEEP_ALIVE = '5m';
const MOST_SLICES = 1024;

type Options = Omit<ByQueryRequest, 'search' | 'change' | 'batchSize'>;

/** Reads the options; `body` contributes `max_docs` and `conflicts`. */
export function byQueryOptions(params: UrlParams, body: JsonObject): Options {
  checkWaits(params);
  const keepAlive = params.text('scroll') ?? KEEP_ALIVE;
  parseTime(keepAlive, 'scroll');
  const slices = readSlices(params);
  const maxDocs = readMaxDocs(params, body['max_docs']);
  if (maxDocs !== undefined && maxDocs < (slices === 'auto' ? 1 : slices)) {
    throw illegal(
      `[max_docs] should be >= [slices], it was [${maxDocs}], [slices] was [${slices}]`,
    );
  }
  return {
    conflicts: readConflicts(params.text('conflicts') ?? body['conflicts']),
    ...(maxDocs === undefined ? {} : { maxDocs }),
    slices,
    requestsPerSecond: readPace(params) ?? Number.POSITIVE_INFINITY,
    refresh: params.flag('refresh') ?? false,
    keepAlive,
  };
}

/** A request with a `slice` of its own cannot ask for automatic slices too. */
export function checkSlicing(slice: Json | undefined, { slices }: Options): void {
  if (slice === undefined || slices === 1) return;
  throw invalid("can't specify both manual and automatic slicing at the same time");
}

/** Documents per second; undefined if the parameter is absent, Infinity for -1. */
export function readPace(params: UrlParams): number | undefined {
  const text = params.text('requests_per_second');
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value === -1) return Number.POSITIVE_INFINITY;
  if (text !== '' && Number.isFinite(value) && value > 0) return value;
  throw illegal(
    `[requests_per_second] must be a float greater than 0, got [${text}]. Use -1 to disable throttling.`,
  );
}

/** Answers with the result, or with the task id if `wait_for_completion` is false. */
export async function answerByQuery(
  deps: ApiDeps,
  request: ApiRequest,
  requested: ByQueryRequest,
): Promise<Answer> {
  const wait = request.params.flag('wait_for_completion') ?? true;
  const { id, result } = deps.operations.start(requested);
  if (!wait) return ok({ task: `${deps.node.nodeId}:${id}` });
  const { status, body } = await result;
  return ok(withoutCounts(body, UNCOUNTED[requested.change.kind]), status);
}

/** Counters that an operation never increments. Its answer leaves them out; its task shows them. */
const UNCOUNTED = { delete: ['created', 'updated'], update: ['created'], reindex: [] } as const;

function withoutCounts(body: JsonObject, names: readonly string[]): JsonObject {
  const kept = Object.entries(body).filter(([name]) => !names.includes(name));
  const slices = body['slices'] as readonly JsonObject[] | undefined;
  return {
    ...Object.fromEntries(kept),
    ...(slices === undefined ? {} : { slices: slices.map((one) => withoutCounts(one, names)) }),
  };
}

export function refusePipeline(value: Json | undefined): void {
  if (value === undefined || value === null || value === '_none') return;
  throw illegal(`pipeline with id [${asText(value)}] does not exist, this server has none`);
}

function readSlices(params: UrlParams): number | 'auto' {
  const text = params.text('slices');
  if (text === undefined) return 1;
  if (text === 'auto') return text;
  const slices = /^[+-]?\d+$/.test(text) ? Number(text) : 0;
  if (slices < 1) {
    throw illegal(`[slices] must be a positive integer or the string "auto", but was [${text}]`);
  }
  if (slices > MOST_SLICES)
    throw illegal(`[slices] must be at most ${MOST_SLICES}, but was [${text}]`);
  return slices;
}

function readMaxDocs(params: UrlParams, given: Json | undefined): number | undefined {
  const inBody = given === undefined ? undefined : wholeNumber(given, '[max_docs]');
  const inUrl = params.integer('max_docs');
  const value = inUrl ?? inBody;
  if (value !== undefined && value < 0) {
    throw illegal(`[max_docs] parameter cannot be negative, found [${value}]`);
  }
  if (inUrl !== undefined && inBody !== undefined && inUrl !== inBody) {
    throw illegal(`[max_docs] set to two different values [${inBody}] and [${inUrl}]`);
  }
  return value;
}

function readConflicts(value: Json | undefined): 'abort' | 'proceed' {
  if (value === undefined) return 'abort';
  if (value === 'abort' || value === 'proceed') return value;
  throw illegal(`conflicts may only be "proceed" or "abort" but was [${asText(value)}]`);
}

export function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

export function invalid(reason: string): QuarryError {
  return invalidAll([reason]);
}

export function invalidAll(reasons: readonly string[]): QuarryError {
  const listed = reasons.map((reason, at) => `${at + 1}: ${reason};`).join('');
  return new QuarryError('action_request_validation_exception', `Validation Failed: ${listed}`);
}

/** Reads a 32-bit integer, which may be given as a string. */
export function wholeNumber(value: Json, what: string): number {
  const text = typeof value === 'number' || typeof value === 'string' ? asText(value) : '';
  if (/^[+-]?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= 2 ** 31 - 1) return Number(text);
  throw illegal(`${what} must be a whole number, got [${printValue(value)}]`);
}
