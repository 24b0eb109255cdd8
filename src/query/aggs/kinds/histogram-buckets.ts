// Common parts of histogram and date_histogram: joining the buckets of shards, filling gaps, and
// printing them in order.
import type { Scalar } from '../../../wire/plan-writer.js';
import { illegal, toScalar } from '../../values.js';
import type { Agg, AggContext, AggResult, Buckets, Reducer, ShardBucket } from '../agg.js';
import { tooManyBuckets } from '../bucket-limit.js';
import { type BucketRows, insideOf, RowBuckets, rememberedInside } from '../buckets.js';
import type { ValueTexts } from '../format.js';
import { compareBuckets, KEY_ASCENDING, lookInside, type OrderKey, readOrder } from '../order.js';
import { AggParams, type Source } from '../params.js';
import { type CooperativeTask, numbersSteps, sortSteps } from '../steps.js';
import { type Bounds, type Columns, type Fill, filled, type Rows } from './histogram-rows.js';

/**
 * Fails if filling the gaps would make more than `most` buckets, before any is made. `count` is the
 * number of buckets between two keys.
 */
export function refuseWide(
  parts: readonly ShardBucket<Columns>[],
  keyOf: (stored: number) => number,
  extended: Bounds,
  count: (first: number, last: number) => number,
  most: number,
): void {
  let low = extended.min ?? Number.POSITIVE_INFINITY;
  let high = extended.max ?? Number.NEGATIVE_INFINITY;
  for (const { node, owner } of parts) {
    const { starts, keys } = node.columns;
    for (const stored of keys.subarray(starts[owner] ?? 0, starts[owner + 1] ?? 0)) {
      const key = keyOf(stored);
      low = Math.min(low, key);
      high = Math.max(high, key);
    }
  }
  const isSpan = low <= high && Number.isFinite(low) && Number.isFinite(high);
  const buckets = isSpan ? count(low, high) : 0;
  if (buckets > most) throw tooManyBuckets(most);
}

function printing({ keys, counts }: Rows, texts: ValueTexts): BucketRows {
  const key = (row: number): number => keys[row] ?? 0;
  const docCount = (row: number): number => counts[row] ?? 0;
  return {
    length: keys.length,
    key,
    docCount,
    name: (row) => texts.text(key(row)),
    json: (row) => `${texts.keyMembers(key(row))},"doc_count":${docCount(row)}`,
    ...(texts.isPrepared && { prepare: (rows) => texts.prepare(rows.map(key)) }),
  };
}

/** Rows with at least `minDocCount` documents, in the given order. */
export function* toBuckets(
  agg: Agg,
  rows: Rows,
  minDocCount: number,
  texts: ValueTexts,
  order: readonly OrderKey[],
  reducer: Reducer,
): CooperativeTask<Buckets> {
  const { keys, counts } = rows;
  const most = reducer.maxBuckets;
  const inside = insideOf(agg, reducer, (row) => rows.parts(row));
  if (minDocCount <= 0 && order.length === 1 && order[0] === KEY_ASCENDING) {
    if (keys.length > most) throw tooManyBuckets(most);
    return new RowBuckets(printing(rows, texts), undefined, inside);
  }
  const docCount = (row: number): number => counts[row] ?? 0;
  const wanted = yield* numbersSteps(keys.length, (row) => docCount(row) >= minDocCount);
  if (wanted.length > most) throw tooManyBuckets(most);
  const kept = rememberedInside(inside);
  const compareKeys = (a: number, b: number): number => (keys[a] ?? 0) - (keys[b] ?? 0);
  const compare = compareBuckets(order, { docCount, compareKeys, inside: kept });
  yield* lookInside(order, kept, wanted);
  const sorted = yield* sortSteps(wanted, compare);
  // If the order read the aggregations inside, their results are reused.
  const isKept = order.some(({ by }) => by === 'metric');
  return new RowBuckets(printing(rows, texts), sorted, isKept ? kept : inside);
}

export interface Common {
  readonly source: Source;
  readonly minDocCount: number;
  readonly keyed: boolean;
  readonly order: readonly OrderKey[];
}

export function readCommon({ params, children }: AggContext, zoned: boolean): Common {
  return {
    source: zoned ? params.sourceInZone() : params.source(),
    minDocCount: params.count('min_doc_count', 0) ?? 0,
    keyed: params.flag('keyed') ?? false,
    order: readOrder(params.raw('order'), children, KEY_ASCENDING),
  };
}

export function readBounds(
  context: AggContext,
  name: string,
): { readonly min: Scalar; readonly max: Scalar } | undefined {
  const body = context.params.object(name);
  if (body === undefined) return undefined;
  const inner = new AggParams(name, body, context.name);
  const none: Scalar = { kind: 'null', text: '' };
  const read = (side: 'min' | 'max'): Scalar => toScalar(inner.raw(side) ?? null) ?? none;
  const bounds = { min: read('min'), max: read('max') };
  inner.finish();
  return bounds;
}

export function numbersOf(
  bounds: { readonly min: Scalar; readonly max: Scalar } | undefined,
  context: AggContext,
  name: string,
): Bounds {
  const number = (scalar: Scalar | undefined): number | undefined => {
    if (scalar === undefined || scalar.kind === 'null') return undefined;
    const value = Number(scalar.text);
    if (Number.isFinite(value)) return value;
    throw illegal(`[${name}] of [${context.name}] must be numbers, got [${scalar.text}]`);
  };
  const both = { min: number(bounds?.min), max: number(bounds?.max) };
  if (both.min !== undefined && both.max !== undefined && both.min > both.max) {
    throw illegal(
      `max bound [${both.max}] must be greater than min bound [${both.min}]: [${context.name}]`,
    );
  }
  return both;
}

export function* finish(
  agg: Agg<Columns>,
  rows: Rows,
  extended: Bounds,
  fill: Fill,
  texts: ValueTexts,
  { minDocCount, keyed, order }: Common,
  reducer: Reducer,
  typed: string,
): CooperativeTask<AggResult> {
  const all = minDocCount === 0 ? yield* filled(rows, extended, fill) : rows;
  const buckets = yield* toBuckets(agg, all, minDocCount, texts, order, reducer);
  return { agg, typed, members: {}, buckets, keyed, value: () => undefined };
}
