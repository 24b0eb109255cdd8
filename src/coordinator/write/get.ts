// Reads documents by id: one task reads many documents of an _mget, and the results are in the
// order of the requests.

import type {
  BulkItemError,
  FoundDocument,
  GetRequest,
  SourceSpec,
  Waiter,
} from '../../backend/index.js';
import { mapCooperatively } from '../../base/cooperative-task.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import type { MemoryReservation } from '../../ops/in-flight.js';
import type { MemoryGuard } from '../../ops/memory-guard.js';
import { writeFetchPlan } from '../../wire/fetch-plan.js';
import { type FetchedDocument, readFetchReply } from '../../wire/fetch-reader.js';
import { FETCH_SEQ_NO, FETCH_VERSION, type Opcodes } from '../../wire/plan-writer.js';
import type { GetTask, ShardRef } from '../../worker/tasks.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog, IndexEntry } from '../catalog/catalog.js';
import { checkAccess } from '../catalog/index-expression.js';
import { shardsOf } from '../catalog/index-shards.js';
import type { InlineExecution } from '../shards/inline-execution.js';
import type { TaskRunner } from '../shards/pools.js';
import { isGone, MOST_RETRIES } from '../shards/retry.js';
import { type AliasDocuments, type AliasRead, versionConflict } from './alias-documents.js';

export interface GetterOptions {
  readonly catalog: Catalog;
  readonly tasks: TaskRunner;
  /** Inline execution; absent: the pool reads every document. */
  readonly inline?: Pick<InlineExecution, 'get' | 'used'> | undefined;
  /** Reads through aliases with filters. */
  readonly filtered: Pick<AliasDocuments, 'read'>;
  readonly guard: Pick<MemoryGuard, 'check'>;
  /** Memory reservation for documents for which no client waits. */
  readonly reserve: () => MemoryReservation;
  readonly opcodes: Opcodes;
  readonly refresh: (shards: readonly ShardRef[]) => Promise<void>;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly nowMs: () => number;
}

/** Maximum number of documents per task; fewer where they are large: see TASK_BYTES. */
const TASK_DOCUMENTS = 100;

type PlanFor = (source: SourceSpec) => Uint8Array;

interface Planned {
  readonly request: GetRequest;
  readonly entry: IndexEntry;
  /** Undefined: the document is read through an alias with a filter. */
  readonly task: GetTask | undefined;
  readonly routing: string | undefined;
}

export class Getter {
  readonly #options: GetterOptions;

  constructor(options: GetterOptions) {
    this.#options = options;
  }

  async get(request: GetRequest): Promise<FoundDocument> {
    const { catalog } = this.#options;
    const { version } = catalog;
    const planned = this.#plan(request, this.#plans());
    let [answer] = await this.#run([planned], undefined);
    if (isGone(answer, catalog, version)) [answer] = await this.read([request]);
    if (answer === undefined) throw new Error('the engine answered no document for one get');
    if (answer instanceof QuarryError) throw answer;
    return answer;
  }

  async mget(
    requests: readonly GetRequest[],
    waiter?: Waiter,
  ): Promise<readonly (FoundDocument | BulkItemError)[]> {
    const answers = await this.read(requests, waiter);
    return answers.map((answer, i) =>
      answer instanceof QuarryError ? toItemError(answer, requests[i]) : answer,
    );
  }

  /**
   * In the order of `requests`; a read that failed yields its error. Repeats if an index was
   * dropped meanwhile, so that its name is resolved again.
   */
  async read(
    requests: readonly GetRequest[],
    waiter?: Waiter,
  ): Promise<readonly (FoundDocument | QuarryError)[]> {
    const { catalog } = this.#options;
    for (let left = MOST_RETRIES; ; left--) {
      const { version } = catalog;
      const answers = await this.#readOnce(requests, waiter);
      if (left === 0 || catalog.version === version) return answers;
      if (!answers.some((answer) => isGone(answer, catalog, version))) return answers;
    }
  }

