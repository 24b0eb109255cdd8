// A pool without threads for tests: tasks are answered by functions of the test, and recorded.

import type { WorkerPool } from '../../src/coordinator/shards/pools.ts';
import { QuarryError } from '../../src/errors.ts';
import type { TaskArgs, TaskName, TaskResult } from '../../src/worker/tasks.ts';

type Handlers = {
  [N in TaskName]?: (args: TaskArgs<N>) => TaskResult<N> | Promise<TaskResult<N>>;
};

export class FakePool implements WorkerPool {
  readonly threads = 2;
  readonly queued = 0;
  idle = 1;
  readonly calls: { readonly name: TaskName; readonly args: unknown }[] = [];
  readonly #handlers: Handlers;
  readonly #failing = new Map<TaskName, QuarryError>();

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  async run<N extends TaskName>(name: N, args: TaskArgs<N>): Promise<TaskResult<N>> {
    this.calls.push({ name, args });
    const failure = this.#failing.get(name);
    if (failure !== undefined) throw failure;
    const handler = this.#handlers[name];
    if (handler === undefined) throw new Error(`the test has no answer for task ${name}`);
    return handler(args);
  }

  async close(): Promise<void> {}

  /** Fails all following tasks of the name. */
  fail(name: TaskName, error: QuarryError): void {
    this.#failing.set(name, error);
  }

  named<N extends TaskName>(name: N): TaskArgs<N>[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.args as TaskArgs<N>);
  }
}

/** Error type numbers of the tests. */
export const ERROR_NUMBERS = {
  query_shard_exception: 1,
  search_context_missing_exception: 2,
  illegal_argument_exception: 3,
  corrupt_index_exception: 4,
  version_conflict_engine_exception: 5,
} as const;

export function toError(errorType: number, reason: string): QuarryError {
  const names = Object.keys(ERROR_NUMBERS) as (keyof typeof ERROR_NUMBERS)[];
  const type = names.find((name) => ERROR_NUMBERS[name] === errorType);
  return new QuarryError(type ?? 'internal_server_error', reason);
}

/** An index as the engine describes it. */
export function description(
  name: string,
  number: number,
  more: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    name,
    number,
    uuid: `uuid-${name}`,
    number_of_shards: 1,
    creation_date: 17,
    settings: {},
    aliases: {},
    mappings: {},
    ...more,
  });
}
