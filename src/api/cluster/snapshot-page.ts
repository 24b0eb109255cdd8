// Paging of GET /_snapshot/…: `sort`, `order`, `size`, `offset` and `after`.
import { QuarryError } from '../../errors.js';
import type { SnapshotView } from '../../snapshot/views.js';
import type { UrlParams } from '../kit/params.js';

export interface SnapshotPage {
  readonly shown: readonly SnapshotView[];
  /** The value of `after` for the next page; undefined on the last page. */
  readonly next: string | undefined;
  readonly total: number;
  readonly remaining: number;
}

type SortKey = (one: SnapshotView) => number | string;

const KEYS: Readonly<Record<string, SortKey>> = {
  start_time: (one) => one.startMs,
  duration: (one) => (one.endMs === 0 ? 0 : one.endMs - one.startMs),
  name: (one) => one.name,
  index_count: (one) => one.indices.length,
  shard_count: (one) => one.shards.total,
  failed_shard_count: (one) => one.shards.failed,
};

/** Checks the parameters and returns the function that cuts the page out of the full list. */
export function snapshotPage(params: UrlParams): (all: readonly SnapshotView[]) => SnapshotPage {
  if (params.has('from_sort_value')) {
    throw illegal('[from_sort_value] is not supported, leave it out');
  }
  for (const name of ['index_details', 'index_names', 'include_repository']) params.flag(name);
  if (params.flag('index_details') === true) {
    throw illegal('[index_details] is not supported, GET …/_status describes each index');
  }
  if (params.flag('index_names') === false || params.flag('include_repository') === false) {
    throw illegal('[index_names] and [include_repository] can only be true, use filter_path');
  }
  const sort = params.choice('sort', Object.keys(KEYS)) ?? 'start_time';
  const descending = params.choice('order', ['asc', 'desc']) === 'desc';
  const size = params.integer('size') ?? -1;
  if (size < -1 || size === 0) throw illegal(`[size] must be -1 or greater than 0, got [${size}]`);
  const offset = params.integer('offset') ?? 0;
  if (offset < 0) throw illegal(`[offset] must be greater than or equal to 0, got [${offset}]`);
  const after = params.text('after');
  return (all) => pageOf(all, { key: KEYS[sort], descending, size, offset, after });
}

function pageOf(
  all: readonly SnapshotView[],
  requested: {
    readonly key: SortKey | undefined;
    readonly descending: boolean;
    readonly size: number;
    readonly offset: number;
    readonly after: string | undefined;
  },
): SnapshotPage {
  const { key = (one: SnapshotView) => one.startMs, descending, size, offset, after } = requested;
  const sorted = [...all].sort((a, b) => compare(key(a), key(b)) || compare(a.name, b.name));
  if (descending) sorted.reverse();
  const behind =
    after === undefined ? 0 : sorted.findIndex(({ uuid }) => uuid === lastOf(after)) + 1;
  if (after !== undefined && behind === 0) {
    throw illegal(`[after] [${after}] names no snapshot of this list, start again without it`);
  }
  const rest = sorted.slice(behind + offset);
  const shown = size < 0 ? rest : rest.slice(0, size);
  const remaining = rest.length - shown.length;
  const last = shown.at(-1);
  const next =
    remaining > 0 && last !== undefined ? Buffer.from(last.uuid).toString('base64url') : undefined;
  return { shown, next, total: all.length, remaining };
}

function lastOf(after: string): string {
  return Buffer.from(after, 'base64url').toString();
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
