// Buckets of histograms by key: the joined buckets of several shards, and empty buckets in the
// gaps.
import type { BucketPart, ShardBucket } from '../agg.js';
import { type CountColumns, join } from '../buckets.js';
import { BUCKETS_PER_YIELD, type CooperativeTask, numbersSteps, sortSteps } from '../steps.js';

export interface Columns extends CountColumns {
  readonly keys: Float64Array;
  /** Extended and hard bounds of dates, as parsed by the mapping. */
  readonly bounds?: Float64Array;
}

/** Buckets sorted by key, ascending. */
export interface Rows {
  readonly keys: Float64Array;
  /** Document count of each row. */
  readonly counts: Float64Array;
  /** Empty if the row has no documents. */
  parts(row: number): readonly BucketPart[];
}

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/**
 * All keys from the first to the last, including those without documents. `known`: the keys that
 * have some, ascending.
 */
export type Fill = (first: number, last: number, known: Float64Array) => ArrayLike<number>;

export function* joinRows(
  parts: readonly ShardBucket<Columns>[],
  keyOf: (stored: number) => number,
): CooperativeTask<Rows> {
  const groups = yield* join(parts, ({ keys }, bucket) => keys[bucket]);
  const { length } = groups;
  const keys = new Float64Array(length);
  let isAscending = true;
  for (let group = 0; group < length; group++) {
    keys[group] = keyOf(groups.columns(group).keys[groups.bucket(group)] ?? 0);
    if (group > 0 && !((keys[group - 1] ?? 0) < (keys[group] ?? 0))) isAscending = false;
    if (group % BUCKETS_PER_YIELD === BUCKETS_PER_YIELD - 1) yield;
  }
  if (isAscending) {
    const counts = new Float64Array(length);
    for (let group = 0; group < length; group++) counts[group] = groups.docCount(group);
    return { keys, counts, parts: (row) => groups.parts(row) };
  }
  const all = yield* numbersSteps(length, () => true);
  const order = yield* sortSteps(all, (a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  return {
    keys: Float64Array.from(order, (group) => keys[group] ?? 0),
    counts: Float64Array.from(order, (group) => groups.docCount(group)),
    parts: (row) => groups.parts(order[row] ?? 0),
  };
}

const EMPTY = -1;

/** Adds empty buckets between and beyond the existing ones. */
export function* filled(rows: Rows, extended: Bounds, fill: Fill): CooperativeTask<Rows> {
  const { length } = rows.keys;
  const first = rows.keys[0] ?? Number.POSITIVE_INFINITY;
  const last = rows.keys[length - 1] ?? Number.NEGATIVE_INFINITY;
  const low = Math.min(first, extended.min ?? Number.POSITIVE_INFINITY);
  const high = Math.max(last, extended.max ?? Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(low) || !Number.isFinite(high) || low > high) return rows;
  const keys = new Float64Array(fill(low, high, rows.keys));
  const counts = new Float64Array(keys.length);
  /** The row of each key, or EMPTY. */
  const from = new Int32Array(keys.length).fill(EMPTY);
  let row = 0;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0;
    while (row < length && (rows.keys[row] ?? 0) < key) row += 1;
    if (row < length && rows.keys[row] === key) {
      from[at] = row;
      counts[at] = rows.counts[row] ?? 0;
    }
    if (at % BUCKETS_PER_YIELD === BUCKETS_PER_YIELD - 1) yield;
  }
  const rowOf = (at: number): number => from[at] ?? EMPTY;
  return { keys, counts, parts: (at) => (rowOf(at) === EMPTY ? [] : rows.parts(rowOf(at))) };
}
