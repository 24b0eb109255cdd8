// Work that waits only where it has to: at once when nothing is a promise, and in the same order with the same errors when
// something is.
import { describe, expect, test } from 'vitest';
import {
  after,
  begin,
  ending,
  rejecting,
  type Soon,
  type Work,
  wait,
} from '../../src/base/soon.ts';

function* sum(values: readonly Soon<number>[]): Work<number> {
  let all = 0;
  for (const value of values) all += yield* wait(value);
  return all;
}

function* rescued(value: Soon<number>, seen: string[]): Work<number> {
  try {
    return yield* wait(value);
  } catch (error) {
    return (error as Error).message.length;
  } finally {
    seen.push('ended');
  }
}

describe('work', () => {
  test('that waits for nothing is done at once', () => {
    expect(begin(sum([1, 2, 3]))).toBe(6);
  });

  test('that waits is a promise of the same', async () => {
    const soon = begin(sum([1, Promise.resolve(2), 3, Promise.resolve(4)]));
    expect(soon).toBeInstanceOf(Promise);
    expect(await soon).toBe(10);
  });

  test('throws what it throws before it waits, and rejects with what comes later', async () => {
    function* fails(first: Soon<number>): Work<number> {
      yield* wait(first);
      throw new Error('no');
    }
    expect(() => begin(fails(1))).toThrow('no');
    await expect(begin(fails(Promise.resolve(1)))).rejects.toThrow('no');
  });

  test('sees a promise that rejects as an error of its own', async () => {
    const seen: string[] = [];
    expect(await begin(rescued(Promise.reject(new Error('four')), seen))).toBe(4);
    expect(await begin(rescued(Promise.resolve(7), seen))).toBe(7);
    expect(seen).toEqual(['ended', 'ended']);
    await expect(begin(sum([1, Promise.reject(new Error('no'))]))).rejects.toThrow('no');
  });

  test('inside work: one promise for all of it', async () => {
    const inner = begin(sum([Promise.resolve(1), 2]));
    expect(await begin(sum([inner, begin(sum([3]))]))).toBe(6);
  });
});

test('what ends follows every end, once', async () => {
  let ends = 0;
  const end = (): void => {
    ends += 1;
  };
  expect(ending(() => 1, end)).toBe(1);
  expect(ends).toBe(1);
  expect(() =>
    ending(() => {
      throw new Error('no');
    }, end),
  ).toThrow('no');
  expect(ends).toBe(2);
  const later = ending(() => Promise.resolve(3), end);
  expect(ends).toBe(2);
  expect(await later).toBe(3);
  await expect(ending(() => Promise.reject(new Error('no')), end)).rejects.toThrow('no');
  expect(ends).toBe(4);
});

test('what is thrown becomes a promise where others have begun', async () => {
  const fails = (): number => {
    throw new Error('no');
  };
  await expect(rejecting(fails)).rejects.toThrow('no');
  expect(rejecting(() => 1)).toBe(1);
});

test('the next step follows at once or later', async () => {
  expect(after(1, (one) => one + 1)).toBe(2);
  expect(await after(Promise.resolve(1), (one) => one + 1)).toBe(2);
});
