// Values of update scripts: whole numbers are bigints and fractions numbers, as a script tells them apart; a document's own
// numbers keep their spelling until a script writes them.
import { isLosslessNumber, LosslessNumber } from 'lossless-json';
import type { Json, JsonObject } from '../../backend/index.js';
import { isSpelledDouble } from '../../base/spelled-doubles.js';
import { illegal } from '../values.js';
import { stepsOfText } from './steps.js';

/** As a document holds it: what `parse` of lossless-json makes. */
export type Stored = null | boolean | string | LosslessNumber | Stored[] | StoredObject;
export interface StoredObject {
  [key: string]: Stored;
}

export type ScriptValue = null | boolean | string | bigint | number | Stored[] | StoredObject;

/** Of a number of a document; to make a bigint of digits takes longer the more there are of them. */
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

/** What a list or an object holds of it: lists and objects themselves, not copies. */
export function toStored(value: ScriptValue): Stored {
  if (typeof value === 'bigint') return new LosslessNumber(String(value));
  if (typeof value === 'number') return new LosslessNumber(numberText(value));
  return value;
}

export function isContainer(value: unknown): value is Stored[] | StoredObject {
  return typeof value === 'object' && value !== null && !isLosslessNumber(value);
}

/** Parameters as they came in a request body. */
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

/** Also of names that JavaScript has plans for. */
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

/** `spend` is told of every value, and how deep it is. */
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

/** A fraction stays one. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) throw illegal(`script result [${value}] is not a finite number`);
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : String(value);
}

/** Every list and object of a value. */
export function* containersOf(value: Stored): Generator<object> {
  if (!isContainer(value)) return;
  yield value;
  for (const member of Object.values(value)) yield* containersOf(member);
}

/** Numbers of one kind, texts, and whatever holds the same. `spend` is told of every look, and how deep it is. */
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
