// Builds the limits of accepted work from the configuration: the memory guard and the limits of
// work in flight.
import { InFlight, type InFlightOptions } from './in-flight.js';
import type { LiveConfig } from './live-config.js';
import { MemoryGuard } from './memory-guard.js';
import type { Metrics } from './metrics.js';
import { garbageCollector, memoryLimit, memoryReader } from './process-memory.js';

export interface PressureOptions {
  readonly live: LiveConfig;
  readonly metrics: Metrics;
  /** Starts to free memory. */
  readonly relieve: () => void;
  /** See InFlightOptions. */
  readonly ledger?: InFlightOptions['ledger'];
}

export interface Pressure {
  readonly guard: MemoryGuard;
  readonly inFlight: InFlight;
}

export function startPressure({ live, metrics, relieve, ledger }: PressureOptions): Pressure {
  const collectGarbage = garbageCollector();
  const guard = new MemoryGuard({
    limit: () => memoryLimit(live.get('limits.memory_bytes')),
    read: memoryReader(),
    now: () => performance.now(),
    relieve: () => {
      collectGarbage();
      relieve();
    },
    onRefusal: (kind) => metrics.rejected.inc({ kind: `${kind}_memory` }),
  });
  const inFlight = new InFlight({
    maxRequests: () => live.get('limits.max_requests'),
    maxBytes: () => live.get('limits.in_flight_bytes'),
    onRefusal: () => metrics.rejected.inc({ kind: 'request' }),
    ...(ledger === undefined ? {} : { ledger }),
  });
  const limit = 'Memory from which writes are refused.';
  metrics.observe('quarry_memory_limit_bytes', limit, () => guard.limit);
  const held = 'Bytes of request bodies and of answers that clients have not taken yet.';
  metrics.observe('quarry_in_flight_bytes', held, () => inFlight.bytes);
  return { guard, inFlight };
}
