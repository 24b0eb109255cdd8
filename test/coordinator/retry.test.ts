// Retries of reads: only if a snapshot is gone, or an index after a catalog change, and only a
// limited number of times.
import { expect, test } from 'vitest';
import { runSyncFirst } from '../../src/base/maybe-promise.ts';
import { SearchAccount } from '../../src/coordinator/search/search-watch.ts';
import { MOST_RETRIES, withRetry } from '../../src/coordinator/shards/retry.ts';
import { type ErrorType, QuarryError } from '../../src/errors.ts';

interface RetriedRequest {
  readonly type: ErrorType;
  /** The number of attempts that fail. */
  readonly failing: number;
  /** The catalog changes after each attempt. */
  readonly changes: boolean;
}

async function attempts({ type, failing, changes }: RetriedRequest) {
  const catalog = { version: 1 };
  const account = new SearchAccount();
  const resolvedBy: (number | undefined)[] = [];
  const work = async (): Promise<string> => {
    resolvedBy.push(account.resolvedBy);
    if (resolvedBy.length > failing) return 'found';
    if (changes) catalog.version++;
    throw new QuarryError(type, 'gone');
  };
  const answer = await Promise.resolve(runSyncFirst(withRetry(catalog, account, work))).catch(
    (error: Error) => error.message,
  );
  return { answer, resolvedBy };
}

test.each<[string, RetriedRequest, string, number]>([
  ['finds', { type: 'index_not_found_exception', failing: 0, changes: false }, 'found', 1],
  [
    'meets an index that has gone',
    { type: 'index_not_found_exception', failing: 2, changes: true },
    'found',
    3,
  ],
  [
    'names an index that there is not',
    { type: 'index_not_found_exception', failing: 2, changes: false },
    'gone',
    1,
  ],
  [
    'meets a snapshot that has gone',
    { type: 'search_context_missing_exception', failing: 1, changes: false },
    'found',
    2,
  ],
  [
    'is refused while something else changes',
    { type: 'parsing_exception', failing: 1, changes: true },
    'gone',
    1,
  ],
])('a search that %s is tried as often as it helps', async (_what, requested, answer, tries) => {
  const found = await attempts(requested);
  expect(found).toMatchObject({ answer, resolvedBy: { length: tries } });
});

test('names are resolved by the newest catalog, and in the end by whatever there is', async () => {
  const endless = { type: 'index_not_found_exception', failing: 99, changes: true } as const;
  const { answer, resolvedBy } = await attempts(endless);
  expect(answer).toBe('gone');
  const versions = Array.from({ length: MOST_RETRIES }, (_, i) => i + 1);
  expect(resolvedBy).toEqual([...versions, undefined]);
});
