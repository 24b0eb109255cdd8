// auto_date_histogram: chooses the finest unit, or small multiple of one, that needs at most the
// requested number of buckets.

import { DEFAULT_MAX_BUCKETS } from '../../limits.js';
import { illegal } from '../../values.js';
import type { AggBody, AggContext, AggResult, BucketPart, Reducer, ShardBucket } from '../agg.js';
import { readStarts } from '../buckets.js';
import type { Rounding } from '../calendar.js';
import { KEY_ASCENDING } from '../order.js';
import { writeSource } from '../params.js';
import { atOnce, type CooperativeTask } from '../steps.js';
import { dateKeys, roundDates } from './date-histogram.js';
import { toBuckets } from './histogram-buckets.js';
import { type Columns, type Fill, filled, joinRows, type Rows } from './histogram-rows.js';

interface Step {
  readonly unit: Rounding['unit'];
  /** The unit as the response names it after a number. */
  readonly letter: string;
  /** Maximum length of one unit. */
  readonly longestMs: number;
  /** Allowed bucket widths in units. */
  readonly widths: readonly number[];
}

const HOUR = 3_600_000;
/** From fine to coarse; the positions are the numbers that the core uses. */
const STEPS: readonly Step[] = [
  { unit: 'second', letter: 's', longestMs: 1000, widths: [1, 5, 10, 30] },
  { unit: 'minute', letter: 'm', longestMs: 60_000, widths: [1, 5, 10, 30] },
  { unit: 'hour', letter: 'h', longestMs: HOUR, widths: [1, 3, 12] },
  { unit: 'day', letter: 'd', longestMs: 26 * HOUR, widths: [1, 7] },
  { unit: 'month', letter: 'M', longestMs: 32 * 24 * HOUR, widths: [1, 3] },
  { unit: 'year', letter: 'y', longestMs: 367 * 24 * HOUR, widths: [1, 5, 10, 20, 50, 100] },
];
/**
 * Limit on the requested buckets: a shard may need up to 30 buckets (the widest bucket of any unit
 * but years) for each.
 */
const MOST_BUCKETS = Math.floor(DEFAULT_MAX_BUCKETS / 30);

interface AutoColumns extends Columns {
  /** The step of each owner's keys. */
  readonly steps: Uint8Array;
}

/** A bucket that combines several buckets of the shards. */
interface JoinedBucket {
  readonly key: number;
  readonly docCount: number;
  readonly parts: readonly BucketPart[];
}

interface ChosenInterval {
  readonly step: number;
  readonly joined: readonly JoinedBucket[];
}

function toList(rows: Rows): readonly JoinedBucket[] {
  return Array.from(rows.keys, (key, row) => ({
    key,
    docCount: rows.counts[row] ?? 0,
    parts: rows.parts(row),
  }));
}

function toRows(list: readonly JoinedBucket[]): Rows {
  return {
    keys: Float64Array.from(list, ({ key }) => key),
    counts: Float64Array.from(list, ({ docCount }) => docCount),
    parts: (row) => list[row]?.parts ?? [],
  };
}

function coarsest(parts: readonly ShardBucket<AutoColumns>[], least: number): number {
  const steps = parts.map(({ node: { columns }, owner }) => {
    const isEmpty = columns.starts[owner] === columns.starts[owner + 1];
    return isEmpty ? least : (columns.steps[owner] ?? least);
  });
  return Math.min(Math.max(least, ...steps), STEPS.length - 1);
}

/** Combines buckets into one with the given key. */
function merged(buckets: readonly JoinedBucket[], key: number): JoinedBucket {
  return {
    key,
    docCount: buckets.reduce((sum, { docCount }) => sum + docCount, 0),
    parts: buckets.flatMap(({ parts }) => parts),
  };
}

function rounded(
  joined: readonly JoinedBucket[],
  rounding: Rounding,
  reducer: Reducer,
): readonly JoinedBucket[] {
  const keys = roundDates(
    rounding,
    joined.map(({ key }) => key),
    reducer,
  );
  const groups = new Map<number, JoinedBucket[]>();
  for (const [at, key] of keys.entries()) {
    const bucket = joined[at];
    if (bucket === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [bucket]);
    else group.push(bucket);
  }
  return [...groups].map(([key, group]) => merged(group, key)).sort((a, b) => a.key - b.key);
}

