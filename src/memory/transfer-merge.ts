// Merges two states of one document. Merging is commutative, so that the order of imports does not
// matter. Documents are compared in canonical form, so that equal states are equal bytes.

import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import type { Json, JsonObject } from '../backend/index.js';
import { exactInteger } from '../base/json-text.js';
import { inKeyOrder } from '../base/key-order.js';

/** Only JSON with such numbers needs the exact parser, which is slower. */
const LONG_NUMBER = /\d{16}/;

/** Keys in order at every depth; numbers keep their digits. */
export function canonical(document: JsonObject): string {
  return stringify(inKeyOrder(document)) ?? '{}';
}

/** Numbers that would lose digits become objects that `canonical` writes with the same digits. */
export function readJson(text: string): Json {
  // The exact parser would turn a member of that name into the prototype.
  const exact = LONG_NUMBER.test(text) && !text.includes('"__proto__"');
  if (!exact) return JSON.parse(text) as Json;
  const number = (digits: string): unknown =>
    String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits);
  return parse(text, undefined, number) as Json;
}

/** Converts such an object to a double; any other value is returned unchanged. */
export function plainNumber(value: Json): Json {
  const number: unknown = value;
  return number instanceof LosslessNumber ? Number(number.value) : value;
}

/** The document with long whole numbers as bigint, as the rest of the service represents them. */
export function withBigInts(document: JsonObject): JsonObject {
  return parse(canonical(document), undefined, (digits) =>
    /^-?\d+$/.test(digits) && !isSafeNumber(digits) ? exactInteger(digits) : Number(digits),
  ) as JsonObject;
}

export function isObject(value: Json | undefined): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * The version that was stored later, or edited later. Of two versions that differ only in their end, the end that
 * was recorded first.
 */
export function mergeMemories(a: JsonObject, b: JsonObject): JsonObject {
  for (const time of ['stored_at', 'edited_at']) {
    const [ta, tb] = [numberAt(a, time), numberAt(b, time)];
    if (ta !== tb) return ta > tb ? a : b;
  }
  return withFirstEnd(least, a, b, 'superseded_at');
}

/** The version that was asserted first, with the end that was recorded first. */
export function mergeLinks(a: JsonObject, b: JsonObject): JsonObject {
  const [ca, cb] = [numberAt(a, 'created_at'), numberAt(b, 'created_at')];
  const first = ca === cb ? least : (x: JsonObject, y: JsonObject) => (ca < cb ? x : y);
  return withFirstEnd(first, a, b, 'expired_at');
}

/** `choose` compares the two documents without their ends. */
function withFirstEnd(
  choose: (a: JsonObject, b: JsonObject) => JsonObject,
  a: JsonObject,
  b: JsonObject,
  learned: string,
): JsonObject {
  const chosen = choose(withoutEnd(a, learned), withoutEnd(b, learned));
  return { ...chosen, ...firstEnd(a, b, learned) };
}

/** The version that was decided last. */
export function mergeSuggestions(a: JsonObject, b: JsonObject): JsonObject {
  const [da, db] = [numberAt(a, 'decided_at'), numberAt(b, 'decided_at')];
  if (da !== db) return da > db ? a : b;
  return least(a, b);
}

/** Any order serves that does not depend on the order of the arguments. */
function least(a: JsonObject, b: JsonObject): JsonObject {
  return canonical(a) <= canonical(b) ? a : b;
}

function withoutEnd(document: JsonObject, learned: string): JsonObject {
  const { invalid_at: _end, [learned]: _at, ...rest } = document;
  return rest;
}

/** `learned`: the field with the instant at which the end was recorded. */
function firstEnd(a: JsonObject, b: JsonObject, learned: string): JsonObject {
  const never = Number.POSITIVE_INFINITY;
  const [first] = [a, b]
    .filter((one) => one[learned] !== undefined || one['invalid_at'] !== undefined)
    .sort(
      (x, y) =>
        compare(numberAt(x, learned, never), numberAt(y, learned, never)) ||
        compare(numberAt(x, 'invalid_at', never), numberAt(y, 'invalid_at', never)),
    );
  const { invalid_at, [learned]: at } = first ?? {};
  return {
    ...(invalid_at === undefined ? {} : { invalid_at }),
    ...(at === undefined ? {} : { [learned]: at }),
  };
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function numberAt(document: JsonObject, key: string, without = Number.NEGATIVE_INFINITY): number {
  const value = document[key];
  return typeof value === 'number' ? value : without;
}
