// Values of aggregations as texts: numbers by the patterns of Java's DecimalFormat, dates by the calendar, and keys in
// the form in which answers show them.

import type { Json } from '../../backend/index.js';
import type { AggPart, PartHeader, ValueKind } from '../../wire/agg-reader.js';
import { illegal } from '../values.js';
import type { ShardBucket } from './agg.js';
import { type Calendar, isIsoInUtc } from './calendar.js';
import { isoKeyMembers } from './iso-text.js';
import { jsonOf, quotedText } from './json.js';
import type { Source } from './params.js';

/** A number as Java prints a double: always with a fraction. */
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
 * A DecimalFormat pattern: literal texts around digits, `0` required and `#` optional places, `,` groups; behind `;` the texts
 * around negative numbers, which otherwise have a minus before theirs.
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

/** Prefix, places before the point, places behind it, per cent, suffix. */
/** Characters of a pattern, which every number is printed with. */
const MAX_PATTERN = 400;
/** What Intl.NumberFormat prints. */
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

/** Part by part, so that none is tried again in another length. Undefined for what is no pattern. */
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
 * To `places` as Java does: by what the double is, 0.35 being a little less, and ties to the even neighbour. Ties are left to
 * the formatter, which takes a double for the shortest text that stands for it.
 */
function rounded(value: number, places: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return value;
  const digits = value.toFixed(Math.min(100, places + 60));
  const isTie = /^50*$/.test(digits.slice(digits.indexOf('.') + 1 + places));
  return isTie ? value : Number(value.toFixed(places));
}

/** The first part that knows the field: what its values are and how its mapping prints dates. */
export function valuesOf(parts: readonly ShardBucket[]): AggPart | undefined {
  for (const { node } of parts) if (node.kind !== 'unmapped') return node;
  return undefined;
}

/** What a request says about texts. */
export type TextSource = Pick<Source, 'format' | 'timeZone' | 'valueType'>;

/** Prints the numbers and keys of one aggregation. */
export class ValueTexts {
  readonly kind: ValueKind;
  readonly #format: string;
  readonly #timeZone: string;
  readonly #calendar: Calendar;
  readonly #requested: boolean;
  /** Keys are dates as ISO 8601 spells them, in UTC. */
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

  /** Texts stand beside numbers: of dates, of booleans, and where a format was asked for. */
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
  /** What names the bucket of a key, as JSON without braces. */
  keyMembers(key: number): string {
    if (this.#isIso) {
      const known = isoKeyMembers(key);
      if (known !== undefined) return known;
    }
    const member = `"key":${jsonOf(key)}`;
    return this.shown ? `"key_as_string":${quotedText(this.text(key))},${member}` : member;
  }
  /** `name: value` and, where texts are shown, `name_as_string`. */
  number(name: string, value: number | null): Record<string, Json> {
    const shown = value !== null && Number.isFinite(value) ? value : null;
    if (shown === null || !this.shown) return { [name]: shown };
    return { [name]: shown, [`${name}_as_string`]: this.text(shown) };
  }
}

/** Dates are printed by the first of the formats that a mapping reads. */
export function firstFormat(formats: string): string {
  return formats.split('||')[0] ?? '';
}
