// URL parameters: typed readers with the error messages of Elasticsearch, and the check for unknown
// parameters.

import type { IndexOptions, Refresh, SearchRequest, SourceSpec } from '../../backend/index.js';
import { didYouMean } from '../../base/similar-names.js';
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import { preferenceParam } from './preference.js';

/** Parameters accepted by every route. */
const COMMON = ['pretty', 'human', 'error_trace', 'filter_path', 'format'];
export const INDEX_OPTIONS = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards'];
/** Parameters of routes that change indexes. */
export const INDEX_WAITS = ['timeout', 'master_timeout', 'wait_for_active_shards'];
/** Parameters of routes that read index metadata. */
export const INDEX_READ_PARAMS = [...INDEX_OPTIONS, 'local', 'master_timeout'];
export const SOURCE_PARAMS = ['_source', '_source_includes', '_source_excludes'];

const TAKEN_FLAGS: ReadonlySet<string> = new Set([
  'error_trace',
  'flat_settings',
  'forbid_closed_indices',
  'human',
  'ignore_throttled',
  'include_defaults',
  'include_segment_file_sizes',
  'include_unloaded_segments',
  'local',
  'pretty',
  'verbose',
  'wait_if_ongoing',
]);
const TAKEN_TIMES: ReadonlySet<string> = new Set(['master_timeout']);

/** Unrecognized parameters of one request for which similar names are looked for. */
const MAX_HINTS = 16;

/** Parameter names of OpenSearch and their equivalents. */
const OTHER_NAMES: Readonly<Record<string, string>> = { cluster_manager_timeout: 'master_timeout' };

/**
 * Query parameters of one request; the last value of a repeated parameter counts, except for
 * lists().
 */
export class UrlParams {
  readonly #values: ReadonlyMap<string, string>;
  readonly #query: Readonly<Record<string, string | string[]>>;

  constructor(query: unknown) {
    this.#query = (query ?? {}) as Record<string, string | string[]>;
    const entries = Object.entries((query ?? {}) as Record<string, string | string[]>);
    this.#values = new Map(
      entries.map(([name, value]) => [
        Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] ?? name) : name,
        Array.isArray(value) ? (value.at(-1) ?? '') : value,
      ]),
    );
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }
  text(name: string): string | undefined {
    return this.#values.get(name);
  }
  list(name: string): readonly string[] | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : splitList(value);
  }
  /** A comma-separated list that may also be repeated: the values of all occurrences. */
  lists(name: string): readonly string[] | undefined {
    const value = Object.hasOwn(this.#query, name) ? this.#query[name] : undefined;
    return value === undefined ? undefined : [value].flat().flatMap(splitList);
  }
  /** A parameter without a value, as in `?pretty`, is true. */
  flag(name: string): boolean | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    if (value === '' || value === 'true') return true;
    if (value === 'false') return false;
    throw new QuarryError(
      'illegal_argument_exception',
      `Failed to parse value [${value}] of parameter [${name}] as only [true] or [false] are allowed.`,
    );
  }
  integer(name: string): number | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isInteger(number) && Math.abs(number) <= 2 ** 31 - 1) return number;
    throw badNumber('int', name, value);
  }
  long(name: string): bigint | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    if (!/^[+-]?\d{1,19}$/.test(value)) throw badNumber('long', name, value);
    const number = BigInt(value);
    if (BigInt.asIntN(64, number) !== number) throw badNumber('long', name, value);
    return number;
  }
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new QuarryError(
      'illegal_argument_exception',
      `Unknown value for ${name}: [${value}], expected one of [${choices.join(', ')}]`,
    );
  }

  /** Checks the values of parameters that are accepted without effect on a single node. */
  checkTaken(): void {
    for (const name of this.#values.keys()) {
      const value = this.#values.get(name) ?? '';
      if (TAKEN_FLAGS.has(name)) this.flag(name);
      else if (TAKEN_TIMES.has(name)) parseTime(value, name);
      else if (name === 'wait_for_events') {
        this.choice(name, ['immediate', 'urgent', 'high', 'normal', 'low', 'languid']);
      }
    }
  }

  /** Rejects parameters that the route does not read, and suggests the most similar name. */
  refuseUnknown(known: readonly string[], path: string): void {
    const unknown = [...this.#values.keys()].filter(
      (name) => !known.includes(name) && !COMMON.includes(name),
    );
    if (unknown.length === 0) return;
    const word = unknown.length === 1 ? 'parameter' : 'parameters';
    const asSent = (name: string): string =>
      Object.keys(OTHER_NAMES).find(
        (other) => OTHER_NAMES[other] === name && other in this.#query,
      ) ?? name;
    const names = unknown.sort().map((name, i) => {
      const hint = i < MAX_HINTS ? didYouMean(name, known) : '';
      return `[${asSent(name)}]${hint === '' ? '' : ` ->${hint}`}`;
    });
    throw new QuarryError(
      'illegal_argument_exception',
      `request [${path}] contains unrecognized ${word}: ${names.join(', ')}`,
    );
  }
}

