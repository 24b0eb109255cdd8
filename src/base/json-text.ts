// Prints values as JSON: completely, for storage and answers, or abbreviated, for messages. No
// other code calls `JSON.stringify`, which throws for bigint values and prints infinite numbers as
// null.
import { stringify } from 'lossless-json';
import { QuarryError } from '../errors.js';
import { isSpelledDouble } from './spelled-doubles.js';

/** Maximum number of characters of a value in a message. */
const MOST_CHARACTERS = 200;

type Holder = Parameters<typeof isSpelledDouble>[0];

/**
 * The limit of Elasticsearch's JSON parsers; converting a number of a million digits takes seconds.
 */
const MOST_DIGITS = 1000;

/**
 * Parses an integer that a double cannot hold; x_content_parse_exception if it has too many digits.
 */
export function exactInteger(spelling: string): bigint {
  if (spelling.length <= MOST_DIGITS) return BigInt(spelling);
  throw new QuarryError(
    'x_content_parse_exception',
    `number of [${spelling.length}] digits is longer than the limit of [${MOST_DIGITS}], send it as a string`,
  );
}

/** Prints a string as JSON. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/**
 * Prints a whole value. Uses JSON.stringify, several times faster than the exact printer, which is
 * used only if the value contains a bigint. Not for values with numbers of lossless-json, which
 * only its own `stringify` prints.
 */
export function plainJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return stringify(value) ?? 'null';
  }
}

/**
 * Prints a request value for a message: integers with all digits, `Infinity` for numbers beyond a
 * double, `2.0` as it was spelled. The text is cut off with an ellipsis after 200 characters, and
 * the rest is not printed at all.
 */
export function printValue(value: unknown): string {
  const printer = new Printer();
  printer.add(value);
  return printer.text();
}

/**
 * Returns a string unchanged and prints any other value as in a message; for readers that accept
 * numbers and booleans in place of strings.
 */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : printValue(value);
}

class Printer {
  #text = '';

  text(): string {
    if (this.#text.length <= MOST_CHARACTERS) return this.#text;
    const cut = this.#text.slice(0, MOST_CHARACTERS);
    return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
  }

  add(value: unknown): void {
    if (typeof value === 'string') this.#text += quote(value.slice(0, MOST_CHARACTERS + 1));
    else if (Array.isArray(value)) this.#addList(value);
    else if (typeof value === 'object' && value !== null) this.#addObject(value);
    else this.#text += String(value);
  }

  get #isFull(): boolean {
    return this.#text.length > MOST_CHARACTERS;
  }

  #addList(list: readonly unknown[]): void {
    this.#text += '[';
    for (const [at, item] of list.entries()) {
      if (this.#isFull) return;
      if (at > 0) this.#text += ',';
      this.#addMember(list as Holder, String(at), item);
    }
    this.#text += ']';
  }

  #addObject(object: object): void {
    this.#text += '{';
    let separator = '';
    // Unlike `Object.entries`, does not make a list of all members.
    for (const name in object) {
      if (this.#isFull) return;
      if (!Object.hasOwn(object, name)) continue;
      this.#text += separator;
      this.add(name);
      this.#text += ':';
      this.#addMember(object as Holder, name, (object as Readonly<Record<string, unknown>>)[name]);
      separator = ',';
    }
    this.#text += '}';
  }

  #addMember(holder: Holder, name: string, value: unknown): void {
    this.add(value);
    if (typeof value === 'number' && isSpelledDouble(holder, name)) this.#text += '.0';
  }
}
