// The arithmetic of scripts: numbers, names, `params.name`, comparisons, `&&`, `||`, `!`, `? :` and the functions of Math.
// Statements, loops and everything else are refused by name: a script here is one expression.
import { illegal, shortened } from '../values.js';

export type Values = Readonly<Record<string, number>>;
type Result = number | boolean;
type Expression = (values: Values) => Result;

export interface ScriptSetting {
  /** What may be named, bare or behind `params.`. */
  readonly names: readonly string[];
  /** Objects with methods, beside Math. */
  readonly objects?: Readonly<Record<string, readonly string[]>>;
  /** Names that are no numbers, only arguments of methods. */
  readonly windows?: readonly string[];
  readonly call?: (object: string, method: string, args: readonly (Result | undefined)[]) => number;
}

const MATH: Readonly<Record<string, (...args: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  exp: Math.exp,
  floor: Math.floor,
  log: Math.log,
  log10: Math.log10,
  max: Math.max,
  min: Math.min,
  pow: Math.pow,
  round: Math.round,
  signum: Math.sign,
  sqrt: Math.sqrt,
};

const MAX_LENGTH = 16_384;
const MAX_DEPTH = 100;
const TOKEN =
  /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?[dDfFlL]?|\.\d+)|([A-Za-z_][\w]*)|(<=|>=|==|!=|&&|\|\||[-+*/%<>!?:(),.])|(\S))/gy;

/** illegal_argument_exception for what is no such expression, or names what is not there. */
export function compile(source: string, setting: ScriptSetting): Expression {
  return new ScriptParser(source, setting).parse();
}

class ScriptParser {
  readonly #source: string;
  readonly #setting: ScriptSetting;
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(source: string, setting: ScriptSetting) {
    this.#source = source;
    this.#setting = setting;
    if (source.length > MAX_LENGTH) throw this.#wrong('it is too long');
    this.#tokens = this.#split();
  }

