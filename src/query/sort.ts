// Parses `sort` and `search_after`: by score, index order, id or fields, in all the forms of the
// request.
import type { Json, JsonObject } from '../backend/index.js';
import { didYouMean } from '../base/similar-names.js';
import type { PlanSortKey, Scalar } from '../wire/plan-writer.js';
import { distanceKey } from './geo/distance-sort.js';
import { checkLength, checkRepeated } from './list-limits.js';
import { readNestedSort } from './nested-sort.js';
import { writeScript } from './script/program.js';
import { readScript } from './script/request.js';
import {
  illegal,
  isArray,
  isObject,
  malformed,
  printed,
  tokenName,
  toScalar,
  toText,
  validationFailed,
} from './values.js';

const MODES = ['min', 'max', 'sum', 'avg', 'median'] as const;
const NUMERIC_TYPES = ['long', 'double', 'date', 'date_nanos'];
const OPTIONS = ['order', 'mode', 'missing', 'unmapped_type', 'numeric_type', 'format', 'nested'];
const UNSUPPORTED = ['nested_path', 'nested_filter'];

/**
 * Parses a string, an object or a list of both. `pinned`: the search has a point in time, which
 * `_shard_doc` requires.
 */
export function parseSort(value: Json, pinned = false): readonly PlanSortKey[] {
  const keys = parseKeys(value);
  checkLength('[sort]', keys.length, 'leave out the last keys');
  checkTexts(keys);
  if (pinned || keys.every(({ field }) => field !== '_shard_doc')) return keys;
  throw illegal('[_shard_doc] sort field cannot be used without [point in time]');
}

/** Values of all keys are kept for every hit. */
function checkTexts(keys: readonly PlanSortKey[]): void {
  const texts = keys.map(({ format, missing }) => {
    return format + (typeof missing === 'string' ? '' : missing.text);
  });
  checkRepeated('[format] and [missing] of all keys of [sort]', texts.join(''));
  const scripts = keys.filter(
    ({ field, numericType }) => field === '_script' && numericType === 'string',
  );
  checkLength('[_script] keys of [sort] of type [string]', scripts.length, 'leave out the last');
}

function parseKeys(value: Json): readonly PlanSortKey[] {
  if (typeof value === 'string') return [parseName(value)];
  if (isObject(value)) return parseObject(value);
  if (!isArray(value)) {
    throw illegal(
      `malformed sort format, either start with array, object, or an actual string, found [${tokenName(value)}]`,
    );
  }
  return value.flatMap((entry) => {
    if (typeof entry === 'string') return [parseName(entry)];
    if (isObject(entry)) return parseObject(entry);
    throw illegal(
      `malformed sort format, within the sort array, an object, or an actual string are allowed, found [${tokenName(entry)}]`,
    );
  });
}

/** Parses "field", "field:asc" or "field:desc". */
function parseName(text: string): PlanSortKey {
  const match = /^(.+):(asc|desc)$/.exec(text);
  const field = match?.[1] ?? text;
  return sortKey(field, match?.[2] === undefined ? {} : { order: match[2] });
}

function parseObject(value: JsonObject): readonly PlanSortKey[] {
  return Object.entries(value).map(([field, options]) => {
    if (isObject(options)) return sortKey(field, options);
    const order = toText(options);
    if (order === undefined) {
      throw illegal(`malformed sort format, [${field}] must be an order or an object of options`);
    }
    return sortKey(field, { order });
  });
}

function sortKey(field: string, options: JsonObject): PlanSortKey {
  if (field === '') throw illegal('sort field name is null or empty');
  if (field === '_geo_distance') return distanceKey(options);
  if (field === '_script') return scriptKey(options);
  checkOptions(field, options, field === '_score' ? ['order'] : OPTIONS);
  const key: PlanSortKey = {
    field,
    order: readOrder(field, options['order']),
    mode: readMode(field, options['mode']),
    missing: readMissing(field, options['missing']),
    unmappedType: readText(field, options, 'unmapped_type'),
    numericType: readNumericType(field, options),
    format: readText(field, options, 'format'),
  };
  if (isPlace(field)) return placeKey(key);
  const { nested } = options;
  return nested === undefined ? key : { ...key, nested: readNestedSort(field, nested) };
}

/** The key of `_doc` and `_shard_doc`. Options for values have no effect on it. */
function placeKey({ field, order }: PlanSortKey): PlanSortKey {
  const nothing = { unmappedType: '', numericType: '', format: '' };
  return { field, order, mode: 'default', missing: '_last', ...nothing };
}

