// Matching of lists of alias names, patterns and exclusions, as read by `_alias` and
// `_cat/aliases`.
import { isPattern, wildcardMatch } from '../../base/wildcard.js';

/** Plain names that were neither found nor excluded, sorted. */
export function missingOf(
  patterns: readonly string[],
  found: ReadonlySet<string>,
): readonly string[] {
  return patterns.filter((_, i) => isMissing(patterns, i, found)).sort();
}

/**
 * Whether the i-th pattern is a plain name that was neither found nor excluded by a later pattern.
 */
function isMissing(patterns: readonly string[], i: number, found: ReadonlySet<string>): boolean {
  const name = patterns[i] ?? '';
  const wildcard = firstWildcard(patterns);
  if (isPattern(name) || (i > wildcard && name.startsWith('-')) || found.has(name)) return false;
  const later = patterns.slice(Math.max(i + 1, wildcard));
  return !later.some((other) => other.startsWith('-') && wildcardMatch(other.slice(1), name));
}

/**
 * Index of the first wildcard pattern. A leading `-` excludes after it, and is part of the name
 * before it.
 */
function firstWildcard(patterns: readonly string[]): number {
  const at = patterns.findIndex(isPattern);
  return at < 0 ? patterns.length : at;
}

/**
 * Whether the patterns, exclusions included, select the alias. Adds the patterns that match to
 * `found`.
 */
export function selected(patterns: readonly string[], alias: string, found: Set<string>): boolean {
  let inside = false;
  const wildcard = firstWildcard(patterns);
  for (const [i, pattern] of patterns.entries()) {
    const excludes = i >= wildcard && pattern.startsWith('-');
    if (!wildcardMatch(excludes ? pattern.slice(1) : pattern, alias)) continue;
    inside = !excludes;
    if (!excludes) found.add(pattern);
  }
  return inside;
}
