// Metrics of caches, distinguished by the label `cache`; those of all threads are added up.
import type { Metrics } from '../../ops/metrics.js';

export interface CacheCounts {
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/** `caches`: how to read the counts of each. */
export function observeCaches(
  metrics: Metrics,
  caches: Readonly<Record<string, () => CacheCounts>>,
): void {
  const readers = (member: keyof CacheCounts): Readonly<Record<string, () => number>> =>
    Object.fromEntries(
      Object.entries(caches).map(([cache, counts]) => [cache, () => counts()[member]]),
    );
  metrics.observeEach('quarry_cache_bytes', 'Bytes that a cache holds.', 'cache', readers('bytes'));
  metrics.countEach('quarry_cache_hits_total', 'Answers from a cache.', 'cache', readers('hits'));
  metrics.countEach(
    'quarry_cache_misses_total',
    'Answers that a cache lacked.',
    'cache',
    readers('misses'),
  );
}
