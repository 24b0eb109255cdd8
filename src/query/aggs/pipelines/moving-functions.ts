// MovingFunctions: what the script of moving_fn may call over a window of numbers. Each is NaN of an empty window but for
// `sum`, and gives the numbers that Elasticsearch and OpenSearch give.
import { illegal } from '../../values.js';

export type Window = readonly number[];

const average = (values: Window): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

/** By name; the first argument is the window, true and false are 1 and 0. */
export const MOVING_FUNCTIONS: Readonly<
  Record<string, (values: Window, ...rest: readonly number[]) => number>
> = {
  max: (values) => (values.length === 0 ? Number.NaN : Math.max(...values)),
  min: (values) => (values.length === 0 ? Number.NaN : Math.min(...values)),
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  stdDev: (values, mean = Number.NaN) =>
    values.length === 0
      ? Number.NaN
      : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length),
  unweightedAvg: average,
  linearWeightedAvg: (values) => {
    if (values.length === 0) return Number.NaN;
    const total = values.reduce((sum, value, at) => sum + value * (at + 1), 0);
    // The weights 1, 2, 3 … and one more, as real servers divide.
    return total / (1 + (values.length * (values.length + 1)) / 2);
  },
  ewma: (values, alpha = 0.3) => smoothed(values, alpha),
  holt: (values, alpha = 0.3, beta = 0.1) => holt(values, alpha, beta),
  holtWinters: (values, alpha = 0.3, beta = 0.1, gamma = 0.3, period = 1, multiplicative = 0) =>
    holtWinters(values, { alpha, beta, gamma, period, multiplicative: multiplicative !== 0 }),
};

function smoothed(values: Window, alpha: number): number {
  const [first, ...rest] = values;
  if (first === undefined) return Number.NaN;
  return rest.reduce((before, value) => value * alpha + before * (1 - alpha), first);
}

/** Double exponential smoothing: a level and a trend, which is flat at first. */
function holt(values: Window, alpha: number, beta: number): number {
  const [first] = values;
  if (first === undefined) return Number.NaN;
  let level = first;
  let trend = 0;
  for (const value of values.slice(1)) {
    const before = level;
    level = alpha * value + (1 - alpha) * (level + trend);
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

/** Keeps a season of zeros from dividing by zero. */
const PADDING = 1e-10;

/** Triple exponential smoothing: a level, a trend, flat at first, and what is seasonal; the value one step ahead. */
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
  const at = (list: readonly number[], place: number): number => list[place] ?? 0;
  const first = values.slice(0, period);
  let level = average(first);
  let trend = 0;
  const seasonal = first.map((value) => (level === 0 ? 0 : value / level));
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
