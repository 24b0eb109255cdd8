// Parses large JSON texts as a cooperative task, so that a body of a megabyte does not block the
// thread. Values and error messages are the same as those of the parsers in json.ts.
import type { Json } from '../../backend/index.js';
import { type CooperativeTask, ITEMS_PER_YIELD } from '../../base/cooperative-task.js';
import { parseNumber, SHORT_NUMBER } from '../../base/exact-json.js';
import { markIfDouble, plainOf, SpelledDouble } from '../../base/spelled-doubles.js';
import { QuarryError } from '../../errors.js';

/** Maximum nesting depth of a request body. */
export const MAX_DEPTH = 100;

/**
 * Maximum number of values (scalars, arrays and objects) in a request body: somewhat more than the
 * largest list of terms (index.max_terms_count).
 */
export const MAX_VALUES = 1_200_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const LARGE_E = 0x45;
const SMALL_E = 0x65;
const ZERO = 0x30;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const FIRST_PRINTED = 0x20;
/** Maximum number of integers read in one step. */
const RUN = 16;

export function tooDeep(): QuarryError {
  return new QuarryError(
    'x_content_parse_exception',
    `request body is nested deeper than ${MAX_DEPTH} levels`,
  );
}

function tooManyValues(): QuarryError {
  return new QuarryError(
    'x_content_parse_exception',
    `request body holds more than [${MAX_VALUES}] values, split it into smaller requests`,
  );
}

/** An array or object that is being parsed. */
type Open =
  | { readonly list: Json[] }
  | { readonly members: Record<string, Json>; key: string; keyAt: number };

/**
 * Throws SyntaxError for invalid JSON and QuarryError beyond MAX_DEPTH and MAX_VALUES. `readNumber`
 * may return the doubles of spelled-doubles.ts.
 */
export function* parseSteps(
  text: string,
  readNumber: (spelling: string) => Json = parseNumber,
): CooperativeTask<Json> {
  const characters = new CharacterReader(text, readNumber);
  const open: Open[] = [];
  characters.skipSpace();
  let values = 0;
  for (let looked = 1; ; looked++) {
    if (looked % ITEMS_PER_YIELD === 0) yield;
    if (++values > MAX_VALUES) throw tooManyValues();
    const begun = begin(characters, open);
    if (begun === BEGUN) continue;
    let value: Json | undefined = begun;
    for (;;) {
      characters.skipSpace();
      const within = open.at(-1);
      if (within === undefined) return characters.ended(value);
      if ('list' in within) {
        if (value === undefined) throw characters.wrong('Array item expected');
        // The key is a string, so it is made only for the rare items that need it.
        if (value instanceof SpelledDouble) {
          markIfDouble(within.list, String(within.list.length), value);
        }
        within.list.push(plainOf(value));
        if (!characters.listEnds(false)) {
          values += characters.integersInto(within.list);
          break;
        }
        value = within.list;
      } else {
        if (value === undefined) throw characters.wrongAt("Object value expected after ':'");
        setMember(within, value);
        if (!characters.objectEnds(within)) break;
        value = within.members;
      }
      open.pop();
    }
  }
}

const BEGUN = Symbol('the first value of an array or object follows');

/**
 * Reads the scalar or empty container at the current position and returns it, undefined if there is
 * no value. A non-empty container is pushed on `open`, and BEGUN is returned.
 */
function begin(characters: CharacterReader, open: Open[]): Json | undefined | typeof BEGUN {
  const what = characters.code();
  if (what !== LIST && what !== OBJECT) return characters.scalar();
  if (open.length === MAX_DEPTH) throw tooDeep();
  characters.at += 1;
  characters.skipSpace();
  if (what === LIST) {
    if (characters.listEnds(true)) return [];
    open.push({ list: [] });
    return BEGUN;
  }
  if (characters.atEndOfObject()) return {};
  const members = { members: {}, key: '', keyAt: 0 };
  characters.readKey(members);
  open.push(members);
  return BEGUN;
}

function setMember(
  { members, key, keyAt }: { readonly members: Record<string, Json>; key: string; keyAt: number },
  given: Json,
): void {
  markIfDouble(members, key, given);
  const value = plainOf(given);
  if (Object.hasOwn(members, key)) {
    if (isEqual(value, members[key])) return;
    throw new SyntaxError(`Duplicate key '${key}' encountered at position ${keyAt + 1}`);
  }
  if (key !== '__proto__') members[key] = value;
  else {
    const all = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(members, key, all);
  }
}

function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [entries, others] = [Object.entries(a), b as Readonly<Record<string, Json>>];
  if (entries.length !== Object.keys(b).length) return false;
  return entries.every(([key, value]) => Object.hasOwn(others, key) && isEqual(value, others[key]));
}

/** The text and the current position in it. */
class CharacterReader {
  readonly #text: string;
  readonly #readNumber: (spelling: string) => Json;
  at = 0;

  constructor(text: string, readNumber: (spelling: string) => Json) {
    this.#text = text;
    this.#readNumber = readNumber;
  }

