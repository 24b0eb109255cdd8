// Common parts of all bucket aggregations: buckets of several shards grouped by key, in columns,
// and lists of materialized buckets.
import type { AggPart } from '../../wire/agg-reader.js';
import type { ByteReader } from '../../wire/byte-reader.js';
import {
  type Agg,
  type AggBucket,
  type AggResult,
  type BucketPart,
  type Buckets,
  type Inside,
  METRICS,
  type Reducer,
  type ShardBucket,
} from './agg.js';
import { BUCKETS_PER_YIELD, type CooperativeTask } from './steps.js';

/** A function that calls `make` the first time and returns the same value afterwards. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The aggregations inside a bucket, by the bucket's number. */
export interface InsideOf {
  (bucket: number): Inside;
  /**
   * The same as a cooperative task; undefined where nothing inside has buckets or pipelines, which
   * is little work.
   */
  readonly steps: ((bucket: number) => CooperativeTask<Inside>) | undefined;
}

export function insideOf(
  agg: Agg,
  reducer: Reducer,
  partsOf: (bucket: number) => readonly BucketPart[],
): InsideOf {
  const isLittle =
    agg.pipelines.length === 0 && agg.children.every(({ opcode }) => METRICS.has(opcode));
  return Object.assign((bucket: number) => reducer.inside(agg, () => partsOf(bucket)), {
    steps: isLittle ? undefined : (bucket: number) => reducer.insideSteps(agg, partsOf(bucket)),
  });
}

/** The same, with every result kept after the first call. */
export function rememberedInside(inside: InsideOf): InsideOf {
  const known: Inside[] = [];
  const { steps } = inside;
  const remembered = (bucket: number): Inside => {
    known[bucket] ??= inside(bucket);
    return known[bucket];
  };
  const inSteps = function* (bucket: number): CooperativeTask<Inside> {
    if (steps !== undefined) known[bucket] ??= yield* steps(bucket);
    return remembered(bucket);
  };
  return Object.assign(remembered, { steps: steps === undefined ? undefined : inSteps });
}

/** The index of each owner's first bucket, followed by the total. */
export function readStarts(reader: ByteReader, owners: number): ArrayLike<number> {
  if (owners === 1) return [0, reader.align(8).u32()];
  const counts = reader.align(8).uint32s(owners);
  const starts = new Uint32Array(counts.length + 1);
  let all = 0;
  for (let owner = 0; owner < counts.length; owner++) {
    all += counts[owner] ?? 0;
    starts[owner + 1] = all;
  }
  return starts;
}

export interface CountColumns {
  readonly starts: ArrayLike<number>;
  readonly counts: Float64Array;
}

const NONE = -1;

/**
 * Buckets of one owner with equal keys in several shards, as one group each. With a single part the
 * groups are its buckets, without a copy.
 */
export class Groups<T extends CountColumns> {
  readonly length: number;
  readonly #parts: readonly ShardBucket<T>[];
  /** Index of the owner's first bucket in the first part. */
  readonly #start: number;
  readonly #joined: JoinedColumns | undefined;

  constructor(parts: readonly ShardBucket<T>[], joined?: JoinedColumns) {
    const [first] = parts;
    const [start, end] = first === undefined ? [0, 0] : boundsOf(first);
    this.#parts = parts;
    this.#start = start;
    this.#joined = joined;
    this.length = joined?.length ?? end - start;
  }

