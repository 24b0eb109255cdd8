// Finds links of Markdown and HTML, and bare addresses, that lead to documents of the brain.

import { trimEndOf } from '../../base/trim-end.js';
import { type Detector, REFERENCES, type Reference } from './detector.js';
import { decoded, type NodeNames } from './node-names.js';

const INLINE =
  /\[[^[\]\n]{0,300}\]\(\s*<?([^\s()<>]{1,1000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200})?)>?(?:\s+["'(][^"'()\n]{0,200}["')])?\s*\)/g;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:\s+<?([^\s<>]{1,1000})>?/gm;
const ANCHOR = /<(?:a|link)\s[^<>]{0,1000}?href\s*=\s*(?:"([^"]{1,1000})"|'([^']{1,1000})')/gi;
const BARE = /https?:\/\/[^\s<>"'\])}]{1,1000}/gi;

export const markdownLinks: Detector = {
  name: 'markdown-links',
  version: 1,
  suggests: false,
  begin: () => ({
    find({ texts }, nodes) {
      const found: Reference[] = [];
      for (const { field, prose } of texts) {
        const add = (pattern: RegExp, part: 'whole' | 'target'): void => {
          for (const match of prose.matchAll(pattern)) {
            const target = match[1] ?? match[2] ?? match[0];
            const node = nodeOf(target, nodes);
            if (node === undefined) continue;
            const quote = part === 'whole' ? match[0] : target;
            const start = match.index + match[0].indexOf(quote);
            const end = start + quote.length;
            found.push({ node, type: REFERENCES, confidence: 1, field, start, end });
          }
        };
        if (prose.includes('](')) add(INLINE, 'whole');
        if (prose.includes(']:')) add(DEFINITION, 'target');
        if (prose.includes('href')) add(ANCHOR, 'whole');
        if (prose.includes('://')) add(BARE, 'target');
      }
      return found;
    },
  }),
};

function nodeOf(target: string, nodes: NodeNames): string | undefined {
  if (/^https?:/i.test(target)) {
    // Punctuation at the end of a sentence is not part of the address.
    return nodes.byUrl(target) ?? nodes.byUrl(trimEndOf(target, '.,;:!?)'));
  }
  // Other schemes, and places within the same page.
  if (/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(target)) return undefined;
  const [page = ''] = target.split(/[?#]/);
  return nodes.byName(decoded(page));
}
