// Values of update scripts. Whole numbers are bigints and fractions are numbers, because scripts
// distinguish them; a document's numbers keep their spelling until a script changes them.
import { isLosslessNumber, LosslessNumber } from 'lossless-json';
import type { Json, JsonObject } from '../../backend/index.js';
import { isSpelledDouble } from '../../base/spelled-doubles.js';
import { illegal } from '../values.js';
import { stepsOfText } from './steps.js';

/** A value of a stored document, as `parse` of lossless-json returns it. */
export type Stored = null | boolean | string | LosslessNumber | Stored[] | StoredObject;
export interface StoredObject {
  [key: string]: Stored;
}

export type ScriptValue = null | boolean | string | bigint | number | Stored[] | StoredObject;

/**
 * The maximum number of digits in a document's number; the conversion to a bigint takes longer the
 * more digits there are.
 */
const MOST_DIGITS = 1000;

export function isStoredObject(value: unknown): value is StoredObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
  );
}

export function fromStored(value: Stored | undefined): ScriptValue {
  if (value === undefined) return null;
  if (!isLosslessNumber(value)) return value;
  const text = value.toString();
  if (text.length > MOST_DIGITS) {
    throw illegal(`script reads a number of more than [${MOST_DIGITS}] digits`);
  }
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
}

/** Converts to the form in a list or object. Lists and objects are stored by reference. */
export function toStored(value: ScriptValue): Stored {
  if (typeof value === 'bigint') return new LosslessNumber(String(value));
  if (typeof value === 'number') return new LosslessNumber(numberText(value));
  return value;
}

export function isContainer(value: unknown): value is Stored[] | StoredObject {
  return typeof value === 'object' && value !== null && !isLosslessNumber(value);
}

/** Converts parameters from the request body. */
export function fromJson(value: Json): Stored {
  switch (typeof value) {
    case 'number':
      return new LosslessNumber(finite(value));
    case 'bigint':
      return new LosslessNumber(String(value));
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return value.map((item, at) => memberFrom(value, String(at), item));
      return objectOf(
        Object.entries(value).map(([key, member]) => [
          key,
          memberFrom(value as JsonObject, key, member),
        ]),
      );
    default:
      return value;
  }
}

function finite(value: number): string {
  if (Number.isFinite(value)) return String(value);
  throw illegal(
    `[script] [params] has a number [${value}] that is too large for a 64-bit floating point number`,
  );
}

function memberFrom(holder: JsonObject | readonly Json[], name: string, value: Json): Stored {
  return typeof value === 'number' && isSpelledDouble(holder, name)
    ? new LosslessNumber(numberText(value))
    : fromJson(value);
}

export function memberOf(object: StoredObject, key: string): Stored | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Also works for names with a special meaning in JavaScript, such as `__proto__`. */
export function setMember(object: StoredObject, key: string, value: Stored): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

export function kindOf(value: ScriptValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'bigint' || typeof value === 'number') return 'number';
  return typeof value === 'object' ? 'object' : typeof value;
}

/** Copies deeply. `spend` is called for every value, with its depth. */
export function copyOf(
  value: Stored,
  spend: (steps: number, depth: number) => void,
  depth = 0,
): Stored {
  spend(1, depth);
  const inner = (member: Stored): Stored => copyOf(member, spend, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  if (!isStoredObject(value)) return value;
  return objectOf(Object.entries(value).map(([key, member]) => [key, inner(member)]));
}

function objectOf(members: readonly (readonly [string, Stored])[]): StoredObject {
  const object: StoredObject = {};
  for (const [key, value] of members) setMember(object, key, value);
  return object;
}

/** A whole number gets the fraction `.0`. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) throw illegal(`script result [${value}] is not a finite number`);
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : String(value);
}

/** Yields every list and object of a value. */
export function* containersOf(value: Stored): Generator<object> {
  if (!isContainer(value)) return;
  yield value;
  for (const member of Object.values(value)) yield* containersOf(member);
}

/**
 * Compares deeply: numbers of one type, strings, and containers with equal members. `spend` is
 * called for every comparison, with its depth.
 */
export function same(
  a: ScriptValue,
  b: ScriptValue,
  spend: (steps: number, depth: number) => void,
  depth = 0,
): boolean {
  spend(typeof a === 'string' ? 1 + stepsOfText(a.length) : 1, depth);
  if (!isContainer(a) || !isContainer(b) || a === b) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = b as Readonly<Record<string, Stored>>;
  spend(left.length, depth);
  return (
    left.length === Object.keys(b).length &&
    left.every(
      ([key, value]) =>
        Object.hasOwn(b, key) && same(fromStored(value), fromStored(right[key]), spend, depth + 1),
    )
  );
}
