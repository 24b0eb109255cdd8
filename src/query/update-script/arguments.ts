// Arguments of calls in update scripts, with conversions to the types that methods need.
import { illegal } from '../values.js';
import { kindOf, type ScriptValue, type Stored } from './values.js';

/** `value -> …`, with one parameter. */
export type Lambda = (value: ScriptValue) => ScriptValue;
export type Argument = ScriptValue | Lambda;

export function place(value: Argument | undefined, length: number): number {
  if (typeof value !== 'bigint') throw illegal('script needs a whole number as a place');
  const at = Number(value);
  if (at < 0 || at >= length) throw outside(at, length);
  return at;
}

export function outside(at: number, length: number): Error {
  return illegal(`script: place [${at}] is out of bounds for length [${length}]`);
}

export function plain(value: Argument | undefined): ScriptValue {
  if (typeof value === 'function') throw illegal('script needs a value, found [->]');
  return value ?? null;
}

export function text(value: Argument | undefined): string {
  if (typeof value === 'string') return value;
  throw illegal(`script needs a text, found a value of type [${kindOf(plain(value))}]`);
}

export function field(value: Argument | undefined, method: string): string {
  if (typeof value === 'string') return value;
  throw illegal(`[${method}] needs the name of a field`);
}

export function list(value: Argument | undefined): Stored[] {
  if (Array.isArray(value)) return value;
  throw illegal(`script needs a list, found a value of type [${kindOf(plain(value))}]`);
}

export function whole(value: bigint | number): bigint {
  if (typeof value === 'bigint') return value;
  if (!Number.isFinite(value)) throw illegal(`script result [${value}] is not a finite number`);
  return BigInt(Math.trunc(value));
}
