// Thread pools that report their activity: durations of tasks, how many run and wait, and a span
// for each task if tracing is enabled.
import type { Metrics } from '../../ops/metrics.js';
import type { PoolActivity } from '../../ops/node-activity.js';
import type { Tracing } from '../../ops/tracing.js';
import type { TaskArgs, TaskName, TaskResult } from '../../worker/tasks.js';
import type { WorkerPool, WorkerPools } from './pools.js';

type ClosablePools = WorkerPools & { close(): Promise<void> };

class WatchedPool implements WorkerPool {
  readonly #name: string;
  readonly #pool: WorkerPool;
  readonly #metrics: Metrics;
  readonly #tracing: Tracing;

  constructor(name: string, pool: WorkerPool, metrics: Metrics, tracing: Tracing) {
    this.#name = name;
    this.#pool = pool;
    this.#metrics = metrics;
    this.#tracing = tracing;
  }

  /** Maximum number of threads that were busy at the same time. */
  #largest = 0;
  #completed = 0;

  get activity(): PoolActivity {
    const { threads, queued, idle } = this.#pool;
    return {
      name: this.#name,
      threads,
      active: threads - idle,
      queue: queued,
      largest: this.#largest,
      completed: this.#completed,
    };
  }
  get threads(): number {
    return this.#pool.threads;
  }
  get queued(): number {
    return this.#pool.queued;
  }
  get idle(): number {
    return this.#pool.idle;
  }
  close(): Promise<void> {
    return this.#pool.close();
  }

  async run<N extends TaskName>(
    task: N,
    args: TaskArgs<N>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<TaskResult<N>> {
    const started = performance.now();
    try {
      return await this.#tracing.run(
        `worker ${task}`,
        { 'quarry.pool': this.#name, 'quarry.waiting': this.#pool.queued },
        () => {
          const result = this.#pool.run(task, args, transfer);
          this.#largest = Math.max(this.#largest, this.#pool.threads - this.#pool.idle);
          return result;
        },
      );
    } finally {
      this.#completed += 1;
      const seconds = (performance.now() - started) / 1000;
      this.#metrics.taskSeconds.observe({ pool: this.#name, task }, seconds);
    }
  }
}

export function watchPools(
  pools: ClosablePools,
  metrics: Metrics,
  tracing: Tracing,
): ClosablePools & { activity(): readonly PoolActivity[] } {
  const of = (name: keyof WorkerPools): WatchedPool =>
    new WatchedPool(name, pools[name], metrics, tracing);
  const each = (read: (pool: WorkerPool) => number) => ({
    search: () => read(pools.search),
    write: () => read(pools.write),
    awaited: () => read(pools.awaited),
    background: () => read(pools.background),
  });
  metrics.observeEach(
    'quarry_pool_threads',
    'Threads of each pool.',
    'pool',
    each((pool) => pool.threads),
  );
  metrics.observeEach(
    'quarry_pool_tasks_waiting',
    'Tasks that wait for a thread.',
    'pool',
    each((pool) => pool.queued),
  );
  metrics.observeEach(
    'quarry_pool_threads_busy',
    'Threads that run a task.',
    'pool',
    each((pool) => pool.threads - pool.idle),
  );
  const watched = {
    search: of('search'),
    write: of('write'),
    awaited: of('awaited'),
    background: of('background'),
  };
  return {
    ...watched,
    activity: () => Object.values(watched).map((pool) => pool.activity),
    close: () => pools.close(),
  };
}
