// How long to wait before another try, and what a service asks for itself by `Retry-After`.

const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** A service that asks for more is not waited for. */
export const LONGEST_RETRY_AFTER_MS = 30_000;

/**
 * Before try `attempt` (the first repetition is 1): doubling from FIRST_MS up to LONGEST_MS, of which a random share
 * between a half and the whole is waited, so that those who failed together do not come back together.
 */
export function backOffMs(attempt: number, random: () => number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.round(whole * (0.5 + random() / 2));
}

/** Seconds or a date (RFC 9110, 10.2.3) to milliseconds from now; undefined when it says neither. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Math.round(Number(text) * 1000);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
