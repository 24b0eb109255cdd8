// Reducing and printing as cooperative tasks: the content of buckets is computed a few buckets at a
// time and not kept, and not at all for a rejected response.
import { describe, expect, test } from 'vitest';
import type { Agg, AggBucket, AggResult, Inside } from '../../../src/query/aggs/agg.ts';
import { ListedBuckets } from '../../../src/query/aggs/buckets.ts';
import { Calendar } from '../../../src/query/aggs/calendar.ts';
import type { AggPiece } from '../../../src/query/aggs/json.ts';
import { reduceAggs } from '../../../src/query/aggs/reduce.ts';
import { MAX_NUMBERS, writeAggs } from '../../../src/query/aggs/render.ts';
import { atOnce } from '../../../src/query/aggs/steps.ts';
import { DEFAULT_MAX_BUCKETS } from '../../../src/query/limits.ts';
import { compile, refusal } from '../compile.ts';

const MOST_AT_A_STEP = 64;
const EMPTY: Inside = new Map();

/** An aggregation that returns `result` for any responses of shards. */
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

function buckets(count: number, inside: () => Inside): ListedBuckets {
  const list = Array.from(
    { length: count },
    (_, key): AggBucket => ({
      name: String(key),
      key,
      docCount: 1,
      json: `"key":${key},"doc_count":1`,
      get inside() {
        return inside();
      },
    }),
  );
  return new ListedBuckets(list);
}

function reduced(agg: Agg) {
  return reduceAggs({ aggs: [agg], pipelines: [] }, [], new Calendar(() => new ArrayBuffer(0)), {
    typedKeys: false,
  });
}

function textOf(pieces: readonly AggPiece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return piece instanceof Uint8Array ? Buffer.from(piece).toString() : `"${piece.total} hits"`;
    })
    .join('');
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
    const agg = answering('a', { members: {}, buckets: buckets(DEFAULT_MAX_BUCKETS + 1, never) });
    expect(() => [...reduced(agg)]).toThrow(
      expect.objectContaining({
        causedBy: expect.objectContaining({ max_buckets: DEFAULT_MAX_BUCKETS }),
      }),
    );
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

  test('gives the hits of all buckets at their places', () => {
    let next = 0;
    const levels = buckets(2, () => {
      const hits = { total: next++, maxScore: null, hits: [], shows: {} };
      return new Map([['t', resultOf({ hits })]]);
    });
    expect(textOf(atOnce(reduced(answering('a', { members: {}, buckets: levels }))))).toBe(
      '{"a":{"buckets":[{"key":0,"doc_count":1,"t":{"hits":"0 hits"}},' +
        '{"key":1,"doc_count":1,"t":{"hits":"1 hits"}}]}}',
    );
  });
});

function resultOf(more: Partial<AggResult>): AggResult {
  const agg = { name: 't', type: 'top_hits', meta: undefined };
  return { agg, typed: 'top_hits', members: {}, value: () => undefined, ...more };
}

describe('writeAggs', () => {
  test('may be left every few buckets, of all levels', () => {
    const inner: Inside = new Map([['i', resultOf({ buckets: buckets(40, () => EMPTY) })]]);
    const outer = resultOf({ buckets: buckets(40, () => inner) });
    const work = writeAggs(new Map([['o', outer]]), false);
    expect([...work].length).toBe(Math.floor((40 * 40 + 40) / MOST_AT_A_STEP));
  });

  test('says what is said of an answer, and of its only bucket', () => {
    const single = buckets(1, () => new Map([['n', resultOf({ members: { value: 2n ** 60n } })]]));
    const agg = { name: 'f', type: 'filter', meta: { a: [1, 'x"y'] } };
    const one = resultOf({ agg, typed: 'filter', single: single.list[0] as AggBucket });
    const other = resultOf({
      members: { v: Number.NaN, w: { x: null } },
      buckets: buckets(0, () => EMPTY),
    });
    const level = new Map([
      ['f', one],
      ['g', other],
    ]);
    expect(textOf(atOnce(writeAggs(level, true)))).toBe(
      '{"filter#f":{"meta":{"a":[1,"x\\"y"]},"key":0,"doc_count":1,' +
        '"top_hits#n":{"value":1152921504606846976}},' +
        '"top_hits#g":{"v":null,"w":{"x":null},"buckets":[]}}',
    );
  });

  test('names buckets where they are members', () => {
    const keyed = resultOf({ buckets: buckets(2, () => EMPTY), keyed: true });
    expect(textOf(atOnce(writeAggs(new Map([['k', keyed]]), false)))).toBe(
      '{"k":{"buckets":{"0":{"key":0,"doc_count":1},"1":{"key":1,"doc_count":1}}}}',
    );
  });

  test('writes long answers as bytes, small ones as one text', () => {
    const long = atOnce(
      writeAggs(new Map([['l', resultOf({ buckets: buckets(5000, () => EMPTY) })]]), false),
    );
    expect(long.some((piece) => piece instanceof Uint8Array)).toBe(true);
    expect(JSON.parse(textOf(long)).l.buckets[4999]).toEqual({ key: 4999, doc_count: 1 });
    const small = atOnce(writeAggs(new Map([['s', resultOf({ members: { é: '😀' } })]]), false));
    expect(small).toEqual(['{"s":{"é":"😀"}}']);
  });
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
