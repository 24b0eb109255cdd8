// The static functions of `Math` and other classes in update scripts.
import { illegal, shortened } from '../values.js';
import { type Argument, list, plain, text, whole } from './arguments.js';
import { textOf } from './arithmetic.js';
import { callMethod, checkCount } from './methods.js';
import type { Surroundings } from './surroundings.js';
import { kindOf, type ScriptValue } from './values.js';

type NamedFunction = (args: readonly Argument[], around: Surroundings) => ScriptValue;

const FUNCTIONS: Readonly<
  Record<string, readonly [counts: readonly number[], run: NamedFunction]>
> = {
  'Math.abs': [[1], ([a]) => (number(a) < 0 ? negated(number(a)) : number(a))],
  'Math.max': [[2], ([a, b]) => (number(a) > number(b) ? number(a) : number(b))],
  'Math.min': [[2], ([a, b]) => (number(a) < number(b) ? number(a) : number(b))],
  'Math.floor': [[1], ([a]) => Math.floor(Number(number(a)))],
  'Math.ceil': [[1], ([a]) => Math.ceil(Number(number(a)))],
  'Math.round': [[1], ([a]) => whole(Math.floor(Number(number(a)) + 0.5))],
  'Math.pow': [[2], ([a, b]) => Number(number(a)) ** Number(number(b))],
  'Math.sqrt': [[1], ([a]) => Math.sqrt(Number(number(a)))],
  'Integer.parseInt': [[1], ([a]) => parsed(text(a))],
  'Long.parseLong': [[1], ([a]) => parsed(text(a))],
  'Double.parseDouble': [[1], ([a]) => fraction(text(a))],
  'String.join': [
    [2],
    ([by, parts], around) => callMethod(list(parts), 'join', [by ?? null], around),
  ],
  'String.valueOf': [[1], ([a]) => textOf(plain(a))],
};

/** Returns a function such as `Math.abs`; undefined if there is none of that name. */
export function functionOf(name: string): NamedFunction | undefined {
  const row = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (row === undefined) return undefined;
  return (args, around) => {
    checkCount(name, row[0], args);
    return row[1](args, around);
  };
}

function number(value: Argument | undefined): bigint | number {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  throw illegal(`script needs a number, found a value of type [${kindOf(plain(value))}]`);
}

function negated(value: bigint | number): bigint | number {
  return typeof value === 'bigint' ? -value : -value;
}

function parsed(value: string): bigint {
  if (/^[+-]?\d{1,19}$/.test(value)) return BigInt(value.replace('+', ''));
  throw illegal(`For input string: "${shortened(value, 100)}"`);
}

function fraction(value: string): number {
  const result = value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isFinite(result)) return result;
  throw illegal(`For input string: "${shortened(value, 100)}"`);
}
