// A prepared search: the plans of its body, and whether they may be executed again.
import type {
  MaybePromise,
  PreparedSearch,
  SearchRequest,
  SearchResult,
  Waiter,
} from '../../backend/index.js';
import { thenMaybe } from '../../base/maybe-promise.js';
import type { CompiledGroup } from '../shards/search-plans.js';
import { shardsOfAll, type TargetGroup } from '../shards/search-targets.js';

/** The indexes of a search, and its body compiled for each group of them. */
export interface SearchPlans {
  readonly targets: readonly TargetGroup[];
  readonly groups: readonly CompiledGroup[];
  /** The plans are those of an earlier execution: their time is not the present one. */
  readonly isRepeat: boolean;
}

/**
 * Whether plans may be executed again with another time in their header. Searches in several rounds
 * make further plans, which hold the time as well.
 */
export function isRepeatable(groups: readonly CompiledGroup[]): boolean {
  return groups.every(({ query, entries }) => {
    const isOneShard = groups.length === 1 && shardsOfAll(entries).length === 1;
    return (
      (isOneShard || query.vectorClauses.length === 0) &&
      query.semantic.length === 0 &&
      query.ranked === undefined &&
      query.collapse === undefined &&
      query.rescores.length === 0
    );
  });
}

/** A search that must be prepared again for every request. */
export function preparedOnce(
  run: (waiter: Waiter | undefined) => MaybePromise<SearchResult>,
): PreparedSearch {
  return { isCurrent: () => false, run };
}

/**
 * Prepares a request with clauses that other components may resolve (links, terms lookups).
 * Resolved clauses are valid for one execution.
 */
export function prepareResolved(
  request: SearchRequest,
  resolve: (request: SearchRequest) => MaybePromise<SearchRequest>,
  prepare: (request: SearchRequest) => PreparedSearch,
): PreparedSearch {
  const resolved = resolve(request);
  if (resolved === request) return prepare(request);
  return preparedOnce((waiter) => thenMaybe(resolved, (one) => prepare(one).run(waiter)));
}
