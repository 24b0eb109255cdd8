// What one aggregation of a request is to the parser, the encoder and the reducer. A file of kinds/ makes them for some
// names of the DSL.
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

/** Some owner of a node of one shard: what it found for one bucket of the level above. */
export interface ShardBucket<T = unknown> {
  readonly node: AggPart<T>;
  readonly owner: number;
  /** Number of the shard in the answer, for what belongs to shards. */
  readonly shard: number;
}

/** Handed to kinds while they reduce. */
export interface Reducer {
  readonly calendar: Calendar;
  /** Shards that were asked. */
  readonly shards: number;
  /** As many as the answer may hold. */
  readonly maxBuckets: number;
  /** Of the shard with this number in the answer. */
  indexName(shard: number): string;
  /** What some shard answered of it: for what is the same in every bucket, also in those that no shard has. */
  any(agg: Pick<Agg, 'name'>): AggPart | undefined;
  /** How an aggregation prints its numbers and keys. `source`: always the same for one aggregation. */
  texts(agg: Pick<Agg, 'name'>, parts: readonly ShardBucket[], source: TextSource): ValueTexts;
  /** The aggregations inside a bucket, by the parts that it is made of; those are asked for only where there is something inside. */
  inside(agg: Agg, parts: () => readonly BucketPart[]): Inside;
  insideSteps(agg: Agg, parts: readonly BucketPart[]): CooperativeTask<Inside>;
}

export interface BucketPart {
  readonly node: AggPart;
  readonly bucket: number;
  readonly shard: number;
}

export type Inside = ReadonlyMap<string, AggResult>;

/** Documents of a search below an aggregation: their place in the shards' answers. */
export interface TopHit {
  readonly shard: number;
  readonly doc: number;
  readonly score: number | null;
  readonly sort: readonly string[];
}

export interface AggBucket {
  /** As a person reads it: names the bucket in keyed answers. */
  readonly name: string;
  /** For orders, pipelines and paths. */
  readonly key: Json;
  readonly docCount: number;
  /** Its members but for the aggregations inside, as JSON without braces; never empty. */
  readonly json: string;
  /** Made when it is looked at. */
  readonly inside: Inside;
}

/** Buckets in their order, of which each is made when it is looked at, and not kept. */
export interface Buckets {
  readonly length: number;
  /** What AggBucket says of one. */
  name(at: number): string;
  key(at: number): Json;
  docCount(at: number): number;
  json(at: number): string;
  inside(at: number): Inside;
  /** The same in steps; absent where it is little. */
  insideSteps?(at: number): CooperativeTask<Inside>;
}

/** One aggregation, reduced. */
export interface AggResult {
  readonly agg: Pick<Agg, 'name' | 'type' | 'meta'>;
  /** Prefix of the name where types are asked for (`sterms#genres`). */
  readonly typed: string;
  /** Its members but for buckets and the aggregations inside. Those of many numbers are made when they are looked at. */
  readonly members: Readonly<Record<string, Json>>;
  /** A number of it, for orders and pipelines; null: there is none, undefined: it has no such property. */
  value(property: string): number | null | undefined;
  /** Buckets, in order; pipelines may replace them. */
  readonly buckets?: Buckets;
  /** Buckets are members of an object, by name. */
  readonly keyed?: boolean;
  /** An aggregation with one bucket, which is itself. */
  readonly single?: AggBucket;
  readonly hits?: TopHitsResult;
  /** Numbers in a list of the request that are answered one by one; of a whole answer there may be MAX_NUMBERS. */
  readonly numbers?: number;
}

export interface TopHitsResult {
  readonly total: number;
  readonly maxScore: number | null;
  readonly hits: readonly TopHit[];
  /** The body of a search that shows its hits alike. */
  readonly shows: JsonObject;
}

export interface AggEncoder {
  readonly writer: PlanWriter;
  /** Shards that will be asked. */
  readonly shards: number;
  clause(clause: Clause): void;
}

export interface Agg<T = unknown> extends PartShape<T> {
  readonly name: string;
  /** Name in the DSL. */
  readonly type: string;
  readonly meta: JsonObject | undefined;
  /** What shards answer inside its buckets. */
  readonly children: readonly Agg[];
  /** What is made of the answers inside, and across its buckets. */
  readonly pipelines: readonly Pipeline[];
  readonly opcode: string;
  /** How many deviations the bounds of extended_stats are from the mean, for orders by them. */
  readonly sigma?: number;
  /** Times that each document is looked at; once unless it is said. */
  readonly passes?: number;
  /** The parameters of its node. */
  encode(encoder: AggEncoder): void;
  /** In steps where there may be tens of thousands of buckets. */
  reduce(
    parts: readonly ShardBucket<T>[],
    reducer: Reducer,
  ): AggResult | CooperativeTask<AggResult>;
  /** The answer where one shard answered, at the top of a request. Absent: always reduced; undefined: reduced this time. */
  ofOne?(part: AggPart<T>): OneAnswer | undefined;
}

/** What a kind says; names, meta and children are the parser's. */
export type AggBody<T> = Pick<
  Agg<T>,
  'opcode' | 'encode' | 'readColumns' | 'sigma' | 'passes' | 'ofOne'
> & {
  reduce(
    agg: Agg<T>,
    parts: readonly ShardBucket<T>[],
    reducer: Reducer,
  ): AggResult | CooperativeTask<AggResult>;
};

/** Handed to kinds while they parse. */
export interface AggContext {
  /** The name of the aggregation in the request. */
  readonly name: string;
  /** What stands behind the type, as it is. */
  readonly body: Json;
  readonly params: AggParams;
  /** A query inside. */
  clause(value: Json): Clause;
  /** What the searched indexes allow. */
  readonly limits: SearchLimits;
  /**
   * What the filters of aliases let through, which what looks at more than the query finds must not look beyond; undefined:
   * everything.
   */
  readonly aliasFilter: Clause | undefined;
  /** True at the top of a request. */
  readonly top: boolean;
  readonly children: readonly Agg[];
  readonly pipelines: readonly Pipeline[];
}

/** Opcodes of aggregations without buckets, which take nothing inside. */
export const METRICS: ReadonlySet<string> = new Set([
  'agg:stats',
  'agg:value_count',
  'agg:weighted_avg',
  'agg:cardinality',
  'agg:percentiles',
  'agg:top_hits',
]);

/** Parses what stands behind the aggregation's type. */
export type AggKind = (context: AggContext) => AggBody<unknown>;

/** An aggregation of one number. */
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
