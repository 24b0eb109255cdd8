// Formats values of aggregations: numbers by the patterns of Java's DecimalFormat, dates by the
// calendar, and keys as responses show them.

import type { Json } from '../../backend/index.js';
import type { AggPart, PartHeader, ValueKind } from '../../wire/agg-reader.js';
import { illegal } from '../values.js';
import type { ShardBucket } from './agg.js';
import { type Calendar, isIsoInUtc } from './calendar.js';
import { isoKeyMembers } from './iso-text.js';
import { jsonOf, quotedText } from './json.js';
import type { Source } from './params.js';

/** A number as Java prints a double: always with a fractional part. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value))
    return value > 0 ? 'Infinity' : Number.isNaN(value) ? 'NaN' : '-Infinity';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) {
    const [digits = '0', exponent = '0'] = value.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/**
 * Compiles a DecimalFormat pattern: literal prefix and suffix around digits, with `0` for required
 * and `#` for optional digits, and `,` for grouping. After `;` follow the prefix and suffix of
 * negative numbers, which otherwise get a minus sign before the prefix.
 */
export function decimalFormat(pattern: string): (value: number) => string {
  const [positive = pattern, negative] = pattern.split(';');
  const read = readNumberPattern(positive);
  if (read === undefined) return String;
  const { prefix, whole, fraction, percent, suffix } = read;
  checkPattern(pattern, whole, fraction);
  const least = [...fraction].filter((place) => place === '0').length;
  const digits = new Intl.NumberFormat('en-US', {
    useGrouping: whole.includes(','),
    minimumIntegerDigits: Math.max(1, [...whole].filter((place) => place === '0').length),
    minimumFractionDigits: least,
    maximumFractionDigits: fraction.length,
    roundingMode: 'halfEven',
  } as Intl.NumberFormatOptions);
  const plain = (literal: string): string => literal.replaceAll("'", '');
  const [before, behind] = [plain(prefix), `${percent}${plain(suffix)}`];
  const other = negative === undefined ? undefined : readNumberPattern(negative);
  const [beforeNegative, behindNegative] =
    other === undefined
      ? [`-${before}`, behind]
      : [plain(other.prefix), `${other.percent}${plain(other.suffix)}`];
  return (value) => {
    const isNegative = value < 0 || Object.is(value, -0);
    const size = Math.abs(percent === '' ? value : value * 100);
    const text = digits.format(rounded(size, fraction.length));
    const shown = whole.includes('0') || !text.startsWith('0.') ? text : text.slice(1);
    return isNegative ? `${beforeNegative}${shown}${behindNegative}` : `${before}${shown}${behind}`;
  };
}

/** Prefix, integer digits, fraction digits, percent sign, suffix. */
/** Characters of a pattern. The limit exists because every number is printed with it. */
const MAX_PATTERN = 400;
/** Most integer digits that Intl.NumberFormat prints. */
const MAX_WHOLE = 21;
const MAX_FRACTION = 20;

function checkPattern(pattern: string, whole: string, fraction: string): void {
  if (pattern.length > MAX_PATTERN) {
    throw illegal(
      `[format] has [${pattern.length}] characters, more than [${MAX_PATTERN}]: give a shorter pattern`,
    );
  }
  const least = whole.replaceAll(/[^0]/g, '').length;
  if (least <= MAX_WHOLE && fraction.length <= MAX_FRACTION) return;
  throw illegal(
    `[format] [${pattern.slice(0, 100)}] has [${least}] digits before the point and [${fraction.length}] behind it, more than [${MAX_WHOLE}] or [${MAX_FRACTION}]: give a shorter pattern`,
  );
}

interface NumberPattern {
  readonly prefix: string;
  readonly whole: string;
  readonly fraction: string;
  readonly percent: string;
  readonly suffix: string;
}

