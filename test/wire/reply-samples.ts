// Responses as the native core writes them, encoded by hand from the format comments of hits.h and
// item_results.h.
import { ByteWriter } from '../../src/wire/byte-writer.ts';

const encoder = new TextEncoder();
const NONE = Number.NaN;

/** A column of strings: ends, then bytes. */
function texts(writer: ByteWriter, values: readonly string[]): void {
  const bytes = values.map((value) => encoder.encode(value));
  let end = 0;
  for (const value of bytes) {
    end += value.length;
    writer.u32(end);
  }
  for (const value of bytes) writer.raw(value);
}

function column(writer: ByteWriter, kind: number, nulls: readonly number[], values: () => void) {
  writer.align(8).u8(kind).align(8);
  for (const isNull of nulls) writer.u8(isNull);
  writer.align(8);
  values();
}

function shardHeader(status: number, legs: number, sortKeys: number): ByteWriter {
  return new ByteWriter()
    .u32(0x54494851)
    .u16(4)
    .u16(status)
    .u64(7n)
    .u64(3n)
    .u64(12345n)
    .u8(1)
    .u8(0)
    .u8(1)
    .u8(legs)
    .u32(4)
    .u32(2)
    .u32(sortKeys)
    .u64(99n)
    .u64(1000n)
    .u64(5000n)
    .u64(800n)
    .u64(40n)
    .u64(77n)
    .u64(1n << 40n)
    .u64(321n)
    .u64(65_536n)
    .u64(12n)
    .u64(77n)
    .u64(0n);
}

/** Two legs of 3 and 0 hits; seven sort keys, one per kind of column. */
export function shardHits(): Uint8Array<ArrayBuffer> {
  const writer = shardHeader(0, 2, 7).u32(3).f32(2.5).align(8);
  for (const score of [2.5, 1.25, NONE]) writer.f32(score);
  writer.align(8);
  for (const doc of [10, 5, 4_000_000_000]) writer.u32(doc);
  writer.align(8);
  for (const seqNo of [100n, 50n, 1n << 60n]) writer.u64(seqNo);
  column(writer, 0, [0, 0, 1], () => writer.i64(-5n).i64(9_007_199_254_740_993n).i64(0n));
  column(writer, 1, [0, 0, 0], () => writer.f64(1).f64(0.1).f64(Number.POSITIVE_INFINITY));
  column(writer, 2, [0, 0, 0], () =>
    writer
      .u64(2n ** 64n - 1n)
      .u64(0n)
      .u64(1n),
  );
  column(writer, 3, [0, 0, 1], () => texts(writer, ['kölsch', 'a"b', '']));
  column(writer, 4, [0, 0, 0], () => writer.f64(Math.fround(1.3862944)).f64(1).f64(0.5));
  column(writer, 5, [0, 0, 0], () => writer.i64(0n).i64(1n).i64(1n));
  column(writer, 6, [0, 0, 1], () => {
    texts(writer, ['\u0001', '\u0002', '']);
    writer.align(8);
    texts(writer, ['2024-01-01', '2024-01-02', '']);
  });
  writer.align(8).u32(0).f32(NONE);
  for (let key = 0; key < 7; key++) writer.align(8).u8(key);
  return writer.align(8).take();
}

export function shardError(): Uint8Array<ArrayBuffer> {
  return shardHeader(11, 0, 0)
    .str('failed to create query: [f]')
    .str('number_format_exception: x')
    .take();
}

export function searchReply(
  shards: readonly Uint8Array[],
  fetch?: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u32(0x4c505251).u32(shards.length);
  for (const shard of shards) writer.u32(shard.length);
  for (const shard of shards) writer.align(8).raw(shard);
  if (fetch !== undefined) writer.align(8).raw(fetch);
  return writer.take();
}

function fetchHeader(status: number, documents: number): ByteWriter {
  const writer = new ByteWriter().u32(0x43525351).u16(4).u16(status).u32(documents);
  for (let padding = 0; padding < 5; padding++) writer.u32(0);
  return writer;
}

/** A document of a nested object, without any parts. */
export function nestedHits(): Uint8Array<ArrayBuffer> {
  const writer = fetchHeader(0, 1).u8(1).u8(0).u16(0).u32(1).u64(3n).u64(17n).str('idé');
  for (let text = 0; text < 9; text++) writer.str('');
  return searchReply([shardHits()], writer.u32(0).take());
}

/** A document with all parts, one without, and one that no longer exists. */
export function fetched(): Uint8Array<ArrayBuffer> {
  const writer = fetchHeader(0, 3);
  writer.u8(1).u8(1).u16(0).u32(1).u64(3n).u64(17n).str('idé').str('r1').str('{"a": 1.0}');
  writer.str('{"a":[1]}').str('["b"]').str('["q"]').str('{"value":1}').str('{"a":["<em>"]}');
  writer.str('{"b":["x"]}').str('{"field":"c","offset":1}');
  const inner = nestedHits();
  writer.u32(1).u32(inner.length).raw(inner);
  writer.u8(1).u8(0).u16(0).u32(2).u64(1n).u64(0n).str('2');
  for (let text = 0; text < 9; text++) writer.str('');
  writer.u32(0).u8(0).u8(0).u16(0).u32(0).u64(0n).u64(0n).str('3');
  for (let text = 0; text < 9; text++) writer.str('');
  return writer.u32(0).take();
}

export function fetchError(): Uint8Array<ArrayBuffer> {
  return fetchHeader(22, 0).str('snapshot [7] is gone').str('').take();
}

/** A created document, a failed one and an update that returns its source. */
export function items(): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u32(0x4d544951).u16(1).u16(0).u64(4096n);
  writer.u32(1).u32(3).u32(2).u32(0).str('missing').u32(1).u32(0).u32(1).u32(4);
  writer.u8(0).u8(0).u16(201).u32(1).u32(0).u32(1).u64(1n).u64(41n).str('').str('a').u16(0).str('');
  writer.u8(1).u8(5).u16(409).u32(0xffffffff).u32(0).u32(0).u64(0n).u64(0n).str('no').str('b');
  writer.u16(16).str('[b]: version conflict').str('').str('');
  writer.u8(2).u8(1).u16(200).u32(1).u32(4).u32(1).u64(2n).u64(42n).str('x').str('c').u16(0);
  return writer.str('{"n":1}').take();
}

export function itemsError(): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u32(0x4d544951).u16(1).u16(10);
  return writer.str('The bulk request must be terminated by a newline [\\n]').str('').take();
}
