// One operation over many documents: reads a scroll by batch, writes each batch through the
// ordinary write path, and counts the outcome. Its slices run concurrently.

import { setTimeout as pause } from 'node:timers/promises';
import type {
  BulkRequest,
  BulkResult,
  ByQueryRequest,
  ByQueryResult,
  JsonObject,
  SearchContextBackend,
  SearchHit,
  SearchResult,
} from '../../../backend/index.js';
import { runCooperatively } from '../../../base/cooperative-task.js';
import { parseTime } from '../../../base/units.js';
import { ERROR_STATUS, type ErrorType, QuarryError } from '../../../errors.js';
import type { HeldBytes } from '../../../ops/in-flight.js';
import type { UpdateScript } from '../../../query/update-script/script.js';
import { bulkLines } from './bulk-lines.js';
import { printFailure, printParts, Status } from './status.js';
import type { Task } from './task-table.js';

export interface RunOptions {
  readonly searchContexts: SearchContextBackend;
  readonly bulk: (request: BulkRequest) => Promise<BulkResult>;
  readonly refresh: (expression: string) => Promise<unknown>;
  readonly nowMs: () => number;
  /** Memory reservation for the bodies that are written. */
  readonly hold: () => HeldBytes;
}

/** The outcome of the first hits of a batch. */
interface BatchOutcome {
  readonly items: BulkResult['items'];
  readonly noops: number;
  /** Number of these hits. */
  readonly taken: number;
}

/** Retries after a full write queue, with growing pauses. */
const RETRIES = 12;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 20 * 3_600_000;

export class Run {
  readonly #options: RunOptions;
  readonly #request: ByQueryRequest;
  readonly #script: UpdateScript | undefined;
  readonly #task: Task;
  readonly #parts: readonly Status[];
  readonly #written = new Set<string>();
  #stopped = false;
  #timedOut = false;

  constructor(
    options: RunOptions,
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
      timed_out: this.#timedOut,
      ...printParts(
        kind,
        this.#parts,
        this.#task.requestsPerSecond,
        this.#request.search.body?.['slice'],
      ),
      ...(this.#task.cancelled ? { canceled: 'by user request' } : {}),
      failures: failures.map(printFailure),
    };
    return { status: Math.max(200, ...failures.map(({ status }) => status)), body };
  }

  async #slice(part: Status, number: number): Promise<void> {
    const { search } = this.#request;
    const { searchContexts } = this.#options;
    const keepAlive = this.#keepAlive();
    const most = this.#share(number);
    let page = await searchContexts.startScroll({ ...search, body: this.#body(number) }, keepAlive);
    const id = page.scrollId ?? '';
    try {
      part.total = Math.min(most, page.total?.value ?? 0);
      while (page.hits.length > 0 && !this.#ended()) {
        const started = performance.now();
        checkWhole(page);
        if (page.timedOut) {
          this.#timedOut = true;
          this.#stopped = true;
          return;
        }
        const hits = page.hits.slice(0, most - part.changed);
        part.batches += 1;
        await this.#apply(hits, part);
        if (part.changed >= most || this.#ended()) return;
        const now = (): number => performance.now();
        part.throttledMs += await this.#task.paced(hits.length * this.#parts.length, started, now);
        if (this.#ended()) return;
        page = await searchContexts.nextBatch(id, keepAlive);
      }
    } catch (error) {
      this.#stopped = true;
      throw error;
    } finally {
      await searchContexts.clearScrolls([id]);
    }
  }

  /** The scroll must survive the pause after its batch. */
  #keepAlive(): string {
    const { keepAlive, batchSize, requestsPerSecond } = this.#request;
    const pauseMs = ((batchSize * this.#parts.length) / requestsPerSecond) * 1000;
    const ms = parseTime(keepAlive, 'scroll') + Math.min(pauseMs, LONGEST_PAUSE_MS);
    return `${Math.ceil(ms)}ms`;
  }

  #ended(): boolean {
    return this.#stopped || this.#task.cancelled;
  }

  /**
   * The share of a slice in max_docs, which limits the changes of all slices together; conflicts
   * and unchanged documents do not count.
   */
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
    const nowMs = this.#options.nowMs();
    for (let at = 0; at < hits.length && !this.#stopped; ) {
      const written = await this.#write(hits.slice(at), part, nowMs);
      part.noops += written.noops;
      this.#count(written.items, part);
      at += written.taken;
    }
  }

  #count(items: BatchOutcome['items'], part: Status): void {
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

  /** A retry computes the body again, so that no memory is held during the pause. */
  async #write(hits: readonly SearchHit[], part: Status, nowMs: number): Promise<BatchOutcome> {
    for (let left = RETRIES, wait = FIRST_PAUSE_MS; ; left--, wait *= 1.5) {
      try {
        return await this.#writeOnce(hits, nowMs);
      } catch (error) {
        if (!isPassing(error) || left === 0 || this.#task.cancelled) throw error;
        part.bulkRetries += 1;
      }
      await pause(wait);
    }
  }

  async #writeOnce(hits: readonly SearchHit[], nowMs: number): Promise<BatchOutcome> {
    const { change, search } = this.#request;
    // Only a reindex script may set the index. Other operations write to the indexes in which the
    // documents were found.
    const access = change.kind === 'reindex' ? search.access : undefined;
    const held = this.#options.hold();
    try {
      const lines = await runCooperatively(bulkLines(hits, change, this.#script, nowMs));
      const { body, operations, noops, taken } = lines;
      if (operations === 0) return { items: [], noops, taken };
      held.take(body.length);
      const { items } = await this.#options.bulk({ body, refresh: 'false', access });
      return { items, noops, taken };
    } finally {
      held.release();
    }
  }
}

/** True for a full queue or a temporary lack of memory. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof QuarryError)) return false;
  return ['es_rejected_execution_exception', 'circuit_breaking_exception'].includes(error.type);
}

/** Throws if a shard failed, because its documents would be skipped silently. */
function checkWhole({ shards }: SearchResult): void {
  const { failures = [] } = shards;
  const [failure] = failures;
  if (failure === undefined) return;
  const statuses = failures.map(({ reason }) => ERROR_STATUS[reason.type as ErrorType] ?? 500);
  throw new QuarryError(
    'search_phase_execution_exception',
    `shard [${failure.shard}] of [${failure.index}] failed: ${failure.reason.reason}`,
    // What the request is to blame for does not pass if it is sent again.
    { status: statuses.every((status) => status < 500) ? 400 : 503 },
  );
}
