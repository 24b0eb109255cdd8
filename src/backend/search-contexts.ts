// Search contexts that outlive a request: points in time and scrolls.
import type { MaybePromise, SearchRequest, SearchResult, Waiter } from './search.js';

/** An open point in time. */
export interface PointInTime {
  readonly id: string;
  readonly shards: number;
  readonly createdMs: number;
  readonly keepAliveMs: number;
}

/** Points in time (named by a search in `pit`) and scrolls. */
export interface SearchContextBackend {
  /** `keepAlive` is a time value. */
  openPointInTime(request: Omit<SearchRequest, 'body'>, keepAlive: string): Promise<PointInTime>;
  /** With `owner`, only contexts that this owner opened, also in the methods below. */
  pointsInTime(owner?: string): MaybePromise<readonly PointInTime[]>;
  /** Returns the number of released shards; illegal_argument_exception for an invalid id. */
  closePointInTime(id: string, owner?: string): MaybePromise<number>;
  /** Returns the first batch, whose result has a `scrollId`. */
  startScroll(request: SearchRequest, keepAlive: string): Promise<SearchResult>;
  /** Returns the next batch. Without `keepAlive`, the previous one is used again. */
  nextBatch(
    id: string,
    keepAlive: string | undefined,
    waiter?: Waiter,
    owner?: string,
  ): Promise<SearchResult>;
  /** Clears the given or all scrolls; returns the number of released shards. */
  clearScrolls(ids: readonly string[] | 'all', owner?: string): MaybePromise<number>;
}
