// Inline execution: a task is attempted on the thread of its request within a small budget of
// processor time. Most searches end within it and save the transfer to another thread and back;
// otherwise the same plan goes to the pool of shard workers. The cost of a search is predicted only
// by whether similar attempts were in vain.
import type { Addon } from '../../native/addon.js';
import type { Metrics } from '../../ops/metrics.js';
import { magnitude, mixed, planShape } from '../../wire/plan-shape.js';
import type { FetchTask, GetTask, ShardRef } from '../../worker/tasks.js';
import { AttemptPredictor } from './attempt-predictor.js';
import type { EngineUse } from './engine-use.js';

/**
 * Processor time of an attempt, in microseconds. The elapsed time may be four times as long. The
 * transfer to the pool and back takes the thread as long as half a millisecond of searching when
 * the processors are busy.
 */
const BUDGET_US = 1000;
/** Maximum number of shards of an attempt. */
const SHARDS = 8;
/**
 * Maximum number of bytes of a plan, room for a vector of 4,096 dimensions: the core compiles it
 * whole before it looks at the budget. A phrase of 60 KB takes 240 ms, one of 20 KB 30.
 */
const PLAN_BYTES = 20_480;
/** Maximum number of documents read by id in one attempt. */
const DOCUMENTS = 10;

export interface InlineExecutionOptions {
  readonly core: Pick<Addon, 'search' | 'fetch' | 'get'>;
  readonly engineUse: EngineUse;
}

/** One per thread. */
export class InlineExecution {
  readonly #options: InlineExecutionOptions;
  readonly #predictor: AttemptPredictor;
  /** Number of tasks by outcome; all except the answered ones went to the pool. */
  readonly counts = { answered: 0, in_vain: 0, predicted: 0, cold: 0, failed: 0 };

  constructor(options: InlineExecutionOptions) {
    this.#options = options;
    this.#predictor = new AttemptPredictor(options.engineUse.attempts);
  }

  /**
   * The reply of the core. Undefined if the task has to go to the pool: some index is cold, the
   * budget was not enough, or the task failed, in which case the pool reports the error.
   */
  search(shards: readonly ShardRef[], plan: Uint8Array): ArrayBuffer | undefined {
    const kind = this.#kindOf(shards, plan);
    if (!this.#isWorthwhile(kind)) return undefined;
    const { core } = this.#options;
    const reply = this.#attempt(kind, () =>
      core.search(encodeShards(shards), plan, 0, 0, BUDGET_US),
    );
    if (reply !== undefined) this.used(shards);
    return reply;
  }

  /** Whether search() will most likely reply. */
  isLikely(shards: readonly ShardRef[], plan: Uint8Array): boolean {
    const kind = this.#kindOf(shards, plan);
    return kind !== undefined && this.#predictor.isLikely(kind);
  }

  /** The reply of the core to the fetch of some documents; undefined as for search(). */
  fetch({ index, shard, generation, docs }: FetchTask, plan: Uint8Array): ArrayBuffer | undefined {
    const kind = this.#options.engineUse.isWarm(index)
      ? mixed(mixed(planShape(plan), index), magnitude(docs.length))
      : undefined;
    if (!this.#isWorthwhile(kind)) return undefined;
    const { core } = this.#options;
    return this.#attempt(kind, () =>
      core.fetch(index, shard, generation, docs, plan, 0, 0, BUDGET_US),
    );
  }

  /** A few documents by their ids; undefined as for search(). */
  get(tasks: readonly GetTask[]): readonly ArrayBuffer[] | undefined {
    const { core, engineUse } = this.#options;
    // Reading a document by id waits for a write of its shard.
    if (tasks.length > DOCUMENTS || engineUse.writes > 0) return undefined;
    if (tasks.some(({ index }) => !engineUse.isWarm(index))) return undefined;
    try {
      return tasks.map(({ index, id, routing, realtime, plan }) =>
        core.get(index, id, routing, realtime, plan),
      );
    } catch {
      return undefined;
    }
  }

  /** Marks the indexes of these shards as warm: a task of them has ended, on any thread. */
  used(shards: readonly Pick<ShardRef, 'index'>[]): void {
    let last = -1;
    for (const { index } of shards) {
      if (index !== last) this.#options.engineUse.used(index);
      last = index;
    }
  }

  /** Undefined if there are too many shards, if the plan is too long, or if some index is cold. */
  #kindOf(shards: readonly ShardRef[], plan: Uint8Array): number | undefined {
    if (shards.length > SHARDS || plan.length > PLAN_BYTES) return undefined;
    let kind = planShape(plan);
    for (const { index } of shards) {
      if (!this.#options.engineUse.isWarm(index)) return undefined;
      kind = mixed(kind, index);
    }
    return kind;
  }

  /** `kind`: undefined if #kindOf() knows that an attempt would be in vain. */
  #isWorthwhile(kind: number | undefined): kind is number {
    if (kind === undefined) {
      this.counts.cold += 1;
      return false;
    }
    if (this.#predictor.isWorthwhile(kind)) return true;
    this.counts.predicted += 1;
    return false;
  }

  #attempt(kind: number, work: () => ArrayBuffer | undefined): ArrayBuffer | undefined {
    try {
      const reply = work();
      const inVain = reply === undefined;
      this.#predictor.ended(kind, inVain);
      this.counts[inVain ? 'in_vain' : 'answered'] += 1;
      return reply;
    } catch {
      this.counts.failed += 1;
      return undefined;
    }
  }
}

/** Adds the counts of this thread to the metrics, which sum those of all threads. */
export function observeAttempts({ counts }: InlineExecution, metrics: Metrics): void {
  const outcomes = Object.keys(counts) as (keyof typeof counts)[];
  metrics.observeEach(
    'quarry_inline_attempts',
    'Tasks of searches that were to be tried inline, by what became of them.',
    'outcome',
    Object.fromEntries(outcomes.map((outcome) => [outcome, () => counts[outcome]])),
  );
}

/** Pairs of index number and shard. */
export function encodeShards(shards: readonly ShardRef[]): Uint32Array {
  const pairs = new Uint32Array(shards.length * 2);
  for (const [i, shard] of shards.entries()) {
    pairs[2 * i] = shard.index;
    pairs[2 * i + 1] = shard.shard;
  }
  return pairs;
}
