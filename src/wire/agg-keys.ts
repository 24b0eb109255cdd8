// Bucket keys of a shard's response as columns, with their JSON text and order. No object is kept
// for a key.

import { quote } from '../base/json-text.js';
import type { ValueKind } from './agg-reader.js';
import type { ByteReader } from './byte-reader.js';

/** Whole numbers beyond 2^53 are bigint, dates are milliseconds, booleans are 0 and 1. */
export type KeyValue = number | bigint | string;

export interface KeyColumn {
  readonly isText: boolean;
  value(bucket: number): KeyValue;
  /**
   * Returns a value that compares like the keys: with `<` for keys of one kind, by code points for
   * strings.
   */
  order(bucket: number): KeyValue;
  /** The value as JSON. */
  json(bucket: number): string;
  /** Returns undefined if the keys of the other column are of another kind. */
  compare(bucket: number, other: KeyColumn, otherBucket: number): number | undefined;
}

export function readKeys(reader: ByteReader, kind: ValueKind, count: number): KeyColumn {
  switch (kind) {
    case 'unmapped':
      return new NumberKeys(new Float64Array());
    case 'double':
      return new NumberKeys(reader.align(8).doubles(count));
    case 'unsigned':
      return new WholeKeys(reader.align(8).uint64s(count));
    case 'long':
    case 'boolean':
    case 'date':
      return new WholeKeys(reader.align(8).int64s(count));
    case 'string':
      return new TextKeys(readTextColumn(reader, count));
    case 'encoded': {
      const order = readTextColumn(reader, count);
      return new TextKeys(readTextColumn(reader, count), order);
    }
  }
}

class NumberKeys implements KeyColumn {
  readonly isText = false;
  readonly #values: Float64Array;

  constructor(values: Float64Array) {
    this.#values = values;
  }
  value(bucket: number): number {
    return this.#values[bucket] ?? Number.NaN;
  }
  order(bucket: number): number {
    return this.value(bucket);
  }
  json(bucket: number): string {
    const value = this.value(bucket);
    return Number.isFinite(value) ? String(value) : 'null';
  }
  compare(bucket: number, other: KeyColumn, otherBucket: number): number | undefined {
    if (!(other instanceof NumberKeys)) return undefined;
    const [a, b] = [this.value(bucket), other.value(otherBucket)];
    return a < b ? -1 : Number(a > b);
  }
}

class WholeKeys implements KeyColumn {
  readonly isText = false;
  readonly #values: BigInt64Array | BigUint64Array;

  constructor(values: BigInt64Array | BigUint64Array) {
    this.#values = values;
  }
  value(bucket: number): number | bigint {
    const whole = this.#values[bucket] ?? 0n;
    const number = Number(whole);
    return Number.isSafeInteger(number) ? number : whole;
  }
  order(bucket: number): number | bigint {
    return this.value(bucket);
  }
  json(bucket: number): string {
    return String(this.value(bucket));
  }
  compare(bucket: number, other: KeyColumn, otherBucket: number): number | undefined {
    if (!(other instanceof WholeKeys)) return undefined;
    const [a, b] = [this.#values[bucket] ?? 0n, other.#values[otherBucket] ?? 0n];
    return a < b ? -1 : Number(a > b);
  }
}

/** Concatenated strings. */
interface TextColumn {
  /** The end offset of each string. */
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

function readTextColumn(reader: ByteReader, count: number): TextColumn {
  const ends = reader.align(8).uint32s(count);
  return { ends, bytes: reader.bytes(ends[count - 1] ?? 0) };
}

/** Keeps a byte order mark, which is an ordinary character here. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Characters that JSON escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPED = /["\\\u0000-\u001f]/;

class TextKeys implements KeyColumn {
  readonly isText = true;
  readonly #texts: TextColumn;
  /** Bytes that compare like the keys. */
  readonly #order: TextColumn;
  /** The decoded column, if every character is a single byte. */
  readonly #all: string | undefined;
  readonly #isPlain: boolean;

  constructor(texts: TextColumn, order = texts) {
    const all = decoder.decode(texts.bytes);
    this.#texts = texts;
    this.#order = order;
    this.#all = all.length === texts.bytes.length ? all : undefined;
    this.#isPlain = !ESCAPED.test(all);
  }
  value(bucket: number): string {
    const { ends, bytes } = this.#texts;
    const [from, to] = [ends[bucket - 1] ?? 0, ends[bucket] ?? 0];
    return this.#all?.slice(from, to) ?? decoder.decode(bytes.subarray(from, to));
  }
  order(bucket: number): string {
    if (this.#order === this.#texts) return this.value(bucket);
    const { ends, bytes } = this.#order;
    // Maps each byte to the character of the same number, so that the strings compare like the
    // bytes.
    return String.fromCharCode(...bytes.subarray(ends[bucket - 1] ?? 0, ends[bucket] ?? 0));
  }
  json(bucket: number): string {
    const text = this.value(bucket);
    return this.#isPlain ? `"${text}"` : quote(text);
  }
  compare(bucket: number, other: KeyColumn, otherBucket: number): number | undefined {
    if (!(other instanceof TextKeys)) return undefined;
    return compareBytes(this.#order, bucket, other.#order, otherBucket);
  }
}

/** The byte order of UTF-8 is that of code points. */
function compareBytes(a: TextColumn, i: number, b: TextColumn, j: number): number {
  const [atA, atB] = [a.ends[i - 1] ?? 0, b.ends[j - 1] ?? 0];
  const [lengthA, lengthB] = [(a.ends[i] ?? 0) - atA, (b.ends[j] ?? 0) - atB];
  const shared = Math.min(lengthA, lengthB);
  for (let at = 0; at < shared; at++) {
    const difference = (a.bytes[atA + at] ?? 0) - (b.bytes[atB + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

/** Reads a column of few strings and decodes all of them. */
export function readTexts(reader: ByteReader, count: number): readonly string[] {
  const column = new TextKeys(readTextColumn(reader, count));
  return Array.from({ length: count }, (_, at) => column.value(at));
}
