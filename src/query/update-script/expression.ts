// Expressions of update scripts, from tokens to functions: literals, `ctx._source…`, `ctx._id` and its like, `params…`,
// arithmetic, comparisons, `&&`, `||`, `!`, `? :`.
import { illegal } from '../values.js';
import { apply, type Operator } from './arithmetic.js';
import type { Tokens } from './tokens.js';
import {
  fromStored,
  isStoredObject,
  kindOf,
  memberOf,
  type ScriptValue,
  type Stored,
  type StoredObject,
} from './values.js';

/** What a script works on. */
export interface Surroundings {
  readonly source: StoredObject;
  readonly params: StoredObject;
  /** `_id`, `_index`, `_version`, `_routing`, `_now`. */
  readonly meta: Readonly<Record<string, ScriptValue>>;
  op: string;
}

export type Expression = (around: Surroundings) => ScriptValue;

export const META = ['_id', '_index', '_version', '_routing', '_now'];

/** Loosest first; operators of one row bind alike. */
const BINARY: readonly (readonly string[])[] = [
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

export function parseExpression(tokens: Tokens): Expression {
  return tokens.nested(() => {
    const condition = parseEither(tokens);
    if (!tokens.take('?')) return condition;
    const yes = parseExpression(tokens);
    tokens.expect(':');
    const no = parseExpression(tokens);
    return (around) => (truth(condition(around)) ? yes(around) : no(around));
  });
}

function parseEither(tokens: Tokens): Expression {
  let left = parseBoth(tokens);
  while (tokens.take('||')) {
    const a = left;
    const b = parseBoth(tokens);
    left = (around) => truth(a(around)) || truth(b(around));
  }
  return left;
}

function parseBoth(tokens: Tokens): Expression {
  let left = parseBinary(tokens, 0);
  while (tokens.take('&&')) {
    const a = left;
    const b = parseBinary(tokens, 0);
    left = (around) => truth(a(around)) && truth(b(around));
  }
  return left;
}

function parseBinary(tokens: Tokens, level: number): Expression {
  const operators = BINARY[level];
  if (operators === undefined) return parseUnary(tokens);
  let left = parseBinary(tokens, level + 1);
  for (;;) {
    const operator = operators.find((sign) => tokens.take(sign));
    if (operator === undefined) return left;
    const a = left;
    const b = parseBinary(tokens, level + 1);
    left = (around) => apply(operator as Operator, a(around), b(around));
  }
}

function parseUnary(tokens: Tokens): Expression {
  if (tokens.take('!')) {
    const value = tokens.nested(() => parseUnary(tokens));
    return (around) => !truth(value(around));
  }
  if (tokens.take('-')) {
    const value = tokens.nested(() => parseUnary(tokens));
    return (around) => apply('-', 0n, value(around));
  }
  return parsePrimary(tokens);
}

function parsePrimary(tokens: Tokens): Expression {
  if (tokens.take('(')) {
    const inner = parseExpression(tokens);
    tokens.expect(')');
    return inner;
  }
  const literal = tokens.literal();
  if (literal !== undefined) return () => literal.value;
  const name = tokens.name();
  if (name === 'params') {
    const path = parsePath(tokens);
    if (path.length === 0) throw tokens.wrong('[params] needs the name of a parameter');
    return ({ params }) => read(params, path);
  }
  if (name !== 'ctx') throw tokens.wrong(`unexpected [${name ?? tokens.shown()}]`);
  const [first, ...path] = parsePath(tokens);
  if (first === '_source') return ({ source }) => read(source, path);
  if (first !== undefined && META.includes(first) && path.length === 0) {
    return ({ meta }) => meta[first] ?? null;
  }
  if (first === 'op' && path.length === 0) return ({ op }) => op;
  throw tokens.wrong(`[ctx.${first ?? ''}] is not supported, use [ctx._source] or [ctx.op]`);
}

/** `.name` and `['name']`, as many as follow; a method's name is refused. */
export function parsePath(tokens: Tokens): readonly string[] {
  const path: string[] = [];
  for (;;) {
    const step = tokens.step();
    if (step === undefined) return path;
    if (tokens.at('(')) throw tokens.wrong(`method [${step}] is not supported`);
    path.push(step);
  }
}

/** Null where the last step leads nowhere. */
export function read(from: StoredObject, path: readonly string[]): ScriptValue {
  let at: Stored | undefined = from;
  for (const step of path) {
    if (!isStoredObject(at)) throw noMember(step, at);
    at = memberOf(at, step);
  }
  return fromStored(at);
}

export function noMember(step: string, at: Stored | undefined): Error {
  return illegal(`script cannot access [${step}] of a value of type [${kindOf(fromStored(at))}]`);
}

function truth(value: ScriptValue): boolean {
  if (typeof value === 'boolean') return value;
  throw illegal(`script needs a boolean, found a value of type [${kindOf(value)}]`);
}
