// New names by a regular expression, as a restore asks for them. The expression is the caller's: it runs with a time
// limit, because one like (a+)+$ can take for ever.
import { runInNewContext } from 'node:vm';
import { QuarryError } from '../errors.js';
import { illegal } from './refusals.js';

const MOST_MS = 250;
const MAX_PATTERN = 1000;

/** Java's replacement: `$1`, `${name}`, `\$`; every match is replaced. Refuses a pattern that is none. */
export function renamer(pattern: string, replacement: string): (name: string) => string {
  if (pattern.length > MAX_PATTERN) {
    throw illegal(`[rename_pattern] is longer than ${MAX_PATTERN} characters`);
  }
  const expression = compile(pattern);
  const template = toTemplate(replacement);
  return (name) => {
    try {
      const context = { name, expression, template };
      const code = 'name.replace(expression, template)';
      return String(runInNewContext(code, context, { timeout: MOST_MS }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw illegal(`[rename_pattern] [${pattern}] takes too long on [${name}], simplify it`);
    }
  };
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'gu');
  } catch (error) {
    throw new QuarryError(
      'pattern_syntax_exception',
      `[rename_pattern] ${(error as Error).message}`,
    );
  }
}

/** From Java's spelling to that of String.replace. */
function toTemplate(replacement: string): string {
  return replacement.replace(
    /\\(.)|\$\{([^}]*)\}|\$(\d)|\$/gsu,
    (_all: string, escaped?: string, name?: string, digit?: string) => {
      if (escaped !== undefined) return escaped === '$' ? '$$' : escaped;
      if (name !== undefined) return `$<${name}>`;
      if (digit === undefined) return '$$';
      return digit === '0' ? '$&' : `$${digit}`;
    },
  );
}
