// The write path: resolves where operations go (creating what is missing), hands them to the engine in one task, after
// remote-vectors.ts where texts are embedded elsewhere, and acknowledges when the log is durable and the wanted refresh
// has happened.
import type {
  BulkRequest,
  BulkResult,
  Refresh,
  WriteOperation,
  WriteResult,
} from '../../backend/index.js';
import { runCooperatively } from '../../base/cooperative-task.js';
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
import { NameTable, requireAlias } from './bulk-name-table.js';
import { writtenNames } from './bulk-names.js';
import { makeDocumentId } from './document-ids.js';
import { type EmbeddedWrites, mayEmbed } from './remote-vectors.js';
import type { WriteMarks } from './write-marks.js';
import { countItems, itemError, toResult, WrittenBulk } from './written-bulk.js';

export interface WriterOptions {
  readonly catalog: Catalog;
  readonly engine: EmbeddedWrites;
  readonly commit: GroupCommit;
  readonly refresh: RefreshScheduler;
  readonly marks: WriteMarks;
  readonly autoCreate: (name: string) => Promise<void>;
  /** Waits while memory has to be freed; then tells how much was written. */
  readonly pressure: { relieved(): Promise<void>; wrote(bytes: number): void };
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  /** The error type number that marks a refused name; its text comes from here, not from the engine. */
  readonly refusedType: number;
  readonly metrics: Metrics;
  readonly nowMs: () => number;
}

/** Rounds of "these names are missing"; each makes at least one name known. */
const MAX_ROUNDS = 64;
/** Names of recent bodies, offered again so that the next body needs one round only. */
const RECENT_NAMES = 32;

/** What an index that is being dropped, or was, answers to a write. */
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

  /** Once more where the index was dropped before the engine was asked: it has done nothing then. */
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

  /** Whatever aliases with filters show: who names some has asked before. */
  async bulk(request: BulkRequest): Promise<BulkResult> {
    const result = await this.#bulk(request, true);
    if (result instanceof Uint8Array) throw new Error('a bulk was not written for its names');
    return result;
  }
  /** The same; the body, of which nothing is written, where it names an alias with a filter. */
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

  /** A text that changed while it was embedded is a conflict that the engine cannot try again by itself. */
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
   * Sends the body until every name in it is known; the body is moved to the worker and back, never copied. The body: some
   * name has no row because of its filter.
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
      // The engine names what UTF-8 makes of a name: one that holds half of a pair is refused as it was given.
      const given = new Map([...written].map((name) => [Buffer.from(name).toString(), name]));
      for (const name of reply.missingNames) {
        const wanted = given.get(name);
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

  /** Returns when the write may be acknowledged. */
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
