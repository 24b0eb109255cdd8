// Reads the partial results of aggregations that a shard sent; native/core/query/aggs/frame/agg_reply.h owns the format. What
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
  // Member by member: copying those of another object is slow.
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
