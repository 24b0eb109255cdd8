// Sibling pipelines: one number, or a few, of all buckets of an aggregation on the same level.
import type { Json } from '../../../backend/index.js';
import { illegal } from '../../values.js';
import type { Inside } from '../agg.js';
import { bucketsOf } from '../buckets.js';
import { doubleText } from '../format.js';
import { chosenBucket } from '../paths.js';
import type { PipelineWork } from '../pipeline-work.js';
import { deviationBounds, spreadOf } from '../spread.js';
import type { CooperativeTask } from '../steps.js';
import { sumOf } from '../sums.js';
import {
  type Gaps,
  type PipelineBody,
  type PipelineContext,
  type PipelineResult,
  withPolicy,
} from './kit.js';

interface Row {
  readonly name: string;
  readonly value: number;
}

type Summary = (context: PipelineContext, rows: readonly Row[]) => PipelineResult;

/** The steps of a path; in the last one a dot also separates two steps. */
function splitFirst(level: Inside, path: string): readonly string[] {
  const steps = path.split('>');
  const [only = ''] = steps;
  const dot = only.lastIndexOf('.');
  if (steps.length > 1 || dot <= 0 || level.has(chosenBucket(only).name)) return steps;
  return [only.slice(0, dot), only.slice(dot + 1)];
}

/** The buckets that a path goes through, each with the number at the end of the path. */
function* rowsAt(
  level: Inside,
  path: string,
  context: PipelineContext,
  gaps: Gaps,
  work: PipelineWork,
): CooperativeTask<readonly Row[]> {
  const [first = '', ...rest] = splitFirst(level, path);
  const { name: wanted, key } = chosenBucket(first);
  const result = level.get(wanted);
  if (result?.single !== undefined)
    return yield* rowsAt(result.single.inside, rest.join('>'), context, gaps, work);
  const buckets = result === undefined ? undefined : bucketsOf(result);
  if (buckets === undefined) {
    throw illegal(
      `buckets_path must reference either a number value or a single value numeric metric aggregation, got: [${path}] in [${context.name}]`,
    );
  }
  const inner = rest.length === 0 ? '_count' : rest.join('>');
  const rows: Row[] = [];
  for (const bucket of buckets) {
    work.spend(1);
    if (key !== null && bucket.name !== key) continue;
    const value = withPolicy(bucket, inner, gaps, work);
    if (value !== null) rows.push({ name: bucket.name, value });
    if (work.isDue()) yield;
  }
  return rows;
}

function kind(summary: Summary) {
  return (context: PipelineContext): PipelineBody => {
    const path = context.path();
    const gaps = context.gaps();
    return {
      paths: [path],
      *result(level, work) {
        return summary(context, yield* rowsAt(level, path, context, gaps, work));
      },
    };
  };
}

function simple(
  context: PipelineContext,
  value: number | null,
  members: Record<string, Json> = {},
  typed = 'simple_value',
): PipelineResult {
  return {
    typed,
    members: { ...context.print(value), ...members },
    value: (property) => (property === 'value' ? value : undefined),
  };
}

const sum = (rows: readonly Row[]): number => sumOf(rows.map(({ value }) => value));

export const avgBucket = kind((context, rows) =>
  simple(context, rows.length === 0 ? null : sum(rows) / rows.length),
);
export const sumBucket = kind((context, rows) => simple(context, sum(rows)));

/** `better` returns the one of two numbers to keep. */
function extremeOf(rows: readonly Row[], better: (a: number, b: number) => number): number | null {
  const [first] = rows;
  if (first === undefined) return null;
  return rows.reduce((found, { value }) => better(found, value), first.value);
}

function extreme(better: (a: number, b: number) => number): Summary {
  return (context, rows) => {
    const value = extremeOf(rows, better);
    const keys = rows.filter((row) => row.value === value).map(({ name }) => name);
    return simple(context, value, { keys }, 'bucket_metric_value');
  };
}

export const minBucket = kind(extreme(Math.min));
export const maxBucket = kind(extreme(Math.max));

