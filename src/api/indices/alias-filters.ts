// Validates alias filters against the fields of their indexes: a filter that no search could run is
// rejected before it is stored.
import type { AliasAction, JsonObject } from '../../backend/index.js';
import { QuarryError, toEnvelope } from '../../errors.js';
import type { ApiDeps } from '../kit/routes.js';

/** Filters tried in one search; below the limit of clauses in a query. */
const TOGETHER = 256;

interface AliasFilter {
  readonly alias: string;
  readonly filter: JsonObject;
}

/**
 * Tries the filters in searches. Failures that have another cause than a filter (a missing index, a
 * block, too many searches) are ignored; applying the actions reports them.
 */
export async function checkAliasFilters(
  deps: ApiDeps,
  actions: readonly AliasAction[],
): Promise<void> {
  const byIndex = new Map<string, AliasFilter[]>();
  for (const action of actions) {
    if (!('add' in action)) continue;
    const { index, alias, properties } = action.add;
    const filter = properties['filter'];
    if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) continue;
    if (Object.keys(filter).length === 0) continue;
    const known = byIndex.get(index);
    if (known === undefined) byIndex.set(index, [{ alias, filter: filter as JsonObject }]);
    else known.push({ alias, filter: filter as JsonObject });
  }
  for (const [index, filtered] of byIndex) {
    for (let at = 0; at < filtered.length; at += TOGETHER) {
      await checkSome(deps, index, filtered.slice(at, at + TOGETHER));
    }
  }
}

async function checkSome(
  deps: ApiDeps,
  index: string,
  filtered: readonly AliasFilter[],
): Promise<void> {
  const [only, another] = filtered;
  if (only === undefined) return;
  if (another === undefined) {
    const cause = await failureOf(deps, index, only.filter);
    if (cause === undefined) return;
    throw new QuarryError(
      'illegal_argument_exception',
      `failed to parse filter for alias [${only.alias}]: ${cause}`,
    );
  }
  const together = { bool: { should: filtered.map(({ filter }) => filter) } };
  if ((await failureOf(deps, index, together)) === undefined) return;
  for (const one of filtered) await checkSome(deps, index, [one]);
}

/** Why the indexes cannot run the query; undefined if they can. */
async function failureOf(
  deps: ApiDeps,
  index: string,
  query: JsonObject,
): Promise<string | undefined> {
  try {
    await deps.backend.search({
      index,
      body: { query, size: 0, track_total_hits: false, terminate_after: 1 },
      ignoreUnavailable: true,
      allowPartialResults: false,
      requestCache: false,
    });
    return undefined;
  } catch (error) {
    const isFilter =
      error instanceof QuarryError &&
      error.type === 'search_phase_execution_exception' &&
      error.status === 400;
    return isFilter ? String(toEnvelope(error).error.root_cause[0]?.reason) : undefined;
  }
}
