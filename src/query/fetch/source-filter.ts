// `_source` and `stored_fields`: the parts of the stored document that a hit shows.
import type { Json, JsonObject, SourceSpec } from '../../backend/index.js';
import { isArray, isObject, malformed, toFlag, tokenName } from '../values.js';

const KEYS: Readonly<Record<string, 'includes' | 'excludes'>> = {
  includes: 'includes',
  include: 'includes',
  excludes: 'excludes',
  exclude: 'excludes',
};

/** Parses true, false, a pattern, a list of patterns, or `{includes, excludes}`. */
export function parseSource(value: Json): SourceSpec {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return { includes: [value], excludes: [] };
  if (isArray(value)) return normalized({ includes: patterns('_source', value), excludes: [] });
  if (isObject(value)) return normalized(parseObject(value));
  throw malformed(
    `Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [${tokenName(value)}] in [_source]`,
  );
}

/** Reads `exclude_vectors`: vectors are not shown, even if other options include them. */
export function excludesVectors(value: Json | undefined): boolean {
  const exclude = isObject(value) ? value['exclude_vectors'] : undefined;
  return exclude !== undefined && toFlag(exclude, '[exclude_vectors] of [_source]');
}

function parseObject(value: JsonObject): SourceSpec {
  const lists: { includes: readonly string[]; excludes: readonly string[] } = {
    includes: [],
    excludes: [],
  };
  for (const [key, list] of Object.entries(value)) {
    const name = KEYS[key];
    if (key === 'exclude_vectors') continue;
    if (name === undefined) {
      throw malformed(`Unknown key for a ${tokenName(list)} in [_source]: [${key}].`);
    }
    lists[name] = patterns(key, list);
  }
  return lists;
}

function normalized(spec: SourceSpec): SourceSpec {
  if (typeof spec === 'boolean') return spec;
  return spec.includes.length + spec.excludes.length === 0 ? true : spec;
}

function patterns(key: string, value: Json): readonly string[] {
  const list = isArray(value) ? value : [value];
  return list.map((pattern) => {
    if (typeof pattern === 'string') return pattern;
    throw malformed(`Unknown key for a ${tokenName(pattern)} in [${key}].`);
  });
}

export interface StoredFields {
  /** Whether `_source` is shown if the body has no `_source` of its own. */
  readonly source: boolean;
  /** False with `_none_`: hits do not even show the id. */
  readonly ids: boolean;
}

/**
 * Mappings cannot store single fields apart from `_source`, so the names only decide about
 * `_source` and ids.
 */
export function parseStoredFields(value: Json): StoredFields {
  const names = patterns('stored_fields', value);
  if (!names.includes('_none_')) return { source: names.includes('_source'), ids: true };
  if (names.length === 1) return { source: false, ids: false };
  throw malformed('cannot combine [_none_] with other fields in [stored_fields]');
}
