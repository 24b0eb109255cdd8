// Common parts of the pipeline aggregations: the buckets they work on, their results, and the
// numbers that they read.
import type { Json, JsonObject } from '../../../backend/index.js';
import type { AggBucket, AggResult, Inside } from '../agg.js';
import type { AggParams } from '../params.js';
import { numberThrough } from '../paths.js';
import type { PipelineWork } from '../pipeline-work.js';
import type { CooperativeTask } from '../steps.js';

export interface Pipeline {
  readonly name: string;
  readonly type: string;
  readonly meta: JsonObject | undefined;
  /** True if it is contained in the buckets that it works on. */
  readonly parent: boolean;
  readonly paths: readonly string[];
  /** Of parents: returns the buckets to keep, with the results added to them. */
  buckets(
    buckets: readonly PipelineBucket[],
    work: PipelineWork,
  ): CooperativeTask<readonly PipelineBucket[]>;
  /** Of siblings: the result that is added to the level. */
  result(level: Inside, work: PipelineWork): CooperativeTask<PipelineResult>;
}

/** A bucket to which parent pipelines add their results. */
export class PipelineBucket implements AggBucket {
  readonly name: string;
  readonly key: Json;
  readonly docCount: number;
  readonly json: string;
  readonly inside: Map<string, AggResult>;

  constructor({ name, key, docCount, json, inside }: AggBucket) {
    this.name = name;
    this.key = key;
    this.docCount = docCount;
    this.json = json;
    this.inside = new Map(inside);
  }
}

/** An AggResult without an aggregation that was sent to shards. */
export type PipelineResult = Pick<AggResult, 'typed' | 'members' | 'value'>;

export interface PipelineContext {
  readonly name: string;
  readonly type: string;
  readonly params: AggParams;
  /** Reads `buckets_path` as one string. */
  path(): string;
  /** Reads `buckets_path` as an object of names. */
  named(): Readonly<Record<string, string>>;
  gaps(): Gaps;
  /** The printed members of a number, by `format`. */
  readonly print: (value: number | null) => Readonly<Record<string, Json>>;
  /** The number as a string, by the requested format; undefined without a format. */
  readonly textOf: (value: number) => string | undefined;
  add(bucket: PipelineBucket, result: PipelineResult): void;
}

export type PipelineBody = Partial<Pick<Pipeline, 'buckets' | 'result'>> & {
  readonly paths: readonly string[];
};

/**
 * Buckets without a number are skipped or count as 0; keep_values skips empty buckets only if they
 * have no value.
 */
export type Gaps = 'skip' | 'insert_zeros' | 'keep_values';

/** The number of a bucket at a path inside it. */
export function numberAt(bucket: AggBucket, path: string, work: PipelineWork): number | null {
  work.spend(BUCKET_WORK);
  if (path === '_count') return bucket.docCount;
  if (path === '_key') return Number(bucket.key);
  work.spend(path.length / 4);
  const value = numberThrough(bucket.inside, path, work);
  return value === null || !Number.isFinite(value) ? null : value;
}

/** Cost of examining a bucket and of its result. */
const BUCKET_WORK = 40;

/** numberAt() with the gap policy applied to buckets without a number. */
export function withPolicy(
  bucket: AggBucket,
  path: string,
  gaps: Gaps,
  work: PipelineWork,
): number | null {
  const value = numberAt(bucket, path, work);
  const empty = bucket.docCount === 0 && path !== '_count' && gaps !== 'keep_values';
  if (value !== null && !empty) return value;
  return gaps === 'insert_zeros' ? 0 : null;
}
