// Reads the partial results of aggregations that a shard sent; native/core/query/aggs/agg_reply.h owns the format. What
// the columns of a node hold is known to its kind (query/aggs/).
import { ByteReader } from './byte-reader.js';

const KINDS = [
  'unmapped',
  'long',
  'double',
  'unsigned',
  'boolean',
  'date',
  'string',
  'ip',
] as const;

/** What the values of the aggregated field are. */
export type ValueKind = (typeof KINDS)[number];

export interface PartHeader {
  readonly kind: ValueKind;
  /** Some buckets are not here. */
  readonly cut: boolean;
  /** Buckets of the node above; 1 at the top. */
  readonly owners: number;
  readonly buckets: number;
  readonly extra: number;
  /** Dates: formats of the mapping. */
  readonly format: string;
}

/** One node of one shard. Owner j of a child is bucket j of this node. */
export interface AggPart<T = unknown> extends PartHeader {
  readonly columns: T;
  readonly children: readonly AggPart[];
}

/** How a node of the request reads what shards answer. */
export interface PartShape<T = unknown> {
  readColumns(reader: ByteReader, header: PartHeader): T;
  readonly children: readonly PartShape[];
}

/** The answers to the aggregations at the top of a request, in its order. */
export function readAggParts(
  section: Uint8Array<ArrayBuffer>,
  shapes: readonly PartShape[],
): readonly AggPart[] {
  const reader = new ByteReader(section, 'aggregations');
  const nodes = reader.u32();
  reader.u32();
  if (nodes !== shapes.length) throw new Error('a shard answered other aggregations than asked');
  return shapes.map((shape) => readPart(reader, shape));
}

function readPart<T>(reader: ByteReader, shape: PartShape<T>): AggPart<T> {
  reader.align(8).u16();
  const kind = readKind(reader);
  const cut = (reader.u8() & 1) !== 0;
  const owners = reader.u32();
  const buckets = reader.u32();
  const extra = reader.u32();
  reader.u32();
  reader.u32();
  const header = { kind, cut, owners, buckets, extra, format: reader.str() };
  const columns = shape.readColumns(reader, header);
  const children = shape.children.map((child) => readPart(reader, child));
  return { ...header, columns, children };
}

export function readKind(reader: ByteReader): ValueKind {
  const kind = KINDS[reader.u8()];
  if (kind === undefined) throw new Error('aggregations of an unknown kind of values');
  return kind;
}

/** Keys of buckets: as JSON has them, and what orders them. */
export interface KeyColumn {
  /** Whole numbers beyond 2^53 are bigint; dates milliseconds; booleans 0 and 1. */
  value(bucket: number): number | bigint | string;
  /** Compares like the keys: by `<` among keys of one kind. */
  order(bucket: number): number | bigint | string;
}

export function readKeys(reader: ByteReader, kind: ValueKind, count: number): KeyColumn {
  switch (kind) {
    case 'unmapped':
      return numberKeys(new Float64Array());
    case 'double':
      return numberKeys(reader.align(8).doubles(count));
    case 'unsigned':
      return wholeKeys(reader.align(8).uint64s(count));
    case 'long':
    case 'boolean':
    case 'date':
      return wholeKeys(reader.align(8).int64s(count));
    case 'string': {
      const texts = readTexts(reader, count);
      return { value: (at) => texts[at] ?? '', order: (at) => texts[at] ?? '' };
    }
    case 'ip': {
      const order = readByteTexts(reader, count);
      const texts = readTexts(reader, count);
      return { value: (at) => texts[at] ?? '', order: (at) => order[at] ?? '' };
    }
  }
}

function numberKeys(values: Float64Array): KeyColumn {
  const value = (at: number): number => values[at] ?? Number.NaN;
  return { value, order: value };
}

function wholeKeys(values: BigInt64Array | BigUint64Array): KeyColumn {
  const value = (at: number): number | bigint => {
    const whole = values[at] ?? 0n;
    const number = Number(whole);
    return Number.isSafeInteger(number) ? number : whole;
  };
  return { value, order: value };
}

/** A text column: where each text ends, and the bytes of all. */
export function readTexts(reader: ByteReader, count: number): readonly string[] {
  const { ends, bytes } = readColumn(reader, count);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const all = decoder.decode(bytes);
  // Without letters of several bytes, texts end where their bytes do.
  if (all.length === bytes.length) return slices(ends, (from, to) => all.slice(from, to));
  return slices(ends, (from, to) => decoder.decode(bytes.subarray(from, to)));
}

/** Bytes as characters of the same numbers: they compare like the bytes. */
function readByteTexts(reader: ByteReader, count: number): readonly string[] {
  const { ends, bytes } = readColumn(reader, count);
  return slices(ends, (from, to) => String.fromCharCode(...bytes.subarray(from, to)));
}

function readColumn(reader: ByteReader, count: number) {
  const ends = reader.align(8).uint32s(count);
  return { ends, bytes: reader.bytes(ends[count - 1] ?? 0) };
}

function slices(ends: Uint32Array, text: (from: number, to: number) => string): readonly string[] {
  return Array.from(ends, (end, at) => text(ends[at - 1] ?? 0, end));
}
