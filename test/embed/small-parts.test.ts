// Parts of the remote embedders that need no service: retry delays, the cache of vectors.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backOffMs, retryAfterMs } from '../../src/base/back-off.ts';
import { VectorCache } from '../../src/embed/vector-cache.ts';

describe('waiting before another try', () => {
  test('doubles up to ten seconds, at least half of it', () => {
    expect([1, 2, 3, 6, 7, 60].map((attempt) => backOffMs(attempt, () => 1))).toEqual([
      200, 400, 800, 6400, 10_000, 10_000,
    ]);
    expect([1, 2, 60].map((attempt) => backOffMs(attempt, () => 0))).toEqual([100, 200, 5000]);
  });

  test.each([
    [undefined, undefined],
    ['0', 0],
    ['3', 3000],
    ['1.5', 1500],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 9000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['-1', undefined],
    ['soon', undefined],
    ['', undefined],
    ['99999999999', undefined],
  ])('Retry-After [%s] is %s ms', (header, expected) => {
    expect(retryAfterMs(header, 1000)).toBe(expected);
  });
});

describe('memory of vectors', () => {
  const vector = (value: number): Float32Array<ArrayBuffer> => new Float32Array(100).fill(value);

  test('keeps what was used last, within its bytes', () => {
    const cache = new VectorCache(() => 1700);
    for (const text of ['a', 'b']) cache.put('e', text, vector(1));
    expect(cache.get('e', 'a')).toBeDefined();
    cache.put('e', 'c', vector(2));
    expect(['a', 'b', 'c'].map((text) => cache.get('e', text)?.[0])).toEqual([1, undefined, 2]);
    expect(cache.bytes).toBe(1600);
  });

  test('tells embedders apart, and texts from names', () => {
    const cache = new VectorCache(() => 1e6);
    cache.put('e', 'a', vector(1));
    cache.put('f', 'a', vector(2));
    expect([cache.get('e', 'a')?.[0], cache.get('f', 'a')?.[0], cache.get('e', 'b')]).toEqual([
      1,
      2,
      undefined,
    ]);
  });

  test('of no bytes keeps nothing, and one that shrinks lets go', () => {
    let limit = 1e6;
    const cache = new VectorCache(() => limit);
    cache.put('e', 'a', vector(1));
    limit = 0;
    cache.put('e', 'b', vector(1));
    expect(cache.get('e', 'b')).toBeUndefined();
    limit = 900;
    cache.put('e', 'c', vector(1));
    expect([cache.bytes, cache.get('e', 'a')]).toEqual([800, undefined]);
  });

  test('counts what it holds, whatever happens', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const cache = new VectorCache(() => 2000);
        for (const [text, length] of steps) {
          cache.put('e', String(text), new Float32Array(length));
          expect(cache.bytes).toBeLessThanOrEqual(2000);
        }
        let held = 0;
        for (let text = 0; text < 10; text++) {
          const one = cache.get('e', String(text));
          if (one !== undefined) held += one.byteLength + 400;
        }
        expect(held).toBe(cache.bytes);
      }),
    );
  });
});
