// Formats timestamps like Date.toISOString(), but several times faster: responses contain thousands
// of them.
import { BoundedMap } from '../../base/bounded-map.js';

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** Characters of a timestamp in a year of four digits. */
const DATE_LENGTH = 24;
const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, number) =>
  String(number).padStart(2, '0'),
);

/** Cache of strings by days since 1970, because responses repeat the same days. */
const MOST_DAYS = 5000;
const KNOWN_DAYS = new BoundedMap<number, string>(MOST_DAYS);

/** `ms`: a whole number. Timestamps outside four-digit years are left to Date. */
export function isoText(ms: number): string {
  const days = Math.floor(ms / DAY);
  const day = KNOWN_DAYS.get(days) ?? newDay(days);
  if (day === undefined || !Number.isInteger(ms)) return new Date(ms).toISOString();
  const rest = ms - days * DAY;
  return rest === 0 ? `${day}T00:00:00.000Z` : `${day}T${timeText(rest)}Z`;
}

/**
 * Cached bucket members by key: keys of calendar histograms are whole days, and a response may
 * repeat them hundreds of times.
 */
const KNOWN_KEYS = new BoundedMap<number, string>(MOST_DAYS);

/**
 * The key members of a bucket for a whole day, as JSON without braces. Undefined for any other
 * timestamp.
 */
export function isoKeyMembers(ms: number): string | undefined {
  const known = KNOWN_KEYS.get(ms);
  if (known !== undefined) return known;
  const text = ms % DAY === 0 ? dayText(ms / DAY) : undefined;
  if (text === undefined) return undefined;
  const members = `"key_as_string":"${text}T00:00:00.000Z","key":${ms}`;
  KNOWN_KEYS.set(ms, members);
  return members;
}

function newDay(days: number): string | undefined {
  const text = dayText(days);
  if (text === undefined) return undefined;
  KNOWN_DAYS.set(days, text);
  return text;
}

/** Undefined for years without four digits. */
function dayText(days: number): string | undefined {
  const date = new Date(days * DAY);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return text.length === DATE_LENGTH ? text.slice(0, text.indexOf('T')) : undefined;
}

function timeText(ms: number): string {
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  const seconds = Math.floor((ms % MINUTE) / SECOND);
  const fraction = String(ms % SECOND).padStart(3, '0');
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${fraction}`;
}

function two(number: number): string {
  return TWO_DIGITS[number] ?? '';
}
