// Pipeline aggregations: made in the coordinator of what the others answered. A parent one adds to, or chooses among, the
// buckets that it stands in; a sibling one sums up the buckets of an aggregation beside it.
import type { Json, JsonObject } from '../../backend.js';
import { illegal, isArray, isObject, malformed } from '../values.js';
import type { AggBucket, AggResult, Inside } from './agg.js';
import { decimalFormat } from './format.js';
import { AggParams } from './params.js';
import { numberThrough } from './paths.js';
import { bucketScript, bucketSelector, bucketSort } from './pipelines/choosing.js';
import { cumulativeSum, derivative, movingFn, serialDiff } from './pipelines/series.js';
import {
  avgBucket,
  extendedStatsBucket,
  maxBucket,
  minBucket,
  percentilesBucket,
  statsBucket,
  sumBucket,
} from './pipelines/summary.js';

export interface Pipeline {
  readonly name: string;
  readonly type: string;
  readonly meta: JsonObject | undefined;
  /** Stands inside the buckets that it works on. */
  readonly parent: boolean;
  readonly paths: readonly string[];
  /** Parents: the buckets as they are afterwards. */
  buckets(buckets: readonly AggBucket[]): readonly AggBucket[];
  /** Siblings: what is added to the level. */
  result(level: Inside): PipelineResult;
}

/** As AggResult, without an aggregation that was sent to shards. */
export type PipelineResult = Pick<AggResult, 'typed' | 'members' | 'value'>;

export interface PipelineContext {
  readonly name: string;
  readonly type: string;
  readonly params: AggParams;
  /** `buckets_path` as one text. */
  path(): string;
  /** `buckets_path` as an object of names. */
  named(): Readonly<Record<string, string>>;
  gaps(): Gaps;
  /** `format`: members of a number. */
  readonly print: (value: number | null) => Readonly<Record<string, Json>>;
  /** By the format that was asked for. */
  readonly textOf: (value: number) => string | undefined;
  add(bucket: AggBucket, result: PipelineResult): AggBucket;
}

export type PipelineBody = Partial<Pick<Pipeline, 'buckets' | 'result'>> & {
  readonly paths: readonly string[];
};

/** Buckets without a number are skipped, or count as 0; keep_values skips empty buckets only where they say nothing. */
export type Gaps = 'skip' | 'insert_zeros' | 'keep_values';
const GAPS: readonly Gaps[] = ['skip', 'insert_zeros', 'keep_values'];

type PipelineKind = (context: PipelineContext) => PipelineBody;

const PARENTS: Readonly<Record<string, PipelineKind>> = {
  bucket_script: bucketScript,
  bucket_selector: bucketSelector,
  bucket_sort: bucketSort,
  cumulative_sum: cumulativeSum,
  derivative,
  moving_fn: movingFn,
  serial_diff: serialDiff,
};
const SIBLINGS: Readonly<Record<string, PipelineKind>> = {
  avg_bucket: avgBucket,
  extended_stats_bucket: extendedStatsBucket,
  max_bucket: maxBucket,
  min_bucket: minBucket,
  percentiles_bucket: percentilesBucket,
  stats_bucket: statsBucket,
  sum_bucket: sumBucket,
};

export function isPipeline(type: string): boolean {
  return Object.hasOwn(PARENTS, type) || Object.hasOwn(SIBLINGS, type);
}

