// The write path: resolves where operations go (creating what is missing), hands them to the engine in one task, after
// remote-vectors.ts where texts are embedded elsewhere, and acknowledges when the log is durable and the wanted refresh
// has happened.
import type {
  BulkItemError,
  BulkRequest,
  BulkResult,
  Refresh,
  SourceSpec,
  WriteOperation,
  WriteResult,
} from '../backend.js';
import { type ErrorCause, indexNotFound, QuarryError } from '../errors.js';
import type { Metrics } from '../ops/metrics.js';
import { inTurns, mapInTurns } from '../ops/turns.js';
import { type ItemsReply, readItemSteps, type WrittenItem } from '../wire/items-reader.js';
import { writeBulkHeader, writeOperations } from '../wire/ops-writer.js';
import type { ShardRef } from '../worker/tasks.js';
import { type Access, refuseBlocked } from './blocks.js';
import { NameTable, requireAlias } from './bulk-name-table.js';
import { writtenNames } from './bulk-names.js';
import type { Catalog, DocumentPlace, IndexEntry } from './catalog.js';
import type { GroupCommit } from './commit.js';
import { makeDocumentId } from './document-ids.js';
import { ownedBytes } from './owned-bytes.js';
import type { RefreshScheduler } from './refresh.js';
import { type EmbeddedWrites, mayEmbed } from './remote-vectors.js';
import type { WriteMarks } from './write-marks.js';

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

type Applied = Extract<ItemsReply, { readonly ok: true }>;

