// date_histogram: buckets of a fixed duration, or of calendar units in a time zone.
import { illegal } from '../../values.js';
import type { AggBody, AggContext, AggResult, Reducer, ShardBucket } from '../agg.js';
import { tooManyBuckets } from '../bucket-limit.js';
import { readStarts } from '../buckets.js';
import { type Rounding, writeRounding } from '../calendar.js';
import { readRounding } from '../intervals.js';
import { numberScalar, type Source, writeSource } from '../params.js';
import type { CooperativeTask } from '../steps.js';
import { finish, readBounds, readCommon, refuseWide } from './histogram-buckets.js';
import { type Bounds, type Columns, type Fill, joinRows } from './histogram-rows.js';

const UTC = new Set(['', 'UTC', 'Z', 'GMT', '+00:00']);

/** True if all buckets have the same length, so that keys need no calendar. */
function isEven({ unit, timeZone }: Rounding): boolean {
  return unit === 'fixed_ms' && UTC.has(timeZone);
}

const DAY_MS = 86_400_000;
/**
 * Lower bounds of units in any zone. Two of them are longer than the longest unit, so that closer
 * keys have none between them.
 */
const SHORTEST_MS: Readonly<Partial<Record<Rounding['unit'], number>>> = {
  week: 5 * DAY_MS,
  month: 26 * DAY_MS,
  quarter: 88 * DAY_MS,
  year: 363 * DAY_MS,
};

/** True if `known` has all keys from `first` to `last`, as far as their distances say. */
function isComplete(unit: Rounding['unit'], first: number, last: number, known: Float64Array) {
  const most = 2 * (SHORTEST_MS[unit] ?? 0);
  if (known[0] !== first || known.at(-1) !== last) return false;
  for (let at = 1; at < known.length; at++) {
    if ((known[at] ?? 0) - (known[at - 1] ?? 0) >= most) return false;
  }
  return true;
}

export function dateKeys(
  rounding: Rounding,
  first: number,
  last: number,
  known: Float64Array,
  reducer: Reducer,
): ArrayLike<number> {
  if (!isEven(rounding)) {
    if (isComplete(rounding.unit, first, last, known)) return known;
    return reducer.calendar.sequence(rounding, first, last, reducer.maxBuckets);
  }
  const count = evenCount(rounding, first, last);
  if (count > reducer.maxBuckets) throw tooManyBuckets(reducer.maxBuckets);
  return Array.from({ length: count }, (_, at) => first + at * rounding.fixedMs);
}

function evenCount({ fixedMs }: Rounding, first: number, last: number): number {
  return Math.round((last - first) / fixedMs) + 1;
}

export function roundDates(
  rounding: Rounding,
  moments: readonly number[],
  reducer: Reducer,
): readonly number[] {
  if (!isEven(rounding)) return reducer.calendar.round(rounding, moments);
  const { fixedMs, offsetMs } = rounding;
  return moments.map((ms) => Math.floor((ms - offsetMs) / fixedMs) * fixedMs + offsetMs);
}

/** Bounds of the first part that has them. */
function dateBounds(
  parts: readonly ShardBucket<Columns>[],
  rounding: Rounding,
  reducer: Reducer,
): Bounds {
  const at = (place: number): number | undefined =>
    parts
      .map(({ node }) => node.columns.bounds?.[place])
      .find((value) => value !== undefined && !Number.isNaN(value));
  const [low, high, hardLow, hardHigh] = [at(0), at(1), at(2), at(3)];
  if (low !== undefined && high !== undefined && low > high) {
    throw illegal(
      `[extended_bounds.min][${low}] cannot be greater than [extended_bounds.max][${high}]`,
    );
  }
  refuseBeyond({ min: low, max: high }, { min: hardLow, max: hardHigh });
  const round = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : roundDates(rounding, [value], reducer)[0];
  return { min: round(low), max: round(high) };
}

/**
 * Compares the bounds in milliseconds, as parsed by the mapping. A missing side is not compared.
 */
function refuseBeyond(extended: Bounds, hard: Bounds): void {
  const none = Number.NaN;
  const isBeyond =
    (extended.min ?? none) < (hard.min ?? none) || (extended.max ?? none) > (hard.max ?? none);
  if (!isBeyond) return;
  const shown = ({ min, max }: Bounds): string => `${min ?? ''}--${max ?? ''}`;
  throw illegal(
    `Extended bounds have to be inside hard bounds, hard bounds: [${shown(hard)}], extended bounds: [${shown(extended)}]`,
  );
}

export function dateHistogram(context: AggContext): AggBody<Columns> {
  const { params, name } = context;
  const rounding = readRounding(params, name);
  const common = readCommon(context, true);
  const extended = readBounds(context, 'extended_bounds');
  const hard = readBounds(context, 'hard_bounds');
  const none = numberScalar(undefined);
  const { valueType } = common.source;
  // If no mapping has the field, the value for missing documents is parsed as a date.
  const source: Source = {
    ...common.source,
    timeZone: rounding.timeZone,
    valueType: valueType === '' ? '?date' : valueType,
  };
  return {
    opcode: 'agg:date_histogram',
    encode: ({ writer }) => {
      writeSource(writer, source);
      writeRounding(writer, rounding);
      for (const bounds of [extended, hard]) {
        writer.scalar(bounds?.min ?? none).scalar(bounds?.max ?? none);
      }
    },
    readColumns: (reader, { owners, buckets }) => ({
      bounds: reader.align(8).doubles(4),
      starts: readStarts(reader, owners),
      keys: reader.align(8).doubles(buckets),
      counts: reader.align(8).doubles(buckets),
    }),
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const texts = reducer.texts(agg, parts, { ...source, valueType: 'date' });
      const fill: Fill = (first, last, known) => dateKeys(rounding, first, last, known, reducer);
      const bounds = dateBounds(parts, rounding, reducer);
      if (common.minDocCount === 0 && isEven(rounding)) {
        refuseWide(
          parts,
          (key) => key,
          bounds,
          (first, last) => evenCount(rounding, first, last),
          reducer.maxBuckets,
        );
      }
      const joined = yield* joinRows(parts, (key) => key);
      return yield* finish(agg, joined, bounds, fill, texts, common, reducer, 'date_histogram');
    },
  };
}
