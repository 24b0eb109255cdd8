// Parses a literal of Python (dicts, lists, tuples, strings, numbers, True, False, None), the form
// in which some published sets hold nested values.

const MAX_DEPTH = 100;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};
const WORDS: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

/** Throws an error with the position of what it cannot read. */
export function readPythonLiteral(text: string): unknown {
  const reader = new LiteralReader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.#problem('is nested too deeply');
    this.#skipSpace();
    const next = this.#text[this.#at] ?? '';
    if (next === '{') return this.#dict(depth);
    if (next === '[' || next === '(') return this.#list(CLOSING[next] ?? '', depth);
    if (next === "'" || next === '"') return this.#strings();
    const word = /[\w.+-]+/y;
    word.lastIndex = this.#at;
    const [found = ''] = word.exec(this.#text) ?? [];
    if (found === '') throw this.#problem('is no value');
    this.#at += found.length;
    if (found in WORDS) return WORDS[found];
    const number = Number(found);
    if (Number.isNaN(number)) throw this.#problem(`[${found}] is no value`);
    return number;
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#problem('is one value too many');
  }

  #list(closing: string, depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at += 1;
    while (!this.#takes(closing)) {
      items.push(this.value(depth + 1));
      if (!this.#takes(',') && !this.#isNext(closing)) throw this.#problem('lacks a comma');
    }
    return items;
  }

  #dict(depth: number): Record<string, unknown> {
    const members: [string, unknown][] = [];
    this.#at += 1;
    while (!this.#takes('}')) {
      const key = this.value(depth + 1);
      if (!this.#takes(':')) throw this.#problem('lacks a colon');
      members.push([String(key), this.value(depth + 1)]);
      if (!this.#takes(',') && !this.#isNext('}')) throw this.#problem('lacks a comma');
    }
    return Object.fromEntries(members);
  }

  /** Adjacent strings are one. */
  #strings(): string {
    let joined = '';
    while (this.#isNext("'") || this.#isNext('"')) joined += this.#string();
    return joined;
  }

  #string(): string {
    const quote = this.#text[this.#at];
    let out = '';
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const character = this.#text[at] ?? '';
      if (character === quote) {
        this.#at = at + 1;
        return out;
      }
      if (character !== '\\') {
        out += character;
        continue;
      }
      const [written, length] = this.#escape(at + 1);
      out += written;
      at += length;
    }
    throw this.#problem('has no closing quote');
  }

  #escape(at: number): readonly [string, number] {
    const kind = this.#text[at] ?? '';
    const digits = { x: 2, u: 4, U: 8 }[kind];
    if (digits === undefined) return [ESCAPES[kind] ?? `\\${kind}`, 1];
    const code = Number.parseInt(this.#text.slice(at + 1, at + 1 + digits), 16);
    if (!(code >= 0 && code <= 0x10ffff)) throw this.#problem('has an escape that cannot be');
    return [String.fromCodePoint(code), 1 + digits];
  }

  #takes(character: string): boolean {
    if (!this.#isNext(character)) return false;
    this.#at += 1;
    return true;
  }

  #isNext(character: string): boolean {
    this.#skipSpace();
    return this.#text[this.#at] === character;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #problem(what: string): Error {
    return new Error(`the literal of Python ${what} at character ${this.#at}`);
  }
}
