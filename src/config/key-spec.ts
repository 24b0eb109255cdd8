// What is said of a configuration key, and short ways of saying it.

export type ConfigValue = string | number | boolean;

export interface KeySpec<T extends ConfigValue = ConfigValue> {
  readonly type: T extends string ? 'string' : T extends number ? 'integer' : 'boolean';
  readonly default: T;
  /** Integers only, both inclusive. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  /** Strings only: the closed list of values. */
  readonly choices?: readonly string[];
  /** Strings only: values between commas, none at all or a YAML list. */
  readonly list?: true;
  /** Strings only: may be empty, which means none. */
  readonly optional?: true;
  /** Never printed or logged. */
  readonly secret?: true;
  /** True: SIGHUP applies a new value. False: a restart does. */
  readonly reloadable: boolean;
  readonly about: string;
}

interface IntegerOptions {
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
  readonly reloadable?: boolean;
}

export const MIB = 1024 * 1024;

export function text(value: string, about: string, choices?: readonly string[]): KeySpec<string> {
  const list = choices === undefined ? {} : { choices };
  return { type: 'string', default: value, reloadable: choices !== undefined, about, ...list };
}

export function optional(about: string, more: Partial<KeySpec<string>> = {}): KeySpec<string> {
  return { type: 'string', default: '', reloadable: false, optional: true, about, ...more };
}

export function list(about: string): KeySpec<string> {
  return { type: 'string', default: '', reloadable: false, list: true, about };
}

export function integer(value: number, about: string, options: IntegerOptions): KeySpec<number> {
  return { type: 'integer', default: value, reloadable: false, about, ...options };
}

export function flag(value: boolean, about: string): KeySpec<boolean> {
  return { type: 'boolean', default: value, reloadable: false, about };
}

/** Milliseconds; -1: no search is that slow. An index setting of its own comes first. */
export function slowQuery(value: number, level: string): KeySpec<number> {
  const about = `searches that take so long are logged at level ${level}, -1 for none`;
  return integer(value, about, { min: -1, max: 86_400_000, unit: 'ms', reloadable: true });
}

export const MAX_INT = Number.MAX_SAFE_INTEGER;
export const MAX_INT32 = 2 ** 31 - 1;
