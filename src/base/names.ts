// What no name may hold, wherever one enters (indexes, aliases, templates, repositories and their locations, snapshots, keys,
// scripts): control characters, which forge lines of logs and tables, and halves of surrogate pairs, which are no text and
// become another name in UTF-8.
import { QuarryError } from '../errors.js';

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** The end of a sentence that begins with the name; undefined for a name that can be printed and stored. */
export function unprintable(name: string): string | undefined {
  const found = UNPRINTABLE.exec(name);
  if (found === null) return undefined;
  const code = found[0].charCodeAt(0);
  const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `must not contain control characters or halves of surrogate pairs, it has ${shown} at position ${found.index}`;
}

/** illegal_argument_exception; `what`: how the message calls it. */
export function checkPrintable(name: string, what: string): void {
  const why = unprintable(name);
  if (why === undefined) return;
  throw new QuarryError('illegal_argument_exception', `${what} [${name}] ${why}`);
}
