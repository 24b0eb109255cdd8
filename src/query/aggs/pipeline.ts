// Pipeline aggregations, computed in the coordinator from the reduced results of the others. A
// parent pipeline adds to, or selects among, the buckets that contain it; a sibling pipeline
// summarizes the buckets of an aggregation on its own level.
import type { Json, JsonObject } from '../../backend/index.js';
import { illegal, isArray, isObject, malformed } from '../values.js';
import type { AggResult } from './agg.js';
import { decimalFormat } from './format.js';
import { AggParams } from './params.js';
import { bucketScript, bucketSelector, bucketSort } from './pipelines/choosing.js';
import type {
  Gaps,
  Pipeline,
  PipelineBody,
  PipelineBucket,
  PipelineContext,
  PipelineResult,
} from './pipelines/kit.js';
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
import type { CooperativeTask } from './steps.js';

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
    add(bucket, result) {
      bucket.inside.set(name, toResult({ name, type, meta }, result));
    },
  };
  const made = kind(context);
  params.finish();
  return {
    name,
    type,
    meta,
    parent: Object.hasOwn(PARENTS, type),
    paths: made.paths,
    buckets: made.buckets ?? unchanged,
    result: made.result ?? (() => atOnceOf({ typed: type, members: {}, value: () => undefined })),
  };
}

// biome-ignore lint/correctness/useYield: nothing is done.
function* unchanged(
  buckets: readonly PipelineBucket[],
): CooperativeTask<readonly PipelineBucket[]> {
  return buckets;
}

// biome-ignore lint/correctness/useYield: it is there.
function* atOnceOf<T>(value: T): CooperativeTask<T> {
  return value;
}

function printer(text: ((value: number) => string) | undefined): PipelineContext['print'] {
  return (value) => {
    const number = value !== null && Number.isFinite(value) ? value : null;
    return number === null || text === undefined
      ? { value: number }
      : { value: number, value_as_string: text(number) };
  };
}

/** Characters of a path. The limit exists because it is read for every bucket. */
const MAX_PATH = 4096;

function checkPath(path: string, name: string): string {
  if (path.length <= MAX_PATH) return path;
  throw illegal(
    `[buckets_path] of [${name}] has [${path.length}] characters, more than [${MAX_PATH}]: give the aggregations on its way shorter names`,
  );
}

function readPath(params: AggParams, name: string): string {
  const value = params.raw('buckets_path');
  const path = isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof path === 'string' && path !== '') return checkPath(path, name);
  throw illegal(`Required [buckets_path]: one path, in [${name}]`);
}

function readNamed(params: AggParams, name: string): Readonly<Record<string, string>> {
  const value = params.raw('buckets_path');
  if (typeof value === 'string') return { _value: checkPath(value, name) };
  if (!isObject(value))
    throw illegal(`Required [buckets_path]: names and their paths, in [${name}]`);
  const paths: Record<string, string> = {};
  for (const [key, path] of Object.entries(value)) {
    if (typeof path !== 'string')
      throw illegal(`[buckets_path] of [${key}] must be a path, in [${name}]`);
    paths[key] = checkPath(path, name);
  }
  return paths;
}

/** Converts a pipeline's result to the type of the results of shards. */
export function toResult(
  { name, type, meta }: Pick<Pipeline, 'name' | 'type' | 'meta'>,
  made: PipelineResult,
): AggResult {
  return { ...made, agg: { name, type, meta } };
}

/**
 * Parents, then siblings; within each group a pipeline comes after those that its paths start at.
 */
export function inOrder(pipelines: readonly Pipeline[]): readonly Pipeline[] {
  return [
    ...byRank(pipelines.filter(({ parent }) => parent)),
    ...byRank(pipelines.filter(({ parent }) => !parent)),
  ];
}

/** Sorts by the length of the longest chain of dependencies; the sort is stable. */
function byRank(pipelines: readonly Pipeline[]): readonly Pipeline[] {
  const names = new Set(pipelines.map(({ name }) => name));
  const users = new Map<string, Pipeline[]>();
  const waiting = new Map<Pipeline, number>();
  for (const pipeline of pipelines) {
    const firsts = pipeline.paths.map((path) => path.split(/[>.[]/, 1)[0] ?? '');
    const needed = new Set(firsts.filter((first) => names.has(first)));
    waiting.set(pipeline, needed.size);
    for (const name of needed) {
      const known = users.get(name);
      if (known === undefined) users.set(name, [pipeline]);
      else known.push(pipeline);
    }
  }
  const place = new Map(pipelines.map((pipeline, at) => [pipeline, at]));
  const ordered: Pipeline[] = [];
  let ready = pipelines.filter((pipeline) => waiting.get(pipeline) === 0);
  while (ready.length > 0) {
    ordered.push(...ready);
    const next: Pipeline[] = [];
    for (const user of ready.flatMap(({ name }) => users.get(name) ?? [])) {
      const left = (waiting.get(user) ?? 0) - 1;
      waiting.set(user, left);
      if (left === 0) next.push(user);
    }
    ready = next.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
  }
  if (ordered.length === pipelines.length) return ordered;
  const stuck = pipelines.find((pipeline) => (waiting.get(pipeline) ?? 0) > 0);
  throw illegal(`Cyclical dependency found with pipeline aggregator [${stuck?.name}]`);
}
