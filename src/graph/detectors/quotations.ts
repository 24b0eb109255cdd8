// Finds passages of eight words or more that two documents have in common. Hashes of five
// consecutive words are winnowed with a window of four: every common run of eight words has at
// least one hash that was kept (Schleimer, Wilkerson and Aiken 2003).
import { byteOffsets } from './byte-offsets.js';
import type { Detector, Reference } from './detector.js';
import { type NodeDocument, pathOf } from './document.js';
import { isLater } from './later.js';
import { Places } from './places.js';

const MIN_WORDS = 8;
const SHINGLE = 5;
const WINDOW = MIN_WORDS - SHINGLE + 1;
/** A passage in more places than this is a greeting or a footer. */
const MAX_PLACES = 8;
/** Words that are learned: 16 bytes each, and as much again for their hashes. */
const MAX_LEARNED = 10_000_000;

interface LearnedText {
  /** The number of its first word among all learned words. */
  readonly first: number;
  readonly owner: Pick<NodeDocument, 'id' | 'at'>;
  readonly field: string;
  readonly hashes: Int32Array;
  /** The start of each word, in bytes of the text. */
  readonly offsets: Uint32Array;
}

export const quotations: Detector = {
  name: 'quotations',
  version: 1,
  suggests: false,
  begin() {
    const texts: LearnedText[] = [];
    /** Documents whose texts were all learned. */
    const whole = new Set<string>();
    /** Shingle -> numbers of its first words. */
    const places = new Places(MAX_PLACES);
    let learned = 0;
    let limited = false;
    return {
      learn({ id, at, texts: own }) {
        for (const { field, text, tokens } of own) {
          if (tokens.count < MIN_WORDS) continue;
          limited ||= learned + tokens.count > MAX_LEARNED;
          if (limited) return;
          const first = learned;
          learned += tokens.count;
          const hashes = tokens.words.slice(0, tokens.count);
          const offsets = byteOffsets(text, tokens.starts.subarray(0, tokens.count));
          texts.push({ first, owner: { id, at }, field, hashes, offsets });
          winnow(shinglesOf(hashes), (word, hash) => places.add(places.enter(hash), first + word));
        }
        whole.add(id);
      },
      find(document) {
        // A shingle with a single place has that place in this document.
        const candidate = whole.has(document.id)
          ? (shingle: number): boolean => places.maybeSeveral(shingle)
          : (): boolean => true;
        return [...longest(document, texts, places, candidate).values()];
      },
      limited: () => limited,
    };
  },
};

/** The text that contains the word with that number. */
function textOf(texts: readonly LearnedText[], number: number): LearnedText | undefined {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((texts[middle]?.first ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return texts[low - 1];
}

/** For each older document the longest passage in common with it. */
function longest(
  document: NodeDocument,
  texts: readonly LearnedText[],
  places: Places,
  candidate: (shingle: number) => boolean,
): ReadonlyMap<string, Reference> {
  const best = new Map<string, Reference>();
  const lengths = new Map<string, number>();
  for (const { field, tokens } of document.texts) {
    const hashes = tokens.words.subarray(0, tokens.count);
    const shingles = shinglesOf(hashes);
    for (let at = 0; at < shingles.length; at++) {
      let furthest = at;
      const shingle = shingles[at] ?? 0;
      if (!candidate(shingle)) continue;
      const entry = places.entryOf(shingle);
      if (places.count(entry) === 0) continue;
      for (const place of places.of(entry)) {
        const other = textOf(texts, place);
        if (other === undefined || !isLater(document, other.owner)) continue;
        const run = commonRun(hashes, at, other.hashes, place - other.first);
        furthest = Math.max(furthest, run.start + run.length - SHINGLE);
        const { id } = other.owner;
        if (run.length < MIN_WORDS || run.length <= (lengths.get(id) ?? 0)) continue;
        if (
          isEverywhere(shingles.subarray(run.start, run.start + run.length - SHINGLE + 1), places)
        )
          continue;
        lengths.set(id, run.length);
        const start = tokens.starts[run.start] ?? 0;
        const end = tokens.ends[run.start + run.length - 1] ?? start;
        const also = {
          target_field: pathOf(other.field),
          target_offset: other.offsets[run.otherStart] ?? 0,
        };
        best.set(id, { node: id, type: 'quotes', confidence: 0.8, field, start, end, also });
      }
      at = furthest;
    }
  }
  return best;
}

/**
 * True if the passage is boilerplate: at least half of its learned shingles are in too many places.
 * The rest may be accidental cuts at its ends.
 */
function isEverywhere(shingles: Int32Array, places: Places): boolean {
  let many = 0;
  let few = 0;
  for (const hash of shingles) {
    const entry = places.entryOf(hash);
    if (places.isEverywhere(entry)) many++;
    else if (entry >= 0) few++;
  }
  return many > 0 && many >= few;
}

interface Run {
  readonly start: number;
  readonly otherStart: number;
  readonly length: number;
}

/** Extends a match to both sides as far as the words are equal. */
function commonRun(a: Int32Array, atA: number, b: Int32Array, atB: number): Run {
  let before = 0;
  while (atA > before && atB > before && a[atA - before - 1] === b[atB - before - 1]) before++;
  let after = 0;
  while (atA + after < a.length && atB + after < b.length && a[atA + after] === b[atB + after])
    after++;
  return { start: atA - before, otherStart: atB - before, length: before + after };
}

function shinglesOf(hashes: Int32Array): Int32Array {
  const shingles = new Int32Array(Math.max(0, hashes.length - SHINGLE + 1));
  for (let at = 0; at < shingles.length; at++) {
    let mixed = 0;
    for (let i = 0; i < SHINGLE; i++) {
      mixed = Math.imul(mixed ^ (hashes[at + i] ?? 0), 0x85ebca6b);
      mixed ^= mixed >>> 13;
    }
    shingles[at] = mixed;
  }
  return shingles;
}

/** Calls `take` with the minimum of every window, each once. */
function winnow(shingles: Int32Array, take: (at: number, hash: number) => void): void {
  let kept = -1;
  for (let from = 0; from + WINDOW <= shingles.length; from++) {
    let least = from;
    for (let at = from + 1; at < from + WINDOW; at++)
      if ((shingles[at] ?? 0) <= (shingles[least] ?? 0)) least = at;
    if (least === kept) continue;
    kept = least;
    take(least, shingles[least] ?? 0);
  }
}