export class Writer {
  readonly #options: WriterOptions;
  readonly #recent = new Set<string>();

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async write(operation: WriteOperation, refresh: Refresh): Promise<WriteResult> {
    const { pressure, nowMs } = this.#options;
    await pressure.relieved();
    const target = await this.#target(operation);
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
        ...(getSource === undefined ? {} : { sourceFilter: sourceText(getSource) }),
      },
    ]);
    const embeds = op !== 'delete' && target.entry.embedders.size > 0;
    const bytes = operations.length;
    const reply = await this.#runWrite(operations, embeds, retryOnConflict);
    await this.#acknowledge(reply, refresh, bytes);
    const item = reply.items[0];
    if (item === undefined) throw new Error('the engine answered no item for one operation');
    this.#count(item);
    const names = new Map([[target.entry.number, target.entry]]);
    if (item.error !== undefined)
      throw this.#itemError(item.error, names.get(item.index ?? -1), item.shard);
    return toResult(item, names, refresh === 'true');
  }

  async bulk(request: BulkRequest): Promise<BulkResult> {
    const started = performance.now();
    await this.#options.pressure.relieved();
    const names = new NameTable(
      this.#options.catalog,
      request.requireAlias === true,
      request.access,
    );
    names.offer([...this.#recent]);
    if (request.defaultIndex !== undefined) names.offer([request.defaultIndex]);
    const bytes = request.body.length;
    const reply = await this.#runBulk(request, names);
    for (const name of names.known()) this.#remember(name);
    await this.#acknowledge(reply, request.refresh, bytes);
    const items = await mapInTurns(reply.items, (item) => this.#bulkItem(item, names, request));
    return {
      tookMs: Math.round(performance.now() - started),
      errors: items.some((item) => 'error' in item),
      items,
    };
  }

  /** A text that changed while it was embedded is a conflict that the engine cannot try again by itself. */
  async #runWrite(
    operations: Uint8Array<ArrayBuffer>,
    embeds: boolean,
    retryOnConflict: number,
  ): Promise<Applied> {
    const { engine, toError } = this.#options;
    for (let left = embeds ? retryOnConflict : 0; ; left--) {
      const reply = await this.#read(await engine.write(operations, embeds));
      const error = reply.items[0]?.error;
      if (error === undefined || left === 0) return reply;
      const { type } = toError(error.errorType, error.reason, error.cause);
      if (type !== 'version_conflict_engine_exception') return reply;
    }
  }

  /** Sends the body until every name in it is known; the body is moved to the worker and back, never copied. */
  async #runBulk(request: BulkRequest, names: NameTable): Promise<Applied> {
    const { engine, refusedType } = this.#options;
    let body = ownedBytes(request.body);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const header = writeBulkHeader({
        requireAlias: request.requireAlias === true,
        ...(request.defaultIndex === undefined ? {} : { defaultIndex: request.defaultIndex }),
        ...(request.defaultSource === undefined
          ? {}
          : { defaultSource: sourceText(request.defaultSource) }),
        ...(request.defaultRouting === undefined ? {} : { defaultRouting: request.defaultRouting }),
        names: names.rows(refusedType),
      });
      const embeds = mayEmbed(names, body, request.defaultIndex);
      const answer = await engine.bulk(header, body, embeds);
      const reply = await this.#read(answer.reply);
      if (reply.missingNames.length === 0) return reply;
      body = answer.body as Uint8Array<ArrayBuffer>;
      const created = await inTurns(writtenNames(body, request.defaultIndex ?? ''));
      for (const name of reply.missingNames) {
        await names.require(name, created.has(name) ? this.#options.autoCreate : undefined);
      }
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

  async #read(buffer: ArrayBuffer): Promise<Applied> {
    const reply = await inTurns(readItemSteps(buffer));
    if (!reply.ok) throw this.#options.toError(reply.errorType, reply.reason, reply.cause);
    return reply;
  }

  /** Returns when the write may be acknowledged. */
  async #acknowledge(reply: Applied, refresh: Refresh, bytes: number): Promise<void> {
    const { refresh: scheduler, pressure, marks } = this.#options;
    if (reply.touched.length === 0) return;
    marks.wrote(reply.touched);
    scheduler.touched(reply.touched);
    pressure.wrote(bytes);
    await this.#commit(reply);
    if (refresh === 'true') await scheduler.now(reply.touched);
    else if (refresh === 'wait_for') await scheduler.published(reply.touched);
  }

  async #commit(reply: Applied): Promise<void> {
    const { commit, catalog } = this.#options;
    const isAsync = (shard: ShardRef): boolean =>
      catalog.byNumber(shard.index)?.behaviour.asyncDurability === true;
    if (reply.touched.every(isAsync)) commit.later(reply.walPosition);
    else await commit.durable(reply.walPosition);
  }

  #bulkItem(
    item: WrittenItem,
    names: NameTable,
    request: BulkRequest,
  ): WriteResult | BulkItemError {
    this.#count(item);
    if (item.error === undefined)
      return toResult(item, names.entries(), request.refresh === 'true');
    const refused = names.refusal(
      item.indexName === '' ? (request.defaultIndex ?? '') : item.indexName,
    );
    const entry = item.index === undefined ? undefined : names.entries().get(item.index);
    const error =
      item.index === undefined && refused !== undefined
        ? refused
        : this.#itemError(item.error, entry, item.shard);
    return {
      op: item.op,
      index: entry?.name ?? (item.indexName === '' ? (request.defaultIndex ?? '') : item.indexName),
      id: item.id === '' ? null : item.id,
      status: error.status,
      error: error.toCause() as ErrorCause,
    };
  }

  #itemError(
    error: { readonly errorType: number; readonly reason: string; readonly cause: string },
    entry: IndexEntry | undefined,
    shard: number,
  ): QuarryError {
    const plain = this.#options.toError(error.errorType, error.reason, error.cause);
    // The engine knows numbers only: the index was dropped after its name had been resolved.
    if (plain.type === 'index_not_found_exception' && entry !== undefined) {
      return indexNotFound(entry.name);
    }
    const located =
      plain.type === 'version_conflict_engine_exception' ||
      plain.type === 'document_missing_exception';
    if (!located || entry === undefined) return plain;
    return new QuarryError(plain.type, plain.message, {
      extra: { index_uuid: entry.uuid, shard: String(shard), index: entry.name },
      ...(plain.causedBy === undefined ? {} : { causedBy: plain.causedBy }),
    });
  }

  #count(item: WrittenItem): void {
    this.#options.metrics.writeOperations.inc({ op: item.op, outcome: item.result });
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

function toResult(
  item: WrittenItem,
  entries: ReadonlyMap<number, IndexEntry>,
  refreshed: boolean,
): WriteResult {
  if (item.result === 'error') throw new Error('an item has neither a result nor an error');
  const entry = entries.get(item.index ?? -1);
  return {
    op: item.op,
    index: entry?.name ?? item.indexName,
    id: item.id,
    result: item.result,
    status: item.status,
    version: item.version,
    seqNo: item.seqNo,
    primaryTerm: item.primaryTerm,
    shardsTotal: 1 + replicasOf(entry),
    forcedRefresh: refreshed && item.result !== 'noop',
    ...(item.get === undefined ? {} : { getSource: item.get }),
  };
}

export function replicasOf(entry: IndexEntry | undefined): number {
  const value = entry?.settings.get('index.number_of_replicas');
  return typeof value === 'string' ? Number(value) : 1;
}

function sourceText(source: SourceSpec): string {
  return JSON.stringify(source);
}
