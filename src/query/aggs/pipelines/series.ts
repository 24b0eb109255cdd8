// Pipelines that walk along a histogram: derivative, cumulative_sum, serial_diff, moving_fn.

import { compile } from '../../script/evaluate.js';
import { illegal } from '../../values.js';
import type { AggBucket } from '../agg.js';
import { calendarUnit, spanMs } from '../intervals.js';
import {
  numberAt,
  type PipelineBody,
  type PipelineContext,
  type PipelineResult,
  withPolicy,
} from '../pipeline.js';
import { scriptOf } from './choosing.js';

function simple(
  context: PipelineContext,
  value: number | null,
  typed = 'simple_value',
): PipelineResult {
  return {
    typed,
    members: context.print(value),
    value: (property) => (property === 'value' ? value : undefined),
  };
}

const UNIT_MS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_746_000,
  quarter: 7_889_238_000,
  year: 31_556_952_000,
};

function readUnit({ params, name }: PipelineContext): number | undefined {
  const text = params.text('unit');
  if (text === undefined) return undefined;
  const unit = calendarUnit(text);
  const ms = unit === undefined ? spanMs(text) : UNIT_MS[unit];
  if (ms !== undefined && ms > 0) return ms;
  throw illegal(`Could not parse the unit [${text}] of [${name}] as an interval`);
}

export function derivative(context: PipelineContext): PipelineBody {
  const path = context.path();
  const gaps = context.gaps();
  const unit = readUnit(context);
  return {
    paths: [path],
    buckets(buckets) {
      let last: { value: number; key: number } | undefined;
      return buckets.map((bucket) => {
        const value = withPolicy(bucket, path, gaps);
        const before = last;
        if (value !== null) last = { value, key: Number(bucket.key) };
        if (before === undefined || value === null) return bucket;
        const difference = value - before.value;
        const made = simple(context, difference, 'derivative');
        if (unit === undefined) return context.add(bucket, made);
        const normalized = difference / ((Number(bucket.key) - before.key) / unit);
        return context.add(bucket, {
          ...made,
          members: { ...made.members, normalized_value: normalized },
          value: (property) =>
            property === 'normalized_value' ? normalized : made.value(property),
        });
      });
    },
  };
}

export function cumulativeSum(context: PipelineContext): PipelineBody {
  const path = context.path();
  return {
    paths: [path],
    buckets(buckets) {
      let sum = 0;
      return buckets.map((bucket) => {
        sum += numberAt(bucket, path) ?? 0;
        return context.add(bucket, simple(context, sum));
      });
    },
  };
}

export function serialDiff(context: PipelineContext): PipelineBody {
  const path = context.path();
  const gaps = context.gaps();
  const lag = context.params.integer('lag', Number.MIN_SAFE_INTEGER) ?? 1;
  if (lag <= 0)
    throw illegal(`Lag must be a positive, non-zero integer: [${lag}] in [${context.name}]`);
  return {
    paths: [path],
    buckets(buckets) {
      const seen: (number | null)[] = [];
      return buckets.map((bucket) => {
        const value = withPolicy(bucket, path, gaps);
        const before = seen[seen.length - lag];
        seen.push(value);
        if (value === null || before === undefined || before === null) return bucket;
        return context.add(bucket, simple(context, value - before));
      });
    },
  };
}

type Window = readonly number[];

const average = (values: Window): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The functions of MovingFunctions, by name; the first argument is the window. */
const FUNCTIONS: Readonly<Record<string, (values: Window, ...rest: readonly number[]) => number>> =
  {
    max: (values) => (values.length === 0 ? Number.NaN : Math.max(...values)),
    min: (values) => (values.length === 0 ? Number.NaN : Math.min(...values)),
    sum: (values) => values.reduce((sum, value) => sum + value, 0),
    stdDev: (values, mean = Number.NaN) =>
      values.length === 0
        ? Number.NaN
        : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length),
    unweightedAvg: average,
    linearWeightedAvg: (values) => {
      const weights = values.reduce((sum, _, at) => sum + at + 1, 0);
      const total = values.reduce((sum, value, at) => sum + value * (at + 1), 0);
      return weights === 0 ? Number.NaN : total / weights;
    },
    ewma: (values, alpha = 0.3) => smoothed(values, alpha),
    holt: (values, alpha = 0.3, beta = 0.1) => holt(values, alpha, beta),
  };

function smoothed(values: Window, alpha: number): number {
  const [first, ...rest] = values;
  if (first === undefined) return Number.NaN;
  return rest.reduce((before, value) => value * alpha + before * (1 - alpha), first);
}

/** Double exponential smoothing: a level and a trend. */
function holt(values: Window, alpha: number, beta: number): number {
  const [first, second] = values;
  if (first === undefined) return Number.NaN;
  let level = first;
  let trend = second === undefined ? 0 : second - first;
  for (const value of values.slice(1)) {
    const before = level;
    level = alpha * value + (1 - alpha) * (level + trend);
    trend = beta * (level - before) + (1 - beta) * trend;
  }
  return level;
}

export function movingFn(context: PipelineContext): PipelineBody {
  const { params, name } = context;
  const path = context.path();
  const gaps = context.gaps();
  const size = params.integer('window', Number.MIN_SAFE_INTEGER);
  if (size === undefined) throw illegal(`Required [window]: [${name}]`);
  if (size <= 0) throw illegal(`[window] must be a positive, non-zero integer: [${name}]`);
  const shift = params.integer('shift', Number.MIN_SAFE_INTEGER) ?? 0;
  const { source, params: given } = scriptOf(params, name);
  let values: Window = [];
  const run = compile(source, {
    names: Object.keys(given),
    objects: { MovingFunctions: Object.keys(FUNCTIONS) },
    windows: ['values'],
    call: (_, method, args) =>
      FUNCTIONS[method]?.(
        values,
        ...args.slice(1).map((arg) => (typeof arg === 'number' ? arg : 0)),
      ) ?? Number.NaN,
  });
  return {
    paths: [path],
    buckets(buckets) {
      const numbers = buckets.map((bucket) => withPolicy(bucket, path, gaps));
      return buckets.map((bucket: AggBucket, at) => {
        if (numbers[at] === null) return bucket;
        const end = at + shift;
        values = numbers
          .slice(Math.max(0, end - size), Math.max(0, end))
          .filter((value): value is number => value !== null);
        const value = Number(run(given));
        return context.add(bucket, simple(context, Number.isFinite(value) ? value : null));
      });
    },
  };
}
