// Operations over many documents: a scroll is read batch by batch, each batch goes through the ordinary write path, and
// what became of it is counted. Slices of one operation run beside each other.
import { setTimeout as pause } from 'node:timers/promises';
import type {
  BulkRequest,
  BulkResult,
  ByQueryRequest,
  ByQueryResult,
  IndexOptions,
  JsonObject,
  LastingSearches,
  Operations,
  SearchHit,
  SearchResult,
  TaskFilter,
} from '../../backend.js';
import { QuarryError } from '../../errors.js';
import { compileUpdateScript, type UpdateScript } from '../../query/update-script/script.js';
import { parseTimeValue } from '../time-value.js';
import { bulkLines } from './bulk-lines.js';
import { printFailure, Status } from './status.js';
import { type Task, TaskTable } from './task-table.js';

export interface OperationsOptions {
  readonly lasting: LastingSearches;
  readonly bulk: (request: BulkRequest) => Promise<BulkResult>;
  readonly refresh: (expression: string) => Promise<unknown>;
  /** The names and shards of what is written to and read from. */
  readonly resolve: (
    expression: string,
    options: IndexOptions,
  ) => readonly { readonly name: string; readonly shards: number }[];
  readonly nowMs: () => number;
}

const ACTIONS = {
  delete: 'indices:data/write/delete/byquery',
  update: 'indices:data/write/update/byquery',
  reindex: 'indices:data/write/reindex',
} as const;

/** A full write queue is tried again, less and less often. */
const RETRIES = 12;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 20 * 3_600_000;
/** Above it, slices wait for each other and not for the engine. */
const MOST_AUTO_SLICES = 20;

export class LocalOperations implements Operations {
  readonly #options: OperationsOptions;
  readonly #tasks: TaskTable;
  readonly #results = new Set<Promise<unknown>>();

  constructor(options: OperationsOptions) {
    this.#options = options;
    this.#tasks = new TaskTable(options.nowMs);
  }

