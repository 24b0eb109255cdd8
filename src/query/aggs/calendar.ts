// Formatting of timestamps and computation of calendar keys, which the native core does. What Date
// knows of UTC is not asked for; there is no calendar here.
import { QuarryError } from '../../errors.js';
import { ByteReader } from '../../wire/byte-reader.js';
import { ByteWriter } from '../../wire/byte-writer.js';
import { tooManyBuckets } from './bucket-limit.js';
import { isoText } from './iso-text.js';

export const UNITS = [
  'fixed_ms',
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
] as const;

/** How timestamps are rounded down to keys. */
export interface Rounding {
  readonly unit: (typeof UNITS)[number];
  /** Length of the interval if the unit is fixed_ms. */
  readonly fixedMs: number;
  readonly timeZone: string;
  readonly offsetMs: number;
}

export function writeRounding(writer: ByteWriter, rounding: Rounding): void {
  writer
    .u8(UNITS.indexOf(rounding.unit))
    .i64(BigInt(rounding.fixedMs))
    .str(rounding.timeZone)
    .i64(BigInt(rounding.offsetMs));
}

/** The first and the last timestamp with a year of four digits. */
const FIRST_MS = Date.UTC(0, 0, 1) - 1900 * 31_556_952_000;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const UTC = new Set(['', 'UTC', 'Z', 'GMT', '+00:00']);
const ISO = new Set(['', 'strict_date_optional_time', 'strict_date_optional_time||epoch_millis']);

/**
 * True if isoText() prints these timestamps. Both arguments may be empty: the default format, UTC.
 */
export function isIsoInUtc(format: string, timeZone: string): boolean {
  return ISO.has(format) && UTC.has(timeZone);
}

/** Addon.dateTable, which throws a QuarryError. */
export type DateTable = (request: Uint8Array<ArrayBuffer>) => ArrayBuffer;

export class Calendar {
  readonly #table: DateTable;
  /** Strings of timestamps, by the operation, its format and its zone. */
  readonly #texts = new Map<string, Map<number, string>>();

  constructor(table: DateTable) {
    this.#table = table;
  }

  /** Formats a timestamp. `format` and `timeZone` may be empty: the default format, UTC. */
  text(ms: number, format: string, timeZone: string): string {
    if (isIsoInUtc(format, timeZone) && ms >= FIRST_MS && ms <= LAST_MS) return isoText(ms);
    return this.#text(0, ms, format, timeZone);
  }

  /**
   * text() for a string that the client sends back in a later request: fails if the format cannot
   * parse its own output.
   */
  exactText(ms: number, format: string, timeZone: string): string {
    return ISO.has(format) ? this.text(ms, format, timeZone) : this.#text(3, ms, format, timeZone);
  }

  /**
   * The keys from `first` to `last`, both included; too_many_buckets_exception if there are more
   * than `limit`.
   */
  sequence(rounding: Rounding, first: number, last: number, limit: number): readonly number[] {
    const known = monthsInUtc(rounding, first, last, limit);
    if (known !== undefined) return known;
    const writer = new ByteWriter().u8(1);
    writeRounding(writer, rounding);
    try {
      return readMoments(this.#ask(writer.f64(first).f64(last).u32(limit)));
    } catch (error) {
      const isLimit = error instanceof QuarryError && error.type === 'too_many_buckets_exception';
      throw isLimit ? tooManyBuckets(limit) : error;
    }
  }

  /** `moments` rounded down, one key each. */
  round(rounding: Rounding, moments: readonly number[]): readonly number[] {
    const writer = new ByteWriter().u8(2);
    writeRounding(writer, rounding);
    return readMoments(this.#ask(writer.list(moments, (moment) => writer.f64(moment))));
  }

  /** Formats timestamps that text() is called with next, all at once. */
  prepare(moments: readonly number[], format: string, timeZone: string): void {
    if (isIsoInUtc(format, timeZone)) return;
    const known = this.#known(0, format, timeZone);
    const unknown = moments.filter((ms) => !known.has(ms));
    if (unknown.length > 0) this.#format(0, unknown, format, timeZone);
  }

  #text(operation: 0 | 3, ms: number, format: string, timeZone: string): string {
    const known = this.#known(operation, format, timeZone);
    if (!known.has(ms)) this.#format(operation, [ms], format, timeZone);
    return known.get(ms) ?? '';
  }

  #known(operation: 0 | 3, format: string, timeZone: string): Map<number, string> {
    const name = `${operation} ${format} ${timeZone}`;
    const known = this.#texts.get(name) ?? new Map<number, string>();
    this.#texts.set(name, known);
    return known;
  }

  #format(operation: 0 | 3, moments: readonly number[], format: string, timeZone: string): void {
    const writer = new ByteWriter().u8(operation).str(format).str(timeZone);
    const reader = this.#ask(writer.list(moments, (moment) => writer.f64(moment)));
    reader.u32();
    const known = this.#known(operation, format, timeZone);
    for (const moment of moments) known.set(moment, reader.str());
  }

  #ask(request: ByteWriter): ByteReader {
    return new ByteReader(new Uint8Array(this.#table(request.take())), 'dates');
  }
}

/** Length of a unit in months. */
const MONTHS: Readonly<Partial<Record<Rounding['unit'], number>>> = {
  month: 1,
  quarter: 3,
  year: 12,
};
/** Date.UTC() takes years below 100 for those of the 20th century. */
const FIRST_YEAR = 100;

/** Keys in UTC without an offset. Undefined: the core has to compute them. */
function monthsInUtc(
  { unit, timeZone, offsetMs }: Rounding,
  first: number,
  last: number,
  limit: number,
): readonly number[] | undefined {
  const step = MONTHS[unit];
  if (step === undefined || offsetMs !== 0 || !UTC.has(timeZone)) return undefined;
  const year = new Date(first).getUTCFullYear();
  if (!(year >= FIRST_YEAR && last <= LAST_MS)) return undefined;
  const keys: number[] = [];
  let month = new Date(first).getUTCMonth();
  for (let key = first; key <= last; key = Date.UTC(year, month)) {
    if (keys.length === limit) return undefined;
    keys.push(key);
    month += step;
  }
  return keys;
}

function readMoments(reader: ByteReader): readonly number[] {
  return Array.from({ length: reader.u32() }, () => reader.f64());
}
