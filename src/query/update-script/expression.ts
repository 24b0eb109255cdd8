// Compiles expressions of update scripts from tokens to functions: literals, lists `[a, b]` and
// maps `['a': b]`, chains of names and calls, arithmetic, comparisons, `instanceof`, `&&`, `||`,
// `!`, `? :`, `?:`.
import { illegal, shortened } from '../values.js';
import { apply, type Operator } from './arithmetic.js';
import { parseChain, parseSteps, unnamed } from './chain.js';
import type { Scope } from './scope.js';
import { stepsOfTokens } from './steps.js';
import type { Surroundings } from './surroundings.js';
import type { Tokens } from './tokens.js';
import {
  isStoredObject,
  kindOf,
  type ScriptValue,
  type Stored,
  type StoredObject,
  setMember,
} from './values.js';

export type Expression = (around: Surroundings) => ScriptValue;

/** From the lowest precedence to the highest; operators of one row have the same precedence. */
const BINARY: readonly (readonly string[])[] = [
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

const COMPARISONS = 1;

const TYPES: Readonly<Record<string, (value: ScriptValue) => boolean>> = {
  String: (value) => typeof value === 'string',
  List: Array.isArray,
  ArrayList: Array.isArray,
  Collection: Array.isArray,
  Map: isStoredObject,
  HashMap: isStoredObject,
  Boolean: (value) => typeof value === 'boolean',
  Number: (value) => typeof value === 'bigint' || typeof value === 'number',
  Integer: (value) => typeof value === 'bigint' && BigInt.asIntN(32, value) === value,
  Long: (value) => typeof value === 'bigint' && BigInt.asIntN(32, value) !== value,
  Double: (value) => typeof value === 'number',
};

/** Parses an expression whose evaluation spends the steps of its tokens. */
export function parseWeighed(tokens: Tokens, scope: Scope): Expression {
  const [expression, length] = tokens.measured(() => parseExpression(tokens, scope));
  const steps = stepsOfTokens(length);
  if (steps === 0) return expression;
  return (around) => {
    around.spend(steps);
    return expression(around);
  };
}

export function parseExpression(tokens: Tokens, scope: Scope): Expression {
  return tokens.nested(() => {
    const condition = parseEither(tokens, scope);
    if (tokens.take('?:')) {
      const other = parseExpression(tokens, scope);
      return (around) => condition(around) ?? other(around);
    }
    if (!tokens.take('?')) return condition;
    const yes = parseExpression(tokens, scope);
    tokens.expect(':');
    const no = parseExpression(tokens, scope);
    return (around) => (truth(condition(around)) ? yes(around) : no(around));
  });
}

function parseEither(tokens: Tokens, scope: Scope): Expression {
  let left = parseBoth(tokens, scope);
  while (tokens.take('||')) {
    const a = left;
    const b = parseBoth(tokens, scope);
    left = (around) => truth(a(around)) || truth(b(around));
  }
  return left;
}

function parseBoth(tokens: Tokens, scope: Scope): Expression {
  let left = parseBinary(tokens, scope, 0);
  while (tokens.take('&&')) {
    const a = left;
    const b = parseBinary(tokens, scope, 0);
    left = (around) => truth(a(around)) && truth(b(around));
  }
  return left;
}

function parseBinary(tokens: Tokens, scope: Scope, level: number): Expression {
  const operators = BINARY[level];
  if (operators === undefined) return parseUnary(tokens, scope);
  let left = parseBinary(tokens, scope, level + 1);
  for (;;) {
    if (level === COMPARISONS && tokens.word('instanceof')) {
      left = isOfType(left, tokens);
      continue;
    }
    const operator = operators.find((sign) => tokens.take(sign));
    if (operator === undefined) return left;
    const a = left;
    const b = parseBinary(tokens, scope, level + 1);
    left = (around) => joined(operator as Operator, a(around), b(around), around);
  }
}

/** Applies the operator and spends the steps of a string that it makes. */
export function joined(
  operator: Operator,
  a: ScriptValue,
  b: ScriptValue,
  around: Surroundings,
): ScriptValue {
  const result = apply(operator, a, b, (x, y) => around.same(x, y));
  if (typeof result === 'string') around.spendText(result.length);
  return result;
}

function parseUnary(tokens: Tokens, scope: Scope): Expression {
  if (tokens.take('!')) {
    const value = tokens.nested(() => parseUnary(tokens, scope));
    return (around) => !truth(value(around));
  }
  if (tokens.take('-')) {
    const value = tokens.nested(() => parseUnary(tokens, scope));
    return (around) => joined('-', 0n, value(around), around);
  }
  return parsePrimary(tokens, scope);
}

function parsePrimary(tokens: Tokens, scope: Scope): Expression {
  return parseSteps(tokens, scope, parseStart(tokens, scope)).read;
}

function parseStart(tokens: Tokens, scope: Scope) {
  if (tokens.take('(')) {
    const inner = parseExpression(tokens, scope);
    tokens.expect(')');
    return unnamed(inner);
  }
  if (tokens.take('[')) return unnamed(parseLiteral(tokens, scope));
  if (tokens.word('new')) return unnamed(parseNew(tokens, scope));
  const literal = tokens.literal();
  if (literal !== undefined) return unnamed(() => literal.value);
  return parseChain(tokens, scope);
}

/** Parses `[a, b]`, `['a': b]` or `[:]` after the bracket. */
function parseLiteral(tokens: Tokens, scope: Scope): Expression {
  if (tokens.take(':')) {
    tokens.expect(']');
    return () => ({});
  }
  const items: Expression[] = [];
  const members: (readonly [Expression, Expression])[] = [];
  while (!tokens.take(']')) {
    if (items.length + members.length > 0) tokens.expect(',');
    const item = parseExpression(tokens, scope);
    if (members.length === 0 && !tokens.at(':')) items.push(item);
    else if (items.length === 0) {
      tokens.expect(':');
      members.push([item, parseExpression(tokens, scope)]);
    } else throw tokens.wrong('a list and a map in one pair of brackets');
  }
  if (members.length > 0) return (around) => mapOf(members, around);
  return (around) => items.map((item): Stored => around.kept(item(around)));
}

function mapOf(
  members: readonly (readonly [Expression, Expression])[],
  around: Surroundings,
): StoredObject {
  const map: StoredObject = {};
  for (const [key, value] of members) {
    const name = key(around);
    if (typeof name !== 'string') throw illegal('a map needs texts as its keys');
    setMember(map, name, around.kept(value(around)));
  }
  return map;
}

/** Parses `new ArrayList()` or `new HashMap(other)` after the keyword. */
function parseNew(tokens: Tokens, scope: Scope): Expression {
  const type = tokens.expectName();
  if (type !== 'ArrayList' && type !== 'HashMap') {
    throw tokens.wrong(`[new ${type}] is not supported`);
  }
  tokens.expect('(');
  const from = tokens.at(')') ? undefined : parseExpression(tokens, scope);
  tokens.expect(')');
  return (around) => {
    const given = from?.(around) ?? (type === 'ArrayList' ? [] : {});
    if (Array.isArray(given) && type === 'ArrayList') {
      around.spend(given.length);
      return [...given];
    }
    if (isStoredObject(given) && type === 'HashMap') {
      around.spend(Object.keys(given).length);
      return { ...given };
    }
    throw illegal(`[new ${type}] cannot be made of a value of type [${kindOf(given)}]`);
  };
}

function isOfType(value: Expression, tokens: Tokens): Expression {
  const type = tokens.expectName();
  const test = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (test === undefined) throw tokens.wrong(`[instanceof ${type}] is not supported`);
  return (around) => test(value(around));
}

export function noMember(name: ScriptValue, at: ScriptValue): Error {
  const shown = typeof name === 'object' ? kindOf(name) : shortened(String(name), 100);
  return illegal(`script cannot access [${shown}] of a value of type [${kindOf(at)}]`);
}

export function truth(value: ScriptValue): boolean {
  if (typeof value === 'boolean') return value;
  throw illegal(`script needs a boolean, found a value of type [${kindOf(value)}]`);
}
