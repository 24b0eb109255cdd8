// Pipelines over the sequence of a histogram's buckets: derivative, cumulative_sum, serial_diff,
// moving_fn.

import { compile } from '../../script/evaluate.js';
import { illegal } from '../../values.js';
import { calendarUnit, spanMs } from '../intervals.js';
import type { PipelineWork } from '../pipeline-work.js';
import { scriptOf } from './choosing.js';
import {
  numberAt,
  type PipelineBody,
  type PipelineContext,
  type PipelineResult,
  withPolicy,
} from './kit.js';
import { MOVING_FUNCTIONS, type Window } from './moving-functions.js';

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
    *buckets(buckets, work) {
      let last: { value: number | null; key: number } | undefined;
      for (const bucket of buckets) {
        const value = withPolicy(bucket, path, gaps, work);
        const before = last;
        last = { value, key: Number(bucket.key) };
        if (before !== undefined) {
          // From a gap or to a gap there is a result, but its value is null.
          const difference = value === null || before.value === null ? null : value - before.value;
          const spans = unit === undefined ? undefined : (last.key - before.key) / unit;
          context.add(bucket, differenceOf(context, difference, spans));
        }
        if (work.isDue()) yield;
      }
      return buckets;
    },
  };
}

/** `spans`: units between the two keys; undefined: the request has no unit. */
function differenceOf(
  context: PipelineContext,
  difference: number | null,
  spans: number | undefined,
): PipelineResult {
  const made = simple(context, difference, 'derivative');
  if (spans === undefined) return made;
  const normalized = difference === null ? null : difference / spans;
  return {
    ...made,
    members: { ...made.members, normalized_value: normalized },
    value: (property) => (property === 'normalized_value' ? normalized : made.value(property)),
  };
}

export function cumulativeSum(context: PipelineContext): PipelineBody {
  const path = context.path();
  return {
    paths: [path],
    *buckets(buckets, work) {
      let sum = 0;
      for (const bucket of buckets) {
        sum += numberAt(bucket, path, work) ?? 0;
        context.add(bucket, simple(context, sum));
        if (work.isDue()) yield;
      }
      return buckets;
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
    *buckets(buckets, work) {
      const seen: (number | null)[] = [];
      for (const bucket of buckets) {
        const value = withPolicy(bucket, path, gaps, work);
        const before = seen[seen.length - lag];
        seen.push(value);
        if (value !== null && before !== undefined && before !== null) {
          context.add(bucket, simple(context, value - before));
        }
        if (work.isDue()) yield;
      }
      return buckets;
    },
  };
}

export function movingFn(context: PipelineContext): PipelineBody {
  const { params, name } = context;
  const path = context.path();
  const gaps = context.gaps();
  const size = params.integer('window', Number.MIN_SAFE_INTEGER);
  if (size === undefined) throw illegal(`Required [window]: [${name}]`);
  if (size <= 0) throw illegal(`[window] must be a positive, non-zero integer: [${name}]`);
  const shift = params.integer('shift', Number.MIN_SAFE_INTEGER) ?? 0;
  const { source, language, params: constants } = scriptOf(params, name);
  // The window values of the current run; a bucket is computed without a yield.
  let values: Window = NO_VALUES;
  let spend: PipelineWork['spend'] = () => undefined;
  const script = compile(source, {
    language,
    names: Object.keys(constants),
    objects: { MovingFunctions: Object.keys(MOVING_FUNCTIONS) },
    windows: ['values'],
    call: (object, method, args) => {
      if (object === 'values') return values.length;
      spend(values.length * (SMOOTHING.has(method) ? SMOOTHING_WORK : 1));
      return MOVING_FUNCTIONS[method]?.(values, ...args.slice(1).map(Number)) ?? Number.NaN;
    },
  });
  return {
    paths: [path],
    *buckets(buckets, work) {
      const given: (number | null)[] = [];
      for (const bucket of buckets) {
        given.push(withPolicy(bucket, path, gaps, work));
        if (work.isDue()) yield;
      }
      // Windows contain only buckets with a number: gaps take no place in them.
      const numbers = Float64Array.from(given.filter((value) => value !== null));
      let place = 0;
      for (const [at, bucket] of buckets.entries()) {
        if (given[at] === null) continue;
        const end = place + shift;
        place += 1;
        work.spend(script.operations);
        values = numbers.subarray(Math.max(0, end - size), Math.max(0, end));
        spend = (units) => work.spend(units);
        const result = script.run(constants);
        if (result === null) {
          throw illegal(`the script of [${name}] must return a number, it returned [null]`);
        }
        const value = Number(result);
        context.add(bucket, simple(context, Number.isFinite(value) ? value : null));
        if (work.isDue()) yield;
      }
      return buckets;
    },
  };
}

const NO_VALUES = new Float64Array();
/** Functions that cost more per number than a sum. */
const SMOOTHING: ReadonlySet<string> = new Set(['holt', 'holtWinters']);
const SMOOTHING_WORK = 8;
