// Renames indexes of a restore by a regular expression of the caller. The core matches it in time
// linear in the name, and counts the steps over all names of a restore.
import type { IndexCopies } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { illegal } from './refusals.js';

const MAX_PATTERN = 1000;
/**
 * Limit for all names of a restore, about 10 ms. A pattern with a few groups takes hundreds of
 * steps per name.
 */
const MAX_STEPS = 2_000_000;

/**
 * Replaces every match with a replacement in Java's syntax: `$1`, `${name}`, `\$`. Rejects an
 * invalid pattern.
 */
export function renamer(
  pattern: string,
  replacement: string,
  rename: IndexCopies['rename'],
): (name: string) => string {
  if (pattern.length > MAX_PATTERN) {
    throw illegal(`[rename_pattern] is longer than ${MAX_PATTERN} characters`);
  }
  let left = MAX_STEPS;
  const renamed = (name: string): string => {
    try {
      const done = rename(pattern, replacement, name, left);
      left -= done.steps;
      return done.name;
    } catch (error) {
      throw error instanceof QuarryError ? refusal(error.message) : error;
    }
  };
  renamed('');
  return renamed;
}

function refusal(reason: string): QuarryError {
  const type = reason.startsWith('Invalid regular expression')
    ? 'pattern_syntax_exception'
    : 'illegal_argument_exception';
  return new QuarryError(type, `[rename_pattern] ${reason}`);
}
