// Values as JSON text: whole, for what is stored or sent, or as much of them as a message shows. Nothing else in the service
// calls `JSON.stringify`, which throws on a bigint and prints an infinite number as null.
import { stringify } from 'lossless-json';
import { QuarryError } from '../errors.js';
import { isSpelledDouble } from './spelled-doubles.js';

/** Characters of a value that a message shows. */
const MOST_CHARACTERS = 200;

type Holder = Parameters<typeof isSpelledDouble>[0];

/** As the JSON parsers of Elasticsearch have it: making a number of a million digits takes seconds. */
const MOST_DIGITS = 1000;

/** A whole number that a double does not hold; x_content_parse_exception for one of more digits than any reader needs. */
export function exactInteger(spelling: string): bigint {
  if (spelling.length <= MOST_DIGITS) return BigInt(spelling);
  throw new QuarryError(
    'x_content_parse_exception',
    `number of [${spelling.length}] digits is longer than the limit of [${MOST_DIGITS}], send it as a string`,
  );
}

/** A text as a JSON string. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/**
 * All of a value. By the printer of the platform, several times faster than the exact one, which takes over where there are
 * bigints. Not for values with numbers of lossless-json, which only its own `stringify` prints.
 */
export function plainJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return stringify(value) ?? 'null';
  }
}

/**
 * A value of a request, as a message shows it: whole numbers with all digits, `Infinity` for what is beyond a double, `2.0`
 * as it was spelled. What is longer than 200 characters ends in an ellipsis; what would follow is not printed.
 */
export function printValue(value: unknown): string {
  const printer = new Printer();
  printer.add(value);
  return printer.text();
}

/** A text as it is, anything else as a message shows it: for readers that take numbers and flags for texts. */
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
    // Not `Object.entries`, which would make a list of all members of a large one.
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
