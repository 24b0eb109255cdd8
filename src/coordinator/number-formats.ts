// Numbers of `docvalue_fields` that were asked for in a format: the core prints them plain, here they become texts.

import { plainJson } from '../json-text.js';
import { decimalFormat } from '../query/aggs/format.js';
import { wildcardMatch } from '../wildcard.js';
import type { FieldAndFormat } from '../wire/plan-writer.js';

/** A text, and what stands behind it where it is a field whose values are bare numbers. Every text is one match, so that none is read twice. */
const TEXTS = /"((?:[^"\\]|\\.)*)(?:"(?::\[(-?[0-9][-+0-9.eE,]*)\])?|\\?$)/gs;

/** `fields`: JSON of a hit's fields. The last format that names a field counts. */
export function formatNumbers(fields: string, formats: readonly FieldAndFormat[]): string {
  return fields.replaceAll(TEXTS, (whole, key: string, values: string | undefined) => {
    if (values === undefined) return whole;
    const name = JSON.parse(`"${key}"`) as string;
    const format = formats.findLast(({ field }) => wildcardMatch(field, name))?.format;
    if (format === undefined) return whole;
    const print = decimalFormat(format);
    const texts = values.split(',').map((value) => print(Number(value)));
    return `"${key}":${plainJson(texts)}`;
  });
}
