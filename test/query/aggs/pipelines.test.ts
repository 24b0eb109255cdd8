// Pipelines: their limits, their yields, and their order.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/backend/index.ts';
import type { AggBucket } from '../../../src/query/aggs/agg.ts';
import { inOrder, parsePipeline } from '../../../src/query/aggs/pipeline.ts';
import {
  MAX_MADE,
  MAX_WORK,
  MAX_WORK_AT_ONCE,
  PipelineWork,
} from '../../../src/query/aggs/pipeline-work.ts';
import { PipelineBucket } from '../../../src/query/aggs/pipelines/kit.ts';
import { MOVING_FUNCTIONS } from '../../../src/query/aggs/pipelines/moving-functions.ts';
import type { CooperativeTask } from '../../../src/query/aggs/steps.ts';
import { compile, refusal } from '../compile.ts';

function bucketsOf(values: readonly (number | null)[]): readonly PipelineBucket[] {
  return values.map((value, key) => {
    const result = {
      agg: { name: 's', type: 'sum', meta: undefined },
      typed: 'sum',
      members: {},
      value: (property: string) => (property === 'value' ? value : undefined),
    };
    const bucket: AggBucket = {
      name: String(key),
      key,
      docCount: 1,
      json: `"key":${key}`,
      inside: new Map([['s', result]]),
    };
    return new PipelineBucket(bucket);
  });
}

const pipeline = (type: string, body: JsonObject, name = 'p') =>
  parsePipeline(name, type, body as Json, undefined);

/** The result of a cooperative task, and the number of its yields. */
function run<T>(work: CooperativeTask<T>): { readonly value: T; readonly steps: number } {
  let steps = 0;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return { value: step.value, steps };
    steps += 1;
  }
}

const made = (bucket: PipelineBucket | undefined, name = 'p') =>
  bucket?.inside.get(name)?.value('value');

const moving = (window: number, script: string) =>
  pipeline('moving_fn', { buckets_path: 's', window, script });

describe('moving_fn', () => {
  test.each([
    ['MovingFunctions.max(values)', [Number.NaN, 1, 2, 3]],
    ['MovingFunctions.min(values)', [Number.NaN, 1, 1, 2]],
    ['MovingFunctions.sum(values)', [0, 1, 3, 5]],
    ['MovingFunctions.unweightedAvg(values)', [Number.NaN, 1, 1.5, 2.5]],
    ['values.length', [0, 1, 2, 2]],
  ])('%s looks at the window before each bucket', (script, expected) => {
    const buckets = bucketsOf([1, 2, 3, 4]);
    run(moving(2, script).buckets(buckets, new PipelineWork()));
    const shown = expected.map((value) => (Number.isNaN(value) ? null : value));
    expect(buckets.map((bucket) => made(bucket))).toEqual(shown);
  });

  test('leaves the thread again and again', () => {
    const buckets = bucketsOf(Array.from({ length: 2000 }, (_, i) => i));
    const work = moving(2000, 'MovingFunctions.sum(values)').buckets(buckets, new PipelineWork());
    // Two million numbers with 20,000 between two yields.
    expect(run(work).steps).toBeGreaterThan(80);
  });

  test('is refused where windows are too much work together', () => {
    const buckets = bucketsOf(Array.from({ length: 8000 }, (_, i) => i));
    const script = Array.from({ length: 3 }, () => 'MovingFunctions.sum(values)').join('+');
    const all = () => run(moving(8000, script).buckets(buckets, new PipelineWork()));
    expect(refusal(all)).toBe(
      `illegal_argument_exception: the pipeline aggregations take more than [${MAX_WORK}] steps: ask for fewer buckets or pipelines, shorter windows or scripts`,
    );
  });
});

describe('work', () => {
  test('is counted over all pipelines, for one bucket, and in numbers that are made', () => {
    const work = new PipelineWork();
    expect(refusal(() => work.spend(MAX_WORK_AT_ONCE))).toBe('nothing was refused');
    expect(refusal(() => work.spend(1))).toContain('steps for one bucket');
    const other = new PipelineWork();
    other.reserve(MAX_MADE);
    expect(refusal(() => other.reserve(1))).toContain(`more than [${MAX_MADE}] numbers in buckets`);
  });

  test('is due when enough was done', () => {
    const work = new PipelineWork();
    work.spend(100);
    expect(work.isDue()).toBe(false);
    work.spend(100_000);
    expect(work.isDue()).toBe(true);
    expect(work.isDue()).toBe(false);
  });
});

describe('a chain of pipelines', () => {
  const chain = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      pipeline('derivative', { buckets_path: i === 0 ? 's' : `p${i - 1}` }, `p${i}`),
    );

  test('is put in order in one pass, however long it is', () => {
    // Repeated passes would take a hundred million comparisons.
    const ordered = inOrder(chain(10_000).toReversed());
    expect(ordered[0]?.name).toBe('p0');
    expect(ordered.at(-1)?.name).toBe('p9999');
  });

  test('that needs itself is refused', () => {
    const circle = [
      pipeline('derivative', { buckets_path: 'b' }, 'a'),
      pipeline('derivative', { buckets_path: 'a' }, 'b'),
    ];
    expect(refusal(() => inOrder(circle))).toContain(
      'Cyclical dependency found with pipeline aggregator [a]',
    );
  });

  test('adds to the buckets that are there', () => {
    const buckets = bucketsOf([1, 4, 9]);
    for (const one of chain(2)) run(one.buckets(buckets, new PipelineWork()));
    expect(buckets.map((bucket) => [made(bucket, 'p0'), made(bucket, 'p1')])).toEqual([
      [undefined, undefined],
      [3, null],
      [5, 2],
    ]);
  });
});

describe('paths', () => {
  const body = (path: string) => ({
    aggs: {
      a: {
        histogram: { field: 'n', interval: 1 },
        aggs: { p: { cumulative_sum: { buckets_path: path } } },
      },
    },
  });

  test('are as long as names are', () => {
    expect(refusal(() => compile(body("['".repeat(60_000))))).toContain(
      '[buckets_path] of [p] has [120000] characters, more than [4096]',
    );
  });

  test.each([
    "['".repeat(2000),
    '['.repeat(4000),
    '>'.repeat(4000),
    '.'.repeat(4000),
  ])('that lead nowhere are refused', (path) => {
    expect(refusal(() => compile(body(path)))).toContain('No aggregation found for path');
  });
});

test('bucket_sort takes 32 keys', () => {
  const sort = (count: number) => () =>
    pipeline('bucket_sort', { sort: Array.from({ length: count }, () => ({ s: 'asc' })) });
  expect(refusal(sort(32))).toBe('nothing was refused');
  expect(refusal(sort(33))).toContain('[sort] of [p] has [33] keys, more than [32]');
});

test('percentiles_bucket takes a thousand percents', () => {
  const percents = (count: number) => () =>
    pipeline('percentiles_bucket', { buckets_path: 'a>s', percents: Array(count).fill(50) });
  expect(refusal(percents(1000))).toBe('nothing was refused');
  expect(refusal(percents(1001))).toContain('at most 1000 numbers, got 1001');
});

test.each([
  ['ewma', [1, 2, 3], [0.5], 2.25],
  ['holt', [1, 2, 3], [0.5, 0.5], 2.375],
  ['linearWeightedAvg', [1, 2, 3], [], 2],
  ['stdDev', [1, 3], [2], 1],
] as const)('%s of %j is what it was over lists', (name, values, args, expected) => {
  expect(MOVING_FUNCTIONS[name]?.(Float64Array.from(values), ...args)).toBeCloseTo(expected, 10);
});