  async #readOnce(
    requests: readonly GetRequest[],
    waiter: Waiter | undefined,
  ): Promise<readonly (FoundDocument | QuarryError)[]> {
    const plans = this.#plans();
    const planned = await mapCooperatively(requests, (request) => this.#tryPlan(request, plans));
    const runnable = planned.filter((one): one is Planned => !(one instanceof QuarryError));
    const answers = await this.#run(runnable, waiter);
    let next = 0;
    return planned.map((one) => {
      const answer = one instanceof QuarryError ? one : answers[next++];
      if (answer === undefined) throw new Error('the engine answered too few documents');
      return answer;
    });
  }

  /**
   * Creates plan bytes for a source filter; cached, because most documents of a request have the
   * same filter.
   */
  #plans(): PlanFor {
    const { opcodes, nowMs } = this.#options;
    const now = nowMs();
    const made = new Map<SourceSpec, Uint8Array>();
    return (source) => {
      const known = made.get(source);
      if (known !== undefined) return known;
      const flags = FETCH_VERSION | FETCH_SEQ_NO;
      const plan = writeFetchPlan({ source, flags, docvalueFields: [], fields: [] }, now, opcodes);
      made.set(source, plan);
      return plan;
    };
  }

  #tryPlan(request: GetRequest, planFor: PlanFor): Planned | QuarryError {
    try {
      return this.#plan(request, planFor);
    } catch (error) {
      if (error instanceof QuarryError) return error;
      throw error;
    }
  }

  #plan(request: GetRequest, planFor: PlanFor): Planned {
    checkAccess(request.access, request.index);
    const { entry, routing, filter } = this.#options.catalog.single(request.index, request.routing);
    refuseBlocked(entry, 'read');
    if (filter !== undefined) return { request, entry, routing, task: undefined };
    const task = {
      index: entry.number,
      id: request.id,
      routing: routing ?? '',
      realtime: request.realtime ?? true,
      plan: planFor(request.source),
    };
    return { request, entry, routing, task };
  }

  async #run(
    planned: readonly Planned[],
    waiter: Waiter | undefined,
  ): Promise<readonly (FoundDocument | QuarryError)[]> {
    if (planned.length === 0) return [];
    const stale = planned.filter(({ request }) => request.refresh === true);
    if (stale.length > 0) {
      const entries = new Set(stale.map(({ entry }) => entry));
      await this.#options.refresh([...entries].flatMap(shardsOf));
    }
    if (waiter !== undefined) return this.#readAll(planned, waiter);
    const own = this.#options.reserve();
    try {
      return await this.#readAll(planned, {
        check: () => {},
        reserve: (bytes) => own.reserve(bytes),
      });
    } finally {
      own.release();
    }
  }

  /** Reads in pieces and reserves the memory of each before the next one is read. */
  async #readAll(
    planned: readonly Planned[],
    waiter: Pick<Waiter, 'check' | 'reserve'>,
  ): Promise<readonly (FoundDocument | QuarryError)[]> {
    const answers: (FoundDocument | QuarryError)[] = [];
    while (answers.length < planned.length) {
      waiter.check();
      this.#options.guard.check('search');
      const some = await this.#readSome(
        planned.slice(answers.length, answers.length + TASK_DOCUMENTS),
      );
      waiter.reserve(some.reduce((sum, one) => sum + bytesOf(one), 0));
      answers.push(...some);
    }
    return answers;
  }

  async #readSome(planned: readonly Planned[]): Promise<readonly (FoundDocument | QuarryError)[]> {
    const tasks = planned.flatMap(({ task }) => task ?? []);
    const replies = tasks.length === 0 ? [] : await this.#read(tasks);
    if (replies.length === 0 && tasks.length > 0) {
      throw new Error('the engine answered too few documents');
    }
    const some = answeredBy(planned, replies.length);
    const own = replies.values();
    const filtered = (await this.#readFiltered(some)).values();
    return some.map((one) => {
      const answer = one.task === undefined ? filtered.next().value : own.next().value;
      if (answer === undefined) throw new Error('the engine answered too few documents');
      return answer instanceof Uint8Array ? this.#answer(one, answer) : answer;
    });
  }

  async #readFiltered(
    planned: readonly Planned[],
  ): Promise<readonly (FoundDocument | QuarryError)[]> {
    const reads: readonly AliasRead[] = planned.filter(({ task }) => task === undefined);
    return reads.length === 0 ? [] : this.#options.filtered.read(reads);
  }

  #read(tasks: readonly GetTask[]): MaybePromise<readonly Uint8Array<ArrayBuffer>[]> {
    const { inline, tasks: pool } = this.#options;
    const replies = inline?.get(tasks);
    return replies?.map((reply) => new Uint8Array(reply)) ?? this.#readByPool(tasks, pool);
  }

  async #readByPool(
    tasks: readonly GetTask[],
    pool: TaskRunner,
  ): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    const { bytes, ends } = await pool.run('get', tasks);
    this.#options.inline?.used(tasks);
    return Array.from(ends, (end, i) => {
      const start = i === 0 ? 0 : (ends[i - 1] ?? 0);
      return new Uint8Array(bytes, start, end - start);
    });
  }

  #answer(
    { request, entry }: Planned,
    bytes: Uint8Array<ArrayBuffer>,
  ): FoundDocument | QuarryError {
    const reply = readFetchReply(bytes);
    if (!reply.ok) return this.#options.toError(reply.errorType, reply.reason, reply.cause);
    const document = reply.documents[0];
    if (document?.found !== true) return { index: entry.name, id: request.id, found: false };
    if (request.version !== undefined && request.version !== document.version) {
      return versionConflict(request.id, document.version, request.version);
    }
    return toFound(entry.name, request.id, document);
  }
}

function bytesOf(one: FoundDocument | QuarryError): number {
  return 'source' in one ? (one.source?.length ?? 0) : 0;
}

function toFound(index: string, id: string, document: FetchedDocument): FoundDocument {
  const { version, seqNo, primaryTerm, routing, source } = document;
  return {
    index,
    id,
    found: true,
    version,
    seqNo,
    primaryTerm,
    ...(routing === undefined ? {} : { routing }),
    ...(source === undefined ? {} : { source }),
  };
}

function toItemError(error: QuarryError, request: GetRequest | undefined): BulkItemError {
  return {
    op: 'index',
    index: request?.index ?? '',
    id: request?.id ?? null,
    status: error.status,
    error: error.toCause(),
  };
}

/**
 * The requests that are covered by the replies: the engine returns only as many documents as fit
 * into one reply.
 */
function answeredBy(planned: readonly Planned[], replies: number): readonly Planned[] {
  let left = replies;
  const end = planned.findIndex(({ task }) => {
    if (task === undefined) return false;
    left -= 1;
    return left < 0;
  });
  return end < 0 ? planned : planned.slice(0, end);
}
