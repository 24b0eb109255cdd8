// The result of a bulk request from the engine's reply: rows for printing, objects for callers that
// inspect items.

import type {
  BulkItemError,
  BulkResult,
  BulkRows,
  WriteResult,
  WrittenRow,
  WrittenShape,
} from '../../backend/index.js';
import type { CooperativeTask } from '../../base/cooperative-task.js';
import { type ErrorCause, indexNotFound, QuarryError } from '../../errors.js';
import type { Metrics } from '../../ops/metrics.js';
import { type ItemRows, OPS, RESULTS } from '../../wire/item-rows.js';
import { type ItemError, itemAt, itemReader, type WrittenItem } from '../../wire/items-reader.js';
import type { IndexEntry } from '../catalog/catalog.js';
import { replicasOf } from '../catalog/index-shards.js';

/** Items counted per time slice; a bulk request may have a million items. */
const COUNTED_AT_ONCE = 1024;

export interface BulkContext {
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly entries: ReadonlyMap<number, IndexEntry>;
  /** The error for all items with this name. */
  readonly refusal: (name: string) => QuarryError | undefined;
  readonly defaultIndex: string;
  readonly refreshed: boolean;
}

export class WrittenBulk implements BulkResult {
  readonly tookMs: number;
  readonly errors: boolean;
  readonly #rows: ItemRows;
  readonly #context: BulkContext;
  #items: readonly (WriteResult | BulkItemError)[] | undefined;

  /** `errors`: some items failed. */
  constructor(tookMs: number, rows: ItemRows, context: BulkContext, errors: boolean) {
    this.tookMs = tookMs;
    this.#rows = rows;
    this.#context = context;
    this.errors = errors;
  }

  /** Parsed at the first access. */
  get items(): readonly (WriteResult | BulkItemError)[] {
    this.#items ??= itemsOf(this.rows);
    return this.#items;
  }
  /** Each access starts at the first row; all share one cursor. */
  get rows(): BulkRows {
    this.#rows.rewind();
    return new Rows(this.#rows, this.#context);
  }
}

function itemsOf(rows: BulkRows): readonly (WriteResult | BulkItemError)[] {
  const items: (WriteResult | BulkItemError)[] = [];
  while (rows.next()) items.push(rows.item());
  return items;
}

/** Counts the items by operation and outcome in `metrics`; returns true if one of them failed. */
export function* countItems(rows: ItemRows, metrics: Metrics): CooperativeTask<boolean> {
  const counts = new Uint32Array(OPS.length * RESULTS.length);
  for (let counted = 1; rows.next(); counted++) {
    if (counted % COUNTED_AT_ONCE === 0) yield;
    const at = rows.op * RESULTS.length + rows.result;
    if (!(at < counts.length) || rows.result >= RESULTS.length)
      throw new Error('unknown kind or outcome in item results');
    counts[at] = (counts[at] ?? 0) + 1;
  }
  for (const [i, op] of OPS.entries()) {
    for (const [j, outcome] of RESULTS.entries()) {
      const items = counts[i * RESULTS.length + j] ?? 0;
      if (items > 0) metrics.writeOperations.inc({ op, outcome }, items);
    }
  }
  return OPS.some((_, i) => counts[(i + 1) * RESULTS.length - 1] !== 0);
}

type MutableRow = { -readonly [Name in keyof WrittenRow]: WrittenRow[Name] };

class Rows implements BulkRows {
  readonly #rows: ItemRows;
  readonly #context: BulkContext;
  readonly #row: MutableRow;
  readonly #reader: ReturnType<typeof itemReader>;
  #index = -1;
  #entry: IndexEntry | undefined;
  #cause: { readonly of: QuarryError; readonly cause: ErrorCause } | undefined;

  constructor(rows: ItemRows, context: BulkContext) {
    this.#rows = rows;
    this.#context = context;
    this.#reader = itemReader(rows);
    const shape: WrittenShape = {
      op: 'index',
      index: '',
      result: 'created',
      status: 0,
      shardsTotal: 0,
      forcedRefresh: false,
    };
    const numbers = { version: 0, seqNo: 0, primaryTerm: 0, idAt: 0, idEnd: 0 };
    this.#row = { ...shape, ...numbers, bytes: rows.bytes };
  }

  get count(): number {
    return this.#rows.count;
  }
  next(): boolean {
    return this.#rows.next();
  }

  row(): WrittenRow | undefined {
    const [rows, row] = [this.#rows, this.#row];
    if (!rows.bare) return undefined;
    const [op, result] = [OPS[rows.op], RESULTS[rows.result]];
    if (op === undefined || result === undefined || result === 'error') return undefined;
    this.#enter(rows.index);
    if (this.#entry === undefined) return undefined;
    row.op = op;
    row.result = result;
    row.status = rows.status;
    row.forcedRefresh = this.#context.refreshed && result !== 'noop';
    row.version = rows.version;
    row.seqNo = rows.seqNo;
    row.primaryTerm = rows.primaryTerm;
    row.idAt = rows.idAt;
    row.idEnd = rows.idEnd;
    return row;
  }

  item(): WriteResult | BulkItemError {
    const { entries, refreshed, refusal, toError, defaultIndex } = this.#context;
    const item = itemAt(this.#rows, this.#reader);
    if (item.error === undefined) return toResult(item, entries, refreshed);
    const named = item.indexName === '' ? defaultIndex : item.indexName;
    const entry = item.index === undefined ? undefined : entries.get(item.index);
    const refused = item.index === undefined ? refusal(named) : undefined;
    const error = refused ?? itemError(toError, item.error, entry, item.shard);
    return {
      op: item.op,
      index: entry?.name ?? named,
      id: item.id === '' ? null : item.id,
      status: error.status,
      error: this.#causeOf(error),
    };
  }

  /**
   * Reuses the object for the same error, because thousands of items may fail with the same error.
   */
  #causeOf(error: QuarryError): ErrorCause {
    if (this.#cause?.of !== error)
      this.#cause = { of: error, cause: error.toCause() as ErrorCause };
    return this.#cause.cause;
  }

  /** Cached, because consecutive items mostly have the same index. */
  #enter(index: number): void {
    if (index === this.#index) return;
    this.#index = index;
    this.#entry = this.#context.entries.get(index);
    if (this.#entry === undefined) return;
    this.#row.index = this.#entry.name;
    this.#row.shardsTotal = 1 + replicasOf(this.#entry);
  }
}

export function itemError(
  toError: BulkContext['toError'],
  error: ItemError,
  entry: IndexEntry | undefined,
  shard: number,
): QuarryError {
  const plain = toError(error.errorType, error.reason, error.cause);
  // The engine reports numbers only: the index was dropped after its name had been resolved.
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

export function toResult(
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
