// Converts time values of settings ("1s", "500ms", "-1") to milliseconds.
import { QuarryError } from '../../errors.js';

const UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Milliseconds; -1 and 0 need no unit. Throws illegal_argument_exception, which names the setting
 * and the value.
 */
export function parseTimeValue(text: string, setting: string): number {
  const value = text.trim().toLowerCase();
  if (value === '-1' || value === '0') return Number(value);
  const match = /^(-?\d+(?:\.\d+)?)\s*(nanos|micros|ms|s|m|h|d)$/.exec(value);
  const unit = UNITS[match?.[2] ?? ''];
  if (match === null || unit === undefined) {
    throw new QuarryError(
      'illegal_argument_exception',
      `failed to parse setting [${setting}] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  return Number(match[1]) * unit;
}
