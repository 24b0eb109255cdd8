// Whole numbers that a request spells as fractions (`2.0`, `1e3`): numbers of this language do not tell them from integers, but
// scripts do, whose division of integers leaves no fraction. The object that holds such a member knows its name.
import type { Json, JsonObject } from './backend/json.js';

const NAMES = Symbol('members that were spelled as fractions');

interface Marked {
  readonly [NAMES]?: ReadonlySet<string>;
}

/** A whole number as it is read, until it is in its object. */
export class SpelledDouble {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** Where a text may have one: a member, not the number of a list. */
export function mayHaveDoubles(text: string): boolean {
  return text.includes('"params"') && MEMBER.test(text);
}
const MEMBER = /"\s*:\s*-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)\s*[,}]/;

/** The reader of a number, for parsers of texts that may have one. */
export function readDouble(spelling: string, readOther: (spelling: string) => Json): Json {
  if (/^-?\d+$/.test(spelling)) return readOther(spelling);
  const value = Number(spelling);
  return Number.isInteger(value)
    ? (new SpelledDouble(value) as unknown as Json)
    : readOther(spelling);
}

/** The value with numbers in the place of doubles; objects remember which of their members were some. */
export function settled(value: Json): Json {
  if (value instanceof SpelledDouble) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => settled(item));
  const members = Object.entries(value as JsonObject);
  const names = members.filter(([, member]) => (member as unknown) instanceof SpelledDouble);
  const made: Record<string, Json> = {};
  for (const [name, member] of members) {
    Object.defineProperty(made, name, {
      value: settled(member),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  if (names.length > 0) {
    Object.defineProperty(made, NAMES, { value: new Set(names.map(([name]) => name)) });
  }
  return made;
}

export function isSpelledDouble(object: JsonObject, name: string): boolean {
  return (object as Marked)[NAMES]?.has(name) === true;
}
