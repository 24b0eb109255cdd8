// A row of the tables of index settings: when the setting may change, and which values are valid.
import { parseSize, parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';

/** A leaf of the settings tree. All values are strings, as GET _settings prints them. */
export type SettingValue = string | readonly string[];

/**
 * final: at creation only. static: at creation and while closed. dynamic: always.
 * internal: managed by the server; ignored at creation, so that the output of GET can be used, and
 * an error in an update.
 * dropped: accepted and not stored; shard allocation, which does not apply to a single node.
 */
export type Scope = 'final' | 'static' | 'dynamic' | 'internal' | 'dropped';

export interface SettingRow {
  readonly scope: Scope;
  /** Throws illegal_argument_exception for an invalid value. */
  readonly check: (key: string, value: SettingValue) => void;
}

type Check = SettingRow['check'];

function bad(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

function single(key: string, value: SettingValue): string {
  if (typeof value === 'string') return value;
  throw bad(`Failed to parse value [${value.join(', ')}] for setting [${key}], expected one value`);
}

export function integer(min: number, max = 2 ** 31 - 1): Check {
  return (key, value) => {
    const text = single(key, value);
    const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(number)) throw bad(`Failed to parse value [${text}] for setting [${key}]`);
    if (number < min) {
      throw bad(`Failed to parse value [${text}] for setting [${key}] must be >= ${min}`);
    }
    if (number > max) {
      throw bad(`Failed to parse value [${text}] for setting [${key}] must be <= ${max}`);
    }
  };
}

export function number(min: number): Check {
  return (key, value) => {
    const text = single(key, value);
    const read = /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (read >= min) return;
    throw bad(`Failed to parse value [${text}] for setting [${key}] must be a number >= ${min}`);
  };
}

/** A size: a number with a unit. */
export const bytes: Check = (key, value) => void parseSize(single(key, value), key);

export const boolean: Check = (key, value) => {
  const text = single(key, value);
  if (text === 'true' || text === 'false') return;
  throw bad(
    `Failed to parse value [${text}] for setting [${key}] as only [true] or [false] are allowed.`,
  );
};

export function time(min: number): Check {
  return (key, value) => {
    const text = single(key, value);
    if (parseTime(text, key) < min) {
      throw bad(`failed to parse value [${text}] for setting [${key}], must be >= [${min}]`);
    }
  };
}

export function choice(...choices: readonly string[]): Check {
  return (key, value) => {
    const text = single(key, value);
    if (choices.includes(text.toLowerCase())) return;
    throw bad(
      `unknown value [${text}] for setting [${key}] must be one of [${choices.join(', ')}]`,
    );
  };
}

/** The only value that is supported; `remedy` completes the refusal of others. */
export function only(value: string, remedy: string): Check {
  return (key, given) => {
    const text = single(key, given);
    if (text === value) return;
    throw bad(`value [${text}] for setting [${key}] is not supported, only [${value}]: ${remedy}`);
  };
}

/** Automatic expansion of replicas: a range, or off. */
export const replicaRange: Check = (key, value) => {
  const text = single(key, value);
  if (text === 'false' || /^\d+-(\d+|all)$/.test(text)) return;
  throw bad(`failed to parse [${key}] from value: [${text}], expected a range such as [0-1]`);
};

const anything: Check = () => {};

export function row(scope: Scope, check: Check = anything): SettingRow {
  return { scope, check };
}
