// Runs scripts over named numbers, which pipeline aggregations have. There is one type of number: 7
// / 2 is 3.5. Null can be compared and returned, but not used as an operand.

import { illegal, shortened } from '../values.js';
import type { Expression, InfixSign } from './expression.js';
import { parseScript, type ScriptSetting } from './parser.js';

export type Values = Readonly<Record<string, number>>;
export type Result = number | boolean | null;
type Run = (values: Values) => Result;

export interface CalledSetting extends ScriptSetting {
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
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  atan2: Math.atan2,
  cos: Math.cos,
  cosh: Math.cosh,
  sin: Math.sin,
  sinh: Math.sinh,
  tan: Math.tan,
  tanh: Math.tanh,
};

/** Functions of the language [expression] that differ from those of Math. */
const FUNCTIONS: Readonly<Record<string, (...args: number[]) => number>> = {
  acosh: Math.acosh,
  asinh: Math.asinh,
  atanh: Math.atanh,
  haversin,
  ln: Math.log,
  logn: (base, value) => Math.log(value ?? Number.NaN) / Math.log(base ?? Number.NaN),
  bit_and: (a = 0, b = 0) => Number(toLong(a) & toLong(b)),
  bit_or: (a = 0, b = 0) => Number(toLong(a) | toLong(b)),
  bit_xor: (a = 0, b = 0) => Number(toLong(a) ^ toLong(b)),
  bit_not: (a = 0) => Number(~toLong(a)),
  shift_left: (a = 0, by = 0) => Number(BigInt.asIntN(64, toLong(a) << places(by))),
  shift_right: (a = 0, by = 0) => Number(toLong(a) >> places(by)),
  shift_right_unsigned: (a = 0, by = 0) =>
    Number(BigInt.asIntN(64, BigInt.asUintN(64, toLong(a)) >> places(by))),
};

/** As Java casts a number to 64 bits. */
function toLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
  if (value >= Number(most)) return most;
  return value <= Number(least) ? least : BigInt(Math.trunc(value));
}
/** To shift by: the low six bits of a number of 32. */
function places(by: number): bigint {
  const most = 2 ** 31 - 1;
  const whole = Number.isNaN(by) ? 0 : Math.trunc(Math.min(Math.max(by, -most - 1), most));
  return BigInt(whole & 63);
}

/** The distance of two points on the globe in kilometres; latitude comes before longitude. */
function haversin(...places: number[]): number {
  const [fromLat = 0, fromLon = 0, toLat = 0, toLon = 0] = places.map((p) => (p * Math.PI) / 180);
  const h =
    (1 - Math.cos(toLat - fromLat)) / 2 +
    (Math.cos(fromLat) * Math.cos(toLat) * (1 - Math.cos(toLon - fromLon))) / 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}
const EARTH_RADIUS_KM = 6371.0087714;

/** Operations of an expression. It runs once for every bucket, and its calls may be nested. */
const MAX_OPERATIONS = 1000;

export interface Script {
  readonly run: Run;
  /**
   * The number of operations in the expression, the maximum for one run, not counting the functions
   * it calls.
   */
  readonly operations: number;
}

/** Throws illegal_argument_exception for a syntax error or an unknown name. */
export function compile(source: string, setting: CalledSetting): Script {
  const expression = parseScript(source, setting);
  const operations = operationsOf(expression);
  if (operations > MAX_OPERATIONS) {
    throw illegal(
      `a script of a pipeline has [${operations}] operations, more than [${MAX_OPERATIONS}]: write a shorter one`,
    );
  }
  return { run: runner(expression, { setting, source }), operations };
}

function operationsOf(expression: Expression): number {
  let count = 0;
  const left = [expression];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    count += 1;
    left.push(...partsOf(one));
  }
  return count;
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'prefix':
      return [expression.of];
    case 'infix':
      return [expression.left, expression.right];
    case 'choice':
      return [expression.test, expression.yes, expression.no];
    case 'call':
      return expression.args.filter((arg) => arg !== undefined);
    default:
      return [];
  }
}

/** The context in which a script is compiled. */
interface Making {
  readonly setting: CalledSetting;
  readonly source: string;
}

function runner(expression: Expression, making: Making): Run {
  switch (expression.kind) {
    case 'number':
    case 'truth':
      return () => expression.value;
    case 'null':
      if (expression.unknown) throw wrong(making, 'compile', expression.why);
      return () => null;
    case 'name':
      return (values) => values[expression.name] ?? Number.NaN;
    case 'prefix':
      return prefixed(expression.sign, runner(expression.of, making), making);
    case 'infix': {
      const { sign, left, right } = expression;
      const compares = sign === '==' || sign === '!=';
      const operand = (one: Expression): Run =>
        compares && one.kind === 'null' ? () => null : runner(one, making);
      return infixed(sign, operand(left), operand(right), making);
    }
    case 'choice': {
      const [test, yes, no] = [expression.test, expression.yes, expression.no].map((part) =>
        runner(part, making),
      );
      return (values) => {
        const chosen = truth(test?.(values) ?? null, making) ? yes : no;
        return chosen?.(values) ?? null;
      };
    }
    case 'call':
      return called(expression, making);
    // The other kinds only occur in scripts over documents.
    default:
      throw new Error(`[${expression.kind}] has no value outside documents`);
  }
}

function called(expression: Extract<Expression, { kind: 'call' }>, making: Making): Run {
  const { object, method } = expression;
  const { setting } = making;
  const args = expression.args.map((arg) => (arg === undefined ? undefined : runner(arg, making)));
  const own = object === 'Math' ? MATH[method] : (FUNCTIONS[method] ?? MATH[method]);
  return (values) => {
    const given = args.map((arg) => arg?.(values));
    if (object === 'Math' || object === '') {
      return own?.(...given.map((arg) => numberOf(arg ?? null, making))) ?? Number.NaN;
    }
    return setting.call?.(object, method, given) ?? Number.NaN;
  };
}

function numberOf(value: Result, making: Making): number {
  return value === null ? refuseNull(making) : Number(value);
}
function truth(value: Result, making: Making): boolean {
  if (value === null) return refuseNull(making);
  return value === true || (typeof value === 'number' && value !== 0 && !Number.isNaN(value));
}
function refuseNull(making: Making): never {
  throw wrong(making, 'runtime', '[null] is no number, compare it with [== null] or return it');
}
function wrong({ source }: Making, when: 'compile' | 'runtime', why: string): Error {
  return illegal(`${when} error in script [${shortened(source, 200)}]: ${why}`);
}

function infixed(sign: InfixSign, left: Run, right: Run, making: Making): Run {
  if (sign === '&&') return (values) => truth(left(values), making) && truth(right(values), making);
  if (sign === '||') return (values) => truth(left(values), making) || truth(right(values), making);
  return (values) => {
    const [a, b] = [left(values), right(values)];
    if ((sign === '==' || sign === '!=') && (a === null || b === null)) {
      return (a === b) === (sign === '==');
    }
    return combine(sign, numberOf(a, making), numberOf(b, making));
  };
}

function combine(sign: Exclude<InfixSign, '&&' | '||'>, a: number, b: number): Result {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
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
    case '!=':
      return a !== b;
  }
}

function prefixed(sign: string, value: Run, making: Making): Run {
  if (sign === '!') return (values) => !truth(value(values), making);
  return (values) => (sign === '-' ? -1 : 1) * numberOf(value(values), making);
}
