// Date math on calendar days in UTC: `now` followed by steps such as `+1d`, `-2M` and `/w`, applied
// in order.
import { QuarryError } from '../errors.js';

const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  H: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
/** 1970-01-05, the first Monday of the epoch. */
const MONDAY_MS = 4 * DAY_MS;

export function dateMath(text: string, nowMs: number): number {
  if (!text.startsWith('now')) throw failed(text, 'it must begin with [now]');
  const steps = /^(?:([+-])(\d{0,9})|(\/))([yMwdhHms])/;
  let ms = nowMs;
  let rest = text.slice('now'.length);
  while (rest !== '') {
    const [whole = '', sign, count, slash, unit = ''] = steps.exec(rest) ?? [];
    if (whole === '') {
      throw failed(text, `[${rest}] is no step, expected for example [/d], [+1M] or [-2w]`);
    }
    ms = slash === '/' ? rounded(ms, unit) : moved(ms, Number(`${sign}${count || '1'}`), unit);
    if (Number.isNaN(new Date(ms).getTime()))
      throw failed(text, 'the year has more than four digits');
    rest = rest.slice(whole.length);
  }
  const year = new Date(ms).getUTCFullYear();
  if (year < 0 || year > 9999) throw failed(text, 'the year has more than four digits');
  return ms;
}

function rounded(ms: number, unit: string): number {
  const date = new Date(ms);
  if (unit === 'y') return utc(date.getUTCFullYear(), 0, 1);
  if (unit === 'M') return utc(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const length = UNIT_MS[unit] ?? 1;
  const from = unit === 'w' ? MONDAY_MS : 0;
  return Math.floor((ms - from) / length) * length + from;
}

/**
 * Adds months to a date. The day is limited to the length of the month: January 31 plus one month
 * is the last day of February.
 */
function moved(ms: number, count: number, unit: string): number {
  if (unit !== 'y' && unit !== 'M') return ms + count * (UNIT_MS[unit] ?? 0);
  const date = new Date(ms);
  const months = date.getUTCMonth() + (unit === 'y' ? 12 * count : count);
  const first = utc(date.getUTCFullYear(), months, 1);
  const last = new Date(utc(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), last);
  return first + (day - 1) * DAY_MS + (((ms % DAY_MS) + DAY_MS) % DAY_MS);
}

/** Unlike Date.UTC, takes the years 0 to 99 literally. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

function failed(text: string, why: string): QuarryError {
  return new QuarryError('parse_exception', `failed to parse date math [${text}]: ${why}`);
}
