// The order of buckets: by count, by key, or by a number of an aggregation inside.
import type { Json } from '../../backend/index.js';
import type { PlanWriter } from '../../wire/plan-writer.js';
import { illegal, isArray, isObject, malformed, printed } from '../values.js';
import type { Agg, AggResult, Inside } from './agg.js';
import type { InsideOf } from './buckets.js';
import type { CooperativeTask } from './steps.js';

export interface OrderKey {
  readonly by: 'count' | 'key' | 'metric';
  readonly descending: boolean;
  /** Names of aggregations, from the bucket inwards. */
  readonly path: readonly string[];
  /** Property of the last aggregation. */
  readonly property: string;
  /**
   * The number for buckets without a value; undefined: such buckets sort last in both directions.
   */
  readonly absent?: number;
}

export const COUNT_DESCENDING: OrderKey = { by: 'count', descending: true, path: [], property: '' };
export const KEY_ASCENDING: OrderKey = { by: 'key', descending: false, path: [], property: '' };

/** Parses `{"path": "asc" | "desc"}` or a list of those. `otherwise` is the default. */
export function readOrder(
  value: Json | undefined,
  children: readonly Agg[],
  otherwise: OrderKey,
): readonly OrderKey[] {
  if (value === undefined) return [otherwise];
  const items = isArray(value) ? value : [value];
  return items.map((item) => {
    if (!isObject(item)) throw malformed(`[order] must be an object or an array of objects`);
    const [first, second] = Object.entries(item);
    if (first === undefined || second !== undefined) {
      throw malformed('Must specify at least one field for [order], and one in each object');
    }
    return readKey(first[0], first[1], children);
  });
}

