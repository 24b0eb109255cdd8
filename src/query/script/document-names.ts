// The names in scripts over documents: `_score`, `doc['field']`, `params`, and additional
// functions.
import type { Json, JsonObject } from '../../backend/index.js';
import { isSpelledDouble } from '../../base/spelled-doubles.js';
import { isArray } from '../values.js';
import {
  DATE_METHODS,
  DATE_PARTS,
  type Expression,
  REDUCTIONS,
  VECTOR_METHODS,
  type VectorMethod,
} from './expression.js';
import type { TokenSource } from './parser.js';

const MAX_VECTOR = 4096;
/** The functions and their numbers of arguments. */
const FUNCTIONS: Readonly<Record<string, number>> = { saturation: 2, sigmoid: 3 };
const ZERO: Expression = { kind: 'number', value: 0, whole: true };

export class DocumentNames {
  readonly #tokens: TokenSource;
  readonly #params: JsonObject;

  constructor(tokens: TokenSource, params: JsonObject) {
    this.#tokens = tokens;
    this.#params = params;
  }

  /** Returns undefined if the name does not refer to the document. */
  read(name: string): Expression | undefined {
    if (name === 'doc') return this.#doc();
    if (name === 'params') {
      const key = this.#key();
      const fraction = isSpelledDouble(this.#params, key);
      const value = this.#tokens.literal(this.#param(key), key, fraction);
      const next = this.#tokens.peek()?.text;
      if (value.kind === 'null' && (next === '.' || next === '['))
        throw this.#tokens.wrong(value.why);
      return value;
    }
    if (this.#tokens.language === 'expression') return this.#bareParameter(name);
    const method = VECTOR_METHODS.find((known) => known === name);
    if (method !== undefined) return this.#vector(method);
    const count = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    return count === undefined ? undefined : this.#function(name, count);
  }

  /**
   * In the language [expression], parameters may be named without `params`; it has no other names
   * for documents.
   */
  #bareParameter(name: string): Expression | undefined {
    const value = this.#param(name);
    return value === undefined ? undefined : this.#tokens.literal(value, name, true);
  }

  /** Reads `.key` or `['key']`. */
  #key(): string {
    if (this.#tokens.take('.') !== undefined) return this.#tokens.word('name');
    this.#tokens.expect('[');
    const key = this.#tokens.word('text');
    this.#tokens.expect(']');
    return key;
  }
  #param(key: string): Json | undefined {
    return Object.hasOwn(this.#params, key) ? this.#params[key] : undefined;
  }
  #field(): string {
    this.#tokens.expect('[');
    const token = this.#tokens.peek();
    const field = token?.type === 'name' ? this.#namedField() : this.#tokens.word('text');
    this.#tokens.expect(']');
    return field;
  }
  /** Reads `doc[params.field]`. */
  #namedField(): string {
    const name = this.#tokens.word('name');
    const value = name === 'params' ? this.#param(this.#key()) : undefined;
    if (typeof value === 'string') return value;
    throw this.#tokens.wrong(`doc[…] needs the name of a field, found [${name}]`);
  }

  #doc(): Expression {
    const field = this.#field();
    if (this.#tokens.language === 'expression') return this.#member(field);
    this.#tokens.expect('.');
    const what = this.#tokens.word('name');
    if (what === 'value') return this.#value(field);
    const size: Expression = { kind: 'doc', field, what: 'size' };
    if (what === 'length') return size;
    if (what === 'empty') return { kind: 'infix', sign: '==', left: size, right: ZERO };
    if (what === 'size' || what === 'isEmpty') {
      this.#parentheses();
      return what === 'size' ? size : { kind: 'infix', sign: '==', left: size, right: ZERO };
    }
    throw this.#tokens.wrong(
      `unknown [doc['${field}'].${what}], there are [value, size(), empty, length]`,
    );
  }
  /**
   * For the language [expression]: reads the number after `doc['field']`; without a member it is
   * the value.
   */
  #member(field: string): Expression {
    if (this.#tokens.take('.') === undefined) return { kind: 'doc', field, what: 'value' };
    const { what, called } = this.#memberName();
    if (what === 'date') return this.#datePart(field);
    const method = called && Object.hasOwn(DATE_METHODS, called) ? DATE_METHODS[called] : undefined;
    if (method !== undefined) return { kind: 'date', field, part: method };
    const size: Expression = { kind: 'doc', field, what: 'size' };
    const reduction = REDUCTIONS.find((known) => known === called);
    if (reduction !== undefined) return { kind: 'doc', field, what: reduction };
    switch (what) {
      case 'value':
      case 'getValue()':
        return { kind: 'doc', field, what: 'value' };
      case 'length':
      case 'size()':
      case 'count()':
        return size;
      case 'empty':
      case 'isEmpty()':
        return { kind: 'infix', sign: '==', left: size, right: ZERO };
      default:
        throw this.#tokens.wrong(unknownMember(field, what));
    }
  }
  /** `what`: with its parentheses, if it is called; then `called` is the name alone. */
  #memberName(): { readonly what: string; readonly called: string | undefined } {
    const name = this.#tokens.word('name');
    if (this.#tokens.peek()?.text !== '(') return { what: name, called: undefined };
    this.#parentheses();
    return { what: `${name}()`, called: name };
  }
  /** `.year` or `.getYear()` behind the date. */
  #datePart(field: string): Expression {
    this.#tokens.expect('.');
    const { what, called } = this.#memberName();
    const name = called?.startsWith('get')
      ? `${called.charAt(3).toLowerCase()}${called.slice(4)}`
      : what;
    const part = DATE_PARTS.find((known) => known === name && known !== 'month');
    if (part !== undefined) return { kind: 'date', field, part };
    const there = DATE_PARTS.filter((known) => known !== 'month').join(', ');
    throw this.#tokens.wrong(`unknown [doc['${field}'].date.${what}], there are [${there}]`);
  }
  /** A date is a number of milliseconds, with or without a method call. */
  #value(field: string): Expression {
    const value: Expression = { kind: 'doc', field, what: 'value' };
    if (this.#tokens.take('.') === undefined) return value;
    const method = this.#tokens.word('name');
    if (method === 'millis') return value;
    if (method !== 'getMillis' && method !== 'toInstant') {
      throw this.#tokens.wrong(
        `unknown method [${method}] of a value, there are [toInstant().toEpochMilli(), getMillis()]`,
      );
    }
    this.#parentheses();
    if (method === 'getMillis') return value;
    this.#tokens.expect('.');
    const next = this.#tokens.word('name');
    if (next !== 'toEpochMilli') throw this.#tokens.wrong(`unknown method [${next}] of an instant`);
    this.#parentheses();
    return value;
  }
  #parentheses(): void {
    this.#tokens.expect('(');
    this.#tokens.expect(')');
  }

  #function(method: string, count: number): Expression {
    const args: Expression[] = [];
    this.#tokens.expect('(');
    while (args.length < count) {
      if (args.length > 0) this.#tokens.expect(',');
      args.push(this.#tokens.expression());
    }
    this.#tokens.expect(')');
    return { kind: 'call', object: '', method, args };
  }

  /** Reads `cosineSimilarity(params.vector, 'field')`. */
  #vector(method: VectorMethod): Expression {
    this.#tokens.expect('(');
    if (this.#tokens.word('name') !== 'params') {
      throw this.#tokens.wrong(`[${method}] needs a vector of the params first`);
    }
    const key = this.#key();
    const vector = this.#numbers(key, this.#param(key));
    this.#tokens.expect(',');
    const field = this.#vectorField();
    this.#tokens.expect(')');
    return { kind: 'vector', method, field, vector };
  }
  #vectorField(): string {
    const token = this.#tokens.peek();
    if (token?.type !== 'name') return this.#tokens.word('text');
    const name = this.#tokens.word('name');
    if (name !== 'doc') throw this.#tokens.wrong(`expected the name of a field, found [${name}]`);
    return this.#field();
  }
  #numbers(key: string, value: Json | undefined): readonly number[] {
    if (!isArray(value) || value.length === 0 || value.length > MAX_VECTOR) {
      throw this.#tokens.wrong(`[params.${key}] must be a vector of 1 to ${MAX_VECTOR} numbers`);
    }
    return value.map((item) => {
      const number = typeof item === 'bigint' ? Number(item) : item;
      if (typeof number === 'number' && Number.isFinite(Math.fround(number))) return number;
      throw this.#tokens.wrong(`[params.${key}] holds something else than 32-bit numbers`);
    });
  }
}

function unknownMember(field: string, what: string): string {
  const named = `[doc['${field}'].${what}]`;
  if (['lat', 'lon', 'getLat()', 'getLon()'].includes(what)) {
    return `${named} is not supported: geo points have no numeric values, keep latitude and longitude in fields of their own`;
  }
  const called = ['getValue', 'isEmpty', 'size', 'count', ...REDUCTIONS];
  const members = ['value', 'empty', 'length', 'date', ...called.map((name) => `${name}()`)];
  const methods = Object.keys(DATE_METHODS).map((name) => `${name}()`);
  return `unknown ${named}, there are [${[...members, ...methods].join(', ')}]`;
}
