// The write path: resolves the targets of operations (creating missing indexes), passes them to the
// engine in one task, by way of remote-vectors.ts where remote embedders are involved, and
// acknowledges them when the log is durable and the requested refresh has happened.
import type {
  BulkRequest,
  BulkResult,
  Refresh,
  WriteOperation,
  WriteResult,
} from '../../backend/index.js';
import { mapCooperatively, runCooperatively, YieldPoints } from '../../base/cooperative-task.js';
import { plainJson } from '../../base/json-text.js';
import { indexNotFound, QuarryError } from '../../errors.js';
import type { Metrics } from '../../ops/metrics.js';
import {
  type ItemsReply,
  type RefusedItems,
  type RowsReply,
  readItems,
  readRows,
} from '../../wire/items-reader.js';
import { writeBulkHeader, writeOperations } from '../../wire/ops-writer.js';
import type { ShardRef } from '../../worker/tasks.js';
import { type Access, refuseBlocked } from '../catalog/blocks.js';
import type { Catalog, DocumentPlace } from '../catalog/catalog.js';
import type { GroupCommit } from '../node/commit.js';
import { ownedBytes } from '../shards/owned-bytes.js';
import type { RefreshScheduler } from '../shards/refresh.js';
import { MOST_RETRIES } from '../shards/retry.js';
import type { WriteMarks } from '../shards/write-marks.js';
import { NameTable, requireAlias } from './bulk-name-table.js';
import { writtenNames } from './bulk-names.js';
import { makeDocumentId } from './document-ids.js';
import { type EmbeddedWrites, mayEmbed } from './remote-vectors.js';
import { countItems, itemError, toResult, WrittenBulk } from './written-bulk.js';

export interface WriterOptions {
  readonly catalog: Catalog;
  readonly engine: EmbeddedWrites;
  readonly commit: GroupCommit;
  readonly refresh: RefreshScheduler;
  readonly marks: WriteMarks;
  readonly autoCreate: (name: string) => Promise<void>;
  /** Waits while memory has to be freed, and is notified of written bytes. */
  readonly pressure: { relieved(): Promise<void>; wrote(bytes: number): void };
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  /**
   * The number of the error type for a rejected name; its message comes from here and not from the
   * engine.
   */
  readonly refusedType: number;
  readonly metrics: Metrics;
  readonly nowMs: () => number;
}

/** Maximum number of rounds with missing names; each resolves at least one name. */
const MAX_ROUNDS = 64;
/**
 * Number of names of recent bodies that are offered again, so that most bodies need one round only.
 */
const RECENT_NAMES = 32;

/** Errors of a write to an index that is being dropped or was dropped. */
const DROPPED: ReadonlySet<string> = new Set(['index_not_found_exception', 'store_exception']);

type AppliedItems = Extract<ItemsReply, { readonly ok: true }>;
type Acknowledged = Pick<AppliedItems, 'touched' | 'walPosition'>;
type AppliedRows = Extract<RowsReply, { readonly ok: true }>;

export class Writer {
  readonly #options: WriterOptions;
  readonly #recent = new Set<string>();

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /**
   * Retries if the index was dropped before the engine executed the write, which then had no
   * effect.
   */
  async write(operation: WriteOperation, refresh: Refresh): Promise<WriteResult> {
    const { catalog, pressure } = this.#options;
    await pressure.relieved();
    for (let left = MOST_RETRIES; ; left--) {
      const target = await this.#target(operation);
      try {
        return await this.#writeTo(target, operation, refresh);
      } catch (error) {
        const isDropped = catalog.byNumber(target.entry.number) === undefined;
        const isRefused = error instanceof QuarryError && DROPPED.has(error.type);
        if (!isDropped || !isRefused || left === 0) throw error;
      }
    }
  }

