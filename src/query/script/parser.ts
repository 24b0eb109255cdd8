// Parses scripts: numbers, null, names, `params.name`, comparisons, `&&`, `||`, `!`, `? :`, `?:`
// and the functions of Math; over documents also `_score`, `doc['field'].value`, strings and
// comparisons of vectors. Statements, loops and everything else are rejected by name: a script is
// one expression. The language [expression] has its own functions.
import type { Json, JsonObject } from '../../backend/index.js';
import { illegal, shortened } from '../values.js';
import { DocumentNames } from './document-names.js';
import {
  BIT_NOT,
  BIT_SIGNS,
  type Expression,
  FUNCTIONS,
  type InfixSign,
  MATH,
  type ScriptLanguage,
} from './expression.js';
import { type ScriptToken, tokensOf } from './tokens.js';

export interface ScriptSetting {
  readonly language: ScriptLanguage;
  /** The available names, either bare or after `params.`. */
  readonly names: readonly string[];
  /** Objects with methods, in addition to Math. */
  readonly objects?: Readonly<Record<string, readonly string[]>>;
  /** Names of windows of values, which can only be arguments of methods; each has a length. */
  readonly windows?: readonly string[];
  /** Set for a script over documents: its `params`, which are replaced by their values. */
  readonly document?: JsonObject;
}

/** The part of the parser that reads the names of documents. */
export interface TokenSource {
  readonly language: ScriptLanguage;
  peek(): ScriptToken | undefined;
  /** Consumes and returns the next sign if it is one of `wanted`. */
  take(...wanted: readonly string[]): string | undefined;
  expect(sign: string): void;
  /** Consumes the next token, which must have that type, and returns its text. */
  word(type: ScriptToken['type']): string;
  expression(): Expression;
  /** Reads arguments in parentheses, separated by commas. */
  args(read: () => Expression): readonly Expression[];
  /** `fraction`: the number is written with a fraction. */
  literal(value: Json | undefined, name: string, fraction: boolean): Expression;
  wrong(why: string): Error;
}

