// The specification of a configuration key, and helpers to write one.

export type ConfigValue = string | number | boolean;

export interface KeySpec<T extends ConfigValue = ConfigValue> {
  readonly type: T extends string ? 'string' : T extends number ? 'integer' : 'boolean';
  readonly default: T;
  /** For integers only; both limits are inclusive. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  /** For strings only: the permitted values. */
  readonly choices?: readonly string[];
  /** For strings only: a comma-separated list, which may be empty or given as a YAML list. */
  readonly list?: true;
  /** For strings only: may be empty, which means none. */
  readonly optional?: true;
  /** Never printed or logged. */
  readonly secret?: true;
  /** True if SIGHUP applies a new value, false if a restart is necessary. */
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

/** A threshold in milliseconds; -1 disables it. An index setting takes precedence. */
export function slowQuery(value: number, level: string): KeySpec<number> {
  const about = `searches that take at least this long are logged at level ${level}, -1 for none`;
  return integer(value, about, { min: -1, max: 86_400_000, unit: 'ms', reloadable: true });
}

export const MAX_INT = Number.MAX_SAFE_INTEGER;
export const MAX_INT32 = 2 ** 31 - 1;
