// Searches over pinned snapshots. A point in time adds a tie-breaking key to the sort, which makes
// the order total; a scroll requests one batch after the other in such an order.
import type { Json, JsonObject } from '../backend/index.js';
import type { PlanSortKey, Scalar, ShardSnapshot } from '../wire/plan-writer.js';
import type { SearchLimits } from './limits.js';
import { type Page, parsePage } from './paging.js';
import { fusingName } from './ranked-body.js';
import { parseSearchAfter, parseSort } from './sort.js';
import { illegal, isArray, toInteger, validationFailed } from './values.js';

export interface PinnedSnapshots {
  /** Shards of one index are adjacent, indexes are ordered by name; this is the order of ties. */
  readonly snapshots: readonly ShardSnapshot[];
  /** Set for a scroll. */
  readonly batch?: Batch;
}

export interface Batch {
  /** All sort values of the last hit of the previous batch; undefined for the first batch. */
  readonly after: readonly Json[] | undefined;
}

/** The sort that the shards apply. It may have keys that hits do not show, see shownKeys(). */
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

/** The sort keys for the shards, and the values after which the page starts. */
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

/** The keys of the body. Throws if one of them needs a point in time and there is none. */
function sortKeys(body: JsonObject, pinned: PinnedSnapshots | undefined): readonly PlanSortKey[] {
  const { sort, search_after: after } = body;
  if (sort === undefined) return [];
  const keys = parseSort(sort, pinned !== undefined);
  if (pinned === undefined || keys.length === 0 || keys.some(isShardDoc)) return keys;
  // A client that pages by its own keys alone gets no additional key.
  if (isArray(after) && after.length === keys.length) return keys;
  return [...keys, SHARD_DOC];
}

function isShardDoc({ field }: PlanSortKey): boolean {
  return field === '_shard_doc';
}

/** The keys of the body; by score if there are none. */
function requestedKeys({ sort }: JsonObject): readonly PlanSortKey[] {
  const keys = sort === undefined ? [] : parseSort(sort);
  return keys.length === 0 ? [BY_SCORE] : keys;
}

/**
 * A formatted value cannot serve as a cursor. Keys with a format are therefore repeated after the
 * tie-breaker, only to be shown; their cursor value is null, which sorts last.
 */
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

/**
 * Returns the positions of the sort values that a scroll shows within the keys of batchSort();
 * undefined if it shows none, which is the case for a sort by score alone.
 */
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

/**
 * Rejects `slice` without pinned snapshots. With them, the slice has already been turned into a
 * choice of shards and a clause.
 */
export function checkSlice({ slice }: JsonObject, pinned: PinnedSnapshots | undefined): void {
  if (slice === undefined || pinned !== undefined) return;
  throw validationFailed(['[slice] can only be used with [scroll] or [point-in-time] requests']);
}

/**
 * Rejects parameters that a scroll does not support. Lists all of them in one error, as
 * Elasticsearch does.
 */
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
