// Scripts over numbers by name, run here: those of pipeline aggregations. Numbers are all alike: 7 / 2 is 3.5.

import { illegal } from '../values.js';
import type { Expression, InfixSign } from './expression.js';
import { parseScript, type ScriptSetting } from './parser.js';

export type Values = Readonly<Record<string, number>>;
export type Result = number | boolean;
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
};

/** Parts of an expression: it is run for every bucket, a call within a call for each of them at worst. */
const MAX_OPERATIONS = 1000;

export interface Script {
  readonly run: Run;
  /** Parts of the expression: what a run does at most, but for what is called. */
  readonly operations: number;
}

/** illegal_argument_exception for what is no such expression, or names what is not there. */
export function compile(source: string, setting: CalledSetting): Script {
  const expression = parseScript(source, setting);
  const operations = operationsOf(expression);
  if (operations > MAX_OPERATIONS) {
    throw illegal(
      `a script of a pipeline has [${operations}] operations, more than [${MAX_OPERATIONS}]: write a shorter one`,
    );
  }
  return { run: runner(expression, setting), operations };
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

function runner(expression: Expression, setting: CalledSetting): Run {
  switch (expression.kind) {
    case 'number':
    case 'truth':
      return () => expression.value;
    case 'name':
      return (values) => values[expression.name] ?? Number.NaN;
    case 'prefix':
      return prefixed(expression.sign, runner(expression.of, setting));
    case 'infix':
      return infixed(
        expression.sign,
        runner(expression.left, setting),
        runner(expression.right, setting),
      );
    case 'choice': {
      const [test, yes, no] = [expression.test, expression.yes, expression.no].map((part) =>
        runner(part, setting),
      );
      return (values) => (truth(test?.(values)) ? yes : no)?.(values) ?? Number.NaN;
    }
    case 'call':
      return called(expression, setting);
    // Only scripts over documents have the others.
    default:
      throw new Error(`[${expression.kind}] has no value outside documents`);
  }
}

function called(expression: Extract<Expression, { kind: 'call' }>, setting: CalledSetting): Run {
  const { object, method } = expression;
  const args = expression.args.map((arg) => (arg === undefined ? undefined : runner(arg, setting)));
  return (values) => {
    const given = args.map((arg) => arg?.(values));
    if (object === 'Math') return MATH[method]?.(...given.map(Number)) ?? Number.NaN;
    return setting.call?.(object, method, given) ?? Number.NaN;
  };
}

function truth(value: Result | undefined): boolean {
  return value === true || (typeof value === 'number' && value !== 0 && !Number.isNaN(value));
}

function infixed(sign: InfixSign, left: Run, right: Run): Run {
  if (sign === '&&') return (values) => truth(left(values)) && truth(right(values));
  if (sign === '||') return (values) => truth(left(values)) || truth(right(values));
  return (values) => combine(sign, Number(left(values)), Number(right(values)));
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

function prefixed(sign: string, value: Run): Run {
  if (sign === '!') return (values) => !truth(value(values));
  return (values) => (sign === '-' ? -1 : 1) * Number(value(values));
}
