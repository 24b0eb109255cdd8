// The rules for names of indexes and aliases, with the messages of Elasticsearch.

import { unprintable } from '../../base/names.js';
import { QuarryError } from '../../errors.js';

/** Maximum length of a name in bytes of UTF-8, which also fits a file name. */
const MAX_NAME_BYTES = 255;
const FORBIDDEN = /[\\/*?"<>| ,]/;
/** The characters of FORBIDDEN as Elasticsearch prints them. */
const FORBIDDEN_TEXT = '[ , ", *, \\, <, |, ,, >, /, ?]';

/** Why `name` cannot name an index or an alias, or undefined when it can. */
function objection(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  const unprinted = unprintable(name);
  if (FORBIDDEN.test(name) || unprinted !== undefined) {
    const also = unprinted === undefined ? '' : `, and ${unprinted}`;
    return `must not contain the following characters ${FORBIDDEN_TEXT}${also}`;
  }
  if (name.includes('#')) return "must not contain '#'";
  if (name.includes(':')) return "must not contain ':'";
  if (/^[_\-+]/.test(name)) return "must not start with '_', '-', or '+'";
  const bytes = Buffer.byteLength(name);
  if (bytes > MAX_NAME_BYTES) return `index name is too long, (${bytes} > ${MAX_NAME_BYTES})`;
  if (name === '.' || name === '..') return "must not be '.' or '..'";
  return undefined;
}

export function invalidIndexName(name: string, why: string): QuarryError {
  return new QuarryError('invalid_index_name_exception', `Invalid index name [${name}], ${why}`, {
    extra: { index_uuid: '_na_', index: name },
  });
}

export function invalidAliasName(name: string, why: string): QuarryError {
  return new QuarryError('invalid_alias_name_exception', `Invalid alias name [${name}]: ${why}`);
}

/**
 * Date math (`<logs-{now/d}>`) is resolved in URLs only; in bodies it is an error and not a literal
 * name.
 */
export function refuseDateMath(name: string): void {
  if (!name.startsWith('<') || !name.endsWith('>')) return;
  throw invalidIndexName(
    name,
    'date math in index names is not supported in bodies, send the resolved name instead',
  );
}

/** Throws invalid_index_name_exception unless `name` may name a new index. */
export function checkIndexName(name: string): void {
  refuseDateMath(name);
  const why = objection(name);
  if (why !== undefined) throw invalidIndexName(name, why);
  if (name !== name.toLowerCase()) throw invalidIndexName(name, 'must be lowercase');
}

/** Throws invalid_alias_name_exception unless `name` may name an alias. */
export function checkAliasName(name: string): void {
  const why = name === '_all' ? 'must not be [_all]' : objection(name);
  if (why !== undefined) throw invalidAliasName(name, why);
}

/** Names with a leading dot are hidden from `*` and `_all`. */
export function isDotName(name: string): boolean {
  return name.startsWith('.');
}