  parse(): Expression {
    if (this.#peek() === 'return') this.#at++;
    const expression = this.#choice();
    if (this.#peek() === ';') this.#at++;
    const rest = this.#peek();
    if (rest !== undefined)
      throw this.#wrong(`unexpected [${rest}], only one expression is allowed`);
    return expression;
  }

  #split(): readonly string[] {
    const tokens: string[] = [];
    for (const match of this.#source.trimEnd().matchAll(TOKEN)) {
      const [, number, name, sign, other] = match;
      if (other !== undefined && other !== ';') throw this.#wrong(`unexpected [${other}]`);
      tokens.push(number ?? name ?? sign ?? other ?? '');
    }
    return tokens;
  }
  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }
  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#peek();
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#at++;
    return token;
  }
  #expect(token: string): void {
    if (this.#take(token) === undefined) {
      throw this.#wrong(`expected [${token}] but found [${this.#peek() ?? 'the end'}]`);
    }
  }
  #wrong(why: string): Error {
    return illegal(`compile error in script [${shortened(this.#source, 200)}]: ${why}`);
  }

  #choice(): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.#wrong('it is nested too deeply');
    const test = this.#either();
    let made = test;
    if (this.#take('?') !== undefined) {
      const yes = this.#choice();
      this.#expect(':');
      const no = this.#choice();
      made = (values) => (truth(test(values)) ? yes(values) : no(values));
    }
    this.#depth--;
    return made;
  }
  #either(): Expression {
    let left = this.#both();
    while (this.#take('||') !== undefined) {
      const [before, right] = [left, this.#both()];
      left = (values) => truth(before(values)) || truth(right(values));
    }
    return left;
  }
  #both(): Expression {
    let left = this.#comparison();
    while (this.#take('&&') !== undefined) {
      const [before, right] = [left, this.#comparison()];
      left = (values) => truth(before(values)) && truth(right(values));
    }
    return left;
  }
  #comparison(): Expression {
    const left = this.#sum();
    const sign = this.#take('<', '<=', '>', '>=', '==', '!=');
    if (sign === undefined) return left;
    const right = this.#sum();
    return (values) => compare(sign, Number(left(values)), Number(right(values)));
  }
  #sum(): Expression {
    let left = this.#product();
    for (let sign = this.#take('+', '-'); sign !== undefined; sign = this.#take('+', '-')) {
      const [before, right, plus] = [left, this.#product(), sign === '+'];
      left = (values) => Number(before(values)) + (plus ? 1 : -1) * Number(right(values));
    }
    return left;
  }
  #product(): Expression {
    let left = this.#unary();
    for (
      let sign = this.#take('*', '/', '%');
      sign !== undefined;
      sign = this.#take('*', '/', '%')
    ) {
      const [before, right, by] = [left, this.#unary(), sign];
      left = (values) => multiply(by, Number(before(values)), Number(right(values)));
    }
    return left;
  }
  #unary(): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.#wrong('it is nested too deeply');
    const sign = this.#take('-', '+', '!');
    const made = sign === undefined ? this.#value() : prefixed(sign, this.#unary());
    this.#depth--;
    return made;
  }
  #value(): Expression {
    const token = this.#peek();
    if (token === undefined) throw this.#wrong('unexpected end');
    this.#at++;
    if (token === '(') {
      const inner = this.#choice();
      this.#expect(')');
      return inner;
    }
    if (/^[\d.]/.test(token)) {
      const number = Number(token.replace(/[dDfFlL]$/, ''));
      if (Number.isFinite(number)) return () => number;
    }
    if (token === 'true' || token === 'false') return () => token === 'true';
    if (/^[A-Za-z_]/.test(token)) return this.#named(token);
    throw this.#wrong(`unexpected [${token}]`);
  }

  #named(name: string): Expression {
    const methods = name === 'Math' ? Object.keys(MATH) : this.#setting.objects?.[name];
    if (methods !== undefined) return this.#method(name, methods);
    if (name === 'params') {
      this.#expect('.');
      return this.#number(this.#tokens[this.#at++] ?? 'the end');
    }
    return this.#number(name);
  }
  #number(name: string): Expression {
    if (!this.#setting.names.includes(name)) {
      throw this.#wrong(
        `unknown variable [${name}], there are [${this.#setting.names.join(', ')}]`,
      );
    }
    return (values) => values[name] ?? Number.NaN;
  }
  #method(object: string, methods: readonly string[]): Expression {
    this.#expect('.');
    const method = this.#tokens[this.#at++] ?? 'the end';
    if (!methods.includes(method)) {
      throw this.#wrong(`unknown method [${object}.${method}], there are [${methods.join(', ')}]`);
    }
    this.#expect('(');
    const args: (Expression | undefined)[] = [];
    while (this.#peek() !== ')') {
      if (args.length > 0) this.#expect(',');
      args.push(this.#argument());
    }
    this.#expect(')');
    const call = this.#setting.call;
    return (values) => {
      const given = args.map((arg) => arg?.(values));
      if (object === 'Math') return MATH[method]?.(...given.map(Number)) ?? Number.NaN;
      return call?.(object, method, given) ?? Number.NaN;
    };
  }
  /** Undefined: a window, which the method knows. */
  #argument(): Expression | undefined {
    const window = this.#take(...(this.#setting.windows ?? []));
    return window === undefined ? this.#choice() : undefined;
  }
}

function truth(value: Result): boolean {
  return value === true || (typeof value === 'number' && value !== 0 && !Number.isNaN(value));
}

function compare(sign: string, a: number, b: number): boolean {
  switch (sign) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '==':
      return a === b;
    default:
      return a !== b;
  }
}

function multiply(sign: string, a: number, b: number): number {
  if (sign === '*') return a * b;
  return sign === '/' ? a / b : a % b;
}

function prefixed(sign: string, value: Expression): Expression {
  if (sign === '!') return (values) => !truth(value(values));
  return (values) => (sign === '-' ? -1 : 1) * Number(value(values));
}
