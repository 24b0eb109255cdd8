// Prints the JSON of the document that a script leaves. A long string may be referenced a hundred
// times, and a list may contain itself, so the length is counted while printing, and a document
// that is too long is rejected before it is complete.
import { constants } from 'node:buffer';
import { isLosslessNumber } from 'lossless-json';
import { type CooperativeTask, ITEMS_PER_YIELD } from '../../base/cooperative-task.js';
import { quote } from '../../base/json-text.js';
import { illegal } from '../values.js';
import { isContainer, type Stored, type StoredObject } from './values.js';

const MAX_DEPTH = 500;
/**
 * A string is printed in pieces of this length: escaped control characters are six times as long.
 */
const PIECE = 256 * 1024;
/** The maximum length of a string in Node.js. */
const LONGEST_STRING = constants.MAX_STRING_LENGTH;
/** The low half of a surrogate pair, which must not begin a piece. */
const SECOND_HALF = /^[\udc00-\udfff]/;

export interface TextLimit {
  /** The number of characters of JSON that a script may add to the document. */
  readonly most: number;
  /** The number of characters of the document before the script ran. */
  readonly before: number;
}

/** `looked` is called for each value. */
export function* documentText(
  document: StoredObject,
  limit: TextLimit,
  looked: () => void,
): CooperativeTask<string> {
  return yield* new DocumentText(limit, looked).of(document);
}

class DocumentText {
  readonly #limit: TextLimit;
  readonly #looked: () => void;
  /** The text before `#text`. */
  readonly #pieces: string[] = [];
  #length = 0;
  #text = '';
  #values = 0;

  constructor(limit: TextLimit, looked: () => void) {
    this.#limit = limit;
    this.#looked = looked;
  }

  *of(document: StoredObject): CooperativeTask<string> {
    yield* this.#value(document, 0);
    this.#cut();
    return this.#pieces.join('');
  }

  *#value(value: Stored, depth: number): CooperativeTask<void> {
    this.#looked();
    if (++this.#values % ITEMS_PER_YIELD === 0) yield;
    if (typeof value === 'string') yield* this.#string(value);
    else if (!isContainer(value)) this.#add(isLosslessNumber(value) ? value.value : String(value));
    else if (depth > MAX_DEPTH) throw illegal('script makes a document that is nested too deeply');
    else if (Array.isArray(value)) yield* this.#list(value, depth);
    else yield* this.#object(value, depth);
  }

  *#list(list: readonly Stored[], depth: number): CooperativeTask<void> {
    let sign = '[';
    for (const item of list) {
      this.#add(sign);
      yield* this.#value(item, depth + 1);
      sign = ',';
    }
    this.#add(list.length === 0 ? '[]' : ']');
  }

  *#object(object: StoredObject, depth: number): CooperativeTask<void> {
    let sign = '{';
    for (const [name, member] of Object.entries(object)) {
      this.#add(sign);
      yield* this.#string(name);
      this.#add(':');
      yield* this.#value(member, depth + 1);
      sign = ',';
    }
    this.#add(sign === '{' ? '{}' : '}');
  }

  *#string(text: string): CooperativeTask<void> {
    this.#room(text.length + 2);
    if (text.length <= PIECE) {
      this.#add(quote(text));
      return;
    }
    this.#add('"');
    for (let from = 0; from < text.length; ) {
      yield;
      const end = endOfPiece(text, from + PIECE);
      this.#add(quote(text.slice(from, end)).slice(1, -1));
      from = end;
    }
    this.#add('"');
  }

  #add(text: string): void {
    this.#room(text.length);
    this.#text += text;
    if (this.#text.length >= PIECE) this.#cut();
  }

  /** A string of thousands of parts is made one here, and not all at once at the end. */
  #cut(): void {
    this.#pieces.push(Buffer.from(this.#text).toString());
    this.#length += this.#text.length;
    this.#text = '';
  }

  #room(characters: number): void {
    const { most, before } = this.#limit;
    const length = this.#length + this.#text.length + characters;
    if (length <= Math.min(most + before, LONGEST_STRING)) return;
    throw illegal(
      `script puts more than [${most}] characters into the document, the limit [limits.body_bytes]: ` +
        'let it put in less, or send the document whole',
    );
  }
}

function endOfPiece(text: string, at: number): number {
  return SECOND_HALF.test(text.charAt(at)) ? at + 1 : at;
}
