// What terms, rare_terms and significant_terms share: their node of the plan, what shards answer to it, and their buckets.
import type { Json } from '../../../backend.js';
import { type KeyColumn, readKeys } from '../../../wire/agg-reader.js';
import type { Scalar } from '../../../wire/plan-writer.js';
import { illegal, isObject, malformed } from '../../values.js';
import type { Agg, AggBody, AggBucket, AggContext, AggEncoder, Part, Reducer } from '../agg.js';
import { eachBucket, type Joined, Joining, once, startsOf } from '../buckets.js';
import type { ValueTexts } from '../format.js';
import { type OrderKey, writeOrders } from '../order.js';
import { AggParams, type Source, writeSource } from '../params.js';
import type { Steps } from '../steps.js';

export const DEFAULT_SIZE = 10;
/** Buckets that a shard sends in full, so that several shards add up exactly. */
export const EXACT_BUCKETS = 131_072;
export const WITHOUT_DOCUMENTS = 1;
export const BACKGROUND = 2;
export const BACKGROUND_FILTER = 4;

export interface Columns {
  readonly starts: readonly number[];
  readonly other: Float64Array;
  readonly error: Float64Array;
  readonly keys: KeyColumn;
  readonly counts: Float64Array;
  readonly background?: {
    readonly counts: Float64Array;
    readonly superset: Float64Array;
    readonly subset: Float64Array;
  };
}

/** Which terms there may be. */
export interface Wanted {
  readonly include: readonly Scalar[];
  readonly exclude: readonly Scalar[];
  readonly includeRegexp: string;
  readonly excludeRegexp: string;
  readonly partition: number;
  readonly partitions: number;
}

export interface Node {
  readonly source: Source;
  readonly shardSize: number;
  readonly exactLimit: number;
  readonly minDocCount: number;
  readonly maxDocCount: number;
  readonly order: readonly OrderKey[];
  readonly wanted: Wanted;
  readonly flags: number;
  readonly filter?: (encoder: AggEncoder) => void;
}

export function writeNode(encoder: AggEncoder, node: Node, children: readonly Agg[]): void {
  const { writer } = encoder;
  const { wanted } = node;
  writeSource(writer, node.source);
  writer.u32(node.shardSize).u32(node.exactLimit).u32(node.minDocCount).u32(node.maxDocCount);
  writeOrders(writer, node.order, children);
  writer
    .list(wanted.include, (term) => writer.scalar(term))
    .list(wanted.exclude, (term) => writer.scalar(term))
    .str(wanted.includeRegexp)
    .str(wanted.excludeRegexp)
    .u32(wanted.partition)
    .u32(wanted.partitions)
    .u8(node.flags);
  node.filter?.(encoder);
}

export function reading(withBackground: boolean): AggBody<Columns>['readColumns'] {
  return (reader, { owners, buckets, kind }) => {
    const column = (count: number) => reader.align(8).doubles(count);
    const starts = startsOf(reader.align(8).uint32s(owners));
    const other = column(owners);
    const error = column(owners);
    const keys = readKeys(reader, kind, buckets);
    const counts = column(buckets);
    if (!withBackground) return { starts, other, error, keys, counts };
    const background = {
      counts: column(buckets),
      superset: column(owners),
      subset: column(owners),
    };
    return { starts, other, error, keys, counts, background };
  };
}

export interface Key {
  readonly value: number | bigint | string;
  readonly order: number | bigint | string;
}

export function* join(parts: readonly Part<Columns>[]): Steps<Joined<Key>[]> {
  const joining = new Joining<Key>();
  for (const part of parts) {
    const { keys, counts } = part.node.columns;
    yield* eachBucket(part, (bucket, place) => {
      const value = keys.value(bucket);
      joining.add(value, { value, order: keys.order(bucket) }, counts[bucket] ?? 0, place);
    });
  }
  return joining.all();
}

export function readWanted({ params, name }: AggContext, partitions: boolean): Wanted {
  const none = {
    include: [],
    exclude: [],
    includeRegexp: '',
    excludeRegexp: '',
    partition: 0,
    partitions: 0,
  };
  const include = params.raw('include');
  const exclude = params.raw('exclude');
  const list = (side: 'include' | 'exclude', value: Json | undefined): readonly Scalar[] =>
    Array.isArray(value) ? (params.scalars(side) ?? []) : [];
  const regexp = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  for (const [side, value] of Object.entries({ include, exclude })) {
    const fits = value === undefined || typeof value === 'string' || Array.isArray(value);
    if (fits || (side === 'include' && partitions && isObject(value))) continue;
    throw malformed(`[${params.clause}] [${side}] must be a string or an array: [${name}]`);
  }
  const wanted = {
    ...none,
    include: list('include', include),
    exclude: list('exclude', exclude),
    includeRegexp: regexp(include),
    excludeRegexp: regexp(exclude),
  };
  if (!isObject(include)) return wanted;
  const inner = new AggParams('include', include, name);
  const partition = inner.integer('partition');
  const count = inner.count('num_partitions', 1);
  inner.finish();
  if (partition === undefined || count === undefined) {
    throw illegal(`[include] needs [partition] and [num_partitions]: [${name}]`);
  }
  if (partition >= count) throw illegal(`[partition] must be below [num_partitions]: [${name}]`);
  return { ...wanted, partition, partitions: count };
}

/** Buckets with what is inside, made when it is looked at. */
export class Candidate {
  readonly joined: Joined<Key>;
  readonly inside: () => ReturnType<Reducer['inside']>;

  constructor(joined: Joined<Key>, make: () => ReturnType<Reducer['inside']>) {
    this.joined = joined;
    this.inside = once(make);
  }
  get order(): Key['order'] {
    return this.joined.key.order;
  }
  get docCount(): number {
    return this.joined.docCount;
  }
}

export function toBucket(
  candidate: Candidate,
  texts: ValueTexts,
  more: Record<string, Json> = {},
): AggBucket {
  const { key } = candidate.joined;
  const members = texts.keyMembers(key.value);
  return {
    name: String(members['key_as_string'] ?? key.value),
    key: key.value,
    docCount: candidate.docCount,
    members: { ...members, doc_count: candidate.docCount, ...more },
    get inside() {
      return candidate.inside();
    },
  };
}
