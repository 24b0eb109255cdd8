// The interface of one aggregation of a request to the parser, the encoder and the reducer. Each
// file of kinds/ implements it for some names of the DSL.
import type { Json, JsonObject } from '../../backend/index.js';
import type { AggPart, PartShape } from '../../wire/agg-reader.js';
import type { PlanWriter } from '../../wire/plan-writer.js';
import type { Clause } from '../clauses/index.js';
import type { SearchLimits } from '../limits.js';
import type { Calendar } from './calendar.js';
import type { TextSource, ValueTexts } from './format.js';
import type { OneAnswer } from './one-answer.js';
import type { AggParams } from './params.js';
import type { Pipeline } from './pipelines/kit.js';
import type { CooperativeTask } from './steps.js';

/** The result of one owner (a bucket of the level above) in the node of one shard. */
export interface ShardBucket<T = unknown> {
  readonly node: AggPart<T>;
  readonly owner: number;
  /** Number of the shard in the response, for results that depend on the shard. */
  readonly shard: number;
}

/** What the reduction offers to the kinds of aggregations. */
export interface Reducer {
  readonly calendar: Calendar;
  /** Shards that the request was sent to. */
  readonly shards: number;
  /** Limit on the buckets of the response. */
  readonly maxBuckets: number;
  /** Name of the index that the shard with this number in the response belongs to. */
  indexName(shard: number): string;
  /**
   * The result of the aggregation on any shard, for values that are the same in every bucket,
   * including buckets that no shard has.
   */
  any(agg: Pick<Agg, 'name'>): AggPart | undefined;
  /**
   * How an aggregation prints its numbers and keys. `source` is always the same for one
   * aggregation.
   */
  texts(agg: Pick<Agg, 'name'>, parts: readonly ShardBucket[], source: TextSource): ValueTexts;
  /**
   * The aggregations inside a bucket, reduced from the bucket's parts. `parts` is called only if
   * there are aggregations inside.
   */
  inside(agg: Agg, parts: () => readonly BucketPart[]): Inside;
  insideSteps(agg: Agg, parts: readonly BucketPart[]): CooperativeTask<Inside>;
}

export interface BucketPart {
  readonly node: AggPart;
  readonly bucket: number;
  readonly shard: number;
}

export type Inside = ReadonlyMap<string, AggResult>;

/** A document of a top_hits aggregation: its position in the shards' responses. */
export interface TopHit {
  readonly shard: number;
  readonly doc: number;
  readonly score: number | null;
  readonly sort: readonly string[];
}

export interface AggBucket {
  /** The printed key: the bucket's name in keyed responses. */
  readonly name: string;
  /** The key as orders, pipelines and paths read it. */
  readonly key: Json;
  readonly docCount: number;
  /** The bucket's members except the aggregations inside, as JSON without braces; never empty. */
  readonly json: string;
  /** Computed when it is read. */
  readonly inside: Inside;
}

/** Buckets in their order. Each one is computed when it is read, and not kept. */
export interface Buckets {
  readonly length: number;
  /** The methods correspond to the fields of AggBucket. */
  name(at: number): string;
  key(at: number): Json;
  docCount(at: number): number;
  json(at: number): string;
  inside(at: number): Inside;
  /** inside() as a cooperative task; absent where there is little work. */
  insideSteps?(at: number): CooperativeTask<Inside>;
}

/** The reduced result of one aggregation. */
export interface AggResult {
  readonly agg: Pick<Agg, 'name' | 'type' | 'meta'>;
  /** Prefix of the name when typed keys are requested (`sterms#genres`). */
  readonly typed: string;
  /**
   * The members except buckets and the aggregations inside. Members with many numbers are computed
   * when they are read.
   */
  readonly members: Readonly<Record<string, Json>>;
  /**
   * A number of the result, for orders and pipelines. Null: it has no value; undefined: there is no
   * such property.
   */
  value(property: string): number | null | undefined;
  /** Buckets in order; pipelines may replace them. */
  readonly buckets?: Buckets;
  /** The buckets are printed as members of an object, by name. */
  readonly keyed?: boolean;
  /** The bucket of an aggregation that always has exactly one. */
  readonly single?: AggBucket;
  readonly hits?: TopHitsResult;
  /**
   * Count of numbers that the aggregation prints one by one (of percentiles); a whole response may
   * have MAX_NUMBERS.
   */
  readonly numbers?: number;
}

