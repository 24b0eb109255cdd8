// Work that waits only if necessary: synchronous if no value is a promise, and otherwise in the
// same order with the same errors.
import { describe, expect, test } from 'vitest';
import {
  awaitMaybe,
  finallyMaybe,
  type MaybePromise,
  rejecting,
  runSyncFirst,
  type SyncFirstTask,
  thenMaybe,
} from '../../src/base/maybe-promise.ts';

function* sum(values: readonly MaybePromise<number>[]): SyncFirstTask<number> {
  let all = 0;
  for (const value of values) all += yield* awaitMaybe(value);
  return all;
}

function* rescued(value: MaybePromise<number>, seen: string[]): SyncFirstTask<number> {
  try {
    return yield* awaitMaybe(value);
  } catch (error) {
    return (error as Error).message.length;
  } finally {
    seen.push('ended');
  }
}

describe('work', () => {
  test('that waits for nothing is done at once', () => {
    expect(runSyncFirst(sum([1, 2, 3]))).toBe(6);
  });

  test('that waits is a promise of the same', async () => {
    const result = runSyncFirst(sum([1, Promise.resolve(2), 3, Promise.resolve(4)]));
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(10);
  });

  test('throws what it throws before it waits, and rejects with what comes later', async () => {
    function* fails(first: MaybePromise<number>): SyncFirstTask<number> {
      yield* awaitMaybe(first);
      throw new Error('no');
    }
    expect(() => runSyncFirst(fails(1))).toThrow('no');
    await expect(runSyncFirst(fails(Promise.resolve(1)))).rejects.toThrow('no');
  });

  test('sees a promise that rejects as an error of its own', async () => {
    const seen: string[] = [];
    expect(await runSyncFirst(rescued(Promise.reject(new Error('four')), seen))).toBe(4);
    expect(await runSyncFirst(rescued(Promise.resolve(7), seen))).toBe(7);
    expect(seen).toEqual(['ended', 'ended']);
    await expect(runSyncFirst(sum([1, Promise.reject(new Error('no'))]))).rejects.toThrow('no');
  });

  test('inside work: one promise for all of it', async () => {
    const inner = runSyncFirst(sum([Promise.resolve(1), 2]));
    expect(await runSyncFirst(sum([inner, runSyncFirst(sum([3]))]))).toBe(6);
  });
});

test('what ends follows every end, once', async () => {
  let ends = 0;
  const end = (): void => {
    ends += 1;
  };
  expect(finallyMaybe(() => 1, end)).toBe(1);
  expect(ends).toBe(1);
  expect(() =>
    finallyMaybe(() => {
      throw new Error('no');
    }, end),
  ).toThrow('no');
  expect(ends).toBe(2);
  const later = finallyMaybe(() => Promise.resolve(3), end);
  expect(ends).toBe(2);
  expect(await later).toBe(3);
  await expect(finallyMaybe(() => Promise.reject(new Error('no')), end)).rejects.toThrow('no');
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
  expect(thenMaybe(1, (one) => one + 1)).toBe(2);
  expect(await thenMaybe(Promise.resolve(1), (one) => one + 1)).toBe(2);
});
