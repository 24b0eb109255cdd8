// Chooses the corrections of a word from a dictionary as Lucene's DirectSpellChecker does, with
// counts added up over all shards.

import {
  editLikeness,
  length,
  measureOf,
  STRING_DISTANCES,
  type StringDistance,
} from './distances.js';
import type { SuggestOptions } from './options.js';

export interface SpellChecker {
  /**
   * missing: only words that are in no document are corrected; popular: only more frequent words
   * are suggested.
   */
  readonly mode: 'missing' | 'popular' | 'always';
  readonly accuracy: number;
  readonly sort: 'score' | 'frequency';
  readonly distance: StringDistance;
  readonly maxEdits: number;
  readonly maxInspections: number;
  /** A number of documents from 1 on, a share of them below 1. */
  readonly maxTermFreq: number;
  readonly prefixLength: number;
  readonly minWordLength: number;
  readonly minDocFreq: number;
}

/** A term of the dictionary similar to a word. */
export interface Candidate {
  readonly term: string;
  /** The edit distance; 0: the word itself. */
  readonly edits: number;
  readonly documents: number;
}

export interface SpelledWord {
  readonly term: string;
  readonly score: number;
  readonly documents: number;
}

/** The maximum number of candidates for one word that are read from a dictionary. */
export const MOST_CANDIDATES = 10_000;

export const DEFAULT_CHECKER: SpellChecker = {
  mode: 'missing',
  accuracy: 0.5,
  sort: 'score',
  distance: 'internal',
  maxEdits: 2,
  maxInspections: 5,
  maxTermFreq: Math.fround(0.01),
  prefixLength: 1,
  minWordLength: 4,
  minDocFreq: 0,
};

const atLeast = (least: number) => (value: number) =>
  value < least ? `must be at least ${least}` : undefined;
const share = (value: number): string | undefined =>
  value < 0 || value > 1 ? 'must be between 0 and 1' : undefined;
const shareOrCount = (value: number): string | undefined => {
  if (value < 0) return 'must not be negative';
  return value > 1 && !Number.isInteger(value)
    ? 'must not be a fraction where it is greater than 1'
    : undefined;
};
const edits = (value: number): string | undefined =>
  value === 1 || value === 2 ? undefined : 'must be 1 or 2';

/** The options that the term suggester and direct generators share. */
export function readSpellChecker(options: SuggestOptions): SpellChecker {
  return {
    mode: options.choice('suggest_mode', ['missing', 'popular', 'always']) ?? DEFAULT_CHECKER.mode,
    accuracy: options.checkedFloat('accuracy', share) ?? DEFAULT_CHECKER.accuracy,
    sort: options.choice('sort', ['score', 'frequency']) ?? DEFAULT_CHECKER.sort,
    distance: options.choice('string_distance', STRING_DISTANCES) ?? DEFAULT_CHECKER.distance,
    maxEdits: options.checkedFloat('max_edits', edits) ?? DEFAULT_CHECKER.maxEdits,
    maxInspections: options.integer('max_inspections') ?? DEFAULT_CHECKER.maxInspections,
    maxTermFreq: options.checkedFloat('max_term_freq', shareOrCount) ?? DEFAULT_CHECKER.maxTermFreq,
    prefixLength: options.integer('prefix_length') ?? DEFAULT_CHECKER.prefixLength,
    minWordLength:
      options.checkedFloat('min_word_length', atLeast(1)) ?? DEFAULT_CHECKER.minWordLength,
    minDocFreq: options.checkedFloat('min_doc_freq', shareOrCount) ?? DEFAULT_CHECKER.minDocFreq,
  };
}

/** Shorter words are never corrected. */
export function isCorrected(word: string, { minWordLength }: SpellChecker): boolean {
  return length(word) >= minWordLength;
}

/**
 * Returns the best `most` of `candidates` for `word`, best first. `documents` is the number of
 * documents in the whole index.
 */
export function spell(
  word: string,
  candidates: readonly Candidate[],
  documents: number,
  checker: SpellChecker,
  most: number,
): readonly SpelledWord[] {
  if (!isCorrected(word, checker)) return [];
  const frequency = candidates.find(({ edits: count }) => count === 0)?.documents ?? 0;
  if (checker.mode === 'missing' && frequency > 0) return [];
  const { maxTermFreq } = checker;
  const limit = maxTermFreq >= 1 ? maxTermFreq : Math.ceil(Math.fround(maxTermFreq * documents));
  if (frequency > limit) return [];
  const least = leastDocuments(checker, checker.mode === 'popular' ? frequency : 0, documents);
  const rated = candidates
    .filter((one) => one.edits > 0 && one.documents > least)
    .map(({ term, edits: count, documents: inDocuments }) => ({
      term,
      edits: count,
      documents: inDocuments,
      score: likeness(word, term, count, checker.distance),
    }))
    .filter(({ score }) => score >= checker.accuracy);
  const found = inspected(word, rated, checker, most * checker.maxInspections);
  return found.sort(orderOf(checker.sort)).slice(0, most);
}

/** A suggestion must be in more documents than this. */
function leastDocuments(
  { minDocFreq }: SpellChecker,
  frequency: number,
  documents: number,
): number {
  if (minDocFreq >= 1) return Math.max(frequency, Math.trunc(minDocFreq));
  if (minDocFreq === 0) return frequency;
  return Math.max(frequency, Math.trunc(Math.fround(minDocFreq * documents)) - 1);
}

function likeness(word: string, term: string, count: number, distance: StringDistance): number {
  return measureOf(distance)?.(word, term) ?? editLikeness(count, word, term);
}

type Rated = Candidate & SpelledWord;

/**
 * Takes candidates with one edit first. Those with two edits need the same first character and are
 * used only if there is room left.
 */
function inspected(
  word: string,
  rated: readonly Rated[],
  { maxEdits }: SpellChecker,
  room: number,
): SpelledWord[] {
  const near = best(
    rated.filter((one) => one.edits === 1),
    room,
  );
  if (maxEdits < 2 || near.length >= room) return [...near];
  const first = word.codePointAt(0);
  const far = best(
    rated.filter(({ term }) => term.codePointAt(0) === first),
    room,
  );
  return [...new Set([...near, ...far])];
}

function best(rated: readonly Rated[], room: number): readonly Rated[] {
  return [...rated]
    .sort((a, b) => b.score - a.score || compareTerms(a.term, b.term))
    .slice(0, room);
}

export function orderOf(sort: SpellChecker['sort']): (a: SpelledWord, b: SpelledWord) => number {
  const byScore = (a: SpelledWord, b: SpelledWord): number => b.score - a.score;
  const byFrequency = (a: SpelledWord, b: SpelledWord): number => b.documents - a.documents;
  const [first, second] = sort === 'score' ? [byScore, byFrequency] : [byFrequency, byScore];
  return (a, b) => first(a, b) || second(a, b) || (a.term < b.term ? -1 : 1);
}

/** Compares by UTF-8 bytes, the order of the dictionaries. */
export function compareTerms(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return utf8Order(one) - utf8Order(other);
  }
  return Math.sign(a.length - b.length);
}

/** The halves of characters beyond 16 bits follow all other characters. */
function utf8Order(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
