// Finds sentences of two documents that are nearly the same except for a negation or a number. They
// become proposals only, with both sentences for review; about one in three is right.
import { Counters } from './counters.js';
import type { Detector, Reference } from './detector.js';
import type { NodeDocument, TextField } from './document.js';
import { type Dated, isLater } from './later.js';
import { Places } from './places.js';
import { DIGIT, NEGATION, STOP } from './tokens.js';

interface Sentence {
  readonly owner: Dated;
  readonly field: string;
  readonly text: string;
  readonly start: number;
  /** The words except stop words and numbers, as entries of the places, distinct and ascending. */
  readonly content: Uint32Array;
  readonly numbers: readonly number[];
  readonly negated: boolean;
}

type Kind = 'contradicts' | 'updates';

const MIN_CONTENT = 3;
const MAX_CONTENT = 40;
/** Minimum number of rare words in common, and minimum share of all content words. */
const MIN_RARE = 2;
const MIN_SAME: Readonly<Record<Kind, number>> = { contradicts: 0.5, updates: 0.6 };
const MAX_CONFIDENCE = 0.4;
const MAX_PROPOSALS = 3;
/** A word in more sentences than this is not rare. Below: the number of sentences that are kept. */
const MAX_PLACES = 50;
const MAX_LEARNED = 300_000;
/**
 * Groups of sentences by what may differ in them; a plain one has neither a negation nor a number.
 */
const PLAIN = 0;
const NEGATED = 1;
const NUMBERED = 2;
const GROUPS = 3;
/** A full stop before a digit does not end a sentence. */
const SENTENCE = /[^.!?\n]+(?:\.\d[^.!?\n]*)*/g;

export const contradictions: Detector = {
  name: 'contradictions',
  version: 1,
  suggests: true,
  begin() {
    const sentences: Sentence[] = [];
    /** Document -> its sentences, as a half-open range of numbers. */
    const ranges = new Map<string, readonly [from: number, to: number]>();
    const places = new Places(MAX_PLACES, GROUPS);
    const counters = new Counters();
    let limited = false;
    return {
      learn(document) {
        const from = sentences.length;
        for (const sentence of sentencesOf(document, places)) {
          limited ||= sentences.length >= MAX_LEARNED;
          if (limited) break;
          const number = sentences.push(sentence) - 1;
          const group = groupOf(sentence);
          for (const word of sentence.content) places.add(word, number, group);
        }
        ranges.set(document.id, [from, sentences.length]);
      },
      find(document) {
        const best = new Map<string, Reference>();
        const [from = 0, to = 0] = ranges.get(document.id) ?? [];
        for (const sentence of sentences.slice(from, to)) {
          const groups = groupsThatDiffer(sentence);
          for (const word of sentence.content)
            for (const group of groups) places.countInto(counters, word, group);
          counters.drain(MIN_RARE, (number) => {
            const other = sentences[number];
            const reference = other === undefined ? undefined : compare(sentence, other);
            if (reference === undefined) return;
            const there = best.get(reference.node);
            if (there === undefined || there.confidence < reference.confidence)
              best.set(reference.node, reference);
          });
        }
        return [...best.values()]
          .sort((a, b) => b.confidence - a.confidence || (a.node < b.node ? -1 : 1))
          .slice(0, MAX_PROPOSALS);
      },
      limited: () => limited,
    };
  },
};

function groupOf({ negated, numbers }: Sentence): number {
  return negated ? NEGATED : numbers.length > 0 ? NUMBERED : PLAIN;
}

/**
 * Groups of sentences that differenceOf() can tell from this one; it never tells two plain
 * sentences apart.
 */
function groupsThatDiffer({ negated, numbers }: Sentence): readonly number[] {
  if (negated) return numbers.length > 0 ? [PLAIN, NUMBERED, NEGATED] : [PLAIN, NUMBERED];
  return numbers.length > 0 ? [NEGATED, NUMBERED] : [NEGATED];
}

function* sentencesOf({ id, at, texts }: NodeDocument, places: Places): Generator<Sentence> {
  for (const field of texts) {
    let token = 0;
    for (const { 0: text, index: start } of field.prose.matchAll(SENTENCE)) {
      const from = token;
      while (token < field.tokens.count && (field.tokens.starts[token] ?? 0) < start + text.length)
        token++;
      const read = readWords(field, from, token, places);
      if (read.content.length < MIN_CONTENT || read.content.length > MAX_CONTENT) continue;
      yield { owner: { id, at }, field: field.field, text, start, ...read };
    }
  }
}

function readWords(
  { tokens }: TextField,
  from: number,
  to: number,
  places: Places,
): Pick<Sentence, 'content' | 'numbers' | 'negated'> {
  const content = new Content();
  const numbers: number[] = [];
  let negations = 0;
  for (let at = from; at < to; at++) {
    const kind = tokens.kinds[at] ?? 0;
    const word = tokens.words[at] ?? 0;
    if ((kind & NEGATION) !== 0) negations++;
    else if ((kind & DIGIT) !== 0) numbers.push(word);
    else if ((kind & STOP) === 0) content.add(places.enter(word));
  }
  return { content: content.words(), numbers, negated: negations % 2 === 1 };
}

/**
 * The distinct words of a sentence, ascending. Stores at most MAX_CONTENT + 1 words, which is
 * enough to recognize a sentence that is too long.
 */
class Content {
  readonly #words = new Uint32Array(MAX_CONTENT + 1);
  #size = 0;

  add(word: number): void {
    if (this.#size > MAX_CONTENT) return;
    let at = this.#size;
    while (at > 0 && (this.#words[at - 1] ?? 0) > word) at--;
    if (at > 0 && this.#words[at - 1] === word) return;
    for (let to = this.#size; to > at; to--) this.#words[to] = this.#words[to - 1] ?? 0;
    this.#words[at] = word;
    this.#size++;
  }
  words(): Uint32Array {
    return this.#words.slice(0, this.#size);
  }
}

/**
 * Undefined: the sentences say the same or are too different, or the other document is not older.
 */
function compare(sentence: Sentence, other: Sentence): Reference | undefined {
  const type = differenceOf(sentence, other);
  if (type === undefined || !isLater(sentence.owner, other.owner)) return undefined;
  const same = sameness(sentence.content, other.content);
  if (same < MIN_SAME[type]) return undefined;
  const { field, text, start } = sentence;
  const leading = text.length - text.trimStart().length;
  const quote = text.trim();
  return {
    node: other.owner.id,
    type,
    confidence: Math.round(MAX_CONFIDENCE * same * 100) / 100,
    field,
    start: start + leading,
    end: start + leading + quote.length,
    also: { against: other.text.trim() },
  };
}

/** Words in common as a share of the union of the words (Jaccard). */
function sameness(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference === 0) common++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return common / (a.length + b.length - common);
}

function differenceOf(a: Sentence, b: Sentence): Kind | undefined {
  if (a.negated !== b.negated) return 'contradicts';
  if (a.numbers.length !== b.numbers.length) return undefined;
  return a.numbers.some((number, i) => number !== b.numbers[i]) ? 'updates' : undefined;
}
