// Scopes of searches over a fake pool: cancellations are recorded, and the clock stands still.
import type { WorkerPool } from '../../src/coordinator/shards/pools.ts';
import { PoolScopes } from '../../src/coordinator/shards/scoped-pool.ts';
import { InFlight } from '../../src/ops/in-flight.ts';

export interface FakeScopesOptions {
  readonly cancelled?: number[];
  readonly nowUs?: number;
  readonly inFlight?: InFlight;
}

/** Allows any number of requests, and up to `maxBytes`. */
export function roomyInFlight(maxBytes = Number.POSITIVE_INFINITY): InFlight {
  return new InFlight({
    maxRequests: () => Number.POSITIVE_INFINITY,
    maxBytes: () => maxBytes,
    onRefusal: () => {},
  });
}

export function fakeScopes(pool: WorkerPool, options: FakeScopesOptions = {}): PoolScopes {
  const { cancelled = [], nowUs = 0, inFlight = roomyInFlight() } = options;
  return new PoolScopes({
    pool,
    core: { cancel: (token) => cancelled.push(token), steadyMicros: () => nowUs },
    reserve: () => inFlight.hold(),
  });
}
