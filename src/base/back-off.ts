// The delay before a repeated request, and the delay that a service requests by `Retry-After`.

const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** If a service requests a longer delay, the request is not repeated. */
export const LONGEST_RETRY_AFTER_MS = 30_000;

/**
 * Delay before repetition `attempt`, which starts with 1: it doubles from FIRST_MS up to LONGEST_MS
 * and is multiplied by a random factor from 0.5 to 1, so that requests that failed at the same time
 * are not repeated at the same time.
 */
export function backOffMs(attempt: number, random: () => number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.round(whole * (0.5 + random() / 2));
}

/**
 * Converts seconds or a date (RFC 9110, section 10.2.3) to milliseconds from now; undefined if it
 * is neither.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Math.round(Number(text) * 1000);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