const LITERALS = /(?:'[^']*'|[^#0.,'])*/y;
const PLACES = /([#0,]*)(?:\.([#0]*))?(%?)/y;

/** Undefined if the string is not a pattern. Matches part by part to avoid backtracking. */
function readNumberPattern(text: string): NumberPattern | undefined {
  const take = (part: RegExp, from: number): readonly string[] => {
    part.lastIndex = from;
    return part.exec(text) ?? [''];
  };
  const [prefix = ''] = take(LITERALS, 0);
  const [places = '', whole = '', fraction = '', percent = ''] = take(PLACES, prefix.length);
  const [suffix = ''] = take(LITERALS, prefix.length + places.length);
  if (prefix.length + places.length + suffix.length !== text.length) return undefined;
  return { prefix, whole, fraction, percent, suffix };
}

/**
 * Rounds to `places` digits as Java does: by the exact value of the double (0.35 is slightly less
 * than its decimal form), with ties to the even digit. Exact ties are left to the formatter, which
 * rounds the shortest decimal representation of a double.
 */
function rounded(value: number, places: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return value;
  const digits = value.toFixed(Math.min(100, places + 60));
  const isTie = /^50*$/.test(digits.slice(digits.indexOf('.') + 1 + places));
  return isTie ? value : Number(value.toFixed(places));
}

/**
 * The first part whose shard has the field mapped: it has the type of the values and the date
 * format of the mapping.
 */
export function valuesOf(parts: readonly ShardBucket[]): AggPart | undefined {
  for (const { node } of parts) if (node.kind !== 'unmapped') return node;
  return undefined;
}

/** The parameters of a request that determine how values are printed. */
export type TextSource = Pick<Source, 'format' | 'timeZone' | 'valueType'>;

/** Formats the numbers and keys of one aggregation. */
export class ValueTexts {
  readonly kind: ValueKind;
  readonly #format: string;
  readonly #timeZone: string;
  readonly #calendar: Calendar;
  readonly #requested: boolean;
  /** Keys are dates in ISO 8601 format, in UTC. */
  readonly #isIso: boolean;
  #decimal: ((value: number) => string) | undefined;

  constructor(
    { kind, format }: Pick<PartHeader, 'kind' | 'format'>,
    source: TextSource,
    calendar: Calendar,
  ) {
    this.kind = kind === 'unmapped' && source.valueType === 'date' ? 'date' : kind;
    this.#requested = source.format !== '';
    this.#format = this.#requested
      ? source.format
      : this.kind === 'date'
        ? firstFormat(format)
        : '';
    this.#timeZone = source.timeZone;
    this.#calendar = calendar;
    this.#isIso = this.kind === 'date' && isIsoInUtc(this.#format, source.timeZone);
  }

  /**
   * True if strings are printed in addition to the numbers: for dates, booleans, and with a format
   * in the request.
   */
  get shown(): boolean {
    return this.kind === 'date' || this.kind === 'boolean' || this.#requested;
  }
  text(value: number): string {
    if (this.kind === 'boolean') return String(value !== 0);
    if (this.kind === 'date') return this.#calendar.text(value, this.#format, this.#timeZone);
    if (!this.#requested) return doubleText(value);
    this.#decimal ??= decimalFormat(this.#format);
    return this.#decimal(value);
  }
  /** True if the core formats the keys; prepare() then saves calls. */
  get isPrepared(): boolean {
    return this.kind === 'date' && !this.#isIso;
  }
  /** Formats keys that are printed next, all at once. */
  prepare(keys: readonly number[]): void {
    this.#calendar.prepare(keys, this.#format, this.#timeZone);
  }
  /** The key members of a bucket, as JSON without braces. */
  keyMembers(key: number): string {
    if (this.#isIso) {
      const known = isoKeyMembers(key);
      if (known !== undefined) return known;
    }
    const member = `"key":${jsonOf(key)}`;
    return this.shown ? `"key_as_string":${quotedText(this.text(key))},${member}` : member;
  }
  /** `name: value` and, if strings are shown, `name_as_string`. */
  number(name: string, value: number | null): Record<string, Json> {
    const shown = value !== null && Number.isFinite(value) ? value : null;
    if (shown === null || !this.shown) return { [name]: shown };
    return { [name]: shown, [`${name}_as_string`]: this.text(shown) };
  }
}

/** The format that prints dates: the first of the formats that a mapping parses. */
export function firstFormat(formats: string): string {
  return formats.split('||')[0] ?? '';
}
