// Finds references in fields that name other documents: reply_to, parent, supersedes, mail headers.
import type { Detector, Reference } from './detector.js';
import { keyNames, type NodeNames } from './node-names.js';

export const metadata: Detector = {
  name: 'metadata',
  version: 1,
  suggests: false,
  begin: () => ({
    find({ references }, nodes) {
      return references.flatMap(({ field, type, target, start }): readonly Reference[] => {
        const node = nodeOf(target, nodes);
        return node === undefined
          ? []
          : [
              {
                node,
                type,
                confidence: 1,
                field,
                start,
                end: start + target.length,
                quote: target,
              },
            ];
      });
    },
  }),
};

function nodeOf(target: string, nodes: NodeNames): string | undefined {
  if (/^https?:/i.test(target)) return nodes.byUrl(target);
  const byName = nodes.byName(target.replace(/^\[\[(.*)\]\]$/, '$1'));
  if (byName !== undefined) return byName;
  for (const name of keyNames(target)) {
    const node = nodes.byKey(name);
    if (node !== undefined) return node;
  }
  return nodes.byHash(target.toLowerCase());
}
