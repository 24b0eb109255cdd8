// Whole numbers that a request spells as fractions (`2.0`, `1e3`): numbers of this language do not tell them from integers, but
// scripts do, whose division of integers leaves no fraction. The object or list that holds such a number knows its name or place.
import type { Json, JsonObject } from '../backend/json.js';

const NAMES = Symbol('members that were spelled as fractions');

interface Marked {
  [NAMES]?: Set<string>;
}

/** A whole number as it is read, until it is in its object. */
export class SpelledDouble {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** Where a text may have one: a member, or the number of a list that a script may put into a document. */
export function mayHaveDoubles(text: string): boolean {
  if (!text.includes('"params"')) return false;
  return MEMBER.test(text) || (text.includes('ctx.') && ITEM.test(text));
}
const MEMBER = /"\s*:\s*-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)\s*[,}]/;
const ITEM = /[[,]\s*-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)\s*[,\]]/;

/** The reader of a number, for parsers of texts that may have one. */
export function readDouble(spelling: string, readOther: (spelling: string) => Json): Json {
  if (/^-?\d+$/.test(spelling)) return readOther(spelling);
  const value = Number(spelling);
  return Number.isInteger(value)
    ? (new SpelledDouble(value) as unknown as Json)
    : readOther(spelling);
}

/** The number of a double; anything else as it is. */
export function plainOf(value: Json): Json {
  return value instanceof SpelledDouble ? value.value : value;
}

/** The value with numbers in the place of doubles; objects remember which of their members were some. */
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

/** `holder` remembers that what it has as `name`, or at that place, was read as a double. */
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
