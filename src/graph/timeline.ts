// Counts the links that began and ended over time, in at most 60 equal buckets.
import type { LinkCounts } from '../backend/index.js';

export const HOUR_MS = 3_600_000;

const MAX_BUCKETS = 60;
const DAY_HOURS = 24;
/** Interval names and their hours; beyond the last one its multiples by powers of two are used. */
const STEPS: readonly (readonly [name: string, hours: number])[] = [
  ['1h', 1],
  ['6h', 6],
  ['1d', DAY_HOURS],
  ['7d', 7 * DAY_HOURS],
  ['30d', 30 * DAY_HOURS],
  ['365d', 365 * DAY_HOURS],
];

export interface Timeline {
  /** Null: there is nothing to show. */
  readonly interval: string | null;
  readonly buckets: readonly {
    readonly at: number;
    readonly created: number;
    readonly retired: number;
  }[];
}

/** Includes empty buckets, so that the distance in time between buckets is constant. */
export function timelineOf({ created, ended }: Pick<LinkCounts, 'created' | 'ended'>): Timeline {
  const hours = [...created.keys(), ...ended.keys()];
  if (hours.length === 0) return { interval: null, buckets: [] };
  const first = hours.reduce((a, b) => Math.min(a, b));
  const last = hours.reduce((a, b) => Math.max(a, b));
  const [name, step] = stepFor(first, last);
  const start = Math.floor(first / step);
  const buckets = Array.from({ length: Math.floor(last / step) - start + 1 }, (_, i) => ({
    at: (start + i) * step * HOUR_MS,
    created: 0,
    retired: 0,
  }));
  for (const [hour, links] of created)
    add(buckets, Math.floor(hour / step) - start, 'created', links);
  for (const [hour, links] of ended)
    add(buckets, Math.floor(hour / step) - start, 'retired', links);
  return { interval: name, buckets };
}

function add(
  buckets: readonly { created: number; retired: number }[],
  at: number,
  kind: 'created' | 'retired',
  links: number,
): void {
  const bucket = buckets[at];
  if (bucket !== undefined) bucket[kind] += links;
}

function stepFor(first: number, last: number): readonly [name: string, hours: number] {
  const fits = (hours: number): boolean =>
    Math.floor(last / hours) - Math.floor(first / hours) < MAX_BUCKETS;
  const step = STEPS.find(([, hours]) => fits(hours));
  if (step !== undefined) return step;
  let years = 2;
  while (!fits(years * 365 * DAY_HOURS)) years *= 2;
  return [`${years * 365}d`, years * 365 * DAY_HOURS];
}
