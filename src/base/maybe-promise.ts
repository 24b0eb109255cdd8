// Results that are mostly available synchronously: an inline search waits for nothing, and a
// promise per step would cost more than the search. Such code is written as a generator that yields
// the promises it must wait for.
import type { MaybePromise } from '../backend/index.js';

export type { MaybePromise };

/** Yields a promise that it waits for, and is resumed with its value or its error. */
export type SyncFirstTask<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for the value only if it is a promise: `const value = yield* awaitMaybe(result)`. */
export function* awaitMaybe<T>(result: MaybePromise<T>): SyncFirstTask<T> {
  return result instanceof Promise ? ((yield result) as T) : result;
}

/**
 * Returns the result synchronously if the task does not wait. Errors before the first wait are
 * thrown synchronously.
 */
export function runSyncFirst<T>(work: SyncFirstTask<T>): MaybePromise<T> {
  const step = work.next();
  return step.done === true ? step.value : goOn(work, step.value);
}

async function goOn<T>(work: SyncFirstTask<T>, first: Promise<unknown>): Promise<T> {
  let awaited = first;
  for (;;) {
    let value: unknown;
    let failed = false;
    try {
      value = await awaited;
    } catch (error) {
      failed = true;
      value = error;
    }
    const step = failed ? work.throw(value) : work.next(value);
    if (step.done === true) return step.value;
    awaited = step.value;
  }
}

/** Runs `work`, then `end`, whether it succeeds or fails. */
export function finallyMaybe<T>(work: () => MaybePromise<T>, end: () => void): MaybePromise<T> {
  let result: MaybePromise<T>;
  try {
    result = work();
  } catch (error) {
    end();
    throw error;
  }
  if (result instanceof Promise) return result.finally(end);
  end();
  return result;
}

/** Converts a thrown error to a rejected promise, for callers that have other work in progress. */
export function rejecting<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Applies `next` to the value, or `failed` to the error of a promise. It is not called then(),
 * because a module that exports a function of that name is treated as a promise.
 */
export function thenMaybe<T, R>(
  result: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  failed?: (error: Error) => MaybePromise<R>,
): MaybePromise<R> {
  return result instanceof Promise ? result.then(next, failed) : next(result);
}