function statsOf(rows: readonly Row[]): Record<string, number | null> {
  const total = sum(rows);
  return {
    count: rows.length,
    min: extremeOf(rows, Math.min),
    max: extremeOf(rows, Math.max),
    avg: rows.length === 0 ? null : total / rows.length,
    sum: total,
  };
}

function several(typed: string, members: Record<string, Json>): PipelineResult {
  return {
    typed,
    members,
    value: (property) => {
      const value = members[property];
      return typeof value === 'number' || value === null ? value : undefined;
    },
  };
}

/** The numbers as strings, if the request has a format. */
function textsOf(
  values: Readonly<Record<string, number | null>>,
  { textOf }: PipelineContext,
): Record<string, Json> {
  const texts: Record<string, Json> = {};
  for (const [name, value] of Object.entries(values)) {
    const text = name === 'count' || value === null ? undefined : textOf(value);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/** An empty summary has no strings. */
function asStrings(
  values: Readonly<Record<string, number | null>>,
  context: PipelineContext,
): Record<string, Json> {
  if (values['count'] === 0) return {};
  const texts = Object.entries(textsOf(values, context));
  return Object.fromEntries(texts.map(([name, text]) => [`${name}_as_string`, text]));
}

export const statsBucket = kind((context, rows) => {
  const stats = statsOf(rows);
  return several('stats_bucket', { ...stats, ...asStrings(stats, context) });
});

export function extendedStatsBucket(context: PipelineContext): PipelineBody {
  const sigma = context.params.number('sigma') ?? 2;
  if (sigma < 0) throw illegal(`[sigma] must be a non-negative double: [${context.name}]`);
  return kind((_, rows) => {
    const plain = statsOf(rows);
    const mean = plain['avg'] ?? 0;
    const squares = sumOf(rows.map(({ value }) => value * value));
    const around = sumOf(rows.map(({ value }) => (value - mean) ** 2));
    const deviations = spreadOf(around, rows.length);
    const bounds = deviationBounds(plain['avg'] ?? null, deviations, sigma);
    const members = {
      ...plain,
      sum_of_squares: rows.length === 0 ? null : squares,
      ...deviations,
    };
    const boundTexts = textsOf(bounds, context);
    return several('extended_stats_bucket', {
      ...members,
      ...asStrings(members, context),
      std_deviation_bounds: bounds,
      ...(Object.keys(boundTexts).length === 0
        ? {}
        : { std_deviation_bounds_as_string: boundTexts }),
    });
  })(context);
}

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99];

export function percentilesBucket(context: PipelineContext): PipelineBody {
  const percents = context.params.numbers('percents') ?? DEFAULT_PERCENTS;
  const keyed = context.params.flag('keyed') ?? true;
  const wrong = percents.find((percent) => percent < 0 || percent > 100);
  if (percents.length === 0 || wrong !== undefined) {
    throw illegal(
      `percents must only contain non-null doubles from 0.0-100.0 inclusive: [${context.name}]`,
    );
  }
  const percentSet = new Set(percents);
  return kind((_, rows) => {
    const ascending = Float64Array.from(rows, ({ value }) => value).sort();
    // The nearest value, without interpolation.
    const at = (percent: number): number | null =>
      ascending[Math.round((percent / 100) * (ascending.length - 1))] ?? null;
    const textAt = (percent: number): readonly (readonly [string, Json])[] => {
      const value = at(percent);
      const text = value === null ? undefined : context.textOf(value);
      return text === undefined ? [] : [[`${doubleText(percent)}_as_string`, text]];
    };
    const values = keyed
      ? Object.fromEntries(
          percents.flatMap((percent) => [
            [doubleText(percent), at(percent)] as const,
            ...textAt(percent),
          ]),
        )
      : percents.map((percent) => ({
          key: percent,
          value: at(percent),
          ...Object.fromEntries(textAt(percent)),
        }));
    return {
      typed: 'percentiles_bucket',
      members: { values },
      value: (property) =>
        property !== '' && percentSet.has(Number(property)) ? at(Number(property)) : undefined,
    };
  })(context);
}
