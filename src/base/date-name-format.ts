// Formats dates for index names, and computes time zone offsets.
import { QuarryError } from '../errors.js';

const DAY_MS = 86_400_000;

/**
 * Pattern letters and their values in UTC; the number of repetitions is the minimum number of
 * digits.
 */
const LETTERS: Readonly<Record<string, (date: Date) => number>> = {
  y: (date) => date.getUTCFullYear(),
  u: (date) => date.getUTCFullYear(),
  M: (date) => date.getUTCMonth() + 1,
  d: (date) => date.getUTCDate(),
  D: (date) => Math.floor((date.getTime() - startOfYear(date.getUTCFullYear())) / DAY_MS) + 1,
  H: (date) => date.getUTCHours(),
  m: (date) => date.getUTCMinutes(),
  s: (date) => date.getUTCSeconds(),
  // ISO weeks: they begin on Monday, and week 1 contains January 4.
  Y: (date) => thursdayOf(date).getUTCFullYear(),
  w: (date) => {
    const thursday = thursdayOf(date);
    const days = (thursday.getTime() - startOfYear(thursday.getUTCFullYear())) / DAY_MS;
    return Math.floor(days / 7) + 1;
  },
};

export function formatDate(ms: number, format: string): string {
  const date = new Date(ms);
  return format.replaceAll(/'([^']*)'|([A-Za-z])\2*/g, (run, quoted?: string, letter?: string) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted;
    const number = LETTERS[letter ?? '']?.(date);
    if (number === undefined || (letter === 'M' && run.length > 2)) {
      throw new QuarryError(
        'illegal_argument_exception',
        `Invalid format: [${format}]: [${run}] is not supported in names of indexes, use [yyyy MM dd DDD HH mm ss YYYY ww] and text in quotes`,
      );
    }
    const isShortYear = run === 'yy' || run === 'uu' || run === 'YY';
    return String(isShortYear ? number % 100 : number).padStart(run.length, '0');
  });
}

function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

function thursdayOf(date: Date): Date {
  const day = Math.floor(date.getTime() / DAY_MS);
  // 1970-01-01 was a Thursday.
  const weekday = (((day + 3) % 7) + 7) % 7;
  return new Date((day - weekday + 3) * DAY_MS);
}

/**
 * Offset from UTC in milliseconds at the time `ms`. Zones are given as `+01:00`, `Z`, `UTC` or
 * `Europe/Berlin`.
 */
export function zoneOffsetMs(zone: string, ms: number): number {
  if (zone === 'Z' || zone === 'UTC' || zone === 'GMT') return 0;
  const [whole, sign, hours, minutes = '0'] = /^([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(zone) ?? [];
  if (whole !== undefined && Number(hours) <= 18) {
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return sign === '-' ? -offset : offset;
  }
  return regionOffsetMs(zone, ms);
}

function regionOffsetMs(zone: string, ms: number): number {
  try {
    const clock = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = clock.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const offset = name.slice('GMT'.length);
    return offset === '' ? 0 : zoneOffsetMs(offset.slice(0, 6), ms);
  } catch {
    throw new QuarryError(
      'illegal_argument_exception',
      `Unknown time-zone ID: [${zone}], expected for example [+01:00] or [Europe/Berlin]`,
    );
  }
}
