// Answers that are mostly there at once: a light search waits for nothing, and a promise for every step that it passes would cost
// more than the search. Written in one line of thought all the same, as work that yields the promises it has to wait for.
import type { MaybePromise } from '../backend/index.js';

export type { MaybePromise };

/** Yields what it waits for and is resumed with what that resolves to, or by its error. */
export type SyncFirstTask<T> = Generator<Promise<unknown>, T, unknown>;

/** The value, waited for only if it has to be: `const value = yield* wait(soon)`. */
export function* awaitMaybe<T>(soon: MaybePromise<T>): SyncFirstTask<T> {
  return soon instanceof Promise ? ((yield soon) as T) : soon;
}

/** The result itself when the work waits for nothing; what it throws before it waits is thrown. */
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

/** Runs `work`; `end` follows however it ends. */
export function finallyMaybe<T>(work: () => MaybePromise<T>, end: () => void): MaybePromise<T> {
  let soon: MaybePromise<T>;
  try {
    soon = work();
  } catch (error) {
    end();
    throw error;
  }
  if (soon instanceof Promise) return soon.finally(end);
  end();
  return soon;
}

/** For callers that have begun other work: what is thrown becomes a promise that rejects. */
export function rejecting<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** What `next` makes of the value, or `failed` of the error of a promise. Not called then(): a module that exports one is taken for a promise. */
export function thenMaybe<T, R>(
  soon: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  failed?: (error: Error) => MaybePromise<R>,
): MaybePromise<R> {
  return soon instanceof Promise ? soon.then(next, failed) : next(soon);
}
