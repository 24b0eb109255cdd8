// Finds identifiers: commit hashes, issue numbers, KEY-1, RFC 1, CVE, DOI, and ids of documents
// that look like ids.

import { trimEndOf } from '../../base/trim-end.js';
import { type Detector, REFERENCES, type Reference } from './detector.js';
import type { TextField } from './document.js';
import { keyNames, type NodeNames } from './node-names.js';

const KEYS =
  /(?<![\w/.#-])(?:#\d{1,9}|GH-\d{1,9}|RFC[ -]?\d{1,5}|CVE-\d{4}-\d{4,7}|[A-Z][A-Z0-9]{1,9}-\d{1,9}|10\.\d{4,9}\/[^\s"<>]{1,200}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64})(?![\w/-])/g;
const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}_.:/@-]{2,511}/gu;
/**
 * An id of a document counts only if no ordinary word looks like it: with a digit, or joined of
 * parts.
 */
const LIKE_AN_ID = /\d|[_:/@]|[^.-][-.][^.-]/;
const HEADER =
  /^(Obsoletes|Updates):[ \t]*((?:RFC[ \t]*)?\d{1,5}(?:,[ \t]*(?:RFC[ \t]*)?\d{1,5})*)/gim;
const CERTAIN = 0.95;
const LIKELY = 0.9;

export const ids: Detector = {
  name: 'ids',
  version: 1,
  suggests: false,
  begin: () => ({
    find({ id, texts, titles }, nodes) {
      const isRfc = [id, ...titles].some((name) => /^rfc[ -]?\d/i.test(name));
      return texts.flatMap((text) => [
        ...keysIn(text, nodes),
        ...idsIn(text, nodes),
        ...(isRfc ? headers(text, nodes) : []),
      ]);
    },
  }),
};

function keysIn({ field, prose }: TextField, nodes: NodeNames): readonly Reference[] {
  const found: Reference[] = [];
  for (const { 0: text, index } of prose.matchAll(KEYS)) {
    const isHash = /^[0-9a-f]+$/.test(text);
    const key = trimEndOf(text, '.,;:)]');
    const node = isHash ? nodes.byHash(text) : byKey(key, nodes);
    if (node === undefined) continue;
    const confidence = isHash || /^(?:CVE|10\.)/.test(key) ? CERTAIN : LIKELY;
    found.push({
      node,
      type: REFERENCES,
      confidence,
      field,
      start: index,
      end: index + key.length,
    });
  }
  return found;
}

function byKey(key: string, nodes: NodeNames): string | undefined {
  for (const name of keyNames(key)) {
    const node = nodes.byKey(name);
    if (node !== undefined) return node;
  }
  return undefined;
}

function idsIn({ field, prose }: TextField, nodes: NodeNames): readonly Reference[] {
  const found: Reference[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(prose); match !== null; match = TOKEN.exec(prose)) {
    const [token] = match;
    if (!LIKE_AN_ID.test(token)) continue;
    const node = nodes.has(token) ? token : trimEndOf(token, '.:/@-');
    if (!nodes.has(node) || !LIKE_AN_ID.test(node)) continue;
    const start = match.index;
    const end = start + node.length;
    found.push({ node, type: REFERENCES, confidence: LIKELY, field, start, end });
  }
  return found;
}

/** The headers of an RFC name other RFCs by their bare numbers. */
function* headers({ field, prose }: TextField, nodes: NodeNames): Generator<Reference> {
  for (const { 0: whole, 1: verb = '', 2: list = '', index } of prose.matchAll(HEADER)) {
    const from = index + whole.length - list.length;
    for (const { 0: number, index: at } of list.matchAll(/\d+/g)) {
      const node = nodes.byKey(`rfc${Number(number)}`);
      if (node === undefined) continue;
      const start = from + at;
      const type = verb.toLowerCase();
      yield { node, type, confidence: CERTAIN, field, start, end: start + number.length };
    }
  }
}