/** Parses `{_script: {type, script, order, mode}}`. */
function scriptKey(options: JsonObject): PlanSortKey {
  checkOptions('_script', options, ['type', 'script', 'order', 'mode']);
  const type = readText('_script', options, 'type');
  if (type !== 'number' && type !== 'string') {
    throw illegal(`[_script] sort unsupported type [${type}], must be [number] or [string]`);
  }
  const mode = readMode('_script', options['mode']);
  if (type === 'string' && mode !== 'default' && mode !== 'min' && mode !== 'max') {
    throw illegal(`script sort of type [string] doesn't support mode [${mode}]`);
  }
  const script = readScript('_script', options['script']);
  return {
    field: '_script',
    order: readOrder('_script', options['order']),
    // A script has a single value, so the mode has no effect.
    mode: 'default',
    missing: '_last',
    unmappedType: '',
    numericType: type,
    format: '',
    details: (writer) => writeScript(writer, script),
  };
}

function isPlace(field: string): boolean {
  return field === '_doc' || field === '_shard_doc';
}

function checkOptions(field: string, options: JsonObject, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    if (UNSUPPORTED.includes(name)) {
      throw malformed(
        `[sort] [${name}] of [${field}] is not supported by this server, use [nested]`,
      );
    }
    const kind = field.startsWith('_') ? field : 'field_sort';
    throw malformed(`[${kind}] unknown field [${name}]${didYouMean(name, known)}`);
  }
}

function readOrder(field: string, value: Json | undefined): 'asc' | 'desc' {
  if (value === undefined) return field === '_score' ? 'desc' : 'asc';
  const order = printed(value).toLowerCase();
  if (order === 'asc' || order === 'desc') return order;
  throw illegal(`[sort] unknown order [${printed(value)}] of [${field}], expected [asc] or [desc]`);
}

function readMode(field: string, value: Json | undefined): PlanSortKey['mode'] {
  if (value === undefined) return 'default';
  const mode = MODES.find((name) => name === printed(value).toLowerCase());
  if (mode !== undefined) return mode;
  throw illegal(
    `Unknown SortMode [${printed(value)}] of [${field}], expected one of [${MODES.join(', ')}]`,
  );
}

function readMissing(field: string, value: Json | undefined): PlanSortKey['missing'] {
  if (value === undefined || value === '_last') return '_last';
  if (value === '_first') return value;
  const scalar = toScalar(value);
  if (scalar !== undefined && scalar.kind !== 'null') return scalar;
  throw illegal(`[sort] [missing] of [${field}] must be [_last], [_first] or a value`);
}

function readText(field: string, options: JsonObject, name: string): string {
  const value = options[name];
  if (value === undefined) return '';
  if (value === '') {
    throw illegal(`[sort] [${name}] of [${field}] is empty, give a value or leave it out`);
  }
  const text = typeof value === 'string' ? value : undefined;
  if (text !== undefined) return text;
  throw illegal(`[sort] [${name}] of [${field}] must be a string, found [${tokenName(value)}]`);
}

function readNumericType(field: string, options: JsonObject): string {
  const type = readText(field, options, 'numeric_type');
  if (type === '' || NUMERIC_TYPES.includes(type)) return type;
  throw illegal(
    `invalid value for [numeric_type], must be [${NUMERIC_TYPES.join(', ')}], got ${type}`,
  );
}

/** Parses one value for each sort key. */
export function parseSearchAfter(value: Json, keys: number, from: number): readonly Scalar[] {
  if (!isArray(value)) {
    throw malformed(`Unknown key for a ${tokenName(value)} in [search_after].`);
  }
  const values = value.map(readAfterValue);
  if (values.length === 0) throw illegal('Values must contains at least one value.');
  if (from > 0) {
    throw validationFailed(['[from] parameter must be set to 0 when [search_after] is used']);
  }
  if (keys === 0) throw illegal('Sort must contain at least one field.');
  if (values.length !== keys) {
    throw illegal(`search_after has ${values.length} value(s) but sort has ${keys}.`);
  }
  return values;
}

function readAfterValue(value: Json): Scalar {
  const scalar = toScalar(value);
  if (scalar !== undefined) return scalar;
  throw malformed(
    `Expecting [VALUE_STRING], [VALUE_NUMBER], [VALUE_BOOLEAN], or [VALUE_NULL] but found [${tokenName(value)}] inside search_after.`,
  );
}
