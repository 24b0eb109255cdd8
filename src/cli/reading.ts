// Parses flags of verbs: numbers, JSON, and positional arguments. Throws ConfigError with the
// reason.
import { ConfigError } from '../config/load.js';
import type { Flags } from './flags.js';
import { printable } from './terminal.js';

export function wholeFlag({ values }: Flags, name: string): number | undefined {
  const value = values.get(name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new ConfigError(`--${name} must be a whole number, not [${value}]`);
}

export function jsonFlag({ values }: Flags, name: string): object | undefined {
  const value = values.get(name);
  if (value === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Reported below.
  }
  throw new ConfigError(`--${name} must be a JSON object, not [${value}]`);
}

export function required({ values }: Flags, name: string): string {
  const value = values.get(name);
  if (value !== undefined) return value;
  throw new ConfigError(`--${name} is missing`);
}

/** Requires exactly `names.length` positional arguments. */
export function argumentsOf({ rest }: Flags, ...names: readonly string[]): readonly string[] {
  if (rest.length === names.length) return rest;
  if (names.length === 0)
    throw new ConfigError(`unexpected argument [${rest[0]}], flags look like --json`);
  const found =
    rest.length < names.length
      ? `[${names[rest.length]}] is missing`
      : `[${rest[names.length]}] is one too many`;
  throw new ConfigError(`expected ${names.join(' ')}: ${found}`);
}

/**
 * Aligns columns to their longest cells, except the last column; line breaks in cells become
 * spaces.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const flat = [head, ...rows].map((cells) => cells.map(cellText));
  const widths = head.map((_, i) =>
    flat.reduce((most, cells) => Math.max(most, cells[i]?.length ?? 0), 0),
  );
  return flat.map((cells) =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function cellText(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' '));
}

/** Truncates a text to one line of a terminal. */
export function short(text: string, most = 100): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
