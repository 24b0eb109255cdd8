// Reads and writes that are begun anew where what they saw is gone: a snapshot by the next phase, an index by the time that the
// engine is asked for it.

import { awaitMaybe, type MaybePromise, type SyncFirstTask } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import type { Catalog } from '../catalog/catalog.js';
import type { SearchAccount } from '../search/search-watch.js';

/** An index that is dropped gives its name to another one in the same step; so often in a row that happens to no request. */
export const MOST_RETRIES = 8;

type CatalogVersion = Pick<Catalog, 'version'>;

/** Until what it sees lasts. `account`: of the request, which is told what its names were resolved by. */
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

/** What was found by the catalog of that version is not there any more, and may be elsewhere. */
export function isGone(error: unknown, catalog: CatalogVersion, version: number): boolean {
  if (!(error instanceof QuarryError)) return false;
  if (error.type === 'search_context_missing_exception') return true;
  return error.type === 'index_not_found_exception' && catalog.version !== version;
}