/**
 * The finest step, from `least` on, that needs no more than `most` of its widest buckets; gaps are
 * filled.
 */
function choose(
  joined: readonly JoinedBucket[],
  least: number,
  { most, timeZone }: { readonly most: number; readonly timeZone: string },
  reducer: Reducer,
): ChosenInterval {
  let keys = joined;
  for (let step = least; ; step++) {
    const { unit, longestMs, widths } = STEPS[step] as Step;
    const rounding: Rounding = { unit, fixedMs: 0, timeZone, offsetMs: 0 };
    keys = rounded(keys, rounding, reducer);
    const [first, last] = [keys[0], keys.at(-1)];
    if (first === undefined || last === undefined) return { step, joined: [] };
    const room = most * Math.max(...widths);
    const isLast = step === STEPS.length - 1;
    if (!isLast && (last.key - first.key) / longestMs > room) continue;
    const fill: Fill = (from, to, known) => dateKeys(rounding, from, to, known, reducer);
    const all = atOnce(filled(toRows(keys), { min: undefined, max: undefined }, fill));
    if (isLast || all.keys.length <= room) return { step, joined: toList(all) };
  }
}

/** Combines adjacent buckets, by the smallest width that results in at most `most` buckets. */
function widened(
  { step, joined }: ChosenInterval,
  most: number,
): { width: number } & ChosenInterval {
  const { widths } = STEPS[step] as Step;
  const width =
    joined.length <= most
      ? 1
      : (widths.find((units) => Math.ceil(joined.length / units) <= most) ?? 1);
  const count = Math.ceil(joined.length / width);
  const groups = Array.from({ length: count }, (_, at) => {
    const group = joined.slice(at * width, (at + 1) * width);
    return merged(group, group[0]?.key ?? 0);
  });
  return { step, width, joined: groups };
}

function readLeast({ params, name }: AggContext): number {
  const text = params.text('minimum_interval');
  const least = text === undefined ? 0 : STEPS.findIndex(({ unit }) => unit === text);
  if (least >= 0) return least;
  const names = STEPS.map(({ unit }) => unit).join(', ');
  throw illegal(`minimum_interval must be one of [${names}], got [${text}]: [${name}]`);
}

export function autoDateHistogram(context: AggContext): AggBody<AutoColumns> {
  const { params, name } = context;
  const source = params.sourceInZone();
  const most = params.integer('buckets', Number.MIN_SAFE_INTEGER) ?? 10;
  if (most <= 0) throw illegal(`buckets must be greater than 0 for [${name}], got [${most}]`);
  if (most > MOST_BUCKETS) {
    throw illegal(`buckets must be less than ${MOST_BUCKETS + 1} for [${name}], got [${most}]`);
  }
  const least = readLeast(context);
  return {
    opcode: 'agg:auto_date_histogram',
    encode: ({ writer }) => {
      writeSource(writer, source);
      writer.u32(most).u8(least);
    },
    readColumns: (reader, { owners, buckets }) => ({
      steps: reader.align(8).bytes(owners),
      starts: readStarts(reader, owners),
      keys: reader.align(8).doubles(buckets),
      counts: reader.align(8).doubles(buckets),
    }),
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const texts = reducer.texts(agg, parts, { ...source, valueType: 'date' });
      const { timeZone } = source;
      const joined = toList(yield* joinRows(parts, (key) => key));
      const chosen = choose(joined, coarsest(parts, least), { most, timeZone }, reducer);
      const { step, width, joined: shown } = widened(chosen, most);
      return {
        agg,
        typed: 'auto_date_histogram',
        members: { interval: `${width}${STEPS[step]?.letter}` },
        buckets: yield* toBuckets(agg, toRows(shown), 0, texts, [KEY_ASCENDING], reducer),
        value: () => undefined,
      };
    },
  };
}
