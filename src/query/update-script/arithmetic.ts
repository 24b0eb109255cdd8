// The operators of update scripts: the quotient of whole numbers is a whole number, a fraction on
// either side converts both to fractions, + joins strings.
import { illegal } from '../values.js';
import { kindOf, numberText, type ScriptValue } from './values.js';

export type Operator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=';

/** `same` compares values that are not two numbers. */
export function apply(
  operator: Operator,
  a: ScriptValue,
  b: ScriptValue,
  same: (a: ScriptValue, b: ScriptValue) => boolean,
): ScriptValue {
  switch (operator) {
    case '==':
      return equal(a, b, same);
    case '!=':
      return !equal(a, b, same);
    case '+':
      if (typeof a === 'string' || typeof b === 'string') return textOf(a) + textOf(b);
      return calculate(operator, a, b);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, a, b);
    default:
      return calculate(operator, a, b);
  }
}

function isNumber(value: ScriptValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

function equal(a: ScriptValue, b: ScriptValue, same: Parameters<typeof apply>[3]): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: 1 and 1.0 are equal, as in Painless
  if (isNumber(a) && isNumber(b)) return a == b;
  return same(a, b);
}

function compare(operator: Operator, a: ScriptValue, b: ScriptValue): boolean {
  if (!isNumber(a) || !isNumber(b)) throw unfit(operator, a, b);
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    default:
      return a >= b;
  }
}

function calculate(operator: Operator, a: ScriptValue, b: ScriptValue): ScriptValue {
  if (!isNumber(a) || !isNumber(b)) throw unfit(operator, a, b);
  if (typeof a === 'bigint' && typeof b === 'bigint') return whole(operator, a, b);
  return fraction(operator, Number(a), Number(b));
}

function whole(operator: Operator, a: bigint, b: bigint): bigint {
  if ((operator === '/' || operator === '%') && b === 0n) throw illegal('script divides by zero');
  switch (operator) {
    case '+':
      return BigInt.asIntN(64, a + b);
    case '-':
      return BigInt.asIntN(64, a - b);
    case '*':
      return BigInt.asIntN(64, a * b);
    case '/':
      return a / b;
    default:
      return a % b;
  }
}

function fraction(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return a % b;
  }
}

export function textOf(value: ScriptValue): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'object' && value !== null) {
    throw illegal(`script cannot join a text and a value of type [${kindOf(value)}]`);
  }
  return String(value);
}

function unfit(operator: Operator, a: ScriptValue, b: ScriptValue): Error {
  return illegal(
    `script cannot apply [${operator}] operation to types [${kindOf(a)}] and [${kindOf(b)}]`,
  );
}
