// Times and sizes with units, as Elasticsearch writes them: "30s", "1.5gb".
import { QuarryError } from '../errors.js';

const UNIT_MS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const SIZE_UNITS = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'] as const;
const TIME = /^(\d+(?:\.\d+)?)\s*(nanos|micros|ms|s|m|h|d)$/;
const SIZE = /^(\d+(?:\.\d+)?)\s*(b|k|m|g|t|p)b?$/;

/**
 * Milliseconds; -1 and 0 need no unit. illegal_argument_exception otherwise, which names `name`, the
 * parameter or setting that has the value.
 */
export function parseTime(text: string, name: string): number {
  const value = text.trim().toLowerCase();
  if (value === '-1' || value === '0') return Number(value);
  const [, number, unit = ''] = TIME.exec(value) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs !== undefined) return Number(number) * unitMs;
  throw unreadable(name, text, 'as a time value');
}

/** Bytes, whole; -1 and 0 need no unit. illegal_argument_exception otherwise. */
export function parseSize(text: string, name: string): number {
  const value = text.trim().toLowerCase();
  if (value === '-1' || value === '0') return Number(value);
  const [, number, unit = ''] = SIZE.exec(value) ?? [];
  const power = SIZE_UNITS.findIndex((one) => one.startsWith(unit));
  const bytes = unit === '' ? Number.NaN : Math.floor(Number(number) * 1024 ** power);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw unreadable(name, text, 'as a size in bytes');
}

function unreadable(name: string, text: string, what: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `failed to parse setting [${name}] with value [${text}] ${what}: unit is missing or unrecognized`,
  );
}

/** `4kb`, `1.2mb`: at most one decimal, truncated. */
export function printSize(bytes: number): string {
  const last = SIZE_UNITS.length - 1;
  const power = bytes < 1024 ? 0 : Math.min(last, Math.floor(Math.log2(bytes) / 10));
  return `${truncated(bytes / 1024 ** power)}${SIZE_UNITS[power]}`;
}

/** `1.2s`, `90ms`: in the largest unit that is not larger than the value; at most one decimal, truncated. */
export function printTime(ms: number): string {
  if (ms === 0) return '0s';
  const fitting = Object.entries(UNIT_MS).filter(([, unitMs]) => ms >= unitMs);
  const [unit, unitMs] = fitting.at(-1) ?? ['nanos', UNIT_MS['nanos'] ?? 1];
  return `${truncated(ms / unitMs)}${unit}`;
}

function truncated(value: number): string {
  return String(Math.floor(value * 10) / 10);
}
