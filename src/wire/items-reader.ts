// Reads what the write path answers; native/core/engine/item_results.h owns the format.
import { ByteReader } from './byte-reader.js';

const MAGIC = 0x4d544951;
const VERSION = 1;
const NO_INDEX = 0xffffffff;
const MIN_ITEM_BYTES = 46;

const OPS = ['index', 'create', 'update', 'delete'] as const;
const RESULTS = ['created', 'updated', 'deleted', 'not_found', 'noop', 'error'] as const;

export interface ItemError {
  /** Number of the error type, see NativeErrors. */
  readonly errorType: number;
  readonly reason: string;
  readonly cause: string;
}

export interface WrittenItem {
  readonly op: (typeof OPS)[number];
  readonly result: (typeof RESULTS)[number];
  /** HTTP status. */
  readonly status: number;
  /** Index number; absent when the name was refused. */
  readonly index?: number;
  /** As the line gave it; empty: look the number up. */
  readonly indexName: string;
  readonly shard: number;
  readonly id: string;
  readonly primaryTerm: number;
  readonly version: bigint;
  readonly seqNo: bigint;
  readonly error?: ItemError;
  /** update with `_source`: raw JSON. */
  readonly get?: string;
}

export interface ShardName {
  readonly index: number;
  readonly shard: number;
}

export type ItemsReply =
  | {
      readonly ok: true;
      /** Must be durable before any item is acknowledged. */
      readonly walPosition: bigint;
      /** Names of the body that the request's table lacks; nothing was executed if there are any. */
      readonly missingNames: readonly string[];
      readonly touched: readonly ShardName[];
      readonly items: readonly WrittenItem[];
    }
  | ({ readonly ok: false } & ItemError);

/** Items between two places where reading may be left. */
const PACE = 64;

export function readItems(buffer: ArrayBuffer): ItemsReply {
  const work = readItemSteps(buffer);
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
  }
}

/** The same, yielding now and then: a bulk may have hundreds of thousands of items. */
export function* readItemSteps(buffer: ArrayBuffer): Generator<undefined, ItemsReply, undefined> {
  const reader = new ByteReader(new Uint8Array(buffer), 'item results').expect(MAGIC, VERSION);
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
  const items: WrittenItem[] = [];
  while (items.length < count) {
    items.push(readItem(reader));
    if (items.length % PACE === 0) yield;
  }
  return { ok: true, walPosition, missingNames, touched, items };
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
