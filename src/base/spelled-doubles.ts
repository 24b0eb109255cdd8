// Whole numbers that a request spells as fractions (`2.0`, `1e3`). JavaScript does not distinguish
// them from integers, but scripts do: their integer division discards the fraction. The object or
// list that contains such a number records its key or index.
import type { Json, JsonObject } from '../backend/json.js';

const NAMES = Symbol('members that were spelled as fractions');

interface Marked {
  [NAMES]?: Set<string>;
}

/** A whole number spelled as a fraction, while its container is being parsed. */
export class SpelledDouble {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/**
 * Whether the text may contain such a number where a script can read it: in an object, or in a list
 * that a script may put into a document.
 */
export function mayHaveDoubles(text: string): boolean {
  if (!text.includes('"params"')) return false;
  return MEMBER.test(text) || (text.includes('ctx.') && ITEM.test(text));
}
const MEMBER = /"\s*:\s*-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)\s*[,}]/;
const ITEM = /[[,]\s*-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)\s*[,\]]/;

/** Parses a number in a text for which mayHaveDoubles() is true. */
export function readDouble(spelling: string, readOther: (spelling: string) => Json): Json {
  if (/^-?\d+$/.test(spelling)) return readOther(spelling);
  const value = Number(spelling);
  return Number.isInteger(value)
    ? (new SpelledDouble(value) as unknown as Json)
    : readOther(spelling);
}

/** The number of a SpelledDouble; any other value unchanged. */
export function plainOf(value: Json): Json {
  return value instanceof SpelledDouble ? value.value : value;
}

/** Replaces each SpelledDouble in the value with its number, and marks it in its container. */
export function settled(value: Json): Json {
  if (typeof value !== 'object' || value === null || value instanceof SpelledDouble) {
    return plainOf(value);
  }
  if (Array.isArray(value)) {
    const list = value.map((item: Json) => settled(item));
    for (const [at, item] of value.entries()) markIfDouble(list, String(at), item);
    return list;
  }
  const made: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value as JsonObject)) {
    Object.defineProperty(made, name, {
      value: settled(member),
      configurable: true,
      enumerable: true,
      writable: true,
    });
    markIfDouble(made, name, member);
  }
  return made;
}

/** Marks the member `name` (or the index, for a list) of `holder` if `value` is a SpelledDouble. */
export function markIfDouble(
  holder: JsonObject | readonly Json[],
  name: string,
  value: unknown,
): void {
  if (!(value instanceof SpelledDouble)) return;
  const names = (holder as Marked)[NAMES];
  if (names === undefined) Object.defineProperty(holder, NAMES, { value: new Set([name]) });
  else names.add(name);
}

export function isSpelledDouble(holder: JsonObject | readonly Json[], name: string): boolean {
  return (holder as Marked)[NAMES]?.has(name) === true;
}
