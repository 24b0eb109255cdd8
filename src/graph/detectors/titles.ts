// Proposes links for titles and aliases of other documents in running text. A name may be an
// ordinary word: single words need a capital and four characters, and a name that half of the
// documents mention is dropped.
import type { Detector, Reference } from './detector.js';
import type { TextField } from './document.js';
import type { NodeNames } from './node-names.js';
import { CAPITAL, type Tokens, tokensOf } from './tokens.js';

const MIN_CHARACTERS = 4;
const MAX_WORDS = 12;
/**
 * A name that more than this share of the documents mentions is dropped, once MIN_DOCUMENTS were
 * searched.
 */
const COMMON = 0.5;
const MIN_DOCUMENTS = 10;

interface Names {
  /** First word -> number of words of the longest name that begins with it. */
  readonly longest: ReadonlyMap<number, number>;
  /** Hash of all words of a name -> the document. */
  readonly nodes: ReadonlyMap<number, string>;
}

export const titles: Detector = {
  name: 'titles',
  version: 1,
  suggests: true,
  begin() {
    let names: Names | undefined;
    let size = -1;
    let searched = 0;
    const mentioned = new Map<string, number>();
    return {
      find({ texts }, nodes) {
        if (names === undefined || size !== nodes.size) names = readNames(nodes);
        size = nodes.size;
        searched++;
        const best = new Map<string, Reference>();
        for (const text of texts) {
          for (const reference of namesIn(text, names)) {
            const there = best.get(reference.node);
            if (there === undefined || there.confidence < reference.confidence)
              best.set(reference.node, reference);
          }
        }
        for (const node of best.keys()) mentioned.set(node, (mentioned.get(node) ?? 0) + 1);
        return [...best.values()];
      },
      keeps({ node }) {
        return searched < MIN_DOCUMENTS || (mentioned.get(node) ?? 0) <= searched * COMMON;
      },
    };
  },
};

function readNames(known: NodeNames): Names {
  const longest = new Map<number, number>();
  const nodes = new Map<number, string>();
  for (const [name, node] of known.names()) {
    const { count, words, starts, ends } = tokensOf(name);
    const [first = 0] = words;
    const characters = (ends[0] ?? 0) - (starts[0] ?? 0);
    if (count === 0 || count > MAX_WORDS || (count === 1 && characters < MIN_CHARACTERS)) continue;
    longest.set(first, Math.max(longest.get(first) ?? 0, count));
    let hash = 0;
    for (let i = 0; i < count; i++) hash = joined(hash, words[i] ?? 0);
    nodes.set(hash, node);
  }
  return { longest, nodes };
}

function joined(hash: number, word: number): number {
  return Math.imul(hash ^ word, 0x85ebca6b) ^ (hash >>> 13);
}

function* namesIn({ field, tokens }: TextField, names: Names): Generator<Reference> {
  const { count, words, starts, ends, kinds } = tokens;
  for (let at = 0; at < count; at++) {
    const longest = names.longest.get(words[at] ?? 0);
    if (longest === undefined) continue;
    const { length, node } = longestName(tokens, at, Math.min(longest, count - at), names);
    if (node === undefined) continue;
    const capital = ((kinds[at] ?? 0) & CAPITAL) !== 0;
    const start = starts[at] ?? 0;
    at += length - 1;
    if (length === 1 && !capital) continue;
    const confidence = length === 1 ? 0.5 : capital ? 0.8 : 0.6;
    yield { node, type: 'mentions', confidence, field, start, end: ends[at] ?? start };
  }
}

function longestName(
  { words }: Tokens,
  at: number,
  most: number,
  { nodes }: Names,
): { readonly length: number; readonly node: string | undefined } {
  let best: { length: number; node: string | undefined } = { length: 0, node: undefined };
  let hash = 0;
  for (let length = 1; length <= most; length++) {
    hash = joined(hash, words[at + length - 1] ?? 0);
    const node = nodes.get(hash);
    if (node !== undefined) best = { length, node };
  }
  return best;
}
