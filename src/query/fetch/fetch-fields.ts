// `docvalue_fields` and `fields`: values that hits show in addition to `_source`, each with an
// optional format.

import type { Json } from '../../backend/index.js';
import type { FieldAndFormat } from '../../wire/plan-writer.js';
import type { SearchLimits } from '../limits.js';
import { checkRepeated } from '../list-limits.js';
import { illegal, isArray, isObject, malformed, toFlag, tokenName } from '../values.js';

/** One entry of `fields`. */
export interface RequestedField extends FieldAndFormat {
  /** Unmapped fields are shown, too. */
  readonly unmapped: boolean;
}

export function parseDocvalueFields(value: Json, limits: SearchLimits): readonly FieldAndFormat[] {
  const fields = parseFields('docvalue_fields', value).map(({ field, format }) => ({
    field,
    format,
  }));
  if (fields.length <= limits.docvalueFields) return fields;
  throw illegal(
    `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${limits.docvalueFields}] but was [${fields.length}]. This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.`,
  );
}

/** Parses `["a", {"field": "b", "format": "…"}]`. */
export function parseFields(key: string, value: Json): readonly RequestedField[] {
  if (!isArray(value)) throw malformed(`Unknown key for a ${tokenName(value)} in [${key}].`);
  return value.map((entry) => parseField(key, entry));
}

function parseField(key: string, entry: Json): RequestedField {
  if (typeof entry === 'string') return named(key, entry, '', false);
  if (!isObject(entry)) {
    throw malformed(`[${key}] expected a field name or an object, found [${tokenName(entry)}]`);
  }
  const { field, format, include_unmapped: unmapped, ...rest } = entry;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw malformed(`[${key}] unknown field [${unknown}]`);
  const everything = unmapped !== undefined && toFlag(unmapped, `[include_unmapped] of [${key}]`);
  if (everything && key === 'docvalue_fields') {
    throw malformed('[docvalue_fields] unknown field [include_unmapped], it belongs to [fields]');
  }
  if (typeof field !== 'string') throw malformed(`[${key}] requires [field], the name of a field`);
  if (format !== undefined && format !== null && typeof format !== 'string') {
    throw malformed(`[${key}] [format] of [${field}] must be a string`);
  }
  if (format === '') {
    throw illegal(`[${key}] [format] of [${field}] is empty, give a pattern or leave it out`);
  }
  checkRepeated(`[${key}] [format] of [${field}]`, format ?? '');
  return named(key, field, format ?? '', everything);
}

function named(key: string, field: string, format: string, unmapped: boolean): RequestedField {
  if (field !== '') return { field, format, unmapped };
  throw illegal(`[${key}] field name is null or empty`);
}