  docCount(group: number): number {
    if (this.#joined !== undefined) return this.#joined.counts[group] ?? 0;
    return this.#parts[0]?.node.columns.counts[this.#start + group] ?? 0;
  }
  /** Columns of the first shard that has the group. */
  columns(group: number): T {
    const part = this.#joined === undefined ? 0 : this.#joined.firstPart(group);
    return (this.#parts[part] as ShardBucket<T>).node.columns;
  }
  /** The group's index in those columns. */
  bucket(group: number): number {
    return this.#joined === undefined ? this.#start + group : this.#joined.firstBucket(group);
  }
  /** The buckets of all shards that have the group. */
  parts(group: number): readonly BucketPart[] {
    if (this.#joined !== undefined) {
      return this.#joined.entries(group).map(([part, bucket]) => this.#part(part, bucket));
    }
    return [this.#part(0, this.#start + group)];
  }

  #part(at: number, bucket: number): BucketPart {
    const { node, shard } = this.#parts[at] as ShardBucket<T>;
    return { node: node as AggPart, bucket, shard };
  }
}

function boundsOf<T extends CountColumns>({
  node,
  owner,
}: ShardBucket<T>): readonly [number, number] {
  const { starts } = node.columns;
  return [starts[owner] ?? 0, starts[owner + 1] ?? 0];
}

/** Groups as linked lists of buckets. */
class JoinedColumns {
  length = 0;
  readonly counts: Float64Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #next: Int32Array;
  readonly #part: Uint32Array;
  readonly #bucket: Uint32Array;
  #used = 0;

  constructor(buckets: number) {
    this.counts = new Float64Array(buckets);
    this.#first = new Int32Array(buckets);
    this.#last = new Int32Array(buckets);
    this.#next = new Int32Array(buckets).fill(NONE);
    this.#part = new Uint32Array(buckets);
    this.#bucket = new Uint32Array(buckets);
  }

  /**
   * Adds a bucket to the group `known`, or to a new group if undefined. Returns the group's number.
   */
  add(known: number | undefined, part: number, bucket: number, docCount: number): number {
    const entry = this.#used++;
    this.#part[entry] = part;
    this.#bucket[entry] = bucket;
    const group = known ?? this.length++;
    if (known === undefined) this.#first[group] = entry;
    else this.#next[this.#last[group] ?? 0] = entry;
    this.#last[group] = entry;
    this.counts[group] = (this.counts[group] ?? 0) + docCount;
    return group;
  }
  firstPart(group: number): number {
    return this.#part[this.#first[group] ?? 0] ?? 0;
  }
  firstBucket(group: number): number {
    return this.#bucket[this.#first[group] ?? 0] ?? 0;
  }
  entries(group: number): (readonly [part: number, bucket: number])[] {
    const found: (readonly [number, number])[] = [];
    for (let at = this.#first[group] ?? NONE; at !== NONE; at = this.#next[at] ?? NONE) {
      found.push([this.#part[at] ?? 0, this.#bucket[at] ?? 0]);
    }
    return found;
  }
}

/**
 * Groups the buckets by key, in the order of each key's first occurrence. `identity` returns equal
 * values for equal keys, as Map compares them.
 */
export function* join<T extends CountColumns>(
  parts: readonly ShardBucket<T>[],
  identity: (columns: T, bucket: number) => unknown,
): CooperativeTask<Groups<T>> {
  if (parts.length <= 1) return new Groups(parts);
  let all = 0;
  for (const part of parts) {
    const [start, end] = boundsOf(part);
    all += end - start;
  }
  const joined = new JoinedColumns(all);
  const groups = new Map<unknown, number>();
  for (const [at, part] of parts.entries()) {
    const { columns } = part.node;
    const [start, end] = boundsOf(part);
    for (let bucket = start; bucket < end; bucket++) {
      const key = identity(columns, bucket);
      const known = groups.get(key);
      const group = joined.add(known, at, bucket, columns.counts[bucket] ?? 0);
      if (known === undefined) groups.set(key, group);
      if (bucket % BUCKETS_PER_YIELD === 0) yield;
    }
  }
  return new Groups(parts, joined);
}

/** The buckets of one aggregation, by row. */
export interface BucketRows {
  readonly length: number;
  name(row: number): string;
  key(row: number): AggBucket['key'];
  docCount(row: number): number;
  json(row: number): string;
  /** Called before rows are printed, with several of them. */
  prepare?(rows: readonly number[]): void;
}

/** The rows listed in `shown`, in that order; undefined: all rows in their own order. */
export class RowBuckets implements Buckets {
  readonly length: number;
  readonly #rows: BucketRows;
  readonly #shown: ArrayLike<number> | undefined;
  readonly #inside: InsideOf;
  readonly insideSteps?: (at: number) => CooperativeTask<Inside>;

  constructor(rows: BucketRows, shown: ArrayLike<number> | undefined, inside: InsideOf) {
    this.length = shown?.length ?? rows.length;
    this.#rows = rows;
    this.#shown = shown;
    this.#inside = inside;
    const { steps } = inside;
    if (steps !== undefined) this.insideSteps = (at) => steps(this.#row(at));
  }

  name(at: number): string {
    this.#prepare(at);
    return this.#rows.name(this.#row(at));
  }
  key(at: number): AggBucket['key'] {
    return this.#rows.key(this.#row(at));
  }
  docCount(at: number): number {
    return this.#rows.docCount(this.#row(at));
  }
  json(at: number): string {
    this.#prepare(at);
    return this.#rows.json(this.#row(at));
  }
  inside(at: number): Inside {
    return this.#inside(this.#row(at));
  }

  #row(at: number): number {
    return this.#shown === undefined ? at : (this.#shown[at] ?? 0);
  }
  /** Buckets are printed in order: with the first of some, all of them are prepared. */
  #prepare(at: number): void {
    if (this.#rows.prepare === undefined || at % BUCKETS_PER_YIELD !== 0) return;
    const length = Math.min(BUCKETS_PER_YIELD, this.length - at);
    this.#rows.prepare(Array.from({ length }, (_, i) => this.#row(at + i)));
  }
}

/** Buckets that are materialized. */
export class ListedBuckets implements Buckets {
  readonly list: readonly AggBucket[];

  constructor(list: readonly AggBucket[]) {
    this.list = list;
  }
  get length(): number {
    return this.list.length;
  }
  name(at: number): string {
    return this.#at(at).name;
  }
  key(at: number): AggBucket['key'] {
    return this.#at(at).key;
  }
  docCount(at: number): number {
    return this.#at(at).docCount;
  }
  json(at: number): string {
    return this.#at(at).json;
  }
  inside(at: number): Inside {
    return this.#at(at).inside;
  }
  #at(at: number): AggBucket {
    return this.list[at] as AggBucket;
  }
}

/** One bucket of a Buckets object, whose aggregations inside are computed once. */
class MaterializedBucket implements AggBucket {
  readonly name: string;
  readonly key: AggBucket['key'];
  readonly docCount: number;
  readonly json: string;
  readonly #inside: () => Inside;

  /** `inside`: the aggregations inside, if they are already computed. */
  constructor(buckets: Buckets, at: number, inside?: Inside) {
    this.name = buckets.name(at);
    this.key = buckets.key(at);
    this.docCount = buckets.docCount(at);
    this.json = buckets.json(at);
    this.#inside = once(() => inside ?? buckets.inside(at));
  }
  get inside(): Inside {
    return this.#inside();
  }
}

/** Materializes the buckets for pipelines, which read them repeatedly. */
export function* keep(buckets: Buckets): CooperativeTask<ListedBuckets> {
  if (buckets instanceof ListedBuckets) return buckets;
  const list: AggBucket[] = [];
  for (let at = 0; at < buckets.length; at++) {
    const steps = buckets.insideSteps?.(at);
    list.push(new MaterializedBucket(buckets, at, steps === undefined ? undefined : yield* steps));
    if (at % BUCKETS_PER_YIELD === 0) yield;
  }
  return new ListedBuckets(list);
}

/**
 * The buckets of a result, materialized if they are not yet; undefined: the aggregation has no
 * buckets.
 */
export function bucketsOf({ buckets }: AggResult): readonly AggBucket[] | undefined {
  if (buckets === undefined || buckets instanceof ListedBuckets) return buckets?.list;
  return Array.from({ length: buckets.length }, (_, at) => new MaterializedBucket(buckets, at));
}