function readKey(name: string, direction: Json, children: readonly Agg[]): OrderKey {
  const descending = readDirection(direction);
  if (name === '_count') return { ...COUNT_DESCENDING, descending };
  if (name === '_key' || name === '_term' || name === '_time')
    return descending ? { ...KEY_ASCENDING, descending } : KEY_ASCENDING;
  const { path, property } = splitPath(name);
  let inside = children;
  let agg: Agg | undefined;
  for (const step of path) {
    agg = inside.find((child) => child.name === step);
    if (agg === undefined) {
      throw illegal(
        `Invalid aggregator order path [${name}]. The provided aggregation [${step}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
      );
    }
    inside = agg.children;
  }
  const absent = EXTREMES.get(['', 'value'].includes(property) ? (agg?.type ?? '') : property);
  return { by: 'metric', descending, path, property, ...(absent === undefined ? {} : { absent }) };
}

/**
 * Initial values of the aggregations in Elasticsearch: the maximum of no numbers is below all
 * others.
 */
const EXTREMES: ReadonlyMap<string, number> = new Map([
  ['max', Number.NEGATIVE_INFINITY],
  ['min', Number.POSITIVE_INFINITY],
]);

function readDirection(value: Json): boolean {
  const text = printed(value).toLowerCase();
  if (text === 'asc' || text === 'desc') return text === 'desc';
  throw malformed(`Unknown order direction [${printed(value)}]`);
}

/** Splits `a>b.property` or `a>b[property]`; the property is empty if there is none. */
export function splitPath(name: string): { path: readonly string[]; property: string } {
  const steps = name.split('>');
  const last = steps.pop() ?? '';
  if (last.endsWith(']')) {
    // The brackets must not be empty.
    const open = last.lastIndexOf('[', last.length - 3);
    if (open >= 0)
      return { path: [...steps, last.slice(0, open)], property: last.slice(open + 1, -1) };
  }
  const dot = last.indexOf('.');
  if (dot <= 0) return { path: [...steps, last], property: '' };
  return { path: [...steps, last.slice(0, dot)], property: last.slice(dot + 1) };
}

/** The number at the path; undefined: the path does not exist. */
export function follow(
  inside: Inside,
  path: readonly string[],
  property: string,
): number | null | undefined {
  let at = inside;
  let result: AggResult | undefined;
  for (const step of path) {
    result = at.get(step);
    if (result === undefined) return undefined;
    at = result.single?.inside ?? new Map();
  }
  return result === undefined ? undefined : numberOf(result, property);
}

export function numberOf(result: AggResult, property: string): number | null | undefined {
  if (property !== '') {
    if (property === '_count' && result.single !== undefined) return result.single.docCount;
    return result.value(property);
  }
  return result.single === undefined ? result.value('value') : result.single.docCount;
}

/** The properties of buckets that orders read, by bucket number. */
export interface Sortable {
  docCount(bucket: number): number;
  compareKeys(a: number, b: number): number;
  inside(bucket: number): Inside;
}

/**
 * Computes the aggregations inside that an order reads, as a cooperative task; the comparisons
 * would compute each of them without a yield.
 */
export function* lookInside(
  keys: readonly OrderKey[],
  inside: InsideOf,
  buckets: Iterable<number>,
): CooperativeTask<void> {
  const { steps } = inside;
  if (steps === undefined || !keys.some(({ by }) => by === 'metric')) return;
  for (const bucket of buckets) {
    yield* steps(bucket);
    yield;
  }
}

/** Ties are resolved by the smaller key. */
export function compareBuckets(
  keys: readonly OrderKey[],
  buckets: Sortable,
): (a: number, b: number) => number {
  const all = keys.some(({ by }) => by === 'key') ? keys : [...keys, KEY_ASCENDING];
  const compares = all.map((key) => compareBy(key, buckets));
  return (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compareBy(
  { by, descending, path, property, absent = Number.NaN }: OrderKey,
  buckets: Sortable,
): (a: number, b: number) => number {
  const sign = descending ? -1 : 1;
  if (by === 'count') return (a, b) => sign * (buckets.docCount(a) - buckets.docCount(b));
  if (by === 'key') return (a, b) => sign * buckets.compareKeys(a, b);
  const known: number[] = [];
  const numberOf = (bucket: number): number => {
    const value = known[bucket] ?? follow(buckets.inside(bucket), path, property) ?? absent;
    known[bucket] = value;
    return value;
  };
  return (a, b) => {
    const [left, right] = [numberOf(a), numberOf(b)];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return left === right ? 0 : sign * (left - right);
  };
}

/** Compares strings by code points, in the same order as their UTF-8 bytes. */
export function compareKeys(a: number | bigint | string, b: number | bigint | string): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return a < b ? -1 : Number(a > b);
}

const SURROGATES = 0xd800;

function compareTexts(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    const both = left >= SURROGATES && right >= SURROGATES;
    // Surrogate pairs encode code points above all others.
    return both ? Number(isPair(left)) - Number(isPair(right)) || left - right : left - right;
  }
  return a.length - b.length;
}

function isPair(unit: number): boolean {
  return unit < 0xe000;
}

const PROPERTIES: Readonly<Record<string, number>> = {
  count: 0,
  sum: 1,
  min: 2,
  max: 3,
  avg: 4,
  sum_of_squares: 5,
  variance: 6,
  variance_population: 6,
  std_deviation: 7,
  std_deviation_population: 7,
  variance_sampling: 8,
  std_deviation_sampling: 9,
  _count: 10,
  doc_count: 10,
};
const VALUE = 11;
const TOP_METRIC = 16;
const PERCENTILE = 12;
const PERCENTILE_RANK = 13;

/** Bounds of extended_stats: the code of the deviation, and the side of the mean. */
const BOUNDS: ReadonlyMap<string, readonly [code: number, side: number]> = new Map([
  ['std_upper', [14, 1]],
  ['std_lower', [14, -1]],
  ['std_upper_population', [14, 1]],
  ['std_lower_population', [14, -1]],
  ['std_upper_sampling', [15, 1]],
  ['std_lower_sampling', [15, -1]],
]);

export function writeOrders(
  writer: PlanWriter,
  keys: readonly OrderKey[],
  children: readonly Agg[],
): void {
  writer.list(keys, ({ by, descending, path, property }) => {
    let inside = children;
    let agg: Agg | undefined;
    const steps = path.map((step) => {
      const at = inside.findIndex((child) => child.name === step);
      agg = inside[at];
      inside = agg?.children ?? [];
      return at;
    });
    const [code, argument] = propertyOf(agg, property);
    writer
      .u8(by === 'count' ? 0 : by === 'key' ? 1 : 2)
      .bool(descending)
      .list(steps, (step) => writer.u32(step))
      .u8(code)
      .f64(argument);
  });
}

function propertyOf(
  agg: Agg | undefined,
  property: string,
): readonly [code: number, argument: number] {
  if (agg === undefined) return [0, 0];
  if (agg.opcode === 'agg:percentiles' && property !== '') {
    return [agg.type === 'percentile_ranks' ? PERCENTILE_RANK : PERCENTILE, Number(property)];
  }
  if (agg.metrics !== undefined) return metricOf(agg.metrics, property);
  if (agg.opcode === 'agg:stats') {
    const name = property === '' || property === 'value' ? agg.type : property;
    const code = PROPERTIES[name];
    if (code !== undefined) return [code, 0];
    const bound = agg.sigma === undefined ? undefined : BOUNDS.get(name);
    if (bound !== undefined) return [bound[0], bound[1] * (agg.sigma ?? 0)];
  } else if (property === '' || property === 'value') {
    const single = agg.opcode !== 'agg:terms' && BUCKETS.has(agg.opcode);
    return [single ? 10 : VALUE, 0];
  } else if (PROPERTIES[property] === 10) {
    return [10, 0];
  }
  throw illegal(
    `Invalid aggregation order path: [${agg.name}] has no value [${property}] to sort by`,
  );
}

function metricOf(
  { names, size }: NonNullable<Agg['metrics']>,
  property: string,
): readonly [code: number, argument: number] {
  if (size !== 1) {
    throw illegal(`[top_metrics] can only the be target if [size] is [1] but was [${size}]`);
  }
  const at = names.indexOf(property);
  if (at >= 0) return [TOP_METRIC, at];
  throw illegal(
    `Invalid aggregation order path: [top_metrics] has no metric [${property}], there are [${names.join(', ')}]`,
  );
}

const BUCKETS: ReadonlySet<string> = new Set([
  'agg:filters',
  'agg:missing',
  'agg:nested',
  'agg:reverse_nested',
  'agg:global',
  'agg:sampler',
]);
