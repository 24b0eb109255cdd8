// Searches that go on after their request was answered, and whose own answers are kept in memory.
import type { MaybePromise, SearchResult, Waiter } from './search.js';

/** The answer of a search that has ended. */
export interface AsyncAnswer {
  readonly json: Buffer;
  readonly tookMs: number;
  readonly shards: SearchResult['shards'];
}

export interface AsyncWork {
  /** Executes the search. It ends with an error soon after `waiter` says that nobody waits. */
  readonly run: (waiter: Waiter) => MaybePromise<AsyncAnswer>;
  /** What is shown as its answer while it runs. */
  readonly progress: (tookMs: number) => MaybePromise<AsyncAnswer>;
  /** The names of aggregations in its answer are prefixed with their types. */
  readonly typedKeys: boolean;
}

export interface AsyncSearch {
  readonly id: string;
  readonly typedKeys: boolean;
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly expirationMs: number;
  /** Why it has no answer, or the answer; undefined while it runs. */
  readonly outcome: { readonly answer: AsyncAnswer } | { readonly error: unknown } | undefined;
  /** What is shown while it runs. */
  readonly progress: () => MaybePromise<AsyncAnswer>;
  /** Its answer is kept when it ends, which it has not. */
  keep(): void;
  /** Resolves when it has ended or the time has passed; rejects when `waiter` is gone. */
  ended(timeoutMs: number, waiter: Waiter): Promise<void>;
}

export interface AsyncStart {
  readonly keepAliveMs: number;
  /** Whoever reads or deletes the search must name the same object; null: every client may. */
  readonly caller: object | null;
  /** Whether the answer is kept when the search ends, without a call of keep(). */
  readonly isKept: boolean;
}

export interface AsyncSearches {
  /** Throws the refusal of a limit (429). An error of the search is its outcome. */
  start(work: AsyncWork, start: AsyncStart): AsyncSearch;
  /**
   * Undefined if it is unknown, expired, deleted or of another caller; illegal_argument_exception
   * for an id that no server can have issued. `keepAliveMs` is counted from now.
   */
  find(id: string, caller: object | null, keepAliveMs?: number): AsyncSearch | undefined;
  /** Cancels it if it runs, and forgets its answer. */
  delete(search: AsyncSearch): void;
}