function badNumber(kind: string, name: string, value: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `Failed to parse ${kind} parameter [${name}] with value [${value}]`,
    { causedBy: { type: 'number_format_exception', reason: `For input string: "${value}"` } },
  );
}

export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function indexOptions(params: UrlParams): IndexOptions {
  const ignoreUnavailable = params.flag('ignore_unavailable');
  const allowNoIndices = params.flag('allow_no_indices');
  const expandWildcards = params.list('expand_wildcards');
  for (const value of expandWildcards ?? []) {
    if (!['open', 'closed', 'hidden', 'none', 'all'].includes(value)) {
      throw new QuarryError(
        'illegal_argument_exception',
        `No valid expand wildcard value [${value}], expected one of [open, closed, hidden, none, all]`,
      );
    }
  }
  return {
    ...(ignoreUnavailable === undefined ? {} : { ignoreUnavailable }),
    ...(allowNoIndices === undefined ? {} : { allowNoIndices }),
    ...(expandWildcards === undefined ? {} : { expandWildcards }),
  };
}

/** The parameters `routing` and `preference`, which select the shards of a search. */
export function routingParam(params: UrlParams): Pick<SearchRequest, 'routing' | 'shards'> {
  const routing = params.text('routing');
  return { ...(routing === undefined ? {} : { routing }), ...preferenceParam(params) };
}

export function requestCacheParam(params: UrlParams): { readonly requestCache?: boolean } {
  const requestCache = params.flag('request_cache');
  return requestCache === undefined ? {} : { requestCache };
}

export function refreshParam(params: UrlParams): Refresh {
  const value = params.text('refresh');
  if (value === undefined || value === 'false') return 'false';
  if (value === '' || value === 'true') return 'true';
  if (value === 'wait_for') return 'wait_for';
  throw new QuarryError(
    'illegal_argument_exception',
    `Unknown value for refresh: [${value}], expected one of [true, false, wait_for]`,
  );
}

/**
 * The source filter: `_source_includes` replaces the fields of `_source`; undefined if no source
 * parameter was sent.
 */
export function sourceParam(params: UrlParams): SourceSpec | undefined {
  const source = params.text('_source');
  const includes = params.list('_source_includes');
  const excludes = params.list('_source_excludes');
  if (source === undefined && includes === undefined && excludes === undefined) return undefined;
  if (source === 'false') return false;
  const named = source === undefined || source === 'true' || source === '' ? [] : splitList(source);
  const wanted = includes ?? named;
  if (wanted.length === 0 && excludes === undefined) return true;
  return { includes: wanted, excludes: excludes ?? [] };
}

/**
 * Both search types have the same result here, because term statistics are always those of all
 * shards.
 */
export function checkSearchType(params: UrlParams): void {
  const type = params.text('search_type');
  if (type === undefined || type === 'query_then_fetch' || type === 'dfs_query_then_fetch') return;
  throw new QuarryError('illegal_argument_exception', `No search type for [${type}]`);
}

/**
 * Checks parameters that a single node always satisfies: `timeout`, `master_timeout`,
 * `wait_for_active_shards`.
 */
export function checkWaits(params: UrlParams): void {
  for (const name of ['timeout', 'master_timeout']) {
    const value = params.text(name);
    if (value !== undefined) parseTime(value, name);
  }
  const active = params.text('wait_for_active_shards');
  if (active !== undefined && active !== 'all' && !/^\d+$/.test(active)) {
    throw new QuarryError(
      'illegal_argument_exception',
      `cannot parse ActiveShardCount[${active}], expected [all] or a whole number`,
    );
  }
}
