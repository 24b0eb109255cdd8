// `inner_hits`: the hits that a hit shows inside it, of its group (collapse) or of its nested
// documents. Each entry is a search of its own for every hit.

import type { Json, JsonObject } from '../backend/index.js';
import { didYouMean } from '../base/similar-names.js';
import type { SearchLimits } from './limits.js';
import { checkRepeated } from './list-limits.js';
import { illegal, isObject, malformed, shortened, toFlag, toInteger, tokenName } from './values.js';

const DEFAULT_INNER_SIZE = 3;
/**
 * The most inner searches of a request: one for every hit of the page and every entry of
 * `inner_hits`.
 */
const MAX_INNER_SEARCHES = 2000;

export interface InnerHits {
  readonly name: string;
  /** The parameters of the inner search, as keys of a search body. */
  readonly shows: JsonObject;
}

/** The nested documents that match a `nested` clause, for each hit. */
export interface NestedInnerHits extends InnerHits {
  readonly path: string;
  /** The query of the clause, whose own `nested` clauses may have further inner hits. */
  readonly query: Json;
}

/** Keys of `inner_hits` that are passed on to the inner search body under the same name. */
const SHOWS = [
  '_source',
  'collapse',
  'docvalue_fields',
  'explain',
  'fields',
  'from',
  'highlight',
  'script_fields',
  'seq_no_primary_term',
  'size',
  'sort',
  'stored_fields',
  'track_scores',
  'version',
];
const INNER_KEYS = [...SHOWS, 'ignore_unmapped', 'name'];

/** Reads one entry; `defaultName` is its name if it has none. */
export function readInnerHits(value: Json, limits: SearchLimits, defaultName = ''): InnerHits {
  const body = readBody('inner_hits', value, INNER_KEYS);
  if (body['ignore_unmapped'] !== undefined) {
    toFlag(body['ignore_unmapped'], '[ignore_unmapped] of [inner_hits]');
  }
  const { name = defaultName } = body;
  if (typeof name !== 'string' || name === '') {
    throw illegal(
      'inner_hits must have a [name]; set the [name] field in the inner_hits definition',
    );
  }
  checkRepeated('[name] of [inner_hits]', name);
  const from = toInteger(body['from'] ?? 0, '[from] of [inner_hits]');
  const size = toInteger(body['size'] ?? DEFAULT_INNER_SIZE, '[size] of [inner_hits]');
  if (from < 0) throw illegal(`illegal from value, at least 0 or higher, got [${from}]`);
  if (size < 0) throw illegal(`illegal size value, at least 0 or higher, got [${size}]`);
  if (from + size > limits.innerResultWindow) {
    throw illegal(
      `Inner result window is too large, the inner hit definition's [${name}]'s from + size must be less than or equal to: [${limits.innerResultWindow}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
    );
  }
  const shows = Object.fromEntries(Object.entries(body).filter(([key]) => SHOWS.includes(key)));
  return { name, shows: { ...shows, from, size } };
}

/** Refuses a request with `entries` inner hits for each of `size` hits if that are too many. */
export function checkInnerSearches(clause: string, entries: number, size: number): void {
  const searches = size * entries;
  if (searches <= MAX_INNER_SEARCHES) return;
  throw illegal(
    `[${clause}] with [${entries}] [inner_hits] and a [size] of [${size}] takes [${searches}] searches, more than [${MAX_INNER_SEARCHES}]: ask for a smaller page`,
  );
}

/** Throws if two entries of a request have the same name. */
export function checkNames(entries: readonly InnerHits[], clause = ''): void {
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw illegal(`[inner_hits]${clause} already contains an entry for key [${twice}]`);
}

export function readBody(what: string, value: Json, known: readonly string[]): JsonObject {
  if (!isObject(value)) throw malformed(`Unknown key for a ${tokenName(value)} in [${what}].`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return value;
  throw malformed(`[${what}] unknown field [${shortened(unknown)}]${didYouMean(unknown, known)}`);
}
