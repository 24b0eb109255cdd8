// Matches names with patterns in which `*` stands for any sequence of characters.

export function isPattern(text: string): boolean {
  return text.includes('*');
}

/**
 * A predicate for `pattern`; its time is linear in the length of the name for any number of stars.
 */
export function patternMatcher(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return (name) => name === pattern;
  const last = parts.at(-1) ?? '';
  const inner = parts.slice(1, -1).filter((part) => part !== '');
  return (name) => {
    if (name.length < first.length + last.length) return false;
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let at = first.length;
    for (const part of inner) {
      const found = name.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** Like `patternMatcher`, for a single comparison. */
export function wildcardMatch(pattern: string, name: string): boolean {
  return patternMatcher(pattern)(name);
}
