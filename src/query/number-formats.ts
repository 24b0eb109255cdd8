// Formats the numbers of `docvalue_fields` that are requested with a format: the core prints them
// plain, and they are replaced with strings here.

import { plainJson } from '../base/json-text.js';
import { patternMatcher } from '../base/wildcard.js';
import type { FieldAndFormat } from '../wire/plan-writer.js';
import { decimalFormat } from './aggs/format.js';

/**
 * Matches a JSON string, and the value list after it if it is the name of a field whose values are
 * bare numbers. Every string is one match, so that none is scanned twice.
 */
const TEXTS = /"((?:[^"\\]|\\.)*)(?:"(?::\[(-?[0-9][-+0-9.eE,]*)\])?|\\?$)/gs;

type Print = (value: number) => string;

/** The formats of one search. The format of a field is looked up once, not for every hit. */
export class NumberFormats {
  readonly #formats: readonly {
    readonly matches: (name: string) => boolean;
    readonly print: Print;
  }[];
  readonly #known = new Map<string, Print | undefined>();

  readonly isEmpty: boolean;

  constructor(formats: readonly FieldAndFormat[]) {
    this.#formats = formats.map(({ field, format }) => ({
      matches: patternMatcher(field),
      print: decimalFormat(format),
    }));
    this.isEmpty = formats.length === 0;
  }

  /**
   * Returns `fields`, the JSON of a hit's fields, with formatted numbers. The last format whose
   * pattern matches a field applies.
   */
  applied(fields: string): string {
    return fields.replaceAll(TEXTS, (whole, key: string, values: string | undefined) => {
      const print = values === undefined ? undefined : this.#printer(key);
      if (values === undefined || print === undefined) return whole;
      const texts = values.split(',').map((value) => print(Number(value)));
      return `"${key}":${plainJson(texts)}`;
    });
  }

  /** `key` is the field's name with its JSON escapes. */
  #printer(key: string): Print | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    const name = JSON.parse(`"${key}"`) as string;
    const found = this.#formats.findLast(({ matches }) => matches(name))?.print;
    this.#known.set(key, found);
    return found;
  }
}
