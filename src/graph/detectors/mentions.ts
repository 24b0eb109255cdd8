// Finds @name and #tag where a document has that name.

import { trimEndOf } from '../../base/trim-end.js';
import type { Detector, Reference } from './detector.js';

const MENTION = /(?<![\p{L}\p{N}_@#./&-])([@#])([\p{L}\p{N}_][\p{L}\p{N}_./-]{0,99})/gu;
const BY_SIGN = {
  '@': { type: 'mentions', confidence: 0.9 },
  '#': { type: 'tagged', confidence: 0.5 },
} as const;

export const mentions: Detector = {
  name: 'mentions',
  version: 1,
  suggests: false,
  begin: () => ({
    find({ texts }, nodes) {
      const found: Reference[] = [];
      for (const { field, prose } of texts) {
        if (!prose.includes('@') && !prose.includes('#')) continue;
        for (const { 1: sign, 2: rest = '', index } of prose.matchAll(MENTION)) {
          const name = trimEndOf(rest, './-');
          // Numbers are issues, which ids.ts finds.
          if (sign === '#' && /^\d+$/.test(name)) continue;
          const spaced = name.replace(/[_-]/g, ' ');
          const node = nodes.byName(name) ?? (spaced === name ? undefined : nodes.byName(spaced));
          if (node === undefined) continue;
          const how = BY_SIGN[sign as keyof typeof BY_SIGN];
          found.push({ node, ...how, field, start: index, end: index + 1 + name.length });
        }
      }
      return found;
    },
  }),
};
