// Searches that last: points in time and scrolls.
import type { SearchRequest, SearchResult, Waiter } from './search.js';

/** A point in time that is open. */
export interface PointInTime {
  readonly id: string;
  readonly shards: number;
  readonly createdMs: number;
  readonly keepAliveMs: number;
}

/** Searches that last: points in time (a search names one in `pit`) and scrolls. */
export interface SearchContextBackend {
  /** `keepAlive`: a time value. */
  openPointInTime(request: Omit<SearchRequest, 'body'>, keepAlive: string): Promise<PointInTime>;
  /** `owner`: of those that this one opened; absent: of all. The same below. */
  pointsInTime(owner?: string): readonly PointInTime[];
  /** How many shards were let go of; illegal_argument_exception for what is no id. */
  closePointInTime(id: string, owner?: string): number;
  /** The first batch; its result has `scrollId`. */
  startScroll(request: SearchRequest, keepAlive: string): Promise<SearchResult>;
  /** The next one. Without `keepAlive` it is kept as long as before. */
  nextBatch(
    id: string,
    keepAlive: string | undefined,
    waiter?: Waiter,
    owner?: string,
  ): Promise<SearchResult>;
  /** Of the ids, or of all; how many shards were let go of. */
  clearScrolls(ids: readonly string[] | 'all', owner?: string): number;
}
