// Formats the numbers of `docvalue_fields` that are requested with a format: the core prints them
// plain, and they are replaced with strings here.

import { plainJson } from '../base/json-text.js';
import { patternMatcher } from '../base/wildcard.js';
import type { FieldAndFormat } from '../wire/plan-writer.js';
import { decimalFormat } from './aggs/format.js';

/**
 * Matches a JSON string, and the value list after it if it is the name of a field whose values are
 * bare numbers; or a bracket of an object. Every string is one match, so that none is scanned twice.
 */
const TEXTS = /"((?:[^"\\]|\\.)*)(?:"(?::\[(-?[0-9][-+0-9.eE,]*)\])?|\\?$)|[{}]/gs;

type Print = (value: number) => string;

/** The formats of one search. The format of a field is looked up once, not for every hit. */
export class NumberFormats {
  readonly #formats: readonly {
    readonly matches: (name: string) => boolean;
    readonly print: Print;
  }[];
  readonly #others: readonly ((name: string) => boolean)[];
  readonly #known = new Map<string, Print | undefined>();

  readonly isEmpty: boolean;

  /** `fields`: patterns of `fields`, whose values take the place of those of `docvalue_fields`. */
  constructor(formats: readonly FieldAndFormat[], fields: readonly FieldAndFormat[] = []) {
    this.#formats = formats.map(({ field, format }) => ({
      matches: patternMatcher(field),
      print: decimalFormat(format),
    }));
    this.#others = fields.map(({ field }) => patternMatcher(field));
    this.isEmpty = formats.length === 0;
  }

  /**
   * Returns `fields`, the JSON of a hit's fields, with formatted numbers. The last format whose
   * pattern matches a field applies. Inside the values of a field its keys are no fields.
   */
  applied(fields: string): string {
    let depth = 0;
    return fields.replaceAll(TEXTS, (whole, key: string, values: string | undefined) => {
      if (whole === '{') depth++;
      if (whole === '}') depth--;
      const print = values === undefined || depth !== 1 ? undefined : this.#printer(key);
      if (values === undefined || print === undefined) return whole;
      const texts = values.split(',').map((value) => print(Number(value)));
      return `"${key}":${plainJson(texts)}`;
    });
  }

  /** `key` is the field's name with its JSON escapes. */
  #printer(key: string): Print | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    const name = JSON.parse(`"${key}"`) as string;
    const isOther = this.#others.some((matches) => matches(name));
    const found = isOther
      ? undefined
      : this.#formats.findLast(({ matches }) => matches(name))?.print;
    this.#known.set(key, found);
    return found;
  }
}
