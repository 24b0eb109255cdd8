// Reads the JSON of a stored document for a script, with numbers in their spelling, as a
// cooperative task: a document may have a million values, or a string of megabytes. The core has
// checked the text.
import { LosslessNumber } from 'lossless-json';
import { type CooperativeTask, ITEMS_PER_YIELD } from '../../base/cooperative-task.js';
import { illegal } from '../values.js';
import type { Stored, StoredObject } from './values.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const FALSE = 0x66;
const NULL = 0x6e;
const TRUE = 0x74;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** As many as a body may have; each takes a hundred bytes. */
const MOST_VALUES = 1_200_000;

/** Throws SyntaxError for what is no JSON, and illegal_argument_exception for too many values. */
export function* parseStored(text: string): CooperativeTask<Stored> {
  const reader = new StoredReader(text);
  const value = yield* reader.value();
  if (!reader.hasEnded) throw reader.wrong();
  return value;
}

class StoredReader {
  readonly #text: string;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether nothing but white space is left. */
  get hasEnded(): boolean {
    return Number.isNaN(this.#next());
  }
  wrong(): SyntaxError {
    return new SyntaxError(`the document is no JSON at position ${this.#at}`);
  }

  *value(): CooperativeTask<Stored> {
    const first = this.#next();
    if (first === LIST) return yield* this.#list();
    if (first === OBJECT) return yield* this.#object();
    return this.#scalar(first);
  }

  *#list(): CooperativeTask<Stored[]> {
    const list: Stored[] = [];
    this.#at += 1;
    if (this.#ends(LIST_END, true)) return list;
    do {
      if (this.#counted()) yield;
      const first = this.#next();
      const isScalar = first !== LIST && first !== OBJECT;
      list.push(isScalar ? this.#scalar(first) : yield* this.value());
    } while (!this.#ends(LIST_END, false));
    return list;
  }

  *#object(): CooperativeTask<StoredObject> {
    const object: StoredObject = {};
    this.#at += 1;
    if (this.#ends(OBJECT_END, true)) return object;
    do {
      if (this.#counted()) yield;
      if (this.#next() !== QUOTE) throw this.wrong();
      const key = this.#string();
      if (this.#text[this.#skipSpace()] !== ':') throw this.wrong();
      this.#at += 1;
      setMember(object, key, yield* this.value());
    } while (!this.#ends(OBJECT_END, false));
    return object;
  }

  /** Counts a value; true when it is time to yield. */
  #counted(): boolean {
    if (++this.#values > MOST_VALUES) {
      throw illegal(
        `script cannot change a document of more than [${MOST_VALUES}] values, send the document whole`,
      );
    }
    return this.#values % ITEMS_PER_YIELD === 0;
  }

  /** Passes the end of a container, or the comma before its next value if it is not empty. */
  #ends(end: number, isEmpty: boolean): boolean {
    const next = this.#next();
    const hasEnded = next === end;
    if (hasEnded || (!isEmpty && next === COMMA)) this.#at += 1;
    else if (!isEmpty) throw this.wrong();
    return hasEnded;
  }

  #scalar(first: number): Stored {
    if (first === QUOTE) return this.#string();
    if (first === TRUE) return this.#word('true', true);
    if (first === FALSE) return this.#word('false', false);
    if (first === NULL) return this.#word('null', null);
    return this.#number();
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.wrong();
    this.#at += word.length;
    return value;
  }

  #number(): LosslessNumber {
    const start = this.#at;
    while (isOfNumber(this.#text.charCodeAt(this.#at))) this.#at += 1;
    if (this.#at === start) throw this.wrong();
    return new LosslessNumber(this.#text.slice(start, this.#at));
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) throw this.wrong();
    } while (this.#isEscaped(end));
    this.#at = end + 1;
    const written = this.#text.slice(start + 1, end);
    return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
  }

  /** An odd number of backslashes stands before the quote. */
  #isEscaped(quote: number): boolean {
    let at = quote;
    while (this.#text.charCodeAt(at - 1) === BACKSLASH) at -= 1;
    return (quote - at) % 2 === 1;
  }

  /** The character code behind white space; NaN at the end. */
  #next(): number {
    return this.#text.charCodeAt(this.#skipSpace());
  }
  #skipSpace(): number {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return this.#at;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Digits, signs, the point and the letters of an exponent. */
function isOfNumber(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  return code === 0x2d || code === 0x2e || code === 0x2b || code === 0x65 || code === 0x45;
}

/** A plain assignment of this name would change the prototype. */
function setMember(object: StoredObject, key: string, value: Stored): void {
  if (key !== '__proto__') object[key] = value;
  else
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}
