// Builds the JSON text of an aggregation response: pieces of text and, between them, documents that
// are still to be fetched. Finished text is kept as bytes, so that no objects remain for tens of
// thousands of buckets.
import { stringify } from 'lossless-json';
import type { Json } from '../../backend/index.js';
import { quote } from '../../base/json-text.js';
import type { TopHitsResult } from './agg.js';
import { BUCKETS_PER_YIELD } from './steps.js';

/**
 * Shorter strings are not encoded at once: a small response is converted to bytes together with the
 * text around it.
 */
const LONG_TEXT = 8192;
const CHUNK_BYTES = 256 * 1024;
/** UTF-8 bytes of one UTF-16 unit, at most. */
const LETTER_BYTES = 3;

export type AggPiece = string | Uint8Array | TopHitsResult;

export class AggText {
  readonly #pieces: AggPiece[] = [];
  #text = '';
  #items = 0;
  /** The free part of the last chunk. */
  #free = Buffer.alloc(0);
  readonly #reserve: (bytes: number) => void;

  /** `reserve`: accounts for memory; throws if there is none. */
  constructor(reserve: (bytes: number) => void = () => {}) {
    this.#reserve = reserve;
  }

  add(text: string): void {
    this.#text += text;
  }
  hits(found: TopHitsResult): void {
    this.#cut();
    this.#pieces.push(found);
  }
  /** Counts a written bucket; true at regular intervals, when the writer may yield. */
  counted(): boolean {
    this.#items += 1;
    if (this.#items % BUCKETS_PER_YIELD !== 0) return false;
    if (this.#text.length >= LONG_TEXT) this.#cut();
    return true;
  }
  done(): readonly AggPiece[] {
    this.#cut();
    return this.#pieces;
  }

  #cut(): void {
    const text = this.#text;
    this.#text = '';
    if (text === '') return;
    this.#reserve(text.length);
    if (text.length < LONG_TEXT) this.#pieces.push(text);
    else this.#pieces.push(this.#written(text));
  }
  #written(text: string): Uint8Array {
    const most = LETTER_BYTES * text.length;
    if (most > CHUNK_BYTES) return Buffer.from(text);
    if (most > this.#free.length) this.#free = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const length = this.#free.write(text);
    const written = this.#free.subarray(0, length);
    this.#free = this.#free.subarray(length);
    return written;
  }
}

export function jsonOf(value: Json): string {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'object':
      return stringify(value) ?? 'null';
    case 'string':
      return quotedText(value);
    default:
      return String(value);
  }
}

/** Strings up to this length are checked character by character. */
const SHORT_TEXT = 40;

/** A string as JSON. Most bucket keys only need quotes. */
export function quotedText(text: string): string {
  if (text.length > SHORT_TEXT) return quote(text);
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    // Space to tilde, except the quote and the backslash.
    if (letter < 0x20 || letter > 0x7e || letter === 0x22 || letter === 0x5c) {
      return quote(text);
    }
  }
  return `"${text}"`;
}

/** The members of an object, without braces. `quoted` converts a name to a JSON string. */
export function membersOf(
  members: Readonly<Record<string, Json>>,
  quoted: (name: string) => string = quote,
): string {
  let text = '';
  for (const name in members) {
    text += `${text === '' ? '' : ','}${quoted(name)}:${jsonOf(members[name] ?? null)}`;
  }
  return text;
}
