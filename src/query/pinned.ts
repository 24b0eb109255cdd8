// Searches over snapshots that are held on to: a point in time adds a key to the sort that tells all documents apart, a
// scroll asks for one batch after the other in such an order.
import type { Json, JsonObject } from '../backend/index.js';
import type { PlanSortKey, Scalar, ShardSnapshot } from '../wire/plan-writer.js';
import type { SearchLimits } from './limits.js';
import { type Page, parsePage } from './paging.js';
import { fusingName } from './ranked-body.js';
import { parseSearchAfter, parseSort } from './sort.js';
import { illegal, isArray, toInteger, validationFailed } from './values.js';

export interface PinnedSnapshots {
  /** Shards of an index beside each other, indexes by name: the order of ties. */
  readonly snapshots: readonly ShardSnapshot[];
  /** Of a scroll. */
  readonly batch?: Batch;
}

export interface Batch {
  /** All sort values of the last hit of the batch before; undefined: the first one. */
  readonly after: readonly Json[] | undefined;
}

/** The order of a batch: what is not shown comes behind `shown` keys of the sort. */
export interface PinnedSort {
  readonly keys: readonly PlanSortKey[];
  readonly searchAfter: readonly Scalar[];
}

const SHARD_DOC: PlanSortKey = {
  field: '_shard_doc',
  order: 'asc',
  mode: 'default',
  missing: '_last',
  unmappedType: '',
  numericType: '',
  format: '',
};

const BY_SCORE: PlanSortKey = { ...SHARD_DOC, field: '_score', order: 'desc' };

/** The sort that is asked of the shards, and where it goes on. */
export function readKeys(
  body: JsonObject,
  page: Page,
  pinned: PinnedSnapshots | undefined,
): PinnedSort {
  if (pinned?.batch !== undefined) return batchSort(body, pinned.batch);
  const keys = sortKeys(body, pinned);
  const after = body['search_after'];
  const searchAfter = after === undefined ? [] : parseSearchAfter(after, keys.length, page.from);
  return { keys, searchAfter };
}

/** The keys of the body, refused where they need a point in time and there is none. */
function sortKeys(body: JsonObject, pinned: PinnedSnapshots | undefined): readonly PlanSortKey[] {
  const { sort, search_after: after } = body;
  if (sort === undefined) return [];
  const keys = parseSort(sort, pinned !== undefined);
  if (pinned === undefined || keys.length === 0 || keys.some(isShardDoc)) return keys;
  // Who pages by own keys alone gets what was asked for.
  if (isArray(after) && after.length === keys.length) return keys;
  return [...keys, SHARD_DOC];
}

function isShardDoc({ field }: PlanSortKey): boolean {
  return field === '_shard_doc';
}

/** By score where nothing is asked for. */
function requestedKeys({ sort }: JsonObject): readonly PlanSortKey[] {
  const keys = sort === undefined ? [] : parseSort(sort);
  return keys.length === 0 ? [BY_SCORE] : keys;
}

/** Formatted values cannot say where to go on: behind the tie-breaker they are only shown, and nothing comes after null. */
function batchSort(body: JsonObject, { after }: Batch): PinnedSort {
  const requested = requestedKeys(body);
  const raw = requested.map((key) => (key.format === '' ? key : { ...key, format: '' }));
  const formatted = requested
    .filter(({ format }) => format !== '')
    .map((key): PlanSortKey => (key.missing === '_first' ? { ...key, missing: '_last' } : key));
  const keys = [...raw, SHARD_DOC, ...formatted];
  const values = after?.map((value, key) => (key <= raw.length ? value : null));
  return {
    keys,
    searchAfter: values === undefined ? [] : parseSearchAfter(values, keys.length, 0),
  };
}

/** Places of the sort values that a scroll shows, in batchSort()'s keys; undefined: none, as by score alone. */
export function shownKeys(body: JsonObject): readonly number[] | undefined {
  const requested = requestedKeys(body);
  const [first] = requested;
  if (requested.length === 1 && first?.field === '_score' && first.order === 'desc')
    return undefined;
  let formatted = requested.length;
  return requested.map(({ format }, key) => {
    if (format === '') return key;
    formatted += 1;
    return formatted;
  });
}

export function pinnedPage(
  body: JsonObject,
  limits: SearchLimits,
  pinned: PinnedSnapshots | undefined,
): Page {
  if (pinned?.batch === undefined) return parsePage(body, limits);
  const size = body['size'] === undefined ? undefined : toInteger(body['size'], '[size]');
  if (size !== undefined && size > limits.resultWindow) {
    throw illegal(
      `Batch size is too large, size must be less than or equal to: [${limits.resultWindow}] but was [${size}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`,
    );
  }
  return parsePage(body, limits);
}

/** By now a slice is shards, and maybe a clause. */
export function checkSlice({ slice }: JsonObject, pinned: PinnedSnapshots | undefined): void {
  if (slice === undefined || pinned !== undefined) return;
  throw validationFailed(['[slice] can only be used with [scroll] or [point-in-time] requests']);
}

/** What a scroll cannot have, all of it at once, as Elasticsearch lists it. */
export function checkScrollBody(body: JsonObject): void {
  const wrong: string[] = [];
  const track = body['track_total_hits'];
  if (track === false || track === 'false') {
    wrong.push('disabling [track_total_hits] is not allowed in a scroll context');
  }
  if (body['from'] !== undefined && toInteger(body['from'], '[from]') > 0) {
    wrong.push('using [from] is not allowed in a scroll context');
  }
  if (body['size'] !== undefined && toInteger(body['size'], '[size]') === 0) {
    wrong.push('[size] cannot be [0] in a scroll context');
  }
  if (body['rescore'] !== undefined)
    wrong.push('using [rescore] is not allowed in a scroll context');
  if (body['pit'] !== undefined) {
    wrong.push('using [point in time] is not allowed in a scroll context');
  }
  const fusing = fusingName(body);
  if (fusing !== undefined) wrong.push(`using [${fusing}] is not allowed in a scroll context`);
  if (body['search_after'] !== undefined) {
    wrong.push('[search_after] cannot be used in a scroll context');
  }
  if (body['collapse'] !== undefined) wrong.push('cannot use `collapse` in a scroll context');
  if (wrong.length > 0) throw validationFailed(wrong);
}