  /** Code of the current character; NaN after the end. */
  code(): number {
    return this.#text.charCodeAt(this.at);
  }
  skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d) return;
      this.at += 1;
    }
  }
  wrongAt(what: string): SyntaxError {
    return new SyntaxError(`${what} at position ${this.at}`);
  }
  wrong(what: string): SyntaxError {
    const got =
      this.at < this.#text.length ? `but got '${this.#text[this.at]}'` : 'but reached end of input';
    return this.wrongAt(`${what} ${got}`);
  }
  ended(value: Json | undefined): Json {
    if (value === undefined) throw this.wrong('JSON value expected');
    if (this.at < this.#text.length) throw this.wrong('Expected end of input');
    return value;
  }

  /**
   * Consumes the end of a list or, unless `first`, the comma before the next item. Returns whether
   * the list has ended.
   */
  listEnds(first: boolean): boolean {
    if (this.code() === LIST_END) {
      this.at += 1;
      return true;
    }
    if (this.at >= this.#text.length) throw this.wrong("Array item or end of array ']' expected");
    if (!first) this.#comma();
    this.skipSpace();
    return false;
  }
  atEndOfObject(): boolean {
    if (this.code() === OBJECT_END) {
      this.at += 1;
      return true;
    }
    if (this.at < this.#text.length) return false;
    throw this.wrong("Quoted object key or end of object '}' expected");
  }
  /** Like listEnds() for an object; also reads the key of the next member. */
  objectEnds(open: { key: string; keyAt: number }): boolean {
    if (this.atEndOfObject()) return true;
    this.#comma();
    this.skipSpace();
    this.readKey(open);
    return false;
  }
  readKey(open: { key: string; keyAt: number }): void {
    open.keyAt = this.at;
    if (this.code() !== QUOTE) throw this.wrong('Quoted object key expected');
    open.key = this.#string();
    this.skipSpace();
    if (this.code() !== COLON) throw this.wrong("Colon ':' expected after property name");
    this.at += 1;
    this.skipSpace();
  }
  #comma(): void {
    if (this.code() !== COMMA) throw this.wrong("Comma ',' expected after value");
    this.at += 1;
  }

  scalar(): Json | undefined {
    const code = this.code();
    if (code === QUOTE) return this.#string();
    if (code === MINUS || isDigit(code)) return this.#number();
    if (this.#word('true')) return true;
    if (this.#word('false')) return false;
    return this.#word('null') ? null : undefined;
  }
  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  #string(): string {
    const start = this.at;
    const text = this.#text;
    let plain = true;
    for (let at = start + 1; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        if (plain) return text.slice(start + 1, at);
        return JSON.parse(text.slice(start, this.at)) as string;
      }
      if (code === BACKSLASH) {
        plain = false;
        this.at = at;
        at += this.#escape();
      } else if (!(code >= FIRST_PRINTED)) {
        this.at = at;
        if (at >= text.length) throw this.wrong(`End of string '"' expected`);
        throw this.wrongAt(`Invalid character '${text[at]}'`);
      }
    }
  }
  /** Number of characters after the backslash of the escape at the current position. */
  #escape(): number {
    const written = this.#text.slice(this.at, this.at + 6);
    if (/^\\["\\/bfnrt]/.test(written)) return 1;
    if (/^\\u[\da-fA-F]{4}$/.test(written)) return 5;
    if (written[1] === 'u') throw this.wrongAt(`Invalid unicode character '${written}'`);
    throw this.wrongAt(`Invalid escape character '${written.slice(0, 2)}'`);
  }

  /**
   * Appends up to RUN of the following integers, each with its comma, and returns their number: a
   * fast path for long lists of integers.
   */
  integersInto(list: Json[]): number {
    for (let i = 0; i < RUN; i++) {
      const start = this.at;
      const value = this.#shortInteger();
      if (value === undefined) return i;
      if (this.code() !== COMMA) {
        this.at = start;
        return i;
      }
      this.at += 1;
      this.skipSpace();
      list.push(value);
    }
    return RUN;
  }

  /**
   * An integer with few enough digits to be exact; undefined if the next value is anything else.
   */
  #shortInteger(): number | undefined {
    const text = this.#text;
    let at = this.at;
    const isNegative = text.charCodeAt(at) === MINUS;
    if (isNegative) at += 1;
    const first = at;
    let value = 0;
    let code = text.charCodeAt(at);
    for (; isDigit(code); code = text.charCodeAt(at)) {
      value = value * 10 + (code - ZERO);
      at += 1;
    }
    const digits = at - first;
    const hasZero = digits > 1 && text.charCodeAt(first) === ZERO;
    if (digits === 0 || digits > SHORT_NUMBER || hasZero) return undefined;
    if (code === DOT || code === SMALL_E || code === LARGE_E) return undefined;
    this.at = at;
    return isNegative ? -value : value;
  }

  #number(): Json {
    const short = this.#shortInteger();
    if (short !== undefined) return short;
    const start = this.at;
    if (this.code() === MINUS) {
      this.at += 1;
      this.#expectDigit(start);
    }
    if (this.code() === ZERO) this.at += 1;
    else this.#digits();
    if (this.code() === DOT) {
      this.at += 1;
      this.#expectDigit(start);
      this.#digits();
    }
    if (/^[eE]/.test(this.#text[this.at] ?? '')) {
      this.at += 1;
      if (/^[+-]/.test(this.#text[this.at] ?? '')) this.at += 1;
      this.#expectDigit(start);
      this.#digits();
    }
    return this.#readNumber(this.#text.slice(start, this.at));
  }
  #digits(): void {
    while (isDigit(this.code())) this.at += 1;
  }
  #expectDigit(start: number): void {
    if (isDigit(this.code())) return;
    throw this.wrong(`Invalid number '${this.#text.slice(start, this.at)}', expecting a digit`);
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}
