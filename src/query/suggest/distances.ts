// The similarity of two words, from 0 to 1 (equal), in 32-bit floats: the measures of Lucene's
// spell checkers.
import { editDistance } from '../../base/similar-names.js';

export const STRING_DISTANCES = [
  'internal',
  'damerau_levenshtein',
  'levenshtein',
  'jaro_winkler',
  'ngram',
] as const;
export type StringDistance = (typeof STRING_DISTANCES)[number];

type Measure = (a: string, b: string) => number;

/**
 * Returns undefined for `internal`, which is computed from the edits that the dictionary search
 * found.
 */
export function measureOf(distance: StringDistance): Measure | undefined {
  switch (distance) {
    case 'internal':
      return undefined;
    case 'damerau_levenshtein':
      return damerau;
    case 'levenshtein':
      return levenshtein;
    case 'jaro_winkler':
      return jaroWinkler;
    case 'ngram':
      return bigrams;
  }
}

/**
 * The similarity of words with an edit distance of `edits`, in which a swap of adjacent characters
 * counts as one edit.
 */
export function editLikeness(edits: number, a: string, b: string): number {
  return complement(edits, Math.min(length(a), length(b)));
}

/** The length in code points. */
export function length(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function complement(edits: number, of: number): number {
  return Math.fround(1 - Math.fround(edits / of));
}

function damerau(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  return complement(editDistance(from, to, true), Math.min(from.length, to.length));
}

function levenshtein(a: string, b: string): number {
  return complement(editDistance(a, b), Math.max(a.length, b.length));
}

/** Only words with at least this similarity get a bonus for a common prefix. */
const WINKLER_FROM = 0.7;

function jaroWinkler(a: string, b: string): number {
  const [longer, shorter] = a.length > b.length ? [a, b] : [b, a];
  const matched = matches(longer, shorter);
  const count = matched.length;
  if (count === 0) return 0;
  const inOrder = [...matched].sort((one, other) => one.long - other.long);
  let moved = 0;
  for (const [i, { short }] of matched.entries()) {
    if (shorter[short] !== longer[inOrder[i]?.long ?? 0]) moved++;
  }
  const share = Math.fround(count / a.length) + Math.fround(count / b.length);
  const whole = Math.fround(share) + Math.fround((count - Math.trunc(moved / 2)) / count);
  const jaro = Math.fround(Math.fround(whole) / 3);
  if (jaro < WINKLER_FROM) return jaro;
  let prefix = 0;
  while (prefix < shorter.length && a[prefix] === b[prefix]) prefix++;
  const weight = Math.min(Math.fround(0.1), Math.fround(1 / longer.length));
  return Math.fround(jaro + Math.fround(Math.fround(weight * prefix) * Math.fround(1 - jaro)));
}

/**
 * Pairs characters of the shorter word with equal characters of the longer one within a limited
 * distance.
 */
function matches(
  longer: string,
  shorter: string,
): readonly { readonly short: number; readonly long: number }[] {
  const range = Math.max(Math.trunc(longer.length / 2) - 1, 0);
  const taken = new Set<number>();
  const found: { short: number; long: number }[] = [];
  for (let short = 0; short < shorter.length; short++) {
    const end = Math.min(short + range + 1, longer.length);
    for (let long = Math.max(short - range, 0); long < end; long++) {
      if (taken.has(long) || shorter[short] !== longer[long]) continue;
      taken.add(long);
      found.push({ short, long });
      break;
    }
  }
  return found;
}

/** Padding before the first character. */
const START = '\0';

/** Kondrak's n-gram distance (SPIRE 2005) with n = 2. */
function bigrams(a: string, b: string): number {
  const most = Math.max(a.length, b.length);
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  if (a.length < 2 || b.length < 2) {
    return a[0] === b[0] ? Math.fround(1 / most) : 0;
  }
  const [from, to] = [START + a, START + b];
  let previous = Array.from({ length: a.length + 1 }, (_, i) => i);
  for (let j = 1; j <= b.length; j++) {
    const current = [j];
    for (let i = 1; i <= a.length; i++) {
      const step = pairCost(from, i - 1, to, j - 1);
      const aside = Math.min((current[i - 1] ?? 0) + 1, (previous[i] ?? 0) + 1);
      current.push(Math.fround(Math.min(aside, (previous[i - 1] ?? 0) + step)));
    }
    previous = current;
  }
  return complement(previous[a.length] ?? 0, most);
}

/** The share of differing characters in two bigrams, not counting common padding. */
function pairCost(from: string, at: number, to: string, other: number): number {
  let cost = 0;
  let characters = 2;
  for (let k = 0; k < 2; k++) {
    if (from[at + k] !== to[other + k]) cost++;
    else if (from[at + k] === START) characters--;
  }
  return Math.fround(cost / characters);
}
