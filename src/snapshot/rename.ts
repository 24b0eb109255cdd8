// New names by a regular expression, as a restore asks for them. The expression is the caller's: the core matches it in time
// linear to the name, and counts the steps of all names of a restore.
import type { IndexCopies } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { illegal } from './refusals.js';

const MAX_PATTERN = 1000;
/** For all names of a restore: some 10 ms. A pattern of a few groups takes hundreds of steps for a name. */
const MAX_STEPS = 2_000_000;

/** Java's replacement: `$1`, `${name}`, `\$`; every match is replaced. Refuses a pattern that is none. */
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
