// Whether the node may take requests: starting (log being replayed), ready, draining. Probes and the data routes read it.

import type { Metrics } from './metrics.js';

export type NodeState = 'starting' | 'ready' | 'draining';

export interface ReplayProgress {
  readonly shardsTotal: number;
  readonly shardsDone: number;
}

/** Operations of the log. */
export interface ReplayedOperations {
  readonly done: number;
  readonly total: number;
}

/** One per process. Moves forward only: starting -> ready -> draining. */
export class Readiness {
  #state: NodeState = 'starting';
  #progress: ReplayProgress = { shardsTotal: 0, shardsDone: 0 };
  #operations: () => ReplayedOperations = () => ({ done: 0, total: 0 });
  #fault: string | null = null;
  readonly #startedAt: number;
  readonly #now: () => number;

  /** `now`: milliseconds of a clock that does not go back. */
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
  /** As of now, also within a shard. */
  get operations(): ReplayedOperations {
    return this.#operations();
  }
  get uptimeMs(): number {
    return this.#now() - this.#startedAt;
  }

  /** Whole ones. */
  get uptimeSeconds(): number {
    return Math.floor(this.uptimeMs / 1000);
  }
  /** Why the node is not ready although it runs (a failed sync of the log), or null. */
  get fault(): string | null {
    return this.#fault;
  }

  replaying(progress: ReplayProgress): void {
    this.#progress = progress;
  }
  /** `read` is called whenever somebody asks. */
  replayingOperations(read: () => ReplayedOperations): void {
    this.#operations = read;
  }
  ready(): void {
    if (this.#state === 'starting') this.#state = 'ready';
  }
  draining(): void {
    this.#state = 'draining';
  }
  /** Final for the process: readiness answers 503 until a restart, reads go on. */
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
