// The running operations, and for some time the results of ended ones, as `_tasks` shows them.
import type { JsonObject, TaskFilter } from '../../../backend/index.js';
import { wildcardMatch } from '../../../base/wildcard.js';
import { toEnvelope } from '../../../errors.js';

/** Number of ended tasks whose results are kept, and for how long. */
const MOST_ENDED = 200;
const ENDED_KEPT_MS = 86_400_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface TaskSpec {
  readonly action: string;
  readonly description: string;
  readonly status: (requestsPerSecond: number) => JsonObject;
  readonly requestsPerSecond: number;
}

/** The start in wall-clock time and on a monotonic clock. */
interface StartTime {
  readonly wallMs: number;
  readonly ms: number;
}

/** A task that was started. */
export class Task {
  readonly id: number;
  readonly spec: TaskSpec;
  readonly started: StartTime;
  #requestsPerSecond: number;
  readonly #cancellation = new AbortController();
  /** Resolvers of pauses, which end when the rate changes. */
  #waiting: (() => void)[] = [];
  #atEnd: (() => void)[] = [];

  constructor(id: number, spec: TaskSpec, started: StartTime) {
    this.id = id;
    this.spec = spec;
    this.started = started;
    this.#requestsPerSecond = spec.requestsPerSecond;
  }

  /** Aborted when the task is cancelled. */
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }
  get cancelled(): boolean {
    return this.signal.aborted;
  }
  get requestsPerSecond(): number {
    return this.#requestsPerSecond;
  }
  cancel(): void {
    this.#cancellation.abort();
    this.#wake();
  }
  end(): void {
    for (const tell of this.#atEnd.splice(0)) tell();
  }
  /** Resolves when the task has ended, or after the timeout. */
  ended(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(timeoutMs, MAX_TIMER_MS));
      this.#atEnd.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  rethrottle(requestsPerSecond: number): void {
    this.#requestsPerSecond = requestsPerSecond;
    this.#wake();
  }

  /**
   * Waits until `requests` since `from` do not exceed the rate, which may change meanwhile; returns
   * immediately when cancelled. Resolves to the milliseconds waited, 0 if there was no need to
   * wait.
   */
  async paced(requests: number, from: number, now: () => number): Promise<number> {
    const began = now();
    for (let waited = 0; ; waited = now() - began) {
      const left = from + (requests / this.#requestsPerSecond) * 1000 - now();
      if (!(left > 0) || this.cancelled) return waited;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, MAX_TIMER_MS));
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

interface EndedTask {
  readonly task: JsonObject;
  readonly outcome: JsonObject;
  readonly endedMs: number;
}

export class TaskTable {
  readonly #nowMs: () => number;
  readonly #now: () => number;
  readonly #running = new Map<number, Task>();
  readonly #ended = new Map<number, EndedTask>();
  #last = 0;

  /**
   * `nowMs`: wall clock, for start times. `now`: milliseconds of a monotonic clock, for durations.
   */
  constructor(nowMs: () => number, now: () => number) {
    this.#nowMs = nowMs;
    this.#now = now;
  }

  /** Runs `work` and keeps its result. */
  run<T extends { readonly body: JsonObject }>(
    spec: TaskSpec,
    work: (task: Task) => Promise<T>,
  ): { readonly id: number; readonly result: Promise<T> } {
    this.#last += 1;
    const task = new Task(this.#last, spec, { wallMs: this.#nowMs(), ms: this.#now() });
    this.#running.set(task.id, task);
    const result = work(task).then(
      (value) => {
        this.#end(task, { response: value.body });
        return value;
      },
      (error: unknown) => {
        this.#end(task, { error: toEnvelope(error).error as unknown as JsonObject });
        throw error;
      },
    );
    // Prevents an unhandled rejection if the caller does not wait for the result.
    result.catch(() => {});
    return { id: task.id, result };
  }

  get running(): readonly Task[] {
    return [...this.#running.values()];
  }
  find(id: number): Task | undefined {
    return this.#running.get(id);
  }
  matching({ actions }: TaskFilter): readonly Task[] {
    return this.running.filter(
      ({ spec }) =>
        actions.length === 0 || actions.some((pattern) => wildcardMatch(pattern, spec.action)),
    );
  }

  /** The response of `GET _tasks/{id}`. */
  lookUp(id: number): JsonObject | undefined {
    const task = this.#running.get(id);
    if (task !== undefined) return { completed: false, task: this.print(task) };
    this.#forget();
    const ended = this.#ended.get(id);
    return ended && { completed: true, task: ended.task, ...ended.outcome };
  }

  print(task: Task): JsonObject {
    const { id, spec, started, cancelled } = task;
    return {
      id,
      type: 'transport',
      action: spec.action,
      status: spec.status(task.requestsPerSecond),
      description: spec.description,
      start_time_in_millis: started.wallMs,
      running_time_in_nanos: Math.round(Math.max(0, this.#now() - started.ms) * 1e6),
      cancellable: true,
      cancelled,
      headers: {},
    };
  }

  #end(task: Task, outcome: JsonObject): void {
    this.#running.delete(task.id);
    task.end();
    this.#ended.set(task.id, {
      task: this.print(task),
      outcome,
      endedMs: this.#now(),
    });
    this.#forget();
  }

  #forget(): void {
    const before = this.#now() - ENDED_KEPT_MS;
    for (const [id, { endedMs }] of this.#ended) {
      if (this.#ended.size <= MOST_ENDED && endedMs > before) return;
      this.#ended.delete(id);
    }
  }
}
