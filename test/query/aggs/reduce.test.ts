// Reducing and rendering in steps: what is inside buckets is made a few buckets at a time, and nothing of what is refused.
import { describe, expect, test } from 'vitest';
import type { Agg, AggBucket, AggResult, Inside } from '../../../src/query/aggs/agg.ts';
import { Calendar } from '../../../src/query/aggs/calendar.ts';
import { MAX_BUCKETS } from '../../../src/query/aggs/kinds/histogram-buckets.ts';
import { MAX_NUMBERS, reduceAggs } from '../../../src/query/aggs/reduce.ts';
import { renderAggs } from '../../../src/query/aggs/render.ts';
import { compile, refusal } from '../compile.ts';

const MOST_AT_A_STEP = 64;
const EMPTY: Inside = new Map();

/** An aggregation that answers `result`, whatever shards say. */
function answering(name: string, result: Omit<AggResult, 'agg' | 'typed' | 'value'>): Agg {
  const agg: Agg = {
    name,
    type: 'terms',
    meta: undefined,
    children: [],
    pipelines: [],
    opcode: 'agg:terms',
    encode: () => undefined,
    readColumns: () => undefined,
    reduce: () => ({ agg, typed: 'sterms', value: () => undefined, ...result }),
  };
  return agg;
}

function buckets(count: number, inside: () => Inside): readonly AggBucket[] {
  return Array.from({ length: count }, (_, key) => ({
    name: String(key),
    key,
    docCount: 1,
    members: { key, doc_count: 1 },
    get inside() {
      return inside();
    },
  }));
}

function reduced(agg: Agg) {
  return reduceAggs({ aggs: [agg], pipelines: [] }, [], new Calendar());
}

describe('reduceAggs', () => {
  test('makes a few buckets between two steps', () => {
    let made = 0;
    const work = reduced(
      answering('a', {
        members: {},
        buckets: buckets(1000, () => {
          made += 1;
          return EMPTY;
        }),
      }),
    );
    let before = 0;
    for (let step = work.next(); step.done !== true; step = work.next()) {
      expect(made - before).toBeLessThanOrEqual(MOST_AT_A_STEP);
      before = made;
    }
    expect(made).toBe(1000);
  });

  test('refuses too many buckets before one of them is made', () => {
    const never = (): Inside => {
      throw new Error('made');
    };
    const agg = answering('a', { members: {}, buckets: buckets(MAX_BUCKETS + 1, never) });
    expect(refusal(() => [...reduced(agg)])).toContain(`but was [${MAX_BUCKETS + 1}]`);
  });

  test('refuses too many numbers before one of them is made', () => {
    const inner: AggResult = {
      agg: { name: 'p', type: 'percentiles', meta: undefined },
      typed: 'tdigest_percentiles',
      numbers: MAX_NUMBERS / 2,
      members: {},
      value: () => undefined,
    };
    const level: Inside = new Map([['p', inner]]);
    const two = answering('a', { members: {}, buckets: buckets(2, () => level) });
    expect(refusal(() => [...reduced(two)])).toBe('nothing was refused');
    const three = answering('a', { members: {}, buckets: buckets(3, () => level) });
    expect(refusal(() => [...reduced(three)])).toContain(`more than [${MAX_NUMBERS}] percentiles`);
  });

  test('gives the hits of all buckets in the order of the answer', () => {
    let next = 0;
    const levels = buckets(3, () => {
      const hits = { total: next++, maxScore: null, hits: [], shows: {} };
      return new Map([['t', resultOf(hits)]]);
    });
    const work = reduced(answering('a', { members: {}, buckets: levels }));
    let step = work.next();
    while (step.done !== true) step = work.next();
    expect(step.value.hits.map(({ total }) => total)).toEqual([0, 1, 2]);
  });
});

function resultOf(hits: NonNullable<AggResult['hits']>): AggResult {
  const agg = { name: 't', type: 'top_hits', meta: undefined };
  return { agg, typed: 'top_hits', members: {}, hits, value: () => undefined };
}

test('renderAggs may be left every few buckets, of all levels', () => {
  const inner: Inside = new Map([
    [
      'i',
      {
        ...resultOf({ total: 0, maxScore: null, hits: [], shows: {} }),
        buckets: buckets(40, () => EMPTY),
      },
    ],
  ]);
  const outer: AggResult = {
    ...resultOf({ total: 0, maxScore: null, hits: [], shows: {} }),
    buckets: buckets(40, () => inner),
  };
  const none = { nestedHits: [], total: 0, maxScore: null };
  const work = renderAggs(new Map([['o', outer]]), { typedKeys: false, hitsOf: () => none });
  expect([...work].length).toBe(Math.floor((40 * 40 + 40) / MOST_AT_A_STEP));
});

describe('lists of percentiles', () => {
  const long = Array.from({ length: 1001 }, (_, at) => at / 20);

  test.each([
    ['percentiles', 'percents'],
    ['percentile_ranks', 'values'],
  ])('of %s are bounded', (type, list) => {
    const body = (numbers: readonly number[]) => ({
      aggs: { a: { [type]: { field: 'n', [list]: numbers } } },
    });
    expect(refusal(() => compile(body(long)))).toContain(
      `[${list}] must have at most 1000 numbers, got 1001: [a]`,
    );
    expect(refusal(() => compile(body(long.slice(1))))).toBe('nothing was refused');
  });
});
