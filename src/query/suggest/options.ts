// Reads the options of one suggester, with Elasticsearch's error messages.
import type { Json } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { Params } from '../params.js';
import { illegal, isObject, malformed, shortened, tokenName } from '../values.js';

export class SuggestOptions extends Params {
  static read(suggester: string, body: Json): SuggestOptions {
    if (isObject(body)) return new SuggestOptions(suggester, body);
    throw malformed(`suggester[${suggester}] must be an object, found [${tokenName(body)}]`);
  }

  override unsupported(name: string): Error {
    return malformed(`suggester[${this.clause}] doesn't support field [${shortened(name)}]`);
  }
  override unknownToken(name: string, value: Json): Error {
    return malformed(
      `suggester[${this.clause}] unknown token [${tokenName(value)}] after [${name}]`,
    );
  }

  /** Every suggester requires a field. */
  field(): string {
    const field = this.text('field');
    if (field === undefined) {
      throw new QuarryError(
        'parse_exception',
        `suggester[${this.clause}]: the required field option [field] is missing`,
      );
    }
    if (field === '') throw illegal('suggestion field name is empty');
    return field;
  }

  positive(name: string): number | undefined {
    const value = this.integer(name, Number.NEGATIVE_INFINITY);
    if (value === undefined || value > 0) return value;
    throw illegal(`${name} must be positive, got [${value}] for suggester[${this.clause}]`);
  }

  /** Reads a number. `wrong` returns the reason why a value is invalid, if it is. */
  checkedFloat(name: string, wrong: (value: number) => string | undefined): number | undefined {
    const value = this.float(name);
    if (value === undefined) return undefined;
    const why = wrong(value);
    if (why === undefined) return Math.fround(value);
    throw illegal(`suggester[${this.clause}] [${name}] ${why}, got [${value}]`);
  }
}
