// Documents that share at least three terms which hardly any other has. A proposal of at most five a document.
import { Counters } from './counters.js';
import type { Detector, Reference } from './detector.js';
import type { NodeDocument } from './document.js';
import { DIGIT, STOP } from './tokens.js';

const MIN_SHARED = 3;
const MAX_PROPOSALS = 5;
/** A term is rare in this share of all documents, always in two, and never in more than are remembered of one. */
const RARE = 0.01;
const MAX_PLACES = 50;
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
    return {
      learn(document) {
        const number = ids.push(document.id) - 1;
        for (const term of termsOf(document).keys()) {
          const there = places.get(term);
          if (there === undefined) places.set(term, [number]);
          else if (there.length <= MAX_PLACES) there.push(number);
        }
      },
      find(document) {
        const most = Math.min(MAX_PLACES, Math.max(2, Math.floor(ids.length * RARE)));
        const terms = termsOf(document);
        const rare: number[] = [];
        for (const term of terms.keys()) {
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
              return toReference(document, node, common, terms);
            })
        );
      },
    };
  },
};

interface Place {
  readonly field: string;
  readonly start: number;
  readonly end: number;
}

/** Each with its first place. */
function termsOf({ texts }: NodeDocument): ReadonlyMap<number, Place> {
  const terms = new Map<number, Place>();
  for (const { field, tokens } of texts) {
    const { count, words, starts, ends, kinds } = tokens;
    for (let at = 0; at < count; at++) {
      const start = starts[at] ?? 0;
      const end = ends[at] ?? 0;
      if (end - start < MIN_LETTERS || ((kinds[at] ?? 0) & (STOP | DIGIT)) !== 0) continue;
      const word = words[at] ?? 0;
      if (!terms.has(word)) terms.set(word, { field, start, end });
    }
  }
  return terms;
}

function toReference(
  { texts }: NodeDocument,
  node: string,
  common: readonly number[],
  terms: ReadonlyMap<number, Place>,
): Reference {
  const places = common.flatMap((term) => terms.get(term) ?? []);
  const [first = { field: '', start: 0, end: 0 }] = places;
  const shown = places.slice(0, MAX_SHOWN).map(({ field, start, end }) => {
    const text = texts.find((one) => one.field === field)?.text ?? '';
    return text.slice(start, end).toLowerCase();
  });
  return { node, type: 'related', confidence: 0.3, ...first, also: { terms: shown } };
}
