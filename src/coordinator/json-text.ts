// JSON text to values and back where an integer may be beyond 2^53: such numbers travel as bigint.
import { isSafeNumber, parse, stringify } from 'lossless-json';
import type { Json } from '../backend.js';

function readNumber(spelling: string): number | bigint {
  return /^-?\d+$/.test(spelling) && !isSafeNumber(spelling) ? BigInt(spelling) : Number(spelling);
}

export function parseJson(text: string): Json {
  return parse(text, undefined, readNumber) as Json;
}

export function jsonText(value: unknown): string {
  return stringify(value) ?? 'null';
}
