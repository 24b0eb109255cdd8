// Finds the regular expressions of a TypeScript file: literals, and places where others are built
// at run time.
import type { Expression } from './syntax.ts';

export interface FoundExpression extends Expression {
  readonly line: number;
}

/** After these a slash is a division. */
const VALUE_END = /[\w$)\]]$/;
/** Words after which it is not. */
const KEYWORD = /(?:^|[^\w$.])(?:return|typeof|case|of|in|yield|await|new|throw)$/;

export function literalsOf(text: string): readonly FoundExpression[] {
  const scanner = new Scanner(text);
  return scanner.found();
}

/** Lines in which an expression is built from a string. */
export function builtAt(text: string): readonly number[] {
  return [...text.matchAll(/\bRegExp\(/g)].map(({ index }) => lineOf(text, index));
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

class Scanner {
  readonly #text: string;
  readonly #found: FoundExpression[] = [];
  #at = 0;
  /** The preceding code without spaces and comments. */
  #before = '';

  constructor(text: string) {
    this.#text = text;
  }

  found(): readonly FoundExpression[] {
    this.#code('');
    return this.#found;
  }

  /** Reads up to `end`, which closes the code inside of a template. */
  #code(end: string): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      if (char === end && depth === 0) return;
      if (char === '{') depth++;
      if (char === '}') depth--;
      if (this.#text.startsWith('//', this.#at)) this.#skipTo('\n');
      else if (this.#text.startsWith('/*', this.#at)) this.#skipTo('*/');
      else if (char === '"' || char === "'") this.#quoted(char);
      else if (char === '`') this.#template();
      else if (char === '/' && !this.#divides()) this.#literal();
      else this.#letter(char);
    }
  }

  #letter(char: string): void {
    if (!/\s/.test(char)) this.#before = (this.#before + char).slice(-12);
    else if (/\w$/.test(this.#before)) this.#before += ' ';
    this.#at++;
  }

  #divides(): boolean {
    const before = this.#before.trimEnd();
    return VALUE_END.test(before) && !KEYWORD.test(before);
  }

  #skipTo(end: string): void {
    const found = this.#text.indexOf(end, this.#at + 2);
    this.#at = found < 0 ? this.#text.length : found + end.length;
  }

  #quoted(quote: string): void {
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== quote) {
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    }
    this.#at++;
    this.#before = ')';
  }

  #template(): void {
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '`') {
      if (this.#text[this.#at] === '\\') this.#at++;
      else if (this.#text.startsWith('${', this.#at)) {
        this.#at += 2;
        this.#before = '';
        this.#code('}');
      }
      this.#at++;
    }
    this.#at++;
    this.#before = ')';
  }

  #literal(): void {
    const from = this.#at + 1;
    let inClass = false;
    let at = from;
    for (; this.#text[at] !== '/' || inClass; at++) {
      if (this.#text[at] === '\\') at++;
      else if (this.#text[at] === '[') inClass = true;
      else if (this.#text[at] === ']') inClass = false;
    }
    const flags = /^[a-z]*/.exec(this.#text.slice(at + 1, at + 10))?.[0] ?? '';
    const line = lineOf(this.#text, this.#at);
    this.#found.push({ source: this.#text.slice(from, at), flags, line });
    this.#at = at + 1 + flags.length;
    this.#before = ')';
  }
}