const MAX_LENGTH = 16_384;
const MAX_DEPTH = 100;
const STATEMENTS = ['if', 'else', 'for', 'while', 'do', 'try', 'throw', 'new', 'def', 'int'];
const MORE_STATEMENTS = ['long', 'float', 'double', 'boolean', 'String', 'function', 'import'];
const ARITHMETIC = [
  ['+', '-'],
  ['*', '/', '%'],
];
/** Signs that bind alike, the loosest first. */
const LEVELS: Readonly<Record<ScriptLanguage, readonly (readonly string[])[]>> = {
  painless: [['||'], ['&&'], ['<', '<=', '>', '>=', '==', '!='], ...ARITHMETIC],
  // As JavaScript has them.
  expression: [
    ['||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '!='],
    ['<', '<=', '>', '>='],
    ['<<', '>>', '>>>'],
    ...ARITHMETIC,
  ],
};

/** Throws illegal_argument_exception for a syntax error or an unknown name. */
export function parseScript(source: string, setting: ScriptSetting): Expression {
  return new ScriptParser(source, setting).parse();
}

class ScriptParser implements TokenSource {
  readonly #source: string;
  readonly #setting: ScriptSetting;
  readonly #tokens: readonly ScriptToken[];
  readonly #document: DocumentNames | undefined;
  #at = 0;
  #depth = 0;

  constructor(source: string, setting: ScriptSetting) {
    this.#source = source;
    this.#setting = setting;
    if (source.length > MAX_LENGTH) throw this.wrong('it is too long');
    this.#tokens = tokensOf(source, (why) => this.wrong(why));
    this.#document =
      setting.document === undefined ? undefined : new DocumentNames(this, setting.document);
  }

  get language(): ScriptLanguage {
    return this.#setting.language;
  }

  parse(): Expression {
    if (this.peek()?.text === 'return') this.#at++;
    const expression = this.expression();
    this.take(';');
    const rest = this.peek();
    if (rest !== undefined) {
      throw this.wrong(`unexpected [${rest.text}], only one expression is allowed`);
    }
    return expression;
  }

  peek(): ScriptToken | undefined {
    return this.#tokens[this.#at];
  }
  take(...wanted: readonly string[]): string | undefined {
    const token = this.peek();
    if (token?.type !== 'sign' || !wanted.includes(token.text)) return undefined;
    this.#at++;
    return token.text;
  }
  expect(sign: string): void {
    if (this.take(sign) === undefined) {
      throw this.wrong(`expected [${sign}] but found [${this.peek()?.text ?? 'the end'}]`);
    }
  }
  word(type: ScriptToken['type']): string {
    const token = this.peek();
    if (token?.type !== type) {
      throw this.wrong(`expected a ${type} but found [${token?.text ?? 'the end'}]`);
    }
    this.#at++;
    return token.text;
  }
  wrong(why: string): Error {
    return illegal(`compile error in script [${shortened(this.#source, 200)}]: ${why}`);
  }

  expression(): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.wrong('it is nested too deeply');
    const test = this.#infix(0);
    let made = test;
    if (this.take('?') !== undefined) {
      const elvis = this.#painless() && this.peek()?.text === ':';
      const yes = elvis ? test : this.expression();
      this.expect(':');
      made = { kind: 'choice', test: elvis ? isThere(test) : test, yes, no: this.expression() };
    }
    this.#depth--;
    return made;
  }

  /** In Painless, comparisons cannot be chained. */
  #infix(level: number): Expression {
    const signs = LEVELS[this.language][level];
    if (signs === undefined) return this.#unary();
    let left = this.#infix(level + 1);
    for (;;) {
      const sign = this.take(...signs);
      if (sign === undefined) return left;
      const right = this.#infix(level + 1);
      const method = BIT_SIGNS[sign];
      left =
        method === undefined
          ? { kind: 'infix', sign: sign as InfixSign, left, right }
          : { kind: 'call', object: '', method, args: [left, right] };
      if (this.#painless() && signs.includes('==')) return left;
    }
  }
  #unary(): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.wrong('it is nested too deeply');
    const made = this.#prefixed();
    this.#depth--;
    return made;
  }
  #prefixed(): Expression {
    if (!this.#painless() && this.take('~') !== undefined)
      return { kind: 'call', object: '', method: BIT_NOT, args: [this.#unary()] };
    const sign = this.take('-', '+', '!') as '-' | '+' | '!' | undefined;
    return sign === undefined ? this.#value() : { kind: 'prefix', sign, of: this.#unary() };
  }
  #value(): Expression {
    const token = this.peek();
    if (token === undefined) throw this.wrong('unexpected end');
    this.#at++;
    if (token.type === 'sign' && token.text === '(') {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (token.type === 'number') {
      const number = numberOf(token.text);
      if (Number.isFinite(number.value)) return { kind: 'number', ...number };
    }
    if (token.type === 'text' && this.#document !== undefined) {
      return { kind: 'text', value: token.text };
    }
    if (token.type === 'name') return this.#named(token.text);
    throw this.wrong(`unexpected [${token.type === 'text' ? "'" : token.text}]`);
  }

  #named(name: string): Expression {
    if (name === 'true' || name === 'false') return { kind: 'truth', value: name === 'true' };
    if (name === 'null' && this.#painless()) {
      return { kind: 'null', unknown: false, why: '[null] is no value' };
    }
    const count = !this.#painless() && Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (count !== undefined && this.peek()?.text === '(') return this.#function(name, count);
    if (name === 'Math' && this.#isConstant()) return this.#constant();
    const methods = name === 'Math' ? Object.keys(MATH) : this.#setting.objects?.[name];
    if (methods !== undefined) return this.#method(name, methods);
    if (this.#setting.windows?.includes(name) === true) return this.#length(name);
    const own = this.#document?.read(name);
    if (own !== undefined) return own;
    if (name === 'params') return this.#parameter();
    return this.#number(name);
  }
  /** Reads `.name`; a missing parameter is null. */
  #parameter(): Expression {
    this.expect('.');
    const name = this.word('name');
    const known = this.#setting.names;
    if (known.includes(name) || !this.#painless()) return this.#number(name);
    const there = `there are [${known.join(', ')}]`;
    return { kind: 'null', unknown: true, why: `unknown variable [${name}], ${there}` };
  }
  #painless(): boolean {
    return this.language === 'painless';
  }
  #function(method: string, count: number): Expression {
    const args = this.args(() => this.expression());
    if (args.length === count) return { kind: 'call', object: '', method, args };
    throw this.wrong(`[${method}] takes [${count}] arguments, got [${args.length}]`);
  }
  /** Reads the length of a window, its only numeric member. */
  #length(window: string): Expression {
    this.expect('.');
    const member = this.word('name');
    if (member !== 'length') throw this.wrong(`[${window}.${member}]: only [length] is known`);
    return { kind: 'call', object: window, method: member, args: [undefined] };
  }
  #isConstant(): boolean {
    return ['E', 'PI'].includes(this.#tokens[this.#at + 1]?.text ?? '');
  }
  #constant(): Expression {
    this.expect('.');
    return { kind: 'number', value: this.word('name') === 'E' ? Math.E : Math.PI, whole: false };
  }
  #number(name: string): Expression {
    if (this.#setting.names.includes(name)) return { kind: 'name', name };
    if (STATEMENTS.includes(name) || MORE_STATEMENTS.includes(name)) {
      throw this.wrong(`[${name}]: statements are not supported, only one expression is allowed`);
    }
    const { names } = this.#setting;
    const there = names.length === 0 ? '' : `, there are [${names.join(', ')}]`;
    throw this.wrong(`unknown variable [${name}]${there}`);
  }
  #method(object: string, methods: readonly string[]): Expression {
    this.expect('.');
    const method = this.word('name');
    if (!methods.includes(method)) {
      throw this.wrong(`unknown method [${object}.${method}], there are [${methods.join(', ')}]`);
    }
    const args = this.args(() => this.#argument());
    const count = object === 'Math' ? MATH[method] : undefined;
    if (count !== undefined && count !== args.length) {
      throw this.wrong(`[Math.${method}] takes [${count}] arguments, got [${args.length}]`);
    }
    return { kind: 'call', object, method, args };
  }
  args<T>(read: () => T): readonly T[] {
    this.expect('(');
    const args: T[] = [];
    while (this.peek()?.text !== ')') {
      if (args.length > 0) this.expect(',');
      args.push(read());
    }
    this.expect(')');
    return args;
  }
  /** Returns undefined for a window, which the method resolves. */
  #argument(): Expression | undefined {
    const name = this.peek();
    const isWindow = name?.type === 'name' && this.#setting.windows?.includes(name.text) === true;
    if (!isWindow) return this.expression();
    this.#at++;
    return undefined;
  }

  /** Converts a parameter of the request to its expression. */
  literal(value: Json | undefined, name: string, fraction: boolean): Expression {
    if (typeof value === 'string') return { kind: 'text', value };
    if (typeof value === 'boolean') return { kind: 'truth', value };
    if (typeof value === 'bigint') return { kind: 'number', value: Number(value), whole: true };
    if (typeof value === 'number') {
      return { kind: 'number', value, whole: !fraction && Number.isSafeInteger(value) };
    }
    if (this.#painless() && (value === undefined || value === null)) {
      return { kind: 'null', unknown: true, why: `unknown parameter [params.${name}]` };
    }
    throw this.wrong(`[params.${name}] must be a number, a text, true or false here`);
  }
}

/** Hexadecimal behind 0x, octal behind 0. `whole`: spelled without a fraction. */
function numberOf(text: string): { readonly value: number; readonly whole: boolean } {
  if (/^0x/i.test(text)) return { value: Number(text.replace(/l$/i, '')), whole: true };
  const whole = /^\d+[lL]?$/.test(text);
  const value = /^0[0-7]+[lL]?$/.test(text)
    ? Number.parseInt(text, 8)
    : Number(text.replace(/[dDfFlL]$/, ''));
  return { value, whole };
}

function isThere(value: Expression): Expression {
  return {
    kind: 'infix',
    sign: '!=',
    left: value,
    right: { kind: 'null', unknown: false, why: '' },
  };
}