  async #writeTo(
    target: DocumentPlace,
    operation: WriteOperation,
    refresh: Refresh,
  ): Promise<WriteResult> {
    const { nowMs, metrics, toError } = this.#options;
    const { routing } = target;
    const { op, id, ifSeqNo, ifPrimaryTerm, version, source, getSource } = operation;
    const { retryOnConflict = 0 } = operation;
    const operations = writeOperations([
      {
        op,
        index: target.entry.number,
        id: id ?? makeDocumentId(nowMs()),
        autoId: id === undefined,
        ...(routing === undefined ? {} : { routing }),
        ...(source === undefined ? {} : { source }),
        ...(ifSeqNo === undefined ? {} : { ifSeqNo }),
        ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }),
        ...(version === undefined ? {} : { version }),
        versionType: operation.versionType ?? 'internal',
        retryOnConflict,
        ...(getSource === undefined ? {} : { sourceFilter: plainJson(getSource) }),
      },
    ]);
    const embeds = op !== 'delete' && target.entry.embedders.size > 0;
    const bytes = operations.length;
    const reply = await this.#runWrite(operations, embeds, retryOnConflict);
    await this.#acknowledge(reply, refresh, bytes);
    const item = reply.items[0];
    if (item === undefined) throw new Error('the engine answered no item for one operation');
    metrics.writeOperations.inc({ op: item.op, outcome: item.result });
    if (item.error !== undefined) {
      const entry = target.entry.number === item.index ? target.entry : undefined;
      throw itemError(toError, item.error, entry, item.shard);
    }
    return toResult(item, new Map([[target.entry.number, target.entry]]), refresh === 'true');
  }

  /** Writes without regard to the filters of aliases, which the caller must have checked. */
  async bulk(request: BulkRequest): Promise<BulkResult> {
    const result = await this.#bulk(request, true);
    if (result instanceof Uint8Array) throw new Error('a bulk was not written for its names');
    return result;
  }
  /** Returns the body without writing any of it if it names an alias with a filter. */
  unfilteredBulk(request: BulkRequest): Promise<BulkResult | Uint8Array> {
    return this.#bulk(request, false);
  }

  async #bulk(request: BulkRequest, takesFiltered: boolean): Promise<BulkResult | Uint8Array> {
    const started = performance.now();
    await this.#options.pressure.relieved();
    const names = new NameTable(
      this.#options.catalog,
      request.requireAlias === true,
      request.access,
      takesFiltered,
    );
    names.offer([...this.#recent]);
    if (request.defaultIndex !== undefined) names.offer([request.defaultIndex]);
    const bytes = request.body.length;
    const reply = await this.#runBulk(request, names);
    if (reply instanceof Uint8Array) return reply;
    for (const name of names.known()) this.#remember(name);
    await this.#acknowledge(reply, request.refresh, bytes);
    const { metrics, toError } = this.#options;
    const context = {
      toError,
      entries: names.entries(),
      refusal: (name: string) => names.refusal(name),
      defaultIndex: request.defaultIndex ?? '',
      refreshed: request.refresh === 'true',
    };
    const tookMs = Math.round(performance.now() - started);
    const failed = await runCooperatively(countItems(reply.rows, metrics));
    return new WrittenBulk(tookMs, reply.rows, context, failed);
  }

  /**
   * Retries conflicts with a text that changed while it was embedded, which the engine cannot retry
   * itself.
   */
  async #runWrite(
    operations: Uint8Array<ArrayBuffer>,
    embeds: boolean,
    retryOnConflict: number,
  ): Promise<AppliedItems> {
    const { engine, toError } = this.#options;
    for (let left = embeds ? retryOnConflict : 0; ; left--) {
      const reply = this.#accept(readItems(await engine.write(operations, embeds)));
      const error = reply.items[0]?.error;
      if (error === undefined || left === 0) return reply;
      const { type } = toError(error.errorType, error.reason, error.cause);
      if (type !== 'version_conflict_engine_exception') return reply;
    }
  }

  /**
   * Sends the body until every name in it is resolved. The body is transferred to the worker and
   * back and never copied. Returns the body if a name has no row because of a filter.
   */
  async #runBulk(request: BulkRequest, names: NameTable): Promise<AppliedRows | Uint8Array> {
    const { engine, refusedType } = this.#options;
    let body = ownedBytes(request.body);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const header = writeBulkHeader({
        requireAlias: request.requireAlias === true,
        types: request.types === true,
        ...(request.defaultIndex === undefined ? {} : { defaultIndex: request.defaultIndex }),
        ...(request.defaultSource === undefined
          ? {}
          : { defaultSource: plainJson(request.defaultSource) }),
        ...(request.defaultRouting === undefined ? {} : { defaultRouting: request.defaultRouting }),
        names: names.rows(refusedType),
      });
      const embeds = mayEmbed(names, body, request.defaultIndex);
      const answer = await engine.bulk(header, body, embeds);
      const reply = this.#accept(readRows(answer.reply));
      if (reply.missingNames.length === 0) return reply;
      body = answer.body as Uint8Array<ArrayBuffer>;
      const written = await runCooperatively(writtenNames(body, request.defaultIndex ?? ''));
      // The engine reports names in UTF-8: a name with half of a surrogate pair is looked up in its
      // original form, so that its error shows it.
      const given = await mapCooperatively([...written], (name): [string, string] => [
        Buffer.from(name).toString(),
        name,
      ]);
      const originals = new Map(given);
      const pauses = new YieldPoints();
      for (const name of reply.missingNames) {
        await pauses.due();
        const wanted = originals.get(name);
        const create = wanted === undefined ? undefined : () => this.#options.autoCreate(wanted);
        await names.require(name, create);
      }
      if (names.namesFiltered) return body;
    }
    throw new QuarryError(
      'illegal_argument_exception',
      'the indexes of this bulk request were dropped and created again while it ran, send it again',
    );
  }

  async #target(operation: WriteOperation): Promise<DocumentPlace> {
    const { catalog, autoCreate } = this.#options;
    const { index, op, routing } = operation;
    if (operation.requireAlias === true) requireAlias(catalog, index);
    let target = catalog.writeTarget(index, routing);
    if (target === undefined) {
      const external = operation.versionType !== undefined && operation.versionType !== 'internal';
      if (op === 'delete' && !external) throw indexNotFound(index);
      await autoCreate(index);
      target = catalog.writeTarget(index, routing);
      if (target === undefined) throw indexNotFound(index);
    }
    const access: Access = op === 'delete' ? 'delete_document' : 'write';
    refuseBlocked(target.entry, access);
    return target;
  }

  #accept<T extends { readonly ok: true }>(reply: T | RefusedItems): T {
    if (reply.ok) return reply;
    throw this.#options.toError(reply.errorType, reply.reason, reply.cause);
  }

  /** Resolves when the write may be acknowledged. */
  async #acknowledge(reply: Acknowledged, refresh: Refresh, bytes: number): Promise<void> {
    const { refresh: scheduler, pressure, marks } = this.#options;
    if (reply.touched.length === 0) return;
    marks.wrote(reply.touched);
    scheduler.touched(reply.touched);
    pressure.wrote(bytes);
    await this.#commit(reply);
    if (refresh === 'true') await scheduler.now(reply.touched);
    else if (refresh === 'wait_for') await scheduler.published(reply.touched);
  }

  async #commit(reply: Acknowledged): Promise<void> {
    const { commit, catalog } = this.#options;
    const isAsync = (shard: ShardRef): boolean =>
      catalog.byNumber(shard.index)?.behaviour.asyncDurability === true;
    if (reply.touched.every(isAsync)) commit.later(reply.walPosition);
    else await commit.durable(reply.walPosition);
  }

  #remember(name: string): void {
    this.#recent.delete(name);
    this.#recent.add(name);
    if (this.#recent.size <= RECENT_NAMES) return;
    for (const oldest of this.#recent) {
      this.#recent.delete(oldest);
      return;
    }
  }
}
