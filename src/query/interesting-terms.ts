// Selects the terms that `more_like_this` looks for as Lucene's MoreLikeThis does: those with the
// best tf*idf, which are rare in the index and frequent in the examples. Equal scores are decided by
// the order in which Java's HashMap yields the words and by the heap that keeps the best, so that
// the same terms are selected as by Elasticsearch.
import type { TermSelection } from './more-like-this.js';

/** The words of the examples with their frequencies, in the order of their first occurrence. */
export type WordCounts = ReadonlyMap<string, number>;

/** The field in which the word is most frequent, and the number of documents there. */
export interface WordDocuments {
  readonly field: string;
  readonly documents: number;
}

export interface InterestingTerm {
  readonly field: string;
  readonly term: string;
  /** A 32-bit float. */
  readonly score: number;
}

/** Whether the word is too short, too long or a stop word. */
export function isNoise(
  word: string,
  { minWordLength, maxWordLength, stopWords }: TermSelection,
): boolean {
  if (minWordLength > 0 && word.length < minWordLength) return true;
  if (maxWordLength > 0 && word.length > maxWordLength) return true;
  return stopWords.has(word);
}

/** The words that are frequent enough in the examples, in the order of Java's HashMap. */
export function frequentWords(
  words: WordCounts,
  { minTermFreq }: TermSelection,
): readonly string[] {
  const frequent = [...words].flatMap(([word, count]) => (count >= minTermFreq ? [word] : []));
  return inHashOrder(frequent, words.size);
}

/**
 * The selected terms, the one with the least score first. `frequent`: the frequentWords() of
 * `words`; `documentsOf`: by word; `documents`: the number of live documents.
 */
export function interestingTerms(
  frequent: readonly string[],
  words: WordCounts,
  documentsOf: ReadonlyMap<string, WordDocuments>,
  documents: number,
  selection: TermSelection,
): readonly InterestingTerm[] {
  const best = new BestTerms(Math.min(selection.maxQueryTerms, words.size));
  for (const word of frequent) {
    const { field, documents: having } = documentsOf.get(word) ?? { field: '', documents: 0 };
    if (having < selection.minDocFreq || having > selection.maxDocFreq || having === 0) continue;
    const score = Math.fround((words.get(word) ?? 0) * inverseFrequency(having, documents));
    best.offer({ field, term: word, score });
  }
  return best.take();
}

/** Of Lucene's ClassicSimilarity; a 32-bit float. */
function inverseFrequency(having: number, documents: number): number {
  return Math.fround(Math.log((documents + 1) / (having + 1)) + 1);
}

/**
 * Keys in the order of a Java HashMap of `size` keys that they were put into one after another.
 */
function inHashOrder(keys: readonly string[], size: number): readonly string[] {
  let capacity = 16;
  while (size > capacity * 0.75) capacity *= 2;
  // By bucket; the keys of a bucket are chained in the order in which they were put.
  const order = Float64Array.from(
    keys,
    (key, at) => (spread(key) & (capacity - 1)) * keys.length + at,
  ).sort();
  return Array.from(order, (place) => keys[place % keys.length] ?? '');
}

/** The hash of a Java String with its high bits mixed into the low ones. */
function spread(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = (Math.imul(31, hash) + word.charCodeAt(at)) | 0;
  return hash ^ (hash >>> 16);
}

/** Lucene's PriorityQueue: a binary heap with the least score on top, whose ties depend on it. */
class BestTerms {
  readonly #most: number;
  /** Numbered from 1. */
  readonly #heap: InterestingTerm[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  offer(term: InterestingTerm): void {
    const heap = this.#heap;
    if (heap.length < this.#most) {
      heap.push(term);
      this.#rise(heap.length);
    } else if (heap.length > 0 && this.#at(1).score < term.score) {
      heap[0] = term;
      this.#sink(1);
    }
  }

  /** All terms, the least score first. */
  take(): readonly InterestingTerm[] {
    const taken: InterestingTerm[] = [];
    while (this.#heap.length > 0) {
      taken.push(this.#at(1));
      const last = this.#heap.pop() as InterestingTerm;
      if (this.#heap.length === 0) break;
      this.#heap[0] = last;
      this.#sink(1);
    }
    return taken;
  }

  #at(place: number): InterestingTerm {
    return this.#heap[place - 1] as InterestingTerm;
  }

  #isLess(one: InterestingTerm, other: InterestingTerm): boolean {
    return one.score < other.score;
  }

  #rise(from: number): void {
    const term = this.#at(from);
    let at = from;
    for (let above = at >>> 1; above > 0 && this.#isLess(term, this.#at(above)); above >>>= 1) {
      this.#heap[at - 1] = this.#at(above);
      at = above;
    }
    this.#heap[at - 1] = term;
  }

  #sink(from: number): void {
    const size = this.#heap.length;
    const term = this.#at(from);
    let at = from;
    for (;;) {
      let below = at * 2;
      if (below < size && this.#isLess(this.#at(below + 1), this.#at(below))) below++;
      if (below > size || !this.#isLess(this.#at(below), term)) break;
      this.#heap[at - 1] = this.#at(below);
      at = below;
    }
    this.#heap[at - 1] = term;
  }
}
