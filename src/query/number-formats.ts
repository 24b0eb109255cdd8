// Numbers of `docvalue_fields` that were asked for in a format: the core prints them plain, here they become texts.

import { plainJson } from '../base/json-text.js';
import { patternMatcher } from '../base/wildcard.js';
import type { FieldAndFormat } from '../wire/plan-writer.js';
import { decimalFormat } from './aggs/format.js';

/** A text, and what stands behind it where it is a field whose values are bare numbers. Every text is one match: none is read twice. */
const TEXTS = /"((?:[^"\\]|\\.)*)(?:"(?::\[(-?[0-9][-+0-9.eE,]*)\])?|\\?$)/gs;

type Print = (value: number) => string;

/** Of one search; what belongs to a field is looked up once, not for every hit. */
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

  /** `fields`: JSON of a hit's fields. The last format that names a field counts. */
  applied(fields: string): string {
    return fields.replaceAll(TEXTS, (whole, key: string, values: string | undefined) => {
      const print = values === undefined ? undefined : this.#printer(key);
      if (values === undefined || print === undefined) return whole;
      const texts = values.split(',').map((value) => print(Number(value)));
      return `"${key}":${plainJson(texts)}`;
    });
  }

  /** `key`: as JSON spells it. */
  #printer(key: string): Print | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    const name = JSON.parse(`"${key}"`) as string;
    const found = this.#formats.findLast(({ matches }) => matches(name))?.print;
    this.#known.set(key, found);
    return found;
  }
}
