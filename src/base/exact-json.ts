// JSON that is written to disk and read again, without loss: whole numbers beyond 2^53 are bigints, a number that a script's
// parameter spells as a fraction stays one (spelled-doubles.ts), -0 keeps its sign, and what is beyond the range of a double
// is read as beyond it again. parseExact(printExact(value)) equals value.
import { isSafeNumber, parse } from 'lossless-json';
import type { Json, JsonObject } from '../backend/index.js';
import { exactInteger, quote } from './json-text.js';
import { isSpelledDouble, mayHaveDoubles, readDouble, settled } from './spelled-doubles.js';

/** Shorter numbers keep their digits. */
const LONG_NUMBER = /\d{16}/;
/** An integer of so many characters keeps its digits. */
export const SHORT_NUMBER = 15;

/** As it was spelled: whole numbers that would lose digits become bigint. */
export function parseNumber(spelling: string): number | bigint {
  const value = Number(spelling);
  if (spelling.length <= SHORT_NUMBER || !/^-?\d+$/.test(spelling)) return value;
  // A number that prints as it was written has lost no digit.
  if (isSafeNumber(spelling) || String(value) === spelling) return value;
  return exactInteger(spelling);
}

/** SyntaxError where it is no JSON, or names a member twice with two values. */
export function parseExact(text: string): Json {
  const spelled = mayHaveDoubles(text);
  // The parser of the platform is several times faster, and its strings take less memory.
  if (!spelled && !LONG_NUMBER.test(text)) return JSON.parse(text) as Json;
  if (!spelled) return parse(text, undefined, parseNumber) as Json;
  return settled(parse(text, undefined, readSpelled) as Json);
}

const readSpelled = (spelling: string): Json => readDouble(spelling, parseNumber);

/** Undefined members are left out; undefined itself, and what is no JSON, is null. */
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
