// Reads instants as requests give them: epoch milliseconds, as a number or a numeric string, or RFC
// 3339. Internally all times are whole milliseconds of UTC.
import type { Json } from '../backend/index.js';
import { printValue } from '../base/json-text.js';
import { illegal } from './names.js';

/** The range of JavaScript dates: 100 million days around the epoch. */
const MAX_MS = 8.64e15;
/** A plus that is not percent-encoded in a query string arrives as a space. */
const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+\- ])(\d\d):(\d\d))$/;
const MINUTE_MS = 60_000;

/** Throws illegal_argument_exception, which names `field`, for anything that is no instant. */
export function readTime(value: Json, field: string): number {
  const ms = toMs(value);
  if (ms === undefined) {
    throw illegal(
      `[${field}] must be epoch milliseconds or an RFC 3339 time such as [2026-01-31T12:00:00Z], got ${shown(value)}`,
    );
  }
  if (Math.abs(ms) > MAX_MS) {
    throw illegal(
      `[${field}] is ${shown(value)}, beyond the ${MAX_MS} milliseconds that a date may have`,
    );
  }
  return ms;
}

function toMs(value: Json): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return wholeMs(value);
  if (typeof value !== 'string') return undefined;
  if (/^[+-]?\d{1,20}$/.test(value)) return wholeMs(Number(value));
  return fromRfc3339(value);
}

function wholeMs(value: number): number | undefined {
  // Adding 0 turns minus zero into zero.
  return Number.isInteger(value) ? value + 0 : undefined;
}

function fromRfc3339(text: string): number | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  const [fraction, sign, zoneHour, zoneMinute] = match.slice(7);
  const offsetHours = Number(zoneHour ?? 0);
  const offsetMinutes = Number(zoneMinute ?? 0);
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) {
    return undefined;
  }
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * MINUTE_MS * (sign === '-' ? -1 : 1);
  const millis = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + millis - offset;
}

/** A value as error messages print it. */
export function shown(value: Json): string {
  return `[${printValue(value)}]`;
}

/**
 * The two instants of a response: what was true at `world`, according to what was recorded by
 * `system`.
 */
export interface Moment {
  readonly world: number;
  /** Null: everything that is recorded at present. */
  readonly system: number | null;
}

/** Without `as_of`, `known_at` gives both instants. */
export function momentOf(
  { asOf, knownAt }: { readonly asOf: number | undefined; readonly knownAt: number | undefined },
  now: number,
): Moment {
  return { world: asOf ?? knownAt ?? now, system: knownAt ?? null };
}

/**
 * Half-open intervals: a link is valid from valid_at on, and no longer from invalid_at on, once its
 * end is recorded.
 */
export type LinkState = 'live' | 'retired' | 'future';

export interface LinkTimes {
  readonly valid_at: number | null;
  readonly invalid_at: number | null;
  readonly created_at: number | null;
  readonly expired_at: number | null;
}

/** Undefined: the link was not recorded by then. */
export function stateAt(link: LinkTimes, { world, system }: Moment): LinkState | undefined {
  const known = system ?? Number.POSITIVE_INFINITY;
  if (link.created_at !== null && link.created_at > known) return undefined;
  if (link.valid_at !== null && link.valid_at > world) return 'future';
  const over = link.invalid_at !== null && link.invalid_at <= world;
  return over && (link.expired_at === null || link.expired_at <= known) ? 'retired' : 'live';
}
