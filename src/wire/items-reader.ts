// Reads the replies of the write path; native/core/engine/item_results.h owns the format.
import { ByteReader } from './byte-reader.js';
import { type ItemOp, type ItemOutcome, ItemRows, NO_INDEX, OPS, RESULTS } from './item-rows.js';

const MAGIC = 0x4d544951;
const VERSION = 1;
const MIN_ITEM_BYTES = 46;

export interface ItemError {
  /** Number of the error type, see NativeErrors. */
  readonly errorType: number;
  readonly reason: string;
  readonly cause: string;
}

export interface WrittenItem {
  readonly op: ItemOp;
  readonly result: ItemOutcome;
  /** HTTP status. */
  readonly status: number;
  /** Index number; undefined if the index name was rejected. */
  readonly index?: number;
  /** The name in the action line; empty: look it up by the number. */
  readonly indexName: string;
  readonly shard: number;
  readonly id: string;
  readonly primaryTerm: number;
  readonly version: bigint;
  readonly seqNo: bigint;
  readonly error?: ItemError;
  /** For an update with `_source`: raw JSON. */
  readonly get?: string;
}

export interface ShardName {
  readonly index: number;
  readonly shard: number;
}

export type RefusedItems = { readonly ok: false } & ItemError;

interface ExecutedItems {
  readonly ok: true;
  /** The log position that must be durable before any item is acknowledged. */
  readonly walPosition: bigint;
  /** Names in the body that the request's table lacks. If there are any, nothing was executed. */
  readonly missingNames: readonly string[];
  readonly touched: readonly ShardName[];
}

export type ItemsReply =
  | (ExecutedItems & { readonly items: readonly WrittenItem[] })
  | RefusedItems;
export type RowsReply = (ExecutedItems & { readonly rows: ItemRows }) | RefusedItems;

export function readItems(buffer: ArrayBuffer): ItemsReply {
  const reader = new ByteReader(new Uint8Array(buffer), 'item results');
  const head = readHead(reader);
  if (!head.ok) return head;
  const { count, ...executed } = head;
  return { ...executed, items: Array.from({ length: count }, () => readItem(reader)) };
}

/** Reads the reply, but leaves the items in place: a bulk may have hundreds of thousands. */
export function readRows(buffer: ArrayBuffer): RowsReply {
  const bytes = new Uint8Array(buffer);
  const reader = new ByteReader(bytes, 'item results');
  const head = readHead(reader);
  if (!head.ok) return head;
  const { count, ...executed } = head;
  return { ...executed, rows: new ItemRows(bytes, reader.at, count) };
}

/** Returns the item at the cursor as an object. */
export function itemAt(rows: ItemRows, reader = itemReader(rows)): WrittenItem {
  return readItem(reader.seek(rows.at));
}

/** A reader to be reused when many items are read. */
export function itemReader(rows: ItemRows): ByteReader {
  return new ByteReader(rows.bytes, 'item results');
}

/** Reads everything before the items. */
function readHead(reader: ByteReader): (ExecutedItems & { readonly count: number }) | RefusedItems {
  reader.expect(MAGIC, VERSION);
  const status = reader.u16();
  if (status !== 0) {
    return { ok: false, errorType: status, reason: reader.str(), cause: reader.str() };
  }
  const walPosition = reader.u64();
  const names = reader.count(4);
  const count = reader.count(MIN_ITEM_BYTES);
  const shards = reader.count(8);
  reader.skip(4);
  const missingNames = Array.from({ length: names }, () => reader.str());
  const touched = Array.from({ length: shards }, () => ({
    index: reader.u32(),
    shard: reader.u32(),
  }));
  return { ok: true, walPosition, missingNames, touched, count };
}

function readItem(reader: ByteReader): WrittenItem {
  const op = nameOf(OPS, reader.u8());
  const result = nameOf(RESULTS, reader.u8());
  const status = reader.u16();
  const index = reader.u32();
  const shard = reader.u32();
  const primaryTerm = reader.u32();
  const version = reader.u64();
  const seqNo = reader.u64();
  const indexName = reader.str();
  const id = reader.str();
  const errorType = reader.u16();
  const error = errorType === 0 ? undefined : readError(reader, errorType);
  const get = reader.str();
  return {
    op,
    result,
    status,
    ...(index === NO_INDEX ? {} : { index }),
    indexName,
    shard,
    id,
    primaryTerm,
    version,
    seqNo,
    ...(error === undefined ? {} : { error }),
    ...(get === '' ? {} : { get }),
  };
}

function readError(reader: ByteReader, errorType: number): ItemError {
  return { errorType, reason: reader.str(), cause: reader.str() };
}

function nameOf<T>(names: readonly T[], number: number): T {
  const name = names[number];
  if (name === undefined) throw new Error(`unknown number ${number} in item results`);
  return name;
}
