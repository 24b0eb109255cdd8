// Routing through aliases: the single value for an operation on a document, and the values that
// restrict a search.
import { QuarryError } from '../../errors.js';
import type { AliasProperties } from './aliases.js';

/**
 * Throws illegal_argument_exception if the index routing has several values, because writes need a
 * single one.
 */
export function checkIndexRouting(alias: string, properties: AliasProperties): void {
  if (properties.index_routing?.includes(',') !== true) return;
  throw new QuarryError(
    'illegal_argument_exception',
    `alias [${alias}] has several index routing values associated with it`,
  );
}

/**
 * The routing of an operation on one document through `alias`. The request may repeat the routing
 * of the alias, but not contradict it.
 */
export function documentRouting(
  alias: string,
  properties: AliasProperties,
  requested: string | undefined,
): string | undefined {
  const own = properties.index_routing;
  if (own === undefined) return requested;
  if (own.includes(',')) {
    throw new QuarryError(
      'illegal_argument_exception',
      `index/alias [${alias}] provided with routing value [${own}] that resolved to several routing values, rejecting operation`,
    );
  }
  if (requested === undefined || requested === '' || requested === own) return own;
  throw new QuarryError(
    'illegal_argument_exception',
    `Alias [${alias}] has index routing associated with it [${own}], and was provided with routing value [${requested}], rejecting operation`,
  );
}

/**
 * The routing values that restrict a search of an index that was reached through `aliases`;
 * undefined: no restriction. `requested`: the values of the request. For an alias with a search
 * routing it is their intersection.
 */
export function searchRouting(
  aliases: readonly AliasProperties[],
  requested: readonly string[] | undefined,
): readonly string[] | undefined {
  const values = new Set<string>();
  for (const { search_routing: own } of aliases) {
    const shown = own === undefined ? requested : common(splitRouting(own), requested);
    if (shown === undefined) return undefined;
    for (const value of shown) values.add(value);
  }
  return [...values];
}

function common(own: readonly string[] | undefined, requested: readonly string[] | undefined) {
  return requested === undefined ? own : own?.filter((value) => requested.includes(value));
}

/** The values between commas, with spaces preserved; undefined when there is none. */
export function splitRouting(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const values = text.split(',').filter((value) => value !== '');
  return values.length === 0 ? undefined : values;
}
