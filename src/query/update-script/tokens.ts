// The tokens of an update script, with a current position.
import type { QuarryError } from '../../errors.js';
import { illegal, shortened } from '../values.js';

const MAX_LENGTH = 16_384;
const MAX_DEPTH = 100;
const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[lLfFdD]?)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([A-Za-z_]\w*)|(\+\+|--|->|\?\.(?!\d)|\?:|[-+*/%]=|<=|>=|==|!=|&&|\|\||[-+*/%<>!?:=(),.;[\]{}])|(.)/gsy;
const WORDS: Readonly<Record<string, null | boolean>> = { null: null, true: true, false: false };

type Token =
  | { readonly kind: 'number' | 'name' | 'sign'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly value: string };

export class Tokens {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    if (source.length > MAX_LENGTH) throw this.wrong('it is too long');
    this.#tokens = [...this.#split()];
  }

  get done(): boolean {
    return this.#at >= this.#tokens.length;
  }
  /** The text of the next token, for error messages. */
  shown(): string {
    return this.#tokens[this.#at]?.text ?? 'end of script';
  }
  at(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'sign' && token.text === sign;
  }
  take(sign: string): boolean {
    if (!this.at(sign)) return false;
    this.#at += 1;
    return true;
  }
  expect(sign: string): void {
    if (!this.take(sign)) throw this.wrong(`expected [${sign}], found [${this.shown()}]`);
  }
  name(): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name') return undefined;
    this.#at += 1;
    return token.text;
  }
  literal(): { readonly value: null | boolean | string | bigint | number } | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === 'sign') return undefined;
    if (token.kind === 'name') {
      if (!Object.hasOwn(WORDS, token.text)) return undefined;
      this.#at += 1;
      return { value: WORDS[token.text] ?? null };
    }
    this.#at += 1;
    return { value: token.kind === 'text' ? token.value : numberOf(token.text) };
  }
  /** Consumes the next token if it is this word. */
  word(word: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name' || token.text !== word) return false;
    this.#at += 1;
    return true;
  }
  /** Returns the text of the token that is `tokens` after the next one. */
  behind(tokens = 1): string | undefined {
    return this.#tokens[this.#at + tokens]?.text;
  }
  expectName(): string {
    const name = this.name();
    if (name === undefined) throw this.wrong(`expected a name, found [${this.shown()}]`);
    return name;
  }
  nested<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.wrong('it is nested too deeply');
    const result = parse();
    this.#depth -= 1;
    return result;
  }
  /** Returns the result of `parse` and the number of tokens it read. */
  measured<T>(parse: () => T): readonly [result: T, tokens: number] {
    const start = this.#at;
    const result = parse();
    return [result, this.#at - start];
  }
  wrong(why: string): QuarryError {
    return illegal(
      `cannot compile script [${shortened(this.#source, 200)}]: ${why}. Supported are assignments, [if], [for], [while], variables, lists, maps and their methods, [ctx._source] and [ctx.op]`,
    );
  }

  *#split(): Generator<Token> {
    for (const match of this.#source.matchAll(TOKEN)) {
      const [, number, text, name, sign, other] = match;
      if (other !== undefined) throw this.wrong(`unexpected [${other}]`);
      if (number !== undefined) yield { kind: 'number', text: number };
      if (text !== undefined) yield { kind: 'text', text, value: unquoted(text) };
      if (name !== undefined) yield { kind: 'name', text: name };
      if (sign !== undefined) yield { kind: 'sign', text: sign };
    }
  }
}

function numberOf(text: string): bigint | number {
  if (/^\d+[lL]?$/.test(text)) return BigInt(text.replace(/[lL]$/, ''));
  return Number(text.replace(/[lLfFdD]$/, ''));
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}
