// Retries requests whose snapshot is gone before the next phase, or whose index is dropped between
// name resolution and the call of the engine.

import { awaitMaybe, type MaybePromise, type SyncFirstTask } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import type { Catalog } from '../catalog/catalog.js';
import type { SearchAccount } from '../search/search-watch.js';

/**
 * Maximum number of retries. An alias swap replaces a dropped index in one step, so that a retry
 * finds the new one; a request does not meet more swaps than this in a row.
 */
export const MOST_RETRIES = 8;

type CatalogVersion = Pick<Catalog, 'version'>;

/** Repeats `work` while isGone(). Records in `account` the catalog version that resolves names. */
export function* withRetry<T>(
  catalog: CatalogVersion,
  account: SearchAccount,
  work: () => MaybePromise<T>,
): SyncFirstTask<T> {
  for (let left = MOST_RETRIES; left > 0; left--) {
    const { version } = catalog;
    account.resolvedBy = version;
    try {
      return yield* awaitMaybe(work());
    } catch (error) {
      if (!isGone(error, catalog, version)) throw error;
    }
  }
  account.resolvedBy = undefined;
  return yield* awaitMaybe(work());
}

/**
 * Whether a snapshot or index is gone that `version` of the catalog led to: a retry may succeed.
 */
export function isGone(error: unknown, catalog: CatalogVersion, version: number): boolean {
  if (!(error instanceof QuarryError)) return false;
  if (error.type === 'search_context_missing_exception') return true;
  return error.type === 'index_not_found_exception' && catalog.version !== version;
}
