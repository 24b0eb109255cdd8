// Whether the node accepts requests: starting (the write-ahead log is replayed), ready, draining.
// Probes and data routes read it.

import type { Metrics } from './metrics.js';

export type NodeState = 'starting' | 'ready' | 'draining';

export interface ReplayProgress {
  readonly shardsTotal: number;
  readonly shardsDone: number;
}

/** Operations of the write-ahead log. */
export interface ReplayedOperations {
  readonly done: number;
  readonly total: number;
}

/** One per process. The state only advances: starting -> ready -> draining. */
export class Readiness {
  #state: NodeState = 'starting';
  #progress: ReplayProgress = { shardsTotal: 0, shardsDone: 0 };
  #operations: () => ReplayedOperations = () => ({ done: 0, total: 0 });
  #fault: string | null = null;
  readonly #startedAt: number;
  readonly #now: () => number;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  get state(): NodeState {
    return this.#state;
  }
  get progress(): ReplayProgress {
    return this.#progress;
  }
  /** Progress at this moment, also within a shard. */
  get operations(): ReplayedOperations {
    return this.#operations();
  }
  get uptimeMs(): number {
    return this.#now() - this.#startedAt;
  }

  /** Rounded down. */
  get uptimeSeconds(): number {
    return Math.floor(this.uptimeMs / 1000);
  }
  /** Why a running node is not ready (such as a failed sync of the log), or null. */
  get fault(): string | null {
    return this.#fault;
  }

  replaying(progress: ReplayProgress): void {
    this.#progress = progress;
  }
  /** `read` is called at every request for the progress. */
  replayingOperations(read: () => ReplayedOperations): void {
    this.#operations = read;
  }
  ready(): void {
    if (this.#state === 'starting') this.#state = 'ready';
  }
  draining(): void {
    this.#state = 'draining';
  }
  /** Permanent: readiness answers 503 until a restart, reads continue. */
  failed(reason: string): void {
    this.#fault ??= reason;
  }
}

export function observeReadiness(metrics: Metrics, readiness: Readiness): void {
  metrics.observe('quarry_ready', '1 while the node takes requests.', () =>
    readiness.state === 'ready' && readiness.fault === null ? 1 : 0,
  );
  metrics.observe(
    'quarry_writes_stopped',
    '1 after a failed write or sync of the data: writes are refused until a restart.',
    () => (readiness.fault === null ? 0 : 1),
  );
}