  start(request: ByQueryRequest): ReturnType<Operations['start']> {
    const { change, search } = request;
    const script =
      change.kind === 'delete' || change.script === undefined
        ? undefined
        : compileUpdateScript(change.script);
    if (change.kind === 'reindex') this.#refuseSameIndex(search.index, change.dest.index, search);
    const slices = this.#slices(request);
    const parts = Array.from({ length: slices }, () => new Status(change.kind));
    const status = (perSecond: number): JsonObject => print(change.kind, parts, perSecond);
    const spec = {
      action: ACTIONS[change.kind],
      description: describe(request),
      requestsPerSecond: request.requestsPerSecond,
      status,
    };
    const started = this.#tasks.run(spec, (task) =>
      new Run(this.#options, request, script, task, parts).all(),
    );
    const ended = started.result.catch(() => {}).finally(() => this.#results.delete(ended));
    this.#results.add(ended);
    return started;
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
    const task = this.#tasks.find(id);
    task?.rethrottle(requestsPerSecond);
    return task && this.#tasks.print(task);
  }

  /** Ends what runs after its batch, and waits for that. */
  async close(): Promise<void> {
    for (const task of this.#tasks.running) task.cancel();
    await Promise.all(this.#results);
  }

  #slices({ slices, search }: ByQueryRequest): number {
    if (slices !== 'auto') return slices;
    const shards = this.#options.resolve(search.index, search).map((index) => index.shards);
    return Math.max(1, Math.min(MOST_AUTO_SLICES, ...shards));
  }

  #refuseSameIndex(from: string, to: string, options: IndexOptions): void {
    const read = this.#options.resolve(from, options).map(({ name }) => name);
    const written = this.#options
      .resolve(to, { ignoreUnavailable: true })
      .find(({ name }) => read.includes(name));
    if (written === undefined) return;
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: reindex cannot write into an index its reading from [${written.name}];`,
    );
  }
}

/** One operation. */
class Run {
  readonly #options: OperationsOptions;
  readonly #request: ByQueryRequest;
  readonly #script: UpdateScript | undefined;
  readonly #task: Task;
  readonly #parts: readonly Status[];
  readonly #written = new Set<string>();
  #stopped = false;

  constructor(
    options: OperationsOptions,
    request: ByQueryRequest,
    script: UpdateScript | undefined,
    task: Task,
    parts: readonly Status[],
  ) {
    this.#options = options;
    this.#request = request;
    this.#script = script;
    this.#task = task;
    this.#parts = parts;
  }

  async all(): Promise<ByQueryResult> {
    const started = performance.now();
    const outcomes = await Promise.allSettled(this.#parts.map((part, i) => this.#slice(part, i)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (this.#request.refresh && this.#written.size > 0) {
      await this.#options.refresh([...this.#written].join(','));
    }
    const { kind } = this.#request.change;
    const { failures } = Status.sum(kind, this.#parts);
    const body = {
      took: Math.round(performance.now() - started),
      timed_out: false,
      ...print(kind, this.#parts, this.#task.requestsPerSecond),
      ...(this.#task.cancelled ? { canceled: 'by user request' } : {}),
      failures: failures.map(printFailure),
    };
    return { status: Math.max(200, ...failures.map(({ status }) => status)), body };
  }

  async #slice(part: Status, number: number): Promise<void> {
    const { search } = this.#request;
    const { lasting } = this.#options;
    const keepAlive = this.#keepAlive();
    const most = this.#share(number);
    let page = await lasting.startScroll({ ...search, body: this.#body(number) }, keepAlive);
    const id = page.scrollId ?? '';
    try {
      part.total = Math.min(most, page.total?.value ?? 0);
      while (page.hits.length > 0 && !this.#ended()) {
        const started = performance.now();
        checkWhole(page);
        const hits = page.hits.slice(0, most - part.changed);
        part.batches += 1;
        await this.#apply(hits, part);
        if (part.changed >= most || this.#ended()) return;
        const before = performance.now();
        await this.#task.paced(hits.length * this.#parts.length, started, () => performance.now());
        part.throttledMs += performance.now() - before;
        if (this.#ended()) return;
        page = await lasting.nextBatch(id, keepAlive);
      }
    } catch (error) {
      this.#stopped = true;
      throw error;
    } finally {
      lasting.clearScrolls([id]);
    }
  }

  /** A scroll lives through the pause behind its batch. */
  #keepAlive(): string {
    const { keepAlive, batchSize, requestsPerSecond } = this.#request;
    const pauseMs = ((batchSize * this.#parts.length) / requestsPerSecond) * 1000;
    const ms = parseTimeValue(keepAlive, 'scroll') + Math.min(pauseMs, LONGEST_PAUSE_MS);
    return `${Math.ceil(ms)}ms`;
  }

  #ended(): boolean {
    return this.#stopped || this.#task.cancelled;
  }

  /** Of max_docs: all slices together change no more; what conflicts or is left alone does not count. */
  #share(slice: number): number {
    const { maxDocs } = this.#request;
    if (maxDocs === undefined) return Number.POSITIVE_INFINITY;
    const slices = this.#parts.length;
    return Math.floor(maxDocs / slices) + (slice < maxDocs % slices ? 1 : 0);
  }

  #body(slice: number): JsonObject {
    const { search, change, batchSize } = this.#request;
    const slices = this.#parts.length;
    return {
      sort: ['_doc'],
      ...search.body,
      ...(change.kind === 'delete' ? { _source: false } : {}),
      size: Math.min(batchSize, this.#share(slice)),
      version: true,
      seq_no_primary_term: true,
      ...(slices > 1 ? { slice: { id: slice, max: slices } } : {}),
    };
  }

  async #apply(hits: readonly SearchHit[], part: Status): Promise<void> {
    const { change } = this.#request;
    const lines = bulkLines(hits, change, this.#script, this.#options.nowMs());
    part.noops += lines.noops;
    if (lines.operations === 0) return;
    const { items } = await this.#write(lines.body, part);
    for (const item of items) {
      if (!('error' in item)) {
        this.#written.add(item.index);
        if (item.op === 'delete') part.deleted += 1;
        else if (item.result === 'created') part.created += 1;
        else part.updated += 1;
        continue;
      }
      const conflict = item.error.type === 'version_conflict_engine_exception';
      if (conflict) part.versionConflicts += 1;
      if (conflict && this.#request.conflicts === 'proceed') continue;
      part.fail(item);
      this.#stopped = true;
    }
  }

  async #write(body: Uint8Array, part: Status): Promise<BulkResult> {
    for (let left = RETRIES, wait = FIRST_PAUSE_MS; ; left--, wait *= 1.5) {
      try {
        return await this.#options.bulk({ body, refresh: 'false' });
      } catch (error) {
        if (!isPassing(error) || left === 0 || this.#task.cancelled) throw error;
        part.bulkRetries += 1;
        await pause(wait);
      }
    }
  }
}

/** A full queue, or too little memory for now. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof QuarryError)) return false;
  return ['es_rejected_execution_exception', 'circuit_breaking_exception'].includes(error.type);
}

/** Documents of a shard that failed would be left out without a word. */
function checkWhole({ shards }: SearchResult): void {
  const [failure] = shards.failures ?? [];
  if (failure === undefined) return;
  throw new QuarryError(
    'search_phase_execution_exception',
    `shard [${failure.shard}] of [${failure.index}] failed: ${failure.reason.reason}`,
    { status: 503 },
  );
}

function print(kind: Status['kind'], parts: readonly Status[], perSecond: number): JsonObject {
  const counts = Status.sum(kind, parts).counts(perSecond);
  if (parts.length === 1) return counts;
  const slices = parts.map((part, slice_id) => ({ slice_id, ...part.counts(perSecond) }));
  return { ...counts, slices };
}

function describe({ search, change }: ByQueryRequest): string {
  if (change.kind === 'reindex') return `reindex from [${search.index}] to [${change.dest.index}]`;
  const scripted = change.kind === 'update' && change.script !== undefined;
  return `${change.kind}-by-query [${search.index}]${scripted ? ' updated with a script' : ''}`;
}
