// range, date_range, ip_range and geo_distance: one bucket for each range of a list; ranges may
// overlap.
import type { Json } from '../../../backend/index.js';
import { printExact } from '../../../base/exact-json.js';
import { readTexts } from '../../../wire/agg-keys.js';
import type { Scalar } from '../../../wire/plan-writer.js';
import { readPlane } from '../../geo/request.js';
import { checkLength, checkRepeated } from '../../list-limits.js';
import { illegal, isArray, isObject, malformed } from '../../values.js';
import { addressDigits } from '../addresses.js';
import type { AggBody, AggBucket, AggContext, AggResult } from '../agg.js';
import { ListedBuckets, once } from '../buckets.js';
import { doubleText, type ValueTexts } from '../format.js';
import { membersOf } from '../json.js';
import { AggParams, type Source, writeSource } from '../params.js';
import { type CooperativeTask, mapSteps, sortSteps } from '../steps.js';

const NUMBERS = 0;
const DATES = 1;
const ADDRESSES = 2;
/** Value type for unmapped fields, by flavour. */
const VALUE_TYPES = ['', '?date', '?ip'];

interface Range {
  readonly key: string | undefined;
  readonly from: Scalar;
  readonly to: Scalar;
  readonly mask: string;
}

interface Columns {
  readonly ranges: number;
  /** Undefined: an open end. */
  readonly from: readonly (number | string | undefined)[];
  readonly to: readonly (number | string | undefined)[];
  readonly counts: Float64Array;
}

const NONE: Scalar = { kind: 'null', text: '' };

function readKey(range: AggParams): string | undefined {
  const key = range.text('key');
  return key && checkRepeated(`[key] of a range of [${range.clause}]`, key);
}

function readRanges({ params, name }: AggContext, flavour: number): readonly Range[] {
  const given = params.raw('ranges');
  if (!isArray(given)) throw malformed(`[${params.clause}] [ranges] must be an array: [${name}]`);
  if (given.length === 0) throw illegal(`No [ranges] specified for the [${name}] aggregation`);
  checkLength('[ranges]', given.length, 'ask for the others in a second aggregation');
  return given.map((item: Json) => {
    if (!isObject(item)) throw malformed(`[${params.clause}] a range must be an object: [${name}]`);
    const inner = new AggParams(params.clause, item, name);
    const range = {
      key: readKey(inner),
      from: inner.scalar('from') ?? NONE,
      to: inner.scalar('to') ?? NONE,
      mask: flavour === ADDRESSES ? (inner.text('mask') ?? '') : '',
    };
    inner.finish();
    if (flavour === NUMBERS) checkNumber(range, name);
    if (range.mask !== '' && !range.mask.includes('/')) {
      throw illegal(
        `Expected [ip/prefix] but was [${range.mask}] in a range of [${name}], as in [10.0.0.0/8]`,
      );
    }
    return range;
  });
}

/**
 * Strings are accepted, because they are dates if the field has dates; only shards can check that.
 */
function checkNumber({ from, to }: Range, name: string): void {
  for (const side of [from, to]) {
    if (side.kind === 'null' || side.kind === 'string') continue;
    if (side.kind === 'number' && Number.isFinite(Number(side.text))) continue;
    throw illegal(`For input string: "${side.text}" in a range of [${name}], expected a number`);
  }
}

type RangesOf = Pick<AggBody<Columns>, 'readColumns' | 'reduce'>;

/**
 * How the results of the ranges are read and reduced. `least`: what an open start is shown as, if at
 * all.
 */
function answerOf(
  ranges: readonly Range[],
  source: Source,
  keyed: boolean,
  flavour: number,
  typed: string,
  least?: number,
): RangesOf {
  return {
    readColumns: (reader, { extra, buckets }) => {
      const numbers = () =>
        Array.from(reader.align(8).doubles(extra), (value) =>
          Number.isNaN(value) ? undefined : value,
        );
      const texts = () => readTexts(reader, extra).map((text) => (text === '' ? undefined : text));
      const side = flavour === ADDRESSES ? texts : numbers;
      return {
        ranges: extra,
        from: side(),
        to: side(),
        counts: reader.align(8).doubles(buckets),
      };
    },
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const valueType = flavour === DATES ? 'date' : '';
      const texts = reducer.texts(agg, parts, { ...source, valueType });
      // The ends are the same in every bucket, including those without documents.
      const node = parts[0]?.node ?? reducer.any(agg);
      const resolved = node?.columns as Columns | undefined;
      const rows = yield* mapSteps(ranges, (range, at) => {
        const mine = parts.map(({ node, owner, shard }) => ({
          node,
          bucket: owner * ranges.length + at,
          shard,
        }));
        const docCount = mine.reduce(
          (sum, { node, bucket }) => sum + ((node.columns as Columns).counts[bucket] ?? 0),
          0,
        );
        const inside = once(() => reducer.inside(agg, () => mine));
        const ends = { from: startOf(range, resolved?.from[at]), to: resolved?.to[at] };
        const bucket: AggBucket = {
          ...describe(range, ends, texts, docCount, keyed, least),
          docCount,
          get inside() {
            return inside();
          },
        };
        return { bucket, from: sortable(ends.from), to: sortable(ends.to) };
      });
      const sorted = yield* sortSteps(rows, (a, b) => compareEnds(a, b));
      return {
        agg,
        typed,
        members: {},
        buckets: new ListedBuckets(sorted.map(({ bucket }) => bucket)),
        keyed,
        value: () => undefined,
      };
    },
  };
}

