// JSON text to values and back where an integer may be beyond 2^53: such numbers travel as bigint.

import { isSafeNumber, parse, stringify } from 'lossless-json';
import type { Json } from '../backend.js';
import { exactInteger } from '../json-text.js';

/** Shorter numbers keep their digits. */
const LONG_NUMBER = /\d{16}/;

function readNumber(spelling: string): number | bigint {
  return /^-?\d+$/.test(spelling) && !isSafeNumber(spelling)
    ? exactInteger(spelling)
    : Number(spelling);
}

/** The other parser puts strings together letter by letter, which is slow, and which they keep paying for in memory. */
export function parseJson(text: string): Json {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as Json;
  return parse(text, undefined, readNumber) as Json;
}

export function jsonText(value: unknown): string {
  return stringify(value) ?? 'null';
}
