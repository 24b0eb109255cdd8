// MovingFunctions: the functions that the script of moving_fn may call over a window of numbers.
// Each is NaN for an empty window except `sum`, and returns the same numbers as Elasticsearch and
// OpenSearch.
import { illegal } from '../../values.js';

export type Window = Float64Array;

function sumOf(values: Window): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

const average = (values: Window): number =>
  values.length === 0 ? Number.NaN : sumOf(values) / values.length;

/** `better` returns the one of two numbers to keep. */
function extreme(values: Window, better: (a: number, b: number) => number): number {
  if (values.length === 0) return Number.NaN;
  let found = values[0] ?? Number.NaN;
  for (const value of values) found = better(found, value);
  return found;
}

/** The functions by name. The first argument is the window; true and false are 1 and 0. */
export const MOVING_FUNCTIONS: Readonly<
  Record<string, (values: Window, ...rest: readonly number[]) => number>
> = {
  max: (values) => extreme(values, Math.max),
  min: (values) => extreme(values, Math.min),
  sum: sumOf,
  stdDev: (values, mean = Number.NaN) => deviation(values, mean),
  unweightedAvg: average,
  linearWeightedAvg: (values) => weightedAverage(values),
  ewma: (values, alpha = 0.3) => smoothed(values, alpha),
  holt: (values, alpha = 0.3, beta = 0.1) => holt(values, alpha, beta),
  holtWinters: (values, alpha = 0.3, beta = 0.1, gamma = 0.3, period = 1, multiplicative = 0) =>
    holtWinters(values, { alpha, beta, gamma, period, multiplicative: multiplicative !== 0 }),
};

function deviation(values: Window, mean: number): number {
  if (values.length === 0) return Number.NaN;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / values.length);
}

function weightedAverage(values: Window): number {
  if (values.length === 0) return Number.NaN;
  let total = 0;
  let weight = 0;
  for (const value of values) {
    weight += 1;
    total += value * weight;
  }
  // The sum of the weights 1, 2, 3 … plus one, the divisor that Elasticsearch uses.
  return total / (1 + (values.length * (values.length + 1)) / 2);
}

function smoothed(values: Window, alpha: number): number {
  if (values.length === 0) return Number.NaN;
  let before = values[0] ?? Number.NaN;
  for (let at = 1; at < values.length; at++) {
    before = (values[at] ?? 0) * alpha + before * (1 - alpha);
  }
  return before;
}

/** Double exponential smoothing: a level and a trend, which is initially flat. */
function holt(values: Window, alpha: number, beta: number): number {
  if (values.length === 0) return Number.NaN;
  let level = values[0] ?? Number.NaN;
  let trend = 0;
  for (let at = 1; at < values.length; at++) {
    const before = level;
    level = alpha * (values[at] ?? 0) + (1 - alpha) * (level + trend);
    trend = beta * (level - before) + (1 - beta) * trend;
  }
  return level;
}

interface Seasons {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly period: number;
  readonly multiplicative: boolean;
}

/** Added to seasonal values to avoid a division by zero. */
const PADDING = 1e-10;

/**
 * Triple exponential smoothing: a level, an initially flat trend, and a seasonal component. Returns
 * the value one step ahead.
 */
function holtWinters(given: Window, seasons: Seasons): number {
  const { alpha, beta, gamma, period, multiplicative } = seasons;
  if (given.length === 0) return Number.NaN;
  if (!Number.isInteger(period) || period < 1) {
    throw illegal(`[period] of Holt-Winters must be a positive integer, got [${period}]`);
  }
  if (given.length < 2 * period) {
    throw illegal(
      `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${2 * period}) data-points to function. Only [${given.length}] were provided.`,
    );
  }
  const values = given.map((value) => (multiplicative ? value + PADDING : value));
  const at = (list: ArrayLike<number>, place: number): number => list[place] ?? 0;
  const first = values.subarray(0, period);
  let level = average(first);
  let trend = 0;
  const seasonal = Array.from(first, (value) => (level === 0 ? 0 : value / level));
  for (const [place, value] of values.entries()) {
    if (place < period) continue;
    const before = at(seasonal, place - period);
    const [lastLevel, lastTrend] = [level, trend];
    const bare = multiplicative ? value / before : value - before;
    level = alpha * bare + (1 - alpha) * (lastLevel + lastTrend);
    trend = beta * (level - lastLevel) + (1 - beta) * lastTrend;
    const now = multiplicative ? value / (lastLevel + lastTrend) : value - (lastLevel - lastTrend);
    seasonal.push(gamma * now + (1 - gamma) * before);
  }
  const season = at(seasonal, values.length - period);
  return multiplicative ? (level + trend) * season : level + trend + season;
}
