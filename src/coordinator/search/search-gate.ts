// Limits the number of concurrent searches of a thread.
import type { LiveConfig } from '../../ops/live-config.js';
import type { MemoryGuard } from '../../ops/memory-guard.js';
import type { Metrics } from '../../ops/metrics.js';
import { Gate } from '../shards/gate.js';

export interface SearchGateOptions {
  readonly live: LiveConfig;
  readonly guard: Pick<MemoryGuard, 'check'>;
  readonly metrics: Metrics;
}

export function searchGate({ live, guard, metrics }: SearchGateOptions): Gate {
  return new Gate({
    what: 'searches',
    setting: 'limits.max_concurrent_searches',
    limit: () => live.get('limits.max_concurrent_searches'),
    guard: () => guard.check('search'),
    onRefusal: () => metrics.rejected.inc({ kind: 'search' }),
  });
}
