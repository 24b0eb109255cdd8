// `collapse`: of all hits with the same value of a field only the first is shown, with others of
// its group inside it (`inner_hits`, each a search of its own, coordinator/page/inner-hits.ts).
import type { Json, JsonObject } from '../backend/index.js';
import { didYouMean } from '../base/similar-names.js';
import type { PlanSortKey, PlanWriter, Scalar } from '../wire/plan-writer.js';
import type { SearchLimits } from './limits.js';
import { checkLength } from './list-limits.js';
import {
  illegal,
  isArray,
  isObject,
  malformed,
  shortened,
  toFlag,
  toInteger,
  tokenName,
} from './values.js';

const DEFAULT_INNER_SIZE = 3;
/**
 * The most group searches of a request: one for every hit of the page and every entry of
 * `inner_hits`.
 */
const MAX_GROUP_SEARCHES = 2000;

export interface Collapse {
  readonly field: string;
  readonly innerHits: readonly InnerHits[];
  /** Concurrent group searches; undefined: one for each thread. */
  readonly concurrency: number | undefined;
}

export interface InnerHits {
  readonly name: string;
  /** The parameters of the inner search, as keys of a search body. */
  readonly shows: JsonObject;
}

const KEYS = ['field', 'inner_hits', 'max_concurrent_group_searches'];

/** Keys of `inner_hits` that are passed on to the inner search body under the same name. */
const SHOWS = [
  '_source',
  'collapse',
  'docvalue_fields',
  'explain',
  'fields',
  'from',
  'highlight',
  'seq_no_primary_term',
  'size',
  'sort',
  'stored_fields',
  'track_scores',
  'version',
];
const INNER_KEYS = [...SHOWS, 'ignore_unmapped', 'name'];

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
  const searches = size * collapse.innerHits.length;
  if (searches <= MAX_GROUP_SEARCHES) return collapse;
  throw illegal(
    `[collapse] with [${collapse.innerHits.length}] [inner_hits] and a [size] of [${size}] takes [${searches}] searches, more than [${MAX_GROUP_SEARCHES}]: ask for a smaller page`,
  );
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
  const names = innerHits.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw illegal(`[inner_hits] of [collapse] already contains an entry for key [${twice}]`);
  }
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
  const body = readBody('inner_hits', value, INNER_KEYS);
  if (body['script_fields'] !== undefined) {
    throw malformed('[inner_hits] [script_fields] is not supported by this server, leave it out');
  }
  if (body['ignore_unmapped'] !== undefined) {
    toFlag(body['ignore_unmapped'], '[ignore_unmapped] of [inner_hits]');
  }
  const { name } = body;
  if (typeof name !== 'string' || name === '') {
    throw illegal(
      'inner_hits must have a [name]; set the [name] field in the inner_hits definition',
    );
  }
  const from = toInteger(body['from'] ?? 0, '[from] of [inner_hits]');
  const size = toInteger(body['size'] ?? DEFAULT_INNER_SIZE, '[size] of [inner_hits]');
  if (from < 0) throw illegal(`illegal from value, at least 0 or higher, got [${from}]`);
  if (size < 0) throw illegal(`illegal size value, at least 0 or higher, got [${size}]`);
  if (from + size > limits.innerResultWindow) {
    throw illegal(
      `Inner result window is too large, the inner hit definition's [${name}]'s from + size must be less than or equal to: [${limits.innerResultWindow}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
    );
  }
  const { collapse } = body;
  if (collapse !== undefined && parseCollapse(collapse, limits).innerHits.length > 0) {
    throw illegal('[inner_hits] is not supported inside the [collapse] of [inner_hits]');
  }
  const shows = Object.fromEntries(Object.entries(body).filter(([key]) => SHOWS.includes(key)));
  return { name, shows: { ...shows, from, size } };
}

function readBody(what: string, value: Json, known: readonly string[]): JsonObject {
  if (!isObject(value)) throw malformed(`Unknown key for a ${tokenName(value)} in [${what}].`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined || unknown === 'script_fields') return value;
  throw malformed(`[${what}] unknown field [${shortened(unknown)}]${didYouMean(unknown, known)}`);
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
