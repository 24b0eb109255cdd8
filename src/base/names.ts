// Characters that no name may contain (indexes, aliases, templates, repositories and their
// locations, snapshots, keys, scripts): control characters, which could forge lines in logs and
// tables, and lone surrogates, which UTF-8 cannot represent.
import { QuarryError } from '../errors.js';

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/**
 * The problem, as the rest of a sentence that starts with the name; undefined if the name is valid.
 */
export function unprintable(name: string): string | undefined {
  const found = UNPRINTABLE.exec(name);
  if (found === null) return undefined;
  const code = found[0].charCodeAt(0);
  const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `must not contain control characters or halves of surrogate pairs, it has ${shown} at position ${found.index}`;
}

/** Throws illegal_argument_exception; `what` is the kind of name in the message. */
export function checkPrintable(name: string, what: string): void {
  const why = unprintable(name);
  if (why === undefined) return;
  throw new QuarryError('illegal_argument_exception', `${what} [${name}] ${why}`);
}
