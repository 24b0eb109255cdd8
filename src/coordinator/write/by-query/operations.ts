// Operations over many documents (reindex, update and delete by query) and on whole indexes:
// started, listed, throttled and cancelled as tasks.
import type {
  BackgroundWork,
  ByQueryRequest,
  IndexOptions,
  JsonObject,
  Operations,
  ReindexTarget,
  RemoteSource,
  SearchContextBackend,
  TaskFilter,
} from '../../../backend/index.js';
import { QuarryError } from '../../../errors.js';
import { compileUpdateScript } from '../../../query/update-script/script.js';
import type { RemoteReaders } from './remote-readers.js';
import { Run, type RunOptions, type ScrollReader } from './run.js';
import { printParts, Status } from './status.js';
import { TaskTable } from './task-table.js';

export interface OperationsOptions extends RunOptions {
  readonly searchContexts: SearchContextBackend;
  readonly remotes: RemoteReaders;
  /** The names and shards of the indexes of an expression. */
  readonly resolve: (
    expression: string,
    options: IndexOptions,
  ) => readonly { readonly name: string; readonly shards: number }[];
  /** The index that a write to this name goes to; undefined: it would be created. */
  readonly writtenTo: (name: string) => string | undefined;
  /** The value of limits.body_bytes. */
  readonly mostScriptCharacters: () => number;
}

const ACTIONS = {
  delete: 'indices:data/write/delete/byquery',
  update: 'indices:data/write/update/byquery',
  reindex: 'indices:data/write/reindex',
} as const;

/** Actions that can be throttled. */
const ACTION_NAMES: ReadonlySet<string> = new Set(Object.values(ACTIONS));
/** Maximum number of concurrent tasks on whole indexes. */
const MOST_BACKGROUND = 64;

/** More slices would wait for each other and not for the engine. */
const MOST_AUTO_SLICES = 20;

export class LocalOperations implements Operations {
  readonly #options: OperationsOptions;
  readonly #tasks: TaskTable;
  readonly #results = new Set<Promise<unknown>>();
  #background = 0;

  constructor(options: OperationsOptions) {
    this.#options = options;
    this.#tasks = new TaskTable(options.nowMs, () => performance.now());
  }

  start(request: ByQueryRequest): ReturnType<Operations['start']> {
    const { change, search } = request;
    const script =
      change.kind === 'delete' || change.script === undefined
        ? undefined
        : compileUpdateScript(change.script, this.#options.mostScriptCharacters);
    if (change.kind === 'reindex') {
      this.#checkAlias(change.dest);
      if (request.remote === undefined) {
        this.#refuseSameIndex(search.index, change.dest.index, search);
      }
    }
    const slices = this.#slices(request);
    const remote =
      request.remote && this.#options.remotes.open(request.remote, search.index, slices);
    const parts = Array.from({ length: slices }, () => new Status(change.kind));
    const { slice } = search.body ?? {};
    const status = (perSecond: number): JsonObject =>
      printParts(change.kind, parts, perSecond, slice);
    const spec = {
      action: ACTIONS[change.kind],
      description: describe(request),
      requestsPerSecond: request.requestsPerSecond,
      status,
    };
    const started = this.#tasks.run(spec, async (task) => {
      const readerOf = (part: Status): ScrollReader =>
        remote?.reader(task, part) ?? localReader(this.#options.searchContexts, search);
      try {
        return await new Run(this.#options, request, script, task, parts, readerOf).all();
      } finally {
        await remote?.close();
      }
    });
    this.#keep(started.result);
    return started;
  }

  begin({ action, description, run }: BackgroundWork): ReturnType<Operations['begin']> {
    if (this.#background >= MOST_BACKGROUND) {
      throw new QuarryError(
        'es_rejected_execution_exception',
        `[${MOST_BACKGROUND}] tasks of whole indexes run already, wait for one of them`,
      );
    }
    this.#background += 1;
    const spec = { action, description, requestsPerSecond: Infinity, status: () => ({}) };
    const { id, result } = this.#tasks.run(spec, async (task) => ({
      body: await run(() => task.cancelled),
    }));
    this.#keep(
      result.finally(() => {
        this.#background -= 1;
      }),
    );
    return { id };
  }

  #keep(result: Promise<unknown>): void {
    const ended = result.catch(() => {}).finally(() => this.#results.delete(ended));
    this.#results.add(ended);
  }

  running(filter: TaskFilter): readonly JsonObject[] {
    return this.#tasks.matching(filter).map((task) => this.#tasks.print(task));
  }
  task(id: number): JsonObject | undefined {
    return this.#tasks.lookUp(id);
  }
  async ended(id: number, timeoutMs: number): Promise<void> {
    await this.#tasks.find(id)?.ended(timeoutMs);
  }
  cancel(which: number | TaskFilter): readonly JsonObject[] {
    const task = typeof which === 'number' ? this.#tasks.find(which) : undefined;
    const tasks =
      typeof which === 'number' ? (task === undefined ? [] : [task]) : this.#tasks.matching(which);
    for (const one of tasks) one.cancel();
    return tasks.map((one) => this.#tasks.print(one));
  }
  rethrottle(id: number, requestsPerSecond: number): JsonObject | undefined {
    const found = this.#tasks.find(id);
    const task = ACTION_NAMES.has(found?.spec.action ?? '') ? found : undefined;
    task?.rethrottle(requestsPerSecond);
    return task && this.#tasks.print(task);
  }

  /** Ends running tasks after their current batch, and waits for that. */
  async close(): Promise<void> {
    for (const task of this.#tasks.running) task.cancel();
    await Promise.all(this.#results);
  }

  #slices({ slices, search, remote }: ByQueryRequest): number {
    if (slices !== 'auto') return slices;
    if (remote !== undefined) return 1;
    const shards = this.#options.resolve(search.index, search).map((index) => index.shards);
    return Math.max(1, Math.min(MOST_AUTO_SLICES, ...shards));
  }

  #checkAlias({ index, requireAlias }: ReindexTarget): void {
    if (!requireAlias) return;
    const written = this.#options.writtenTo(index);
    if (written !== undefined && written !== index) return;
    throw new QuarryError(
      'index_not_found_exception',
      `no such index [${index}] and [require_alias] request flag is [true] and [${index}] is not an alias`,
    );
  }

  #refuseSameIndex(from: string, to: string, options: IndexOptions): void {
    const read = this.#options.resolve(from, options).map(({ name }) => name);
    const written = this.#options.writtenTo(to);
    if (written === undefined || !read.includes(written)) return;
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: reindex cannot write into an index its reading from [${written}];`,
    );
  }
}

function localReader(
  searchContexts: SearchContextBackend,
  search: ByQueryRequest['search'],
): ScrollReader {
  return {
    start: (body, keepAlive) => searchContexts.startScroll({ ...search, body }, keepAlive),
    next: (id, keepAlive) => searchContexts.nextBatch(id, keepAlive),
    clear: async (id) => {
      searchContexts.clearScrolls([id]);
    },
  };
}

function describe({ search, change, remote }: ByQueryRequest): string {
  if (change.kind === 'reindex') {
    const from = `${remoteText(remote)}[${search.index}]`;
    return `reindex from ${from} to [${change.dest.index}]`;
  }
  const scripted = change.kind === 'update' && change.script !== undefined;
  return `${change.kind}-by-query [${search.index}]${scripted ? ' updated with a script' : ''}`;
}

/** Without credentials. */
function remoteText(remote: RemoteSource | undefined): string {
  return remote === undefined ? '' : `[${remote.host}]`;
}
