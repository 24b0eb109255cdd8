// Parses `from`, `size`, `track_total_hits`, `terminate_after` and `timeout`: the part of the
// result that is requested, and the time limit.
import type { Json, JsonObject } from '../backend/index.js';
import { EXACT_TOTAL, NO_TOTAL } from '../wire/plan-writer.js';
import type { SearchLimits } from './limits.js';
import { illegal, toInteger, toText } from './values.js';

const DEFAULT_SIZE = 10;
const DEFAULT_TOTAL = 10_000;

export interface Page {
  readonly from: number;
  readonly size: number;
}

export function parsePage(body: JsonObject, { resultWindow }: SearchLimits): Page {
  const from = toInteger(body['from'] ?? 0, '[from]');
  const size = toInteger(body['size'] ?? DEFAULT_SIZE, '[size]');
  if (from < 0) throw illegal(`[from] parameter cannot be negative but was [${from}]`);
  if (size < 0) throw illegal(`[size] parameter cannot be negative, found [${size}]`);
  if (from + size > resultWindow) {
    throw illegal(
      `Result window is too large, from + size must be less than or equal to: [${resultWindow}] but was [${from + size}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
    );
  }
  return { from, size };
}

/** false: no total; true: an exact total; a number: exact up to this limit. */
export type TotalHits = boolean | number;

export function parseTotalHits(value: Json | undefined): TotalHits {
  if (value === undefined) return DEFAULT_TOTAL;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  const limit = toInteger(value, '[track_total_hits]');
  if (limit >= 0) return limit;
  if (limit === -1) return false;
  throw illegal(`[track_total_hits] parameter must be positive or equals to -1, got ${limit}`);
}

/**
 * Returns the limit for the header of the plan. A limit of 0 counts one hit, so that `gte` can be
 * distinguished from an empty result.
 */
export function totalLimit(total: TotalHits): number {
  if (typeof total === 'boolean') return total ? EXACT_TOTAL : NO_TOTAL;
  return Math.max(1, total);
}

/** 0: no limit. */
export function parseTerminateAfter(value: Json | undefined): number {
  if (value === undefined) return 0;
  const limit = toInteger(value, '[terminate_after]');
  if (limit < 0) throw illegal(`terminateAfter must be > 0, got [${limit}]`);
  return limit;
}

const UNIT_US: Readonly<Record<string, number>> = {
  nanos: 1e-3,
  micros: 1,
  ms: 1e3,
  s: 1e6,
  m: 6e7,
  h: 3.6e9,
  d: 8.64e10,
};
const LONGEST_US = 1e15;

/** Returns microseconds; 0: no limit. */
export function parseTimeout(value: Json | undefined): number {
  if (value === undefined) return 0;
  const text = (toText(value) ?? '').trim();
  if (text === '-1') return 0;
  const match = /^(\d{1,15}(?:\.\d{1,15})?)\s*(nanos|micros|ms|s|m|h|d)$/i.exec(text);
  const unit = text === '0' ? 1 : UNIT_US[match?.[2]?.toLowerCase() ?? ''];
  if (unit === undefined) {
    throw illegal(
      `failed to parse setting [timeout] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  return Math.min(LONGEST_US, Math.max(1, Math.ceil(Number(match?.[1] ?? 0) * unit)));
}