export function parsePipeline(
  name: string,
  type: string,
  body: Json,
  meta: JsonObject | undefined,
): Pipeline {
  const params = new AggParams(type, body, name);
  const format = params.text('format') ?? '';
  const kind = PARENTS[type] ?? SIBLINGS[type];
  if (kind === undefined) throw malformed(`Unknown aggregation type [${type}]`);
  const text = format === '' ? undefined : decimalFormat(format);
  const context: PipelineContext = {
    name,
    type,
    params,
    path: () => readPath(params, name),
    named: () => readNamed(params, name),
    gaps: () => params.choice('gap_policy', GAPS) ?? 'skip',
    print: printer(text),
    textOf: (value) => text?.(value),
    add: (bucket, made) => withResult(bucket, { name, type, meta }, made),
  };
  const made = kind(context);
  params.finish();
  return {
    name,
    type,
    meta,
    parent: Object.hasOwn(PARENTS, type),
    paths: made.paths,
    buckets: made.buckets ?? ((buckets) => buckets),
    result: made.result ?? (() => ({ typed: type, members: {}, value: () => undefined })),
  };
}

function printer(text: ((value: number) => string) | undefined): PipelineContext['print'] {
  return (value) => {
    const number = value !== null && Number.isFinite(value) ? value : null;
    return number === null || text === undefined
      ? { value: number }
      : { value: number, value_as_string: text(number) };
  };
}

function readPath(params: AggParams, name: string): string {
  const value = params.raw('buckets_path');
  const path = isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof path === 'string' && path !== '') return path;
  throw illegal(`Required [buckets_path]: one path, in [${name}]`);
}

function readNamed(params: AggParams, name: string): Readonly<Record<string, string>> {
  const value = params.raw('buckets_path');
  if (typeof value === 'string') return { _value: value };
  if (!isObject(value))
    throw illegal(`Required [buckets_path]: names and their paths, in [${name}]`);
  const paths: Record<string, string> = {};
  for (const [key, path] of Object.entries(value)) {
    if (typeof path !== 'string')
      throw illegal(`[buckets_path] of [${key}] must be a path, in [${name}]`);
    paths[key] = path;
  }
  return paths;
}

function withResult(
  bucket: AggBucket,
  { name, type, meta }: Pick<Pipeline, 'name' | 'type' | 'meta'>,
  made: PipelineResult,
): AggBucket {
  const inside = new Map(bucket.inside);
  inside.set(name, toResult({ name, type, meta }, made));
  const { name: shown, key, docCount, json } = bucket;
  return { name: shown, key, docCount, json, inside };
}

/** A result that stands among those of the shards. */
export function toResult(
  { name, type, meta }: Pick<Pipeline, 'name' | 'type' | 'meta'>,
  made: PipelineResult,
): AggResult {
  return { ...made, agg: { name, type, meta } };
}

/** The number of a bucket at a path inside it. */
export function numberAt(bucket: AggBucket, path: string): number | null {
  if (path === '_count') return bucket.docCount;
  if (path === '_key') return Number(bucket.key);
  const value = numberThrough(bucket.inside, path);
  return value === null || !Number.isFinite(value) ? null : value;
}

/** The same, with what a policy makes of a bucket that has none. */
export function withPolicy(bucket: AggBucket, path: string, gaps: Gaps): number | null {
  const value = numberAt(bucket, path);
  const empty = bucket.docCount === 0 && path !== '_count' && gaps !== 'keep_values';
  if (value !== null && !empty) return value;
  return gaps === 'insert_zeros' ? 0 : null;
}

/** Siblings first where they are needed: those whose paths start at another come after it. */
export function inOrder(pipelines: readonly Pipeline[]): readonly Pipeline[] {
  const names = new Set(pipelines.map(({ name }) => name));
  const done = new Set<string>();
  const ordered: Pipeline[] = [];
  let left = [...pipelines];
  while (left.length > 0) {
    const ready = left.filter(({ paths }) =>
      paths.every((path) => {
        const first = path.split(/[>.[]/)[0] ?? '';
        return !names.has(first) || done.has(first);
      }),
    );
    if (ready.length === 0)
      throw illegal(`Cyclical dependency found with pipeline aggregator [${left[0]?.name}]`);
    for (const pipeline of ready) done.add(pipeline.name);
    ordered.push(...ready);
    left = left.filter((pipeline) => !done.has(pipeline.name));
  }
  return ordered;
}
