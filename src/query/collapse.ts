// `collapse`: of all hits with the same value of a field only the first is shown, with others of
// its group inside it (`inner_hits`, each a search of its own, coordinator/page/inner-hits.ts).
import type { Json, JsonObject } from '../backend/index.js';
import type { PlanSortKey, PlanWriter, Scalar } from '../wire/plan-writer.js';
import {
  checkInnerSearches,
  checkNames,
  type InnerHits,
  readBody,
  readInnerHits,
} from './inner-hits.js';
import type { SearchLimits } from './limits.js';
import { checkLength } from './list-limits.js';
import { illegal, isArray, malformed, toInteger } from './values.js';

export interface Collapse {
  readonly field: string;
  readonly innerHits: readonly InnerHits[];
  /** Concurrent group searches; undefined: one for each thread. */
  readonly concurrency: number | undefined;
}

const KEYS = ['field', 'inner_hits', 'max_concurrent_group_searches'];

/** Reads `collapse` and checks it against the order and the page size `size` of the search. */
export function readCollapse(
  { collapse: given }: JsonObject,
  order: { readonly sort: readonly PlanSortKey[]; readonly searchAfter: readonly Scalar[] },
  limits: SearchLimits,
  size: number,
): Collapse | undefined {
  if (given === undefined) return undefined;
  const collapse = parseCollapse(given, limits);
  checkCollapseAfter(collapse, order.sort, order.searchAfter);
  checkInnerSearches('collapse', collapse.innerHits.length, size);
  return collapse;
}

export function parseCollapse(value: Json, limits: SearchLimits): Collapse {
  const body = readBody('collapse', value, KEYS);
  const { field, inner_hits: inner, max_concurrent_group_searches: most } = body;
  if (typeof field !== 'string' || field === '') {
    throw malformed('[collapse] requires [field], the name of a keyword or number field');
  }
  const entries = inner === undefined ? [] : isArray(inner) ? inner : [inner];
  checkLength(
    '[inner_hits] of [collapse]',
    entries.length,
    'ask for the others in a second search',
  );
  const innerHits = entries.map((entry) => readInner(entry, limits));
  checkNames(innerHits, ' of [collapse]');
  const concurrency =
    most === undefined ? undefined : toInteger(most, '[max_concurrent_group_searches]');
  if (concurrency !== undefined && concurrency < 1) {
    throw illegal(
      `[collapse] [max_concurrent_group_searches] must be positive, got [${concurrency}]`,
    );
  }
  return { field, innerHits, concurrency };
}

function readInner(value: Json, limits: SearchLimits): InnerHits {
  const inner = readInnerHits(value, limits);
  const { collapse } = inner.shows;
  if (collapse !== undefined && parseCollapse(collapse, limits).innerHits.length > 0) {
    throw illegal('[inner_hits] is not supported inside the [collapse] of [inner_hits]');
  }
  return inner;
}

/**
 * The last hit of the previous page determines the next group only if groups are sorted by the
 * collapse field.
 */
function checkCollapseAfter(
  { field }: Collapse,
  sort: readonly PlanSortKey[],
  searchAfter: readonly Scalar[],
): void {
  if (searchAfter.length === 0 || (sort.length === 1 && sort[0]?.field === field)) return;
  throw illegal(
    'cannot use `collapse` in conjunction with `search_after` unless the search is sorted on the same field. Multiple sort fields are not allowed.',
  );
}

export function writeCollapse(writer: PlanWriter, { field, innerHits }: Collapse): void {
  writer.node('collapse', () => writer.str(field).bool(innerHits.length > 0));
}
