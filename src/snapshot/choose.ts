// Resolves an expression of names, patterns and exclusions (`a*,-ab`) against a list; the result is
// in the order of the list.
import { isPattern, patternMatcher } from '../base/wildcard.js';

/**
 * `missing` is called with every plain name that the list lacks, and may throw. No tokens, `_all`
 * and `*` select everything.
 */
export function choose(
  names: readonly string[],
  tokens: readonly string[],
  missing: (name: string) => void,
): readonly string[] {
  const chosen = new Set<string>(tokens.length === 0 ? names : []);
  for (const [i, token] of tokens.entries()) {
    const excludes = token.startsWith('-') && (i > 0 || isPattern(token));
    const pattern = excludes ? token.slice(1) : token === '_all' ? '*' : token;
    if (i === 0 && excludes) for (const name of names) chosen.add(name);
    if (!isPattern(pattern) && !names.includes(pattern)) {
      missing(pattern);
      continue;
    }
    const matches = patternMatcher(pattern);
    for (const name of names.filter(matches)) {
      if (excludes) chosen.delete(name);
      else chosen.add(name);
    }
  }
  return names.filter((name) => chosen.has(name));
}
