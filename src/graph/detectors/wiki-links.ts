// Finds [[name]], [[name#part]], [[name|label]] and embeds ![[name]]. In a list item that holds
// only a word and a link, the word is the type: `- depends_on [[name]]`.
import { type Detector, REFERENCES, type Reference } from './detector.js';

const LINK = /(!?)\[\[([^[\]\n]{1,400})\]\]/g;
/** Words before a link that give no type. */
const SAYS_NOTHING = /^(?:see|also|and|or|the|a|an|to|in|of|from|with|for|by|on|at|is|as|e\.?g)$/;
const RELATION = /(?:^|\n)[ \t]*[-*+][ \t]+([a-z]{2,}(?:_[a-z]+)*)[ \t]+$/;

export const wikiLinks: Detector = {
  name: 'wiki-links',
  version: 1,
  suggests: false,
  begin: () => ({
    find({ texts }, nodes) {
      const found: Reference[] = [];
      for (const { field, prose } of texts) {
        if (!prose.includes('[[')) continue;
        for (const match of prose.matchAll(LINK)) {
          const { 0: whole, 1: bang, 2: inside = '', index } = match;
          const node = nodes.byName(targetOf(inside));
          if (node === undefined) continue;
          const relation = RELATION.exec(prose.slice(Math.max(0, index - 60), index))?.[1];
          const type =
            bang === '!'
              ? 'embeds'
              : relation === undefined || SAYS_NOTHING.test(relation)
                ? REFERENCES
                : relation;
          found.push({ node, type, confidence: 1, field, start: index, end: index + whole.length });
        }
      }
      return found;
    },
  }),
};

/** The name without label and part; a label in a table has its bar escaped. */
function targetOf(inside: string): string {
  const [name = ''] = inside.split(/\\?\|/);
  const [page = ''] = name.split('#');
  return page.trim();
}
