// JSON at the edge of the service: parses request bodies (integers beyond 2^53 become bigint, the
// depth is limited, a key repeated with another value is rejected) and prints answers. Documents
// are not parsed here, they stay bytes.
import { parse, stringify } from 'lossless-json';
import type { Json, JsonObject } from '../../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../../base/cooperative-task.js';
import { parseNumber } from '../../base/exact-json.js';
import { isNestedDeeper } from '../../base/json-depth.js';
import { mayHaveDoubles, readDouble, settled } from '../../base/spelled-doubles.js';
import { QuarryError } from '../../errors.js';
import { MAX_DEPTH, parseSteps, tooDeep } from './long-json.js';
import type { Answer } from './routes.js';

/** From this size on, parsing takes milliseconds and runs as a cooperative task. */
const LONG_BODY = 64 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Decodes a body; invalid UTF-8 is rejected. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new QuarryError(
      'x_content_parse_exception',
      'request body is not valid UTF-8, send JSON encoded as UTF-8',
    );
  }
}

/** Parses a request body to a JSON value. */
export function parseJson(bytes: Uint8Array): Json {
  const text = decodeUtf8(bytes);
  checkDepth(text);
  const spelled = mayHaveDoubles(text);
  const value = spelled ? undefined : parsePlain(text);
  if (value !== undefined) return value;
  try {
    if (!spelled) return parse(text, undefined, parseNumber) as Json;
    return settled(parse(text, undefined, readSpelled) as Json);
  } catch (error) {
    throw invalid(error);
  }
}

const readSpelled = (spelling: string): Json => readDouble(spelling, parseNumber);

function* parseLong(bytes: Uint8Array): CooperativeTask<Json> {
  const text = decodeUtf8(bytes);
  yield;
  try {
    return yield* parseSteps(text, mayHaveDoubles(text) ? readSpelled : parseNumber);
  } catch (error) {
    throw error instanceof SyntaxError ? invalid(error) : error;
  }
}

function invalid(error: unknown): QuarryError {
  return new QuarryError(
    'x_content_parse_exception',
    `request body is not valid JSON: ${(error as Error).message}`,
  );
}

/**
 * Parses with JSON.parse, several times faster on the numbers of a vector. Undefined if the other
 * parser could give another result: it keeps digits, words error messages, and handles repeated
 * keys.
 */
function parsePlain(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    // Every member has one colon. A higher count of colons means a repeated key or colons within
    // strings.
    return countMembers(value) === countOf(text, ':') ? value : undefined;
  } catch {
    return undefined;
  }
}

function countOf(text: string, what: string): number {
  let count = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) count++;
  return count;
}

/**
 * Number of members of all objects in the value; NaN if a number is so large that it may have lost
 * digits.
 */
function countMembers(value: Json): number {
  if (typeof value === 'number') return isExact(value) ? 0 : Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  if (!Array.isArray(value)) {
    let count = 0;
    for (const key in value) count += 1 + countMembers((value as JsonObject)[key] as Json);
    return count;
  }
  let sum = 0;
  for (const item of value as readonly Json[]) {
    // Inlined, because numbers of vectors are most of a large body.
    if (typeof item === 'number') sum += isExact(item) ? 0 : Number.NaN;
    else if (typeof item === 'object') sum += countMembers(item);
  }
  return sum;
}

/** Whether a whole number of this magnitude is exact in a double. */
function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/**
 * Parses UTF-8 JSON up to MAX_DEPTH with numbers as doubles, for callers that validate the value
 * themselves.
 */
export function parseDeep(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  checkDepth(text);
  return JSON.parse(text);
}

/** Parses a request body that must be an object. */
export function parseObject(bytes: Uint8Array): JsonObject {
  return checkObject(parseJson(bytes));
}

/** Like parseJson(), but a long body is parsed by a cooperative task. */
export function readJson(bytes: Uint8Array): Json | Promise<Json> {
  return bytes.length < LONG_BODY ? parseJson(bytes) : runCooperatively(parseLong(bytes));
}

/** Like parseObject(), but a long body is parsed by a cooperative task. */
export function readObject(bytes: Uint8Array): JsonObject | Promise<JsonObject> {
  return bytes.length < LONG_BODY ? parseObject(bytes) : runCooperatively(objectSteps(bytes));
}

/** Like readObject(), as a part of another cooperative task. */
export function* objectSteps(bytes: Uint8Array): CooperativeTask<JsonObject> {
  if (bytes.length < LONG_BODY) return parseObject(bytes);
  return checkObject(yield* parseLong(bytes));
}

function checkObject(value: Json): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    throw new QuarryError('parsing_exception', `request body must be a JSON object, not ${kind}`);
  }
  return value as JsonObject;
}

/** Rejects nesting beyond MAX_DEPTH before a recursive parser sees the text. */
function checkDepth(text: string): void {
  if (isNestedDeeper(text, MAX_DEPTH)) throw tooDeep();
}

/** Prints an answer as JSON; bigint values are printed as numbers. */
export function toJson(value: unknown): string {
  return stringify(value) ?? 'null';
}

/** The JSON bytes of an answer. */
export function jsonOf({ raw, body }: Pick<Answer, 'raw' | 'body'>): Buffer {
  return raw ?? Buffer.from(toJson(body));
}
