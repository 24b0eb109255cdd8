// Parses and validates the answer of an embeddings service: `{"data": [{"index": 0, "embedding":
// [0.1, …]}, …]}`, where an embedding is a list of numbers or base64 of little-endian 32-bit
// floats. Nothing in it is trusted. Does no I/O.
import { trimEndOf } from '../base/trim-end.js';

/**
 * A vector, or why a text has none. In this file, the reason continues the phrase "the embeddings
 * service [url]".
 */
export type TextResult = Float32Array<ArrayBuffer> | string;

/** The answer as a whole is unusable; the message says why. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/** Maximum length of an excerpt of the answer in a reason. */
const SHOWN = 200;
/** Maximum bytes of a number of an embedding in JSON, including indentation and separator. */
const NUMBER_BYTES = 40;
const MAX_DIMS = 4096;
const OVERHEAD_BYTES = 64 * 1024;

/** Upper limit of the size of a valid answer for `texts` texts. */
export function maxAnswerBytes(texts: number): number {
  return OVERHEAD_BYTES + texts * (MAX_DIMS * NUMBER_BYTES + 1024);
}

/**
 * Returns one result per text, in the order of the texts. `dims` is the required length of every
 * vector; if undefined, that of the first vector. A vector of another length, with numbers that are
 * not finite in 32 bits, or with zeros only becomes a reason.
 */
export function readEmbeddings(
  body: Uint8Array,
  texts: number,
  dims: number | undefined,
): readonly TextResult[] {
  const items = inOrder(dataOf(parseAnswer(body)), texts);
  let length = dims;
  return items.map((item) => {
    const vector = readVector(item);
    if (typeof vector === 'string') return vector;
    length ??= vector.length;
    return objection(vector, length) ?? vector;
  });
}

/** The JSON of an answer; AnswerError if it is none. */
export function parseAnswer(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  if (text.trim() === '') throw new AnswerError('answered nothing');
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*</.test(text)) throw new AnswerError('answered a page of HTML or XML, not JSON');
    throw new AnswerError(`answered what is not valid JSON: ${excerpt(text)}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function dataOf(answer: unknown): readonly unknown[] {
  const data = isObject(answer) ? answer['data'] : undefined;
  if (Array.isArray(data)) return data;
  throw new AnswerError(
    'answered without a list [data] of embeddings, it does not seem to be an OpenAI-compatible embeddings service',
  );
}

/** Orders embeddings by `index`; if no item has one, they are in the order of the texts. */
function inOrder(data: readonly unknown[], texts: number): readonly unknown[] {
  if (data.length !== texts) {
    throw new AnswerError(`answered ${data.length} embeddings for ${texts} texts`);
  }
  const places = data.map((item) => (isObject(item) ? item['index'] : undefined));
  if (places.every((place) => place === undefined)) return data.map(embeddingOf);
  const ordered: unknown[] = new Array(texts);
  const seen = new Set<unknown>();
  for (const [i, place] of places.entries()) {
    const inside = typeof place === 'number' && Number.isInteger(place) && place >= 0;
    if (!inside || place >= texts || seen.has(place)) {
      throw new AnswerError(
        `answered embedding ${i} with the index [${excerpt(String(place))}], expected each of 0 to ${texts - 1} once`,
      );
    }
    seen.add(place);
    ordered[place] = embeddingOf(data[i]);
  }
  return ordered;
}

function embeddingOf(item: unknown): unknown {
  return isObject(item) ? item['embedding'] : undefined;
}

function readVector(value: unknown): TextResult {
  if (typeof value === 'string') return readBase64(value);
  if (!Array.isArray(value)) return 'answered no embedding for it';
  if (value.length > MAX_DIMS) return tooLong(value.length);
  const vector = new Float32Array(value.length);
  for (let i = 0; i < value.length; i++) {
    const number: unknown = value[i];
    if (typeof number !== 'number') {
      return `answered an embedding with [${kindOf(number)}] at place ${i}, expected a number`;
    }
    vector[i] = number;
  }
  return vector;
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
}

function readBase64(text: string): TextResult {
  if (text.length > MAX_DIMS * 6) return tooLong(Math.floor(text.length / 5.34));
  const bytes = Buffer.from(text, 'base64');
  const digits = trimEndOf(text, '=').length;
  if (bytes.length === 0 || bytes.length % 4 !== 0 || bytes.length !== Math.floor(digits * 0.75)) {
    return 'answered an embedding that is neither a list of numbers nor base64 of 32-bit floats';
  }
  const vector = new Float32Array(bytes.length / 4);
  for (let i = 0; i < vector.length; i++) vector[i] = bytes.readFloatLE(4 * i);
  return vector;
}

function tooLong(length: number): string {
  return `answered an embedding of ${length} numbers, at most ${MAX_DIMS} are possible`;
}

/** Why the vector cannot be stored in a field; undefined if it can. */
function objection(vector: Float32Array, dims: number): string | undefined {
  if (vector.length !== dims || dims === 0) {
    return `answered an embedding of ${vector.length} numbers, expected ${dims || 'at least 1'}`;
  }
  let sum = 0;
  for (const [i, value] of vector.entries()) {
    if (!Number.isFinite(value)) {
      return `answered an embedding whose number at place ${i} is not finite in 32 bits`;
    }
    sum += value * value;
  }
  return sum > 0 ? undefined : 'answered an embedding of zeros, which has no direction';
}

/** The beginning of a foreign text as one line without control characters. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
