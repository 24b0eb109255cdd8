// Proposes links between documents that share at least three rare terms, at most five per document.
import { Counters } from './counters.js';
import type { Detector, Reference } from './detector.js';
import type { NodeDocument, TextField } from './document.js';
import { EVERY, Places } from './places.js';
import { DIGIT, STOP, type Tokens } from './tokens.js';

const MIN_SHARED = 3;
const MAX_PROPOSALS = 5;
/**
 * A term is rare if at most this share of all documents contains it; two documents are always few
 * enough, and MAX_PLACES is the upper bound.
 */
const RARE = 0.01;
const MAX_PLACES = 50;
/** Terms that are kept, about a hundred bytes each. */
const MAX_TERMS = 1_000_000;
const MIN_CHARACTERS = 4;
const MAX_SHOWN = 8;

export const sharedTerms: Detector = {
  name: 'shared-terms',
  version: 1,
  suggests: true,
  begin() {
    const ids: string[] = [];
    const places = new Places(MAX_PLACES);
    const counters = new Counters();
    const seen = new SeenTerms();
    /** Documents were learned in the order of their ids. */
    let ordered = true;
    let limited = false;
    return {
      learn(document) {
        ordered &&= ids.length === 0 || (ids.at(-1) ?? '') < document.id;
        const number = ids.push(document.id) - 1;
        seen.next();
        eachTerm(document, (word) => {
          const full = places.size >= MAX_TERMS;
          const entry = full ? places.entryOf(word) : places.enter(word);
          limited ||= entry < 0;
          if (entry >= 0 && seen.isNew(entry)) places.add(entry, number);
        });
      },
      find(document) {
        const most = Math.min(MAX_PLACES, Math.max(2, Math.floor(ids.length * RARE)));
        // Each pair is proposed once, for the document with the larger id.
        const end = ordered ? countBelow(ids, document.id) : EVERY;
        const rare: Term[] = [];
        seen.next();
        eachTerm(document, (word, text, at) => {
          const entry = places.entryOf(word);
          const documents = places.count(entry);
          if (documents < 2 || documents > most || !seen.isNew(entry)) return;
          rare.push({ entry, text, at });
          places.countInto(counters, entry, 0, end);
        });
        const best: Shared[] = [];
        counters.drain(MIN_SHARED, (number, count) => {
          if (best.length === MAX_PROPOSALS && count < (best.at(-1)?.count ?? 0)) return;
          const node = ids[number] ?? '';
          if (node < document.id) offer(best, { number, node, count });
        });
        return best.map(({ node, number }) =>
          toReference(
            node,
            rare.filter(({ entry }) => places.has(entry, number)),
          ),
        );
      },
      limited: () => limited,
    };
  },
};

/** The first place of a term in a document. */
interface Term {
  readonly entry: number;
  readonly text: TextField;
  readonly at: number;
}

interface Shared {
  readonly number: number;
  readonly node: string;
  /** Number of terms that both have. */
  readonly count: number;
}

/** The number of ids that are smaller, by binary search in the ascending ids. */
function countBelow(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Inserts `one` into the best, which stay sorted and at most MAX_PROPOSALS. */
function offer(best: Shared[], one: Shared): void {
  let at = best.length;
  while (at > 0 && isBetter(one, best[at - 1])) at--;
  if (at === MAX_PROPOSALS) return;
  best.splice(at, 0, one);
  best.splice(MAX_PROPOSALS);
}

function isBetter(one: Shared, other: Shared | undefined): boolean {
  if (other === undefined) return true;
  return one.count !== other.count ? one.count > other.count : one.node < other.node;
}

/** The terms that occurred earlier in the current document, by entry. */
class SeenTerms {
  #rounds = new Uint32Array(1024);
  #round = 0;

  next(): void {
    this.#round++;
  }
  isNew(entry: number): boolean {
    if (entry >= this.#rounds.length) {
      const larger = new Uint32Array(Math.max(entry + 1, this.#rounds.length * 2));
      larger.set(this.#rounds);
      this.#rounds = larger;
    }
    if (this.#rounds[entry] === this.#round) return false;
    this.#rounds[entry] = this.#round;
    return true;
  }
}

function isTerm({ starts, ends, kinds }: Tokens, at: number): boolean {
  const characters = (ends[at] ?? 0) - (starts[at] ?? 0);
  return characters >= MIN_CHARACTERS && ((kinds[at] ?? 0) & (STOP | DIGIT)) === 0;
}

function eachTerm(
  { texts }: NodeDocument,
  take: (word: number, text: TextField, at: number) => void,
): void {
  for (const text of texts) {
    const { tokens } = text;
    for (let at = 0; at < tokens.count; at++)
      if (isTerm(tokens, at)) take(tokens.words[at] ?? 0, text, at);
  }
}

/** A reference with the first of the terms as its quote. */
function toReference(node: string, common: readonly Term[]): Reference {
  const [first] = common;
  const { field = '', tokens } = first?.text ?? {};
  const terms = common.slice(0, MAX_SHOWN).map(({ text, at }) => {
    return text.text.slice(text.tokens.starts[at], text.tokens.ends[at]).toLowerCase();
  });
  const start = tokens?.starts[first?.at ?? 0] ?? 0;
  const end = tokens?.ends[first?.at ?? 0] ?? 0;
  return { node, type: 'related', confidence: 0.3, field, start, end, also: { terms } };
}
