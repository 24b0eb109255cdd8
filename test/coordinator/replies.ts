// Responses of the engine for tests, encoded by hand from the formats in
// native/core/query/plan/hits.h and native/core/engine/item_results.h.
import { ByteWriter } from '../../src/wire/byte-writer.ts';

export interface SortValues {
  readonly kind: 'int' | 'string';
  readonly values: readonly (bigint | string | null)[];
}

export interface ShardSample {
  readonly index: number;
  readonly shard: number;
  readonly generation?: bigint;
  readonly total?: number;
  readonly atLeast?: boolean;
  readonly scores: readonly number[];
  readonly seqNos: readonly bigint[];
  readonly docs?: readonly number[];
  readonly sort?: readonly SortValues[];
  /** Legs after the first one, without sort values. */
  readonly moreLegs?: readonly LegSample[];
}

export interface LegSample {
  readonly scores: readonly number[];
  readonly seqNos: readonly bigint[];
  readonly docs?: readonly number[];
}

export interface ErrorSample {
  readonly index: number;
  readonly shard: number;
  readonly errorType: number;
  readonly reason: string;
}

function owned(writer: ByteWriter): ArrayBuffer {
  return writer.take().buffer;
}

function hitsHeader(sample: ShardSample | ErrorSample): ByteWriter {
  const isError = 'errorType' in sample;
  const writer = new ByteWriter()
    .u32(0x54494851)
    .u16(4)
    .u16(isError ? sample.errorType : 0)
    .u64(isError ? 0n : (sample.generation ?? 1n))
    .u64(1n)
    .u64(BigInt(isError ? 0 : (sample.total ?? sample.scores.length)))
    .u8(!isError && sample.atLeast === true ? 1 : 0)
    .u8(0)
    .u8(0)
    .u8(isError ? 0 : 1 + (sample.moreLegs?.length ?? 0))
    .u32(sample.index)
    .u32(sample.shard)
    .u32(isError ? 0 : (sample.sort?.length ?? 0))
    .align(8)
    .u64(3n)
    .u64(5n)
    .u64(0n)
    .u64(0n)
    .u64(0n)
    .u64(0n)
    .u64(0n)
    .u64(0n)
    .u64(0n)
    .u64(0n)
    .u64(0n)
    .u64(0n);
  return writer;
}

export function shardReply(sample: ShardSample | ErrorSample): Uint8Array {
  const writer = hitsHeader(sample);
  if ('errorType' in sample) return writer.str(sample.reason).str('').take();
  writeLeg(writer, sample);
  for (const column of sample.sort ?? []) writeColumn(writer, column);
  for (const leg of sample.moreLegs ?? []) writeLeg(writer, leg);
  return writer.take();
}

function writeLeg(writer: ByteWriter, { scores, seqNos, docs }: LegSample): void {
  const best = scores.length === 0 ? Number.NaN : Math.max(...scores);
  writer.align(8).u32(scores.length).f32(best).align(8);
  for (const score of scores) writer.f32(score);
  writer.align(8);
  for (const doc of docs ?? scores.keys()) writer.u32(doc);
  writer.align(8);
  for (const seqNo of seqNos) writer.u64(seqNo);
}

function writeColumn(writer: ByteWriter, { kind, values }: SortValues): void {
  writer
    .align(8)
    .u8(kind === 'int' ? 0 : 3)
    .align(8);
  for (const value of values) writer.u8(value === null ? 1 : 0);
  writer.align(8);
  if (kind === 'int') {
    for (const value of values) writer.i64(typeof value === 'bigint' ? value : 0n);
    return;
  }
  const texts = values.map((value) => Buffer.from(typeof value === 'string' ? value : ''));
  let end = 0;
  for (const text of texts) {
    end += text.length;
    writer.u32(end);
  }
  for (const text of texts) writer.raw(text);
}

export function searchReply(
  shards: readonly (ShardSample | ErrorSample)[],
  inline?: ArrayBuffer,
): ArrayBuffer {
  const parts = shards.map(shardReply);
  const writer = new ByteWriter().u32(0x4c505251).u32(parts.length);
  for (const part of parts) writer.u32(part.length);
  for (const part of parts) writer.align(8).raw(part);
  if (inline !== undefined) writer.align(8).raw(new Uint8Array(inline));
  return owned(writer);
}

export interface DocumentSample {
  readonly id: string;
  readonly found?: boolean;
  readonly source?: string;
  readonly version?: bigint;
}

export function fetchReply(documents: readonly DocumentSample[], timedOut = false): ArrayBuffer {
  const writer = new ByteWriter().u32(0x43525351).u16(4).u16(0).u32(documents.length);
  writer.u8(timedOut ? 1 : 0);
  writer.raw(new Uint8Array(32 - writer.size));
  for (const { id, found = true, source, version = 1n } of documents) {
    writer
      .u8(found ? 1 : 0)
      .u8(source === undefined ? 0 : 1)
      .u16(0)
      .u32(1)
      .u64(version)
      .u64(0n)
      .str(id)
      .str('')
      .str(source ?? '');
    for (let i = 0; i < 7; i++) writer.str('');
    // No inner hits.
    writer.u32(0);
  }
  return owned(writer);
}

export function fetchError(errorType: number, reason: string): ArrayBuffer {
  const writer = new ByteWriter().u32(0x43525351).u16(4).u16(errorType).u32(0);
  writer.raw(new Uint8Array(32 - writer.size));
  return owned(writer.str(reason).str(''));
}

export interface ItemSample {
  readonly op?: number;
  readonly result?: number;
  readonly status?: number;
  readonly index?: number;
  readonly name?: string;
  readonly id?: string;
  readonly errorType?: number;
  readonly reason?: string;
}

export function itemsReply(reply: {
  readonly position?: bigint;
  readonly missing?: readonly string[];
  readonly touched?: readonly (readonly [number, number])[];
  readonly items?: readonly ItemSample[];
}): ArrayBuffer {
  const { position = 1n, missing = [], touched = [], items = [] } = reply;
  const writer = new ByteWriter()
    .u32(0x4d544951)
    .u16(1)
    .u16(0)
    .u64(position)
    .u32(missing.length)
    .u32(items.length)
    .u32(touched.length)
    .u32(0);
  for (const name of missing) writer.str(name);
  for (const [index, shard] of touched) writer.u32(index).u32(shard);
  for (const item of items) writeItem(writer, item);
  return owned(writer);
}

function writeItem(writer: ByteWriter, item: ItemSample): void {
  const { errorType = 0 } = item;
  writer
    .u8(item.op ?? 0)
    .u8(item.result ?? (errorType === 0 ? 0 : 5))
    .u16(item.status ?? 201)
    .u32(item.index ?? 0xffffffff)
    .u32(0)
    .u32(1)
    .u64(1n)
    .u64(7n)
    .str(item.name ?? '')
    .str(item.id ?? '1')
    .u16(errorType);
  if (errorType !== 0) writer.str(item.reason ?? '').str('');
  writer.str('');
}
