// Common parts of terms, rare_terms and significant_terms: their plan node, the shards' responses,
// and their buckets.
import type { Json } from '../../../backend/index.js';
import { quote } from '../../../base/json-text.js';
import { type KeyColumn, type KeyValue, readKeys } from '../../../wire/agg-keys.js';
import type { Scalar } from '../../../wire/plan-writer.js';
import { illegal, isObject, malformed } from '../../values.js';
import type { Agg, AggBody, AggContext, AggEncoder, Inside, ShardBucket } from '../agg.js';
import { type BucketRows, type CountColumns, type Groups, join, readStarts } from '../buckets.js';
import type { ValueTexts } from '../format.js';
import { compareKeys, type OrderKey, type Sortable, writeOrders } from '../order.js';
import { AggParams, type Source, writeSource } from '../params.js';
import type { CooperativeTask } from '../steps.js';

export const DEFAULT_SIZE = 10;
/** Buckets up to which a shard sends all, so that the totals of several shards are exact. */
export const EXACT_BUCKETS = 131_072;
export const WITHOUT_DOCUMENTS = 1;
export const BACKGROUND = 2;
export const BACKGROUND_FILTER = 4;
/** Flag: terms without documents are limited to those of the documents that a filter matches. */
export const WITHOUT_DOCUMENTS_FILTER = 8;

export interface Columns extends CountColumns {
  readonly other: ArrayLike<number>;
  readonly error: ArrayLike<number>;
  readonly keys: KeyColumn;
  readonly background?: {
    readonly counts: Float64Array;
    readonly superset: ArrayLike<number>;
    readonly subset: ArrayLike<number>;
  };
}

/** The filters on terms. */
export interface WantedBuckets {
  readonly include: readonly Scalar[];
  readonly exclude: readonly Scalar[];
  readonly includeRegexp: string;
  readonly excludeRegexp: string;
  readonly partition: number;
  readonly partitions: number;
  /** `include` is an empty list. */
  readonly none: boolean;
}

/**
 * True if `include` is an empty list that excludes every string. For numbers an empty list has no
 * effect, as in Elasticsearch.
 */
export function isNothing({ none }: WantedBuckets, { kind }: ValueTexts): boolean {
  return none && (kind === 'string' || kind === 'encoded');
}

export interface Node {
  readonly source: Source;
  readonly shardSize: number;
  readonly exactLimit: number;
  readonly minDocCount: number;
  readonly maxDocCount: number;
  readonly order: readonly OrderKey[];
  readonly wanted: WantedBuckets;
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
    const column = () => reader.align(8).numbers(owners);
    const ofBuckets = () => reader.align(8).doubles(buckets);
    const starts = readStarts(reader, owners);
    const other = column();
    const error = column();
    const keys = readKeys(reader, kind, buckets);
    const counts = ofBuckets();
    if (!withBackground) return { starts, other, error, keys, counts };
    const background = {
      counts: ofBuckets(),
      superset: column(),
      subset: column(),
    };
    return { starts, other, error, keys, counts, background };
  };
}

/** Buckets of one term each. */
export type Terms = Groups<Columns>;

export function joinTerms(parts: readonly ShardBucket<Columns>[]): CooperativeTask<Terms> {
  return join(parts, ({ keys }, bucket) => keys.value(bucket));
}

/** The terms as orders read them. They read repeatedly, so `inside` should cache its results. */
export function sortable(terms: Terms, inside: (term: number) => Inside): Sortable {
  return {
    docCount: (term) => terms.docCount(term),
    compareKeys(a, b) {
      const [left, right] = [terms.columns(a).keys, terms.columns(b).keys];
      const [i, j] = [terms.bucket(a), terms.bucket(b)];
      return left.compare(i, right, j) ?? compareKeys(left.order(i), right.order(j));
    },
    inside,
  };
}

export function readWanted({ params, name }: AggContext): WantedBuckets {
  const none = {
    include: [],
    exclude: [],
    includeRegexp: '',
    excludeRegexp: '',
    partition: 0,
    partitions: 0,
    none: false,
  };
  const include = params.raw('include');
  const exclude = params.raw('exclude');
  const list = (side: 'include' | 'exclude', value: Json | undefined): readonly Scalar[] =>
    Array.isArray(value) ? (params.scalars(side) ?? []) : [];
  const regexp = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  for (const [side, value] of Object.entries({ include, exclude })) {
    const fits = value === undefined || typeof value === 'string' || Array.isArray(value);
    if (fits || (side === 'include' && isObject(value))) continue;
    throw malformed(`[${params.clause}] [${side}] must be a string or an array: [${name}]`);
  }
  const wanted = {
    ...none,
    include: list('include', include),
    exclude: list('exclude', exclude),
    includeRegexp: regexp(include),
    excludeRegexp: regexp(exclude),
    none: Array.isArray(include) && include.length === 0,
  };
  if (!isObject(include)) return wanted;
  if (exclude !== undefined) {
    throw illegal(
      `Cannot specify any excludes when using a partition-based include: [${name}] [exclude]`,
    );
  }
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

/** `more`: further members of a term, each preceded by a comma. */
export function termRows(
  terms: Terms,
  texts: ValueTexts,
  more: (term: number) => string = () => '',
): BucketRows {
  const key = (term: number): KeyValue => terms.columns(term).keys.value(terms.bucket(term));
  return {
    length: terms.length,
    key,
    name(term) {
      const value = key(term);
      return typeof value === 'string' || !texts.shown ? String(value) : texts.text(Number(value));
    },
    docCount: (term) => terms.docCount(term),
    json(term) {
      const { keys } = terms.columns(term);
      const bucket = terms.bucket(term);
      const text =
        keys.isText || !texts.shown
          ? ''
          : `,"key_as_string":${quote(texts.text(Number(keys.value(bucket))))}`;
      return `"key":${keys.json(bucket)}${text},"doc_count":${terms.docCount(term)}${more(term)}`;
    },
  };
}
