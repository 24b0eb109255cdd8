// What histogram and date_histogram share: joining the buckets of shards, filling gaps, and showing them in order.
import type { Json } from '../../../backend.js';
import { QuarryError } from '../../../errors.js';
import type { Scalar } from '../../../wire/plan-writer.js';
import { illegal, toScalar } from '../../values.js';
import type { Agg, AggBucket, AggContext, AggResult, Inside, Part, Reducer } from '../agg.js';
import { eachBucket, type Joined, Joining, once } from '../buckets.js';
import type { ValueTexts } from '../format.js';
import { compareBuckets, type OrderKey, readOrder } from '../order.js';
import { AggParams, type Source } from '../params.js';
import { mapSteps, type Steps, sortSteps } from '../steps.js';

/** As many as one answer may hold. */
export const MAX_BUCKETS = 65_536;

const KEY_ASCENDING: OrderKey = { by: 'key', descending: false, path: [], property: '' };

export interface Columns {
  readonly starts: readonly number[];
  readonly keys: Float64Array;
  readonly counts: Float64Array;
  /** Extended and hard bounds of dates, as the mapping reads them. */
  readonly bounds?: Float64Array;
}

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Keys from the first to the last, those without documents too. */
export type Fill = (first: number, last: number) => readonly number[];

export function* join(
  parts: readonly Part<Columns>[],
  keyOf: (stored: number) => number,
): Steps<readonly Joined<number>[]> {
  const joining = new Joining<number>();
  for (const part of parts) {
    const { keys, counts } = part.node.columns;
    yield* eachBucket(part, (bucket, place) => {
      const stored = keys[bucket] ?? 0;
      joining.add(stored, keyOf(stored), counts[bucket] ?? 0, place);
    });
  }
  return yield* sortSteps(joining.all(), (a, b) => a.key - b.key);
}

/** Buckets for keys that no document has, between and beyond those that some have. */
export function filled(
  joined: readonly Joined<number>[],
  extended: Bounds,
  fill: Fill,
): readonly Joined<number>[] {
  const low = Math.min(
    joined[0]?.key ?? Number.POSITIVE_INFINITY,
    extended.min ?? Number.POSITIVE_INFINITY,
  );
  const high = Math.max(
    joined.at(-1)?.key ?? Number.NEGATIVE_INFINITY,
    extended.max ?? Number.NEGATIVE_INFINITY,
  );
  if (!Number.isFinite(low) || !Number.isFinite(high) || low > high) return joined;
  const byKey = new Map(joined.map((bucket) => [bucket.key, bucket]));
  return fill(low, high).map((key) => byKey.get(key) ?? { key, docCount: 0, parts: [] });
}

/** Refuses what would be filled with too many buckets before any is made. `count`: from a key to another. */
export function refuseWide(
  parts: readonly Part<Columns>[],
  keyOf: (stored: number) => number,
  extended: Bounds,
  count: (first: number, last: number) => number,
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
  if (buckets > MAX_BUCKETS) throw tooMany(buckets);
}

export function tooMany(count: number): QuarryError {
  return new QuarryError(
    'too_many_buckets_exception',
    `Trying to create too many buckets. Must be less than or equal to: [${MAX_BUCKETS}] but was [${count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
    { extra: { max_buckets: MAX_BUCKETS } },
  );
}

export function* toBuckets(
  agg: Agg,
  joined: readonly Joined<number>[],
  texts: ValueTexts,
  order: readonly OrderKey[],
  reducer: Reducer,
): Steps<readonly AggBucket[]> {
  const rows = yield* mapSteps(joined, ({ key, docCount, parts }) => {
    const inside = once(() => reducer.inside(agg, parts));
    return { order: key, key, docCount, inside };
  });
  const sorted = yield* sortSteps(rows, compareBuckets(order));
  return yield* mapSteps(sorted, ({ key, docCount, inside }) => {
    const { key: shown = null, key_as_string: text } = texts.keyMembers(key);
    const members =
      text === undefined
        ? { key: shown, doc_count: docCount }
        : { key_as_string: text, key: shown, doc_count: docCount };
    return new HistogramBucket(String(text ?? texts.text(key)), key, members, inside);
  });
}

/** A class, because an object with a getter of its own is slow to make, and there are thousands. */
class HistogramBucket implements AggBucket {
  readonly name: string;
  readonly key: number;
  readonly docCount: number;
  readonly members: { readonly key: Json; readonly doc_count: number };
  readonly #inside: () => Inside;

  constructor(
    name: string,
    key: number,
    members: { readonly key: Json; readonly doc_count: number },
    inside: () => Inside,
  ) {
    this.name = name;
    this.key = key;
    this.docCount = members.doc_count;
    this.members = members;
    this.#inside = inside;
  }

  get inside(): Inside {
    return this.#inside();
  }
}

export interface Common {
  readonly source: Source;
  readonly minDocCount: number;
  readonly keyed: boolean;
  readonly order: readonly OrderKey[];
}

export function readCommon({ params, children }: AggContext): Common {
  return {
    source: params.source(),
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
  joined: readonly Joined<number>[],
  extended: Bounds,
  fill: Fill,
  texts: ValueTexts,
  { minDocCount, keyed, order }: Common,
  reducer: Reducer,
  typed: string,
): Steps<AggResult> {
  const all =
    minDocCount === 0
      ? filled(joined, extended, fill)
      : joined.filter(({ docCount }) => docCount >= minDocCount);
  if (all.length > MAX_BUCKETS) throw tooMany(all.length);
  const buckets = yield* toBuckets(agg, all, texts, order, reducer);
  return { agg, typed, members: {}, buckets, keyed, value: () => undefined };
}
