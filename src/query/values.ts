// JSON values of a search body: their kinds in Elasticsearch's terms, and checked conversions.
import type { Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import type { Scalar } from '../wire/plan-writer.js';

/** The error for a body that does not have the structure of a query. */
export function malformed(reason: string): QuarryError {
  return new QuarryError('parsing_exception', reason);
}

/** The error for an invalid value in a body with the right structure. */
export function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

/**
 * The error for parts of a request that are missing or cannot be combined. Lists all of them, as
 * Elasticsearch does.
 */
export function validationFailed(wrong: readonly string[]): QuarryError {
  const listed = wrong.map((reason, i) => `${i + 1}: ${reason};`).join('');
  return new QuarryError('action_request_validation_exception', `Validation Failed: ${listed}`);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns Elasticsearch's name for the first token of the value. */
export function tokenName(value: Json): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  switch (typeof value) {
    case 'boolean':
      return 'VALUE_BOOLEAN';
    case 'string':
      return 'VALUE_STRING';
    case 'object':
      return 'START_OBJECT';
    default:
      return 'VALUE_NUMBER';
  }
}

/** Returns undefined for arrays and objects. Numbers keep their digits. */
export function toScalar(value: Json): Scalar | undefined {
  switch (typeof value) {
    case 'string':
      return { kind: 'string', text: value };
    case 'boolean':
      return { kind: 'boolean', text: String(value) };
    case 'number':
    case 'bigint':
      return { kind: 'number', text: numberText(value) };
    default:
      return value === null ? { kind: 'null', text: '' } : undefined;
  }
}

function numberText(value: number | bigint): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw illegal(`number [${value}] is too large for a 64-bit floating point number`);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Returns the text of a scalar; undefined for null, arrays and objects. */
export function toText(value: Json): string | undefined {
  const scalar = toScalar(value);
  return scalar === undefined || scalar.kind === 'null' ? undefined : scalar.text;
}

const INT_MAX = 2 ** 31 - 1;

/**
 * Converts a 32-bit whole number, which may be given as a string. `what` names it in the error
 * message.
 */
export function toInteger(value: Json, what: string): number {
  const text = typeof value === 'string' ? value.trim() : (toText(value) ?? '');
  const number =
    /^[+-]?\d+(\.0*)?$/.test(text) || typeof value === 'number' ? Number(text) : Number.NaN;
  if (Number.isNaN(number) || typeof value === 'boolean') {
    throw illegal(
      `failed to parse ${what} with value [${printed(value)}], expected a whole number`,
    );
  }
  if (!Number.isInteger(number)) {
    throw illegal(`${what}: ${text} cannot be converted to Integer without data loss`);
  }
  if (Math.abs(number) > INT_MAX) {
    throw illegal(
      `${what}: Numeric value (${text}) out of range of int (-2147483648 - 2147483647)`,
    );
  }
  return number;
}

/** Converts a finite number, which may be given as a string. */
export function toFloat(value: Json, what: string): number {
  const text = typeof value === 'boolean' ? '' : (toText(value) ?? '').trim();
  const number = text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number) || !Number.isFinite(Math.fround(number))) {
    throw illegal(`failed to parse ${what} with value [${printed(value)}], expected a number`);
  }
  return number;
}

/** Converts true, false, "true" or "false". */
export function toFlag(value: Json, what: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw illegal(
    `Failed to parse value [${printed(value)}] of ${what} as only [true] or [false] are allowed.`,
  );
}

/** Formats a value for an error message: short, and never a whole object. */
export function printed(value: Json): string {
  const text = toText(value);
  return text === undefined ? tokenName(value) : shortened(text, 100);
}

/** Shortens text from the request for an error message. */
export function shortened(text: string, length = 1000): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
