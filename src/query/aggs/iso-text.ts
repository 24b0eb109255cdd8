// Formats timestamps like Date.toISOString(), but several times faster: responses contain thousands
// of them.
import { BoundedMap } from '../../base/bounded-map.js';

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** Days from the first of March of the year 0 to 1970-01-01. */
const DAYS_TO_EPOCH = 719_468;
/** Days in 400 years. */
const ERA_DAYS = 146_097;
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

/** The first millisecond of a month. `month`: twelve times the year, plus 0 for January. */
export function monthStart(month: number): number {
  // Months since March of the same computational year.
  const fromMarch = month - 2;
  const year = Math.floor(fromMarch / 12);
  const inYear = Math.floor((153 * (fromMarch - 12 * year) + 2) / 5);
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return (365 * year + leaps + inYear - DAYS_TO_EPOCH) * DAY;
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

/**
 * Years start in March, so that a leap day is the last day (Hinnant, chrono-compatible low-level
 * date algorithms).
 */
function dayText(days: number): string | undefined {
  const shifted = days + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / ERA_DAYS);
  const inEra = shifted - era * ERA_DAYS;
  const leaps = Math.floor(inEra / 1460) - Math.floor(inEra / 36_524) + Math.floor(inEra / 146_096);
  const yearOfEra = Math.floor((inEra - leaps) / 365);
  const inYear =
    inEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  if (!(year >= 0 && year <= 9999)) return undefined;
  return `${two(Math.floor(year / 100))}${two(year % 100)}-${two(month)}-${two(day)}`;
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
