// histogram: buckets of equal width.
import { illegal } from '../../values.js';
import type { AggBody, AggContext, AggResult } from '../agg.js';
import { readStarts } from '../buckets.js';
import { writeSource } from '../params.js';
import type { CooperativeTask } from '../steps.js';
import { finish, numbersOf, readBounds, readCommon, refuseWide } from './histogram-buckets.js';
import { type Bounds, type Columns, type Fill, joinRows } from './histogram-rows.js';

export function histogram(context: AggContext): AggBody<Columns> {
  const { params, name } = context;
  const common = readCommon(context, false);
  const interval = params.number('interval');
  if (interval === undefined) throw illegal(`Required [interval]: [${name}]`);
  if (interval <= 0) throw illegal(`[interval] must be >0 for histogram aggregation [${name}]`);
  const offset = params.number('offset') ?? 0;
  const extended = numbersOf(readBounds(context, 'extended_bounds'), context, 'extended_bounds');
  const hard = numbersOf(readBounds(context, 'hard_bounds'), context, 'hard_bounds');
  refuseBeyond(extended, hard, name);
  const keyOf = (quotient: number): number => quotient * interval + offset;
  const quotientOf = (value: number): number => Math.floor((value - offset) / interval);
  return {
    opcode: 'agg:histogram',
    encode: ({ writer }) => {
      writeSource(writer, common.source);
      writer.f64(interval).f64(offset);
      writer.f64(hard.min ?? Number.NaN).f64(hard.max ?? Number.NaN);
    },
    readColumns: (reader, { owners, buckets }) => ({
      starts: readStarts(reader, owners),
      keys: reader.align(8).doubles(buckets),
      counts: reader.align(8).doubles(buckets),
    }),
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const texts = reducer.texts(agg, parts, common.source);
      const middle = (key: number): number => quotientOf(key + interval / 2);
      const count = (first: number, last: number): number => middle(last) - middle(first) + 1;
      const fill: Fill = (first, last) =>
        Array.from({ length: count(first, last) }, (_, at) => keyOf(middle(first) + at));
      const round = (value: number | undefined) =>
        value === undefined ? undefined : keyOf(quotientOf(value));
      const bounds = { min: round(extended.min), max: round(extended.max) };
      if (common.minDocCount === 0) {
        refuseWide(parts, keyOf, bounds, count, reducer.maxBuckets);
      }
      return yield* finish(
        agg,
        yield* joinRows(parts, keyOf),
        bounds,
        fill,
        texts,
        common,
        reducer,
        'histogram',
      );
    },
  };
}

/**
 * With a [min_doc_count], extended bounds add no buckets, but still have to be inside the hard
 * bounds.
 */
function refuseBeyond(extended: Bounds, hard: Bounds, name: string): void {
  const none = Number.POSITIVE_INFINITY;
  const low = (bounds: Bounds): number => bounds.min ?? -none;
  const high = (bounds: Bounds): number => bounds.max ?? none;
  const isInside = (extended.min ?? none) >= low(hard) && (extended.max ?? -none) <= high(hard);
  if (isInside) return;
  throw illegal(
    `Extended bounds have to be inside hard bounds, hard bounds: [${low(hard)}--${high(hard)}], extended bounds: [${low(extended)}--${high(extended)}]: [${name}]`,
  );
}
