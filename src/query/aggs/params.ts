// Parameters of aggregations: those of a clause, with Elasticsearch's error messages.
import type { Json, JsonObject } from '../../backend/index.js';
import { didYouMean } from '../../base/similar-names.js';
import type { PlanWriter, Scalar } from '../../wire/plan-writer.js';
import { originScalar } from '../geo/request.js';
import { checkRepeated } from '../list-limits.js';
import { Params } from '../params.js';
import { readTimeZone } from '../time-zone.js';
import { illegal, isArray, malformed, printed, toFloat, tokenName, toScalar } from '../values.js';

/**
 * Where values come from. A `valueType` with the prefix `?` is the type of an unmapped field, and
 * not a requirement.
 */
export interface Source {
  readonly field: string;
  readonly missing: Scalar | undefined;
  readonly valueType: string;
  readonly format: string;
  readonly timeZone: string;
}

const NO_VALUE: Scalar = { kind: 'null', text: '' };
export const NUMBER_TYPES = [
  'byte',
  'short',
  'integer',
  'long',
  'float',
  'double',
  'number',
  'numeric',
];
const VALUE_TYPES = [...NUMBER_TYPES, 'string', 'date', 'ip', 'boolean'];

/** Numbers of a list: each of them scans the values of every bucket. */
const MAX_LIST = 1000;

export class AggParams extends Params {
  readonly #name: string;

  /** `name`: the aggregation's name in the request. */
  constructor(type: string, body: Json, name: string) {
    if (!isPlain(body)) {
      throw malformed(
        `Expected [START_OBJECT] under [${type}], but got a [${tokenName(body)}] in [${name}]`,
      );
    }
    super(type, body);
    this.#name = name;
  }

  override unsupported(name: string): Error {
    return malformed(`[${this.clause}] unknown field [${name}]${didYouMean(name, this.known())}`);
  }

  /** Reads `field` and the parameters that belong to it. */
  source(): Source {
    const field = this.#field();
    const missing = this.#missing();
    const valueType = this.choice('value_type', VALUE_TYPES) ?? '';
    return { field, missing, valueType, format: this.format(), timeZone: '' };
  }
  /** Reads `field` and `missing`, for values that are neither printed nor converted. */
  bareSource(): Source {
    const field = this.#field();
    return { field, missing: this.#missing(), valueType: '', format: '', timeZone: '' };
  }
  /** bareSource() of points; `missing` may be an object or an array. */
  pointSource(): Source {
    const field = this.#field();
    const given = this.raw('missing');
    const missing = given === undefined ? undefined : originScalar(given);
    if (missing?.kind === 'null') {
      throw illegal(`[missing] of [${this.clause}] must not be null`);
    }
    return { field, missing, valueType: '', format: '', timeZone: '' };
  }
  /** bareSource() with a `value_type`. */
  typedSource(): Source {
    const valueType = this.choice('value_type', VALUE_TYPES) ?? '';
    return { ...this.bareSource(), valueType };
  }
  /** The format of numbers and dates; empty if absent. */
  format(): string {
    const value = this.raw('format');
    if (value === undefined || typeof value === 'string')
      return checkRepeated(`[format] of [${this.clause}]`, value ?? '');
    throw malformed(`[${this.clause}] [format] must be a string, found [${tokenName(value)}]`);
  }
  /** source() with a time zone, for kinds that round dates. */
  sourceInZone(): Source {
    return { ...this.source(), timeZone: this.timeZone() };
  }
  /**
   * Reads the `field` of a composite's source, where documents without a value are left out or have
   * a bucket of their own.
   */
  keySource(formatted: boolean): Source {
    const field = this.#field();
    const valueType = this.choice('value_type', VALUE_TYPES) ?? '';
    const format = formatted ? this.format() : '';
    return { field, missing: undefined, valueType, format, timeZone: '' };
  }
  /** A number is an offset from UTC in hours. */
  timeZone(): string {
    const value = this.raw('time_zone');
    if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 18) {
      return readTimeZone(this);
    }
    return `${value < 0 ? '-' : '+'}${String(Math.abs(value)).padStart(2, '0')}:00`;
  }
  /** A finite number, also spelled as a string; it may exceed the range of float. */
  number(name: string): number | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (value === null) {
      throw malformed(`[${this.clause}] ${name} doesn't support values of type: VALUE_NULL`);
    }
    return toDouble(value, `[${name}] of [${this.clause}]`);
  }
  numbers(name: string): readonly number[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (!isArray(value)) throw malformed(`[${this.clause}] [${name}] must be an array of numbers`);
    if (value.length > MAX_LIST) {
      throw illegal(
        `[${name}] must have at most ${MAX_LIST} numbers, got ${value.length}: [${this.#name}]; ask for the others in a second aggregation`,
      );
    }
    return value.map((item) => toDouble(item, `[${name}] of [${this.clause}]`));
  }
  object(name: string): JsonObject | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (isPlain(value)) return value;
    throw malformed(`[${this.clause}] [${name}] must be an object, found [${tokenName(value)}]`);
  }
  /** A list of scalars; null is an empty list. */
  scalars(name: string): readonly Scalar[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (!isArray(value)) throw malformed(`[${this.clause}] [${name}] must be an array`);
    return value.map((item) => {
      const scalar = toScalar(item);
      if (scalar !== undefined && scalar.kind !== 'null') return scalar;
      throw malformed(
        `[${this.clause}] [${name}] must hold plain values, found [${tokenName(item)}]`,
      );
    });
  }
  /** At least `least`. */
  count(name: string, least: number): number | undefined {
    const value = this.integer(name, Number.MIN_SAFE_INTEGER);
    if (value === undefined || value >= least) return value;
    throw illegal(
      `[${name}] must be greater than ${least - 1}. Found [${value}] in [${this.clause}]`,
    );
  }

  #missing(): Scalar | undefined {
    const missing = this.scalar('missing');
    if (missing?.kind !== 'null') {
      checkRepeated(`[missing] of [${this.clause}]`, missing?.text ?? '');
      return missing;
    }
    throw illegal(`[missing] of [${this.clause}] must not be null`);
  }
  #field(): string {
    if (this.raw('script') !== undefined) {
      throw malformed(`[${this.clause}] [script] is not supported by this server, name a [field]`);
    }
    const field = this.text('field');
    if (field !== undefined && field !== '') return field;
    throw illegal(`Required one of fields [field, script], but none were specified. `);
  }
}

export function toDouble(value: Json, what: string): number {
  const text = typeof value === 'string' ? value.trim() : printed(value);
  const number = typeof value === 'boolean' || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : toFloat(value, what);
}

function isPlain(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value);
}

export function writeSource(writer: PlanWriter, source: Source): void {
  writer
    .str(source.field)
    .scalar(source.missing ?? NO_VALUE)
    .str(source.valueType)
    .str(source.format)
    .str(source.timeZone);
}

export function numberScalar(value: number | undefined): Scalar {
  return value === undefined ? NO_VALUE : { kind: 'number', text: String(value) };
}
