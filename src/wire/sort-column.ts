// The values of one sort key for the hits of a leg: their order across shards and their JSON
// spelling, read from typed-array views one hit at a time. native/core/query/plan/hits.h owns the
// format and the rules of order.

import { quote } from '../base/json-text.js';
import { shortestFloat } from '../base/shortest-floats.js';
import type { ByteReader } from './byte-reader.js';

const decoder = new TextDecoder();

interface Texts {
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

type Values =
  | { readonly kind: 'int'; readonly column: BigInt64Array }
  | { readonly kind: 'unsigned'; readonly column: BigUint64Array }
  | { readonly kind: 'boolean'; readonly column: BigInt64Array }
  | { readonly kind: 'double'; readonly column: Float64Array }
  | { readonly kind: 'score'; readonly column: Float64Array }
  | { readonly kind: 'string'; readonly texts: Texts }
  | { readonly kind: 'formatted'; readonly order: Texts; readonly texts: Texts };

/** Views into a reply, which they keep alive. */
export class SortColumn {
  readonly #nulls: Uint8Array;
  readonly #values: Values;

  constructor(reader: ByteReader, hits: number) {
    const kind = reader.u8();
    this.#nulls = reader.align(8).bytes(hits);
    this.#values = readValues(reader.align(8), kind, hits);
  }

  /**
   * Columns of one key can be merged only if their families are equal; different mappings of a
   * field may have different ones.
   */
  get family(): 'number' | 'string' | 'formatted' {
    const { kind } = this.#values;
    return kind === 'string' || kind === 'formatted' ? kind : 'number';
  }
  isNull(hit: number): boolean {
    return this.#nulls[hit] === 1;
  }
  /** The value in the hit's `sort` array. */
  json(hit: number): string {
    if (this.isNull(hit)) return 'null';
    const values = this.#values;
    switch (values.kind) {
      case 'int':
      case 'unsigned':
      case 'boolean':
        return String(values.column[hit]);
      case 'double':
        return doubleText(values.column[hit] ?? 0);
      case 'score':
        return scoreText(values.column[hit] ?? 0);
      case 'string':
      case 'formatted':
        return quote(decoder.decode(textAt(values.texts, hit)));
    }
  }
  /**
   * Returns a function for the value of a hit; null if the document has none. Whole numbers beyond
   * 2^53 lose digits.
   */
  reader(): (hit: number) => string | number | boolean | null {
    const at = valueReader(this.#values);
    const nulls = this.#nulls;
    return (hit) => (nulls[hit] === 1 ? null : at(hit));
  }
  /**
   * Compares two values in ascending order. They must not be null, and both columns must be of one
   * family.
   */
  static compare(a: SortColumn, hitA: number, b: SortColumn, hitB: number): number {
    const textA = a.#orderText(hitA);
    const textB = b.#orderText(hitB);
    if (textA !== undefined && textB !== undefined) return Buffer.compare(textA, textB);
    const numberA = a.#number(hitA);
    const numberB = b.#number(hitB);
    return numberA < numberB ? -1 : numberA > numberB ? 1 : 0;
  }

  #number(hit: number): number | bigint {
    const values = this.#values;
    return 'column' in values ? (values.column[hit] ?? 0) : 0;
  }
  #orderText(hit: number): Uint8Array | undefined {
    const values = this.#values;
    if (values.kind === 'string') return textAt(values.texts, hit);
    return values.kind === 'formatted' ? textAt(values.order, hit) : undefined;
  }
}

function readValues(reader: ByteReader, kind: number, hits: number): Values {
  switch (kind) {
    case 0:
      return { kind: 'int', column: reader.int64s(hits) };
    case 1:
      return { kind: 'double', column: reader.doubles(hits) };
    case 2:
      return { kind: 'unsigned', column: reader.uint64s(hits) };
    case 3:
      return { kind: 'string', texts: readTexts(reader, hits) };
    case 4:
      return { kind: 'score', column: reader.doubles(hits) };
    case 5:
      return { kind: 'boolean', column: reader.int64s(hits) };
    case 6: {
      const order = readTexts(reader, hits);
      return { kind: 'formatted', order, texts: readTexts(reader.align(8), hits) };
    }
    default:
      throw new Error(`unknown sort column kind ${kind} from the native core`);
  }
}

/** A document without the field is sorted as the largest or smallest number of its type. */
const NO_INTEGER = 2 ** 63;
const NO_UNSIGNED = 2 ** 64;

function valueReader(values: Values): (hit: number) => string | number | boolean | null {
  switch (values.kind) {
    case 'int':
      return (hit) => below(Number(values.column[hit]), NO_INTEGER);
    case 'unsigned':
      return (hit) => below(Number(values.column[hit]), NO_UNSIGNED);
    case 'boolean':
      return (hit) => {
        const value = below(Number(values.column[hit]), NO_INTEGER);
        return value === null ? null : value !== 0;
      };
    case 'double':
    case 'score':
      return (hit) => {
        const value = values.column[hit] ?? 0;
        return Number.isFinite(value) ? value : null;
      };
    case 'string':
    case 'formatted':
      return textReader(values.texts);
  }
}

function below(value: number, none: number): number | null {
  return Math.abs(value) < none ? value : null;
}

/**
 * Decodes ASCII columns, as ids nearly always are, as a whole on first use and slices the result.
 */
function textReader(texts: Texts): (hit: number) => string {
  let read: ((hit: number) => string) | undefined;
  return (hit) => {
    read ??= decodeAll(texts);
    return read(hit);
  };
}

function decodeAll(texts: Texts): (hit: number) => string {
  const { ends } = texts;
  const all = decoder.decode(texts.bytes);
  if (all.length !== texts.bytes.length) return (hit) => decoder.decode(textAt(texts, hit));
  return (hit) => all.slice(hit === 0 ? 0 : ends[hit - 1], ends[hit]);
}

function readTexts(reader: ByteReader, hits: number): Texts {
  const ends = reader.uint32s(hits);
  return { ends, bytes: reader.bytes(ends.at(-1) ?? 0) };
}

function textAt(texts: Texts, hit: number): Uint8Array {
  return texts.bytes.subarray(hit === 0 ? 0 : texts.ends[hit - 1], texts.ends[hit]);
}

/** A double as JSON; whole numbers keep a fraction, infinities are strings, as in Elasticsearch. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** With the fewest digits that identify it. */
function scoreText(score: number): string {
  return doubleText(Number.isFinite(score) ? shortestFloat(score) : score);
}
