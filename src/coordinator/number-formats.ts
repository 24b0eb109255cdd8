// Numbers of `docvalue_fields` that were asked for in a format: the core prints them plain, here they become texts.

import { plainJson } from '../json-text.js';
import { decimalFormat } from '../query/aggs/format.js';
import { wildcardMatch } from '../wildcard.js';
import type { FieldAndFormat } from '../wire/plan-writer.js';

/** A field whose values are bare numbers; quotes inside texts are escaped, so that no text looks like one. */
const NUMBERS = /"((?:[^"\\]|\\.)*)":\[(-?[0-9][-+0-9.eE,]*)\]/g;

/** `fields`: JSON of a hit's fields. The last format that names a field counts. */
export function formatNumbers(fields: string, formats: readonly FieldAndFormat[]): string {
  return fields.replaceAll(NUMBERS, (whole, key: string, values: string) => {
    const name = JSON.parse(`"${key}"`) as string;
    const format = formats.findLast(({ field }) => wildcardMatch(field, name))?.format;
    if (format === undefined) return whole;
    const print = decimalFormat(format);
    const texts = values.split(',').map((value) => print(Number(value)));
    return `"${key}":${plainJson(texts)}`;
  });
}
