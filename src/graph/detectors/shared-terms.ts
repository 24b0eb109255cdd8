// Documents that share at least three terms which hardly any other has. A proposal of at most five a document.
import { Counters } from './counters.js';
import type { Detector, Reference } from './detector.js';
import type { NodeDocument } from './document.js';
import { DIGIT, STOP, type Tokens } from './tokens.js';

const MIN_SHARED = 3;
const MAX_PROPOSALS = 5;
/** A term is rare in this share of all documents, always in two, and never in more than are remembered of one. */
const RARE = 0.01;
const MAX_PLACES = 50;
/** Terms that are remembered, about a hundred bytes each. */
const MAX_TERMS = 1_000_000;
const MIN_LETTERS = 4;
const MAX_SHOWN = 8;

export const sharedTerms: Detector = {
  name: 'shared-terms',
  version: 1,
  suggests: true,
  begin() {
    const ids: string[] = [];
    const places = new Map<number, number[]>();
    const counters = new Counters();
    let limited = false;
    return {
      learn(document) {
        const number = ids.push(document.id) - 1;
        for (const term of termsOf(document)) {
          const there = places.get(term);
          if (there === undefined) {
            if (places.size < MAX_TERMS) places.set(term, [number]);
            else limited = true;
          } else if (there.length <= MAX_PLACES) there.push(number);
        }
      },
      find(document) {
        const most = Math.min(MAX_PLACES, Math.max(2, Math.floor(ids.length * RARE)));
        const rare: number[] = [];
        for (const term of termsOf(document)) {
          const documents = places.get(term) ?? [];
          if (documents.length < 2 || documents.length > most) continue;
          rare.push(term);
          for (const number of documents) counters.add(number);
        }
        return (
          counters
            .take(MIN_SHARED)
            .map(([number, count]) => ({ number, node: ids[number] ?? '', count }))
            // Each pair is proposed once.
            .filter(({ node }) => node < document.id)
            .sort((a, b) => b.count - a.count || (a.node < b.node ? -1 : 1))
            .slice(0, MAX_PROPOSALS)
            .map(({ node, number }) => {
              const common = rare.filter((term) => places.get(term)?.includes(number) === true);
              return toReference(document, node, common);
            })
        );
      },
      limited: () => limited,
    };
  },
};

function isTerm({ starts, ends, kinds }: Tokens, at: number): boolean {
  const letters = (ends[at] ?? 0) - (starts[at] ?? 0);
  return letters >= MIN_LETTERS && ((kinds[at] ?? 0) & (STOP | DIGIT)) === 0;
}

function termsOf({ texts }: NodeDocument): ReadonlySet<number> {
  const terms = new Set<number>();
  for (const { tokens } of texts)
    for (let at = 0; at < tokens.count; at++)
      if (isTerm(tokens, at)) terms.add(tokens.words[at] ?? 0);
  return terms;
}

/** With the first place of the first of the terms as its quote. */
function toReference({ texts }: NodeDocument, node: string, common: readonly number[]): Reference {
  const left = new Set(common);
  const places: { field: string; start: number; end: number; word: string }[] = [];
  for (const { field, text, tokens } of texts) {
    for (let at = 0; at < tokens.count && left.size > 0; at++) {
      if (!isTerm(tokens, at) || !left.delete(tokens.words[at] ?? 0)) continue;
      const [start = 0, end = 0] = [tokens.starts[at], tokens.ends[at]];
      places.push({ field, start, end, word: text.slice(start, end).toLowerCase() });
    }
  }
  const { word: _word, ...first } = places[0] ?? { field: '', start: 0, end: 0, word: '' };
  const terms = places.slice(0, MAX_SHOWN).map(({ word }) => word);
  return { node, type: 'related', confidence: 0.3, ...first, also: { terms } };
}
