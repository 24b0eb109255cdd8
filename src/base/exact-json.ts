// Lossless JSON for files: whole numbers beyond 2^53 are bigint, a script parameter that is spelled
// as a fraction stays one (spelled-doubles.ts), -0 keeps its sign, and numbers beyond the range of
// a double are read back as infinite. parseExact(printExact(value)) equals value.
import { isSafeNumber, parse } from 'lossless-json';
import type { Json, JsonObject } from '../backend/index.js';
import { isNestedDeeper } from './json-depth.js';
import { exactInteger, quote } from './json-text.js';
import { isSpelledDouble, mayHaveDoubles, readDouble, settled } from './spelled-doubles.js';

/** A number without such a run of digits cannot lose digits as a double. */
const LONG_NUMBER = /\d{16}/;
/** An integer of up to this many characters cannot lose digits as a double. */
export const SHORT_NUMBER = 15;

/** Parses a number; an integer that would lose digits as a double becomes a bigint. */
export function parseNumber(spelling: string): number | bigint {
  const value = Number(spelling);
  if (spelling.length <= SHORT_NUMBER || !/^-?\d+$/.test(spelling)) return value;
  // A number that prints as it was written has not lost any digits.
  if (isSafeNumber(spelling) || String(value) === spelling) return value;
  return exactInteger(spelling);
}

/** More than the core takes; functions that visit a value call themselves at every level. */
const MAX_DEPTH = 1000;

/**
 * Throws SyntaxError for invalid JSON, for more than MAX_DEPTH levels, and if an object repeats a
 * key with another value.
 */
export function parseExact(text: string): Json {
  if (isNestedDeeper(text, MAX_DEPTH))
    throw new SyntaxError(`the JSON is nested deeper than ${MAX_DEPTH} levels`);
  const spelled = mayHaveDoubles(text);
  // JSON.parse is several times faster, and its strings take less memory.
  if (!spelled && !LONG_NUMBER.test(text)) return JSON.parse(text) as Json;
  if (!spelled) return parse(text, undefined, parseNumber) as Json;
  return settled(parse(text, undefined, readSpelled) as Json);
}

const readSpelled = (spelling: string): Json => readDouble(spelling, parseNumber);

/**
 * Members that are undefined are omitted; undefined itself, and values that JSON cannot represent,
 * print as null.
 */
export function printExact(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return printNumber(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? printList(value) : printObject(value as JsonObject);
    default:
      return 'null';
  }
}

function printNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'null';
  return value > 0 ? '1e400' : '-1e400';
}

function printList(list: readonly Json[]): string {
  return `[${list.map((item, i) => printMember(list, String(i), item)).join(',')}]`;
}

function printObject(object: JsonObject): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    members.push(`${quote(name)}:${printMember(object, name, value)}`);
  }
  return `{${members.join(',')}}`;
}

function printMember(holder: JsonObject | readonly Json[], name: string, value: Json): string {
  const printed = printExact(value);
  const isWhole = typeof value === 'number' && /^-?\d+$/.test(printed);
  return isWhole && isSpelledDouble(holder, name) ? `${printed}.0` : printed;
}
