// Formatting of timestamps and computation of calendar keys. JavaScript lacks the formats and time
// zones of mappings, so requests are collected, resolved by the native core in one task, and read
// from the cache when the reduction runs again.
import { ByteReader } from '../../wire/byte-reader.js';
import { ByteWriter } from '../../wire/byte-writer.js';
import { isoText, monthStart } from './iso-text.js';

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

interface DateRequest {
  readonly write: (writer: ByteWriter) => void;
  readonly read: (reader: ByteReader) => readonly (string | number)[];
}

export class Calendar {
  readonly #known = new Map<string, readonly (string | number)[]>();
  readonly #wishes = new Map<string, DateRequest>();

  /** True if there are unresolved requests: the reduction has to run again after resolve(). */
  get isWaiting(): boolean {
    return this.#wishes.size > 0;
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

  /** The keys from `first` to `last`, both included; fails if there are more than `limit`. */
  sequence(rounding: Rounding, first: number, last: number, limit: number): readonly number[] {
    const easy = plainSequence(rounding, first, last, limit);
    if (easy !== undefined) return easy;
    const wish: DateRequest = {
      write: (writer) => {
        writer.u8(1);
        writeRounding(writer, rounding);
        writer.f64(first).f64(last).u32(limit);
      },
      read: readMoments,
    };
    return this.#find(`1 ${keyOf(rounding)} ${first} ${last}`, wish) as readonly number[];
  }

  /** `moments` rounded down, one key each; empty until they are resolved. */
  round(rounding: Rounding, moments: readonly number[]): readonly number[] {
    if (moments.length === 0) return [];
    const wish: DateRequest = {
      write: (writer) => {
        writer.u8(2);
        writeRounding(writer, rounding);
        writer.list(moments, (moment) => writer.f64(moment));
      },
      read: readMoments,
    };
    return this.#find(`2 ${keyOf(rounding)} ${moments.join()}`, wish) as readonly number[];
  }

  /** `ask` runs Addon.dateTable on a worker thread. */
  async resolve(ask: (request: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>): Promise<void> {
    const wishes = [...this.#wishes];
    this.#wishes.clear();
    const writer = new ByteWriter();
    for (const [, wish] of wishes) wish.write(writer);
    const reader = new ByteReader(new Uint8Array(await ask(writer.take())), 'dates');
    for (const [key, wish] of wishes) this.#known.set(key, wish.read(reader));
  }

  #text(operation: 0 | 3, ms: number, format: string, timeZone: string): string {
    const wish: DateRequest = {
      write: (writer) =>
        writer
          .u8(operation)
          .str(format)
          .str(timeZone)
          .list([ms], (moment) => writer.f64(moment)),
      read: (reader) => Array.from({ length: reader.u32() }, () => reader.str()),
    };
    return String(this.#find(`${operation} ${format} ${timeZone} ${ms}`, wish)[0] ?? '');
  }

  #find(key: string, wish: DateRequest): readonly (string | number)[] {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#wishes.set(key, wish);
    return [];
  }
}

/** Length of a unit in months. */
const MONTHS: Readonly<Partial<Record<Rounding['unit'], number>>> = {
  month: 1,
  quarter: 3,
  year: 12,
};

/**
 * The keys in UTC without an offset, where months need no time zone rules. Undefined: the core has
 * to compute them.
 */
function plainSequence(
  { unit, timeZone, offsetMs }: Rounding,
  first: number,
  last: number,
  limit: number,
): readonly number[] | undefined {
  const step = MONTHS[unit];
  if (step === undefined || offsetMs !== 0 || !UTC.has(timeZone)) return undefined;
  if (first < FIRST_MS || last > LAST_MS) return undefined;
  const start = new Date(first);
  let month = 12 * start.getUTCFullYear() + start.getUTCMonth();
  const keys: number[] = [];
  for (let key = first; key <= last; key = monthStart(month)) {
    if (keys.length === limit) return undefined;
    keys.push(key);
    month += step;
  }
  return keys;
}

function readMoments(reader: ByteReader): readonly number[] {
  return Array.from({ length: reader.u32() }, () => reader.f64());
}

function keyOf({ unit, fixedMs, timeZone, offsetMs }: Rounding): string {
  return `${unit} ${fixedMs} ${timeZone} ${offsetMs}`;
}
