// Parses intervals and offsets of date histograms.
import { illegal } from '../values.js';
import type { Rounding } from './calendar.js';
import type { AggParams } from './params.js';

const CALENDAR: Readonly<Record<string, Rounding['unit']>> = {
  '1s': 'second',
  second: 'second',
  '1m': 'minute',
  minute: 'minute',
  '1h': 'hour',
  hour: 'hour',
  '1d': 'day',
  day: 'day',
  '1w': 'week',
  week: 'week',
  '1M': 'month',
  month: 'month',
  '1q': 'quarter',
  quarter: 'quarter',
  '1y': 'year',
  year: 'year',
};

const UNIT_MS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * A duration in whole milliseconds; undefined if the string is none. Units may be upper case, but
 * `M` is a month.
 */
export function spanMs(text: string): number | undefined {
  const spelled = text.trim();
  const match = /^([+-]?)(\d+)\s*(nanos|micros|ms|s|m|h|d)$/.exec(
    spelled.endsWith('M') ? spelled : spelled.toLowerCase(),
  );
  const unit = UNIT_MS[match?.[3] ?? ''];
  if (match === null || unit === undefined) return undefined;
  return (match[1] === '-' ? -1 : 1) * Math.trunc(Number(match[2]) * unit);
}

/** Parses `calendar_interval`, `fixed_interval` or the older `interval`, which accepts both. */
export function readRounding(params: AggParams, name: string): Rounding {
  const calendar = params.text('calendar_interval');
  const fixed = params.text('fixed_interval');
  const either = params.text('interval');
  const given = [calendar, fixed, either].filter((text) => text !== undefined);
  if (given.length === 0) {
    throw illegal(`Invalid interval specified, must be non-null and non-empty: [${name}]`);
  }
  if (given.length > 1) {
    throw illegal(
      `Cannot use [${fixed === undefined ? 'interval' : 'fixed_interval'}] with [calendar_interval] or another interval: [${name}]`,
    );
  }
  const place = { timeZone: params.timeZone(), offsetMs: readOffset(params, name) };
  const unit = calendarUnit(calendar ?? either ?? '');
  if (fixed === undefined && unit !== undefined) return { unit, fixedMs: 0, ...place };
  if (calendar !== undefined) {
    throw illegal(
      `The supplied interval [${calendar}] could not be parsed as a calendar interval.`,
    );
  }
  const span = spanMs(fixed ?? either ?? '') ?? bareMs(either);
  if (span === undefined || span <= 0) {
    throw illegal(
      `failed to parse setting [${name}.fixedInterval] with value [${fixed ?? either}] as a time value: unit is missing or unrecognized`,
    );
  }
  return { unit: 'fixed_ms', fixedMs: span, ...place };
}

export function calendarUnit(text: string): Rounding['unit'] | undefined {
  return Object.hasOwn(CALENDAR, text) ? CALENDAR[text] : undefined;
}

function bareMs(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function readOffset(params: AggParams, name: string): number {
  const text = params.text('offset');
  if (text === undefined) return 0;
  const span = spanMs(text) ?? (/^[+-]?\d+$/.test(text) ? Number(text) : undefined);
  if (span !== undefined) return span;
  throw illegal(
    `failed to parse setting [DateHistogramAggregationBuilder.parseOffset] with value [${text}] as a time value: unit is missing or unrecognized: [${name}]`,
  );
}