function kind(flavour: number, typed: string) {
  return (context: AggContext): AggBody<Columns> => {
    const { params } = context;
    const given = flavour === DATES ? params.sourceInZone() : params.source();
    // If no mapping has the field, the value for missing documents has the type of the aggregation.
    const source =
      given.valueType === '' ? { ...given, valueType: VALUE_TYPES[flavour] ?? '' } : given;
    const ranges = readRanges(context, flavour);
    const keyed = params.flag('keyed') ?? false;
    return {
      opcode: 'agg:range',
      encode: ({ writer }) => {
        writeSource(writer, source);
        writer.u8(flavour).list(ranges, ({ from, to, mask }) => {
          writer.scalar(from).scalar(to).str(mask);
        });
      },
      ...answerOf(ranges, source, keyed, flavour, typed),
    };
  };
}

/** Ranges of the distance to an origin. */
export function geoDistance(context: AggContext): AggBody<Columns> {
  const { params, name } = context;
  const source = params.pointSource();
  const origin = params.rawOf('origin', 'point', 'center');
  const plane = readPlane(params);
  const unit = params.text('unit') ?? '';
  const keyed = params.flag('keyed') ?? false;
  if (origin === undefined) throw illegal(`Aggregation [${name}] must define an [origin].`);
  const ranges = readRanges(context, NUMBERS);
  const ends = ranges.map(
    ({ from, to }) => [distanceOf(from, name), distanceOf(to, name)] as const,
  );
  return {
    opcode: 'agg:geo_distance',
    encode: ({ writer }) => {
      writeSource(writer, source);
      writer.str(printExact(origin)).bool(plane).str(unit);
      writer.list(ends, ([from, to]) => {
        writer.f64(from).f64(to);
      });
    },
    ...answerOf(ranges, source, keyed, NUMBERS, 'geo_distance', 0),
  };
}

/** NaN: an open end. */
function distanceOf(end: Scalar, name: string): number {
  if (end.kind === 'null') return Number.NaN;
  const distance = end.text.trim() === '' ? Number.NaN : Number(end.text);
  if (Number.isFinite(distance)) return distance;
  throw illegal(`For input string: "${end.text}" in a range of [${name}], expected a number`);
}

interface Ends {
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
}

/** A mask that matches all addresses has no ends. */
function startOf(range: Range, from: number | string | undefined) {
  return range.mask !== '' && from === '::' ? undefined : from;
}

function sortable(side: number | string | undefined): number | string | undefined {
  return typeof side === 'string' ? addressDigits(side) : side;
}

/** Open starts sort first, open ends last. */
function compareEnds(a: Ends, b: Ends): number {
  return compareSides(a.from, b.from, -1) || compareSides(a.to, b.to, 1);
}

function compareSides(a: Ends['from'], b: Ends['from'], open: -1 | 1): number {
  if (a === b) return 0;
  if (a === undefined) return open;
  if (b === undefined) return -open;
  return a < b ? -1 : 1;
}

function describe(
  range: Range,
  { from, to }: Ends,
  texts: ValueTexts,
  docCount: number,
  keyed: boolean,
  least: number | undefined,
): Pick<AggBucket, 'name' | 'key' | 'json'> {
  const print = (side: number | string | undefined): string =>
    side === undefined
      ? '*'
      : typeof side === 'string'
        ? side
        : texts.shown
          ? texts.text(side)
          : doubleText(side);
  const name = range.key ?? (range.mask !== '' ? range.mask : `${print(from)}-${print(to)}`);
  const side = (label: string, value: number | string | undefined): Record<string, Json> => {
    if (value === undefined) return {};
    const shown = typeof value === 'number' && texts.shown;
    return { [label]: value, ...(shown ? { [`${label}_as_string`]: texts.text(value) } : {}) };
  };
  const members = { ...side('from', from ?? least), ...side('to', to), doc_count: docCount };
  return { name, key: name, json: membersOf(keyed ? members : { key: name, ...members }) };
}

export const range = kind(NUMBERS, 'range');
export const dateRange = kind(DATES, 'date_range');
export const ipRange = kind(ADDRESSES, 'ip_range');
