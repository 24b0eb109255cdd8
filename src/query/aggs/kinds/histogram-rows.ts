// Buckets of histograms by their keys: those of several shards joined, and those between them that no document is in.
import type { BucketPart, Part } from '../agg.js';
import { type CountColumns, type Groups, join } from '../buckets.js';
import { numbersSteps, PACE, type Steps, sortSteps } from '../steps.js';

export interface Columns extends CountColumns {
  readonly keys: Float64Array;
  /** Extended and hard bounds of dates, as the mapping reads them. */
  readonly bounds?: Float64Array;
}

/** Buckets by their keys, ascending; those without documents have no parts. */
export interface Rows {
  readonly length: number;
  key(row: number): number;
  docCount(row: number): number;
  parts(row: number): readonly BucketPart[];
}

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Keys from the first to the last, those without documents too. */
export type Fill = (first: number, last: number) => readonly number[];

export function* joinRows(
  parts: readonly Part<Columns>[],
  keyOf: (stored: number) => number,
): Steps<Rows> {
  const groups = yield* join(parts, ({ keys }, bucket) => keys[bucket]);
  const key = (group: number): number =>
    keyOf(groups.columns(group).keys[groups.bucket(group)] ?? 0);
  const all = yield* numbersSteps(groups.length, () => true);
  return new GroupRows(groups, key, yield* sortSteps(all, (a, b) => key(a) - key(b)));
}

/** Those of `groups`. */
class GroupRows implements Rows {
  readonly #groups: Groups<Columns>;
  readonly #keyOf: (group: number) => number;
  readonly #order: readonly number[];

  constructor(groups: Groups<Columns>, keyOf: (group: number) => number, order: readonly number[]) {
    this.#groups = groups;
    this.#keyOf = keyOf;
    this.#order = order;
  }
  get length(): number {
    return this.#order.length;
  }
  key(row: number): number {
    return this.#keyOf(this.#group(row));
  }
  docCount(row: number): number {
    return this.#groups.docCount(this.#group(row));
  }
  parts(row: number): readonly BucketPart[] {
    return this.#groups.parts(this.#group(row));
  }
  #group(row: number): number {
    return this.#order[row] ?? 0;
  }
}

const EMPTY = -1;

/** Rows at the keys of a list. */
class FilledRows implements Rows {
  readonly #rows: Rows;
  readonly #keys: readonly number[];
  /** Which of the rows, or EMPTY. */
  readonly #at: Int32Array;

  constructor(rows: Rows, keys: readonly number[]) {
    this.#rows = rows;
    this.#keys = keys;
    this.#at = new Int32Array(keys.length).fill(EMPTY);
  }

  /** Once, before anything is asked. Both are ascending. */
  *place(): Steps<void> {
    const rows = this.#rows;
    let row = 0;
    for (const [at, key] of this.#keys.entries()) {
      while (row < rows.length && rows.key(row) < key) row += 1;
      if (row < rows.length && rows.key(row) === key) this.#at[at] = row;
      if (at % PACE === 0) yield;
    }
  }
  get length(): number {
    return this.#keys.length;
  }
  key(row: number): number {
    return this.#keys[row] ?? 0;
  }
  docCount(row: number): number {
    const at = this.#at[row] ?? EMPTY;
    return at === EMPTY ? 0 : this.#rows.docCount(at);
  }
  parts(row: number): readonly BucketPart[] {
    const at = this.#at[row] ?? EMPTY;
    return at === EMPTY ? [] : this.#rows.parts(at);
  }
}

/** Buckets for keys that no document has, between and beyond those that some have. */
export function* filled(rows: Rows, extended: Bounds, fill: Fill): Steps<Rows> {
  const [first, last] =
    rows.length === 0
      ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      : [rows.key(0), rows.key(rows.length - 1)];
  const low = Math.min(first, extended.min ?? Number.POSITIVE_INFINITY);
  const high = Math.max(last, extended.max ?? Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(low) || !Number.isFinite(high) || low > high) return rows;
  const all = new FilledRows(rows, fill(low, high));
  yield* all.place();
  return all;
}