export interface TopHitsResult {
  readonly total: number;
  readonly maxScore: number | null;
  readonly hits: readonly TopHit[];
  /** The body of a search that prints its hits in the same way. */
  readonly shows: JsonObject;
}

export interface AggEncoder {
  readonly writer: PlanWriter;
  /** Shards that the request will be sent to. */
  readonly shards: number;
  clause(clause: Clause): void;
}

export interface Agg<T = unknown> extends PartShape<T> {
  readonly name: string;
  /** Name in the DSL. */
  readonly type: string;
  readonly meta: JsonObject | undefined;
  /** The aggregations that shards compute inside its buckets. */
  readonly children: readonly Agg[];
  /** The pipeline aggregations inside it, which are computed from the reduced results. */
  readonly pipelines: readonly Pipeline[];
  readonly opcode: string;
  /**
   * Distance of extended_stats bounds from the mean in standard deviations, for orders by these
   * bounds.
   */
  readonly sigma?: number;
  /** The values of a top_metrics, which orders name; they have to be those of a single document. */
  readonly metrics?: { readonly names: readonly string[]; readonly size: number };
  /** Writes the parameters of its plan node. */
  encode(encoder: AggEncoder): void;
  /** Returns a cooperative task where there may be tens of thousands of buckets. */
  reduce(
    parts: readonly ShardBucket<T>[],
    reducer: Reducer,
  ): AggResult | CooperativeTask<AggResult>;
  /**
   * Prints the response of the only shard for an aggregation at the top of a request. Absent: the
   * kind always needs a reduction; undefined: this response needs one.
   */
  ofOne?(part: AggPart<T>): OneAnswer | undefined;
}

/** What a kind provides; the parser adds name, meta and children. */
export type AggBody<T> = Pick<
  Agg<T>,
  'opcode' | 'encode' | 'readColumns' | 'sigma' | 'metrics' | 'ofOne'
> & {
  reduce(
    agg: Agg<T>,
    parts: readonly ShardBucket<T>[],
    reducer: Reducer,
  ): AggResult | CooperativeTask<AggResult>;
};

/** What the parser offers to the kinds of aggregations. */
export interface AggContext {
  /** The name of the aggregation in the request. */
  readonly name: string;
  /** The unparsed value of the aggregation's type. */
  readonly body: Json;
  readonly params: AggParams;
  /** Parses a query inside the aggregation. */
  clause(value: Json): Clause;
  /** Limits of the searched indexes. */
  readonly limits: SearchLimits;
  /**
   * The filters of aliases, which aggregations that examine more documents than the query finds
   * must apply; undefined: every document is visible.
   */
  readonly aliasFilter: Clause | undefined;
  /** True at the top of a request. */
  readonly top: boolean;
  /** It is inside a `nested` aggregation, at any depth. */
  readonly inNested: boolean;
  readonly children: readonly Agg[];
  readonly pipelines: readonly Pipeline[];
}

/** Opcodes of aggregations without buckets, which allow no aggregations inside. */
export const METRICS: ReadonlySet<string> = new Set([
  'agg:stats',
  'agg:value_count',
  'agg:weighted_avg',
  'agg:cardinality',
  'agg:percentiles',
  'agg:top_hits',
  'agg:geo_bounds',
  'agg:geo_centroid',
  'agg:top_metrics',
]);

/** Parses the value of the aggregation's type. */
export type AggKind = (context: AggContext) => AggBody<unknown>;

/** The result of an aggregation with a single value. */
export function numberResult(
  agg: Agg,
  typed: string,
  members: Readonly<Record<string, Json>>,
  value: number | null,
): AggResult {
  return {
    agg,
    typed,
    members,
    value: (property) => (property === 'value' ? value : undefined),
  };
}
