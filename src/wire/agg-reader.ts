// Reads the partial aggregation results of a shard; native/core/query/aggs/frame/agg_reply.h owns
// the format. The kind of each node defines its columns (query/aggs/).
import { ByteReader } from './byte-reader.js';

const KINDS = [
  'unmapped',
  'long',
  'double',
  'unsigned',
  'boolean',
  'date',
  'string',
  'encoded',
] as const;

/** The type of the aggregated field's values. */
export type ValueKind = (typeof KINDS)[number];

export interface PartHeader {
  readonly kind: ValueKind;
  /** Some buckets were left out. */
  readonly cut: boolean;
  /** The number of buckets of the parent node; 1 at the top. */
  readonly owners: number;
  readonly buckets: number;
  readonly extra: number;
  /** For dates: the formats of the mapping. */
  readonly format: string;
}

/** The result of one node in one shard. Owner j of a child is bucket j of this node. */
export interface AggPart<T = unknown> extends PartHeader {
  readonly columns: T;
  readonly children: readonly AggPart[];
}

/** Reads the response for one node of the request. */
export interface PartShape<T = unknown> {
  readColumns(reader: ByteReader, header: PartHeader): T;
  readonly children: readonly PartShape[];
}

/** Returns the results of the top-level aggregations, in the order of the request. */
export function readAggParts(
  section: Uint8Array<ArrayBuffer>,
  shapes: readonly PartShape[],
): readonly AggPart[] {
  const reader = new ByteReader(section, 'aggregations');
  const nodes = reader.u32();
  reader.u32();
  if (nodes !== shapes.length)
    throw new Error('a shard returned other aggregations than requested');
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
  // Copied member by member because spread is slow.
  return {
    kind,
    cut,
    owners,
    buckets,
    extra,
    format: header.format,
    columns,
    children,
  };
}

export function readKind(reader: ByteReader): ValueKind {
  const kind = KINDS[reader.u8()];
  if (kind === undefined) throw new Error('aggregations of an unknown kind of values');
  return kind;
}
