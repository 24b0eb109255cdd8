// Links a document that uses a code symbol to the one that defines it: a function, class or
// constant.
import type { Detector, Reference } from './detector.js';
import type { NodeDocument, TextField } from './document.js';

const DEFINITION =
  /(?:^|\n)[ \t]*(?:export[ \t]+|default[ \t]+|pub(?:\([a-z]+\))?[ \t]+|public[ \t]+|private[ \t]+|static[ \t]+|abstract[ \t]+|async[ \t]+){0,4}(?:function\*?|class|interface|struct|enum|trait|type|def|fn|func|const|let|var|#define)[ \t]+([A-Za-z_$][\w$]{3,99})/g;
const NAME = /[A-Za-z_$][\w$]{3,99}/g;
/** Names that do not occur in prose: with capitals inside, an underscore or a digit. */
const LIKE_A_SYMBOL = /[a-z0-9][A-Z]|_|\d|^[A-Z][a-z]+[A-Z]/;

export const symbols: Detector = {
  name: 'symbols',
  version: 1,
  suggests: false,
  begin() {
    /** Symbol -> the one document that defines it; null when several do. */
    const defined = new Map<string, string | null>();
    return {
      learn(document) {
        for (const name of definitionsIn(document)) {
          const there = defined.get(name);
          if (there === undefined) defined.set(name, document.id);
          else if (there !== document.id) defined.set(name, null);
        }
      },
      find(document) {
        if (defined.size === 0) return [];
        const found = new Map<string, Reference>();
        for (const { name, ...place } of usesIn(document)) {
          const node = defined.get(name) ?? undefined;
          if (node === undefined || found.has(node)) continue;
          found.set(node, { node, type: 'uses', confidence: 0.6, ...place });
        }
        return [...found.values()];
      },
    };
  },
};

/** Code is what was masked, or the whole of a source file. */
function isCodeAt({ prose, code }: TextField, index: number): boolean {
  return code || prose[index] === ' ';
}

function* definitionsIn({ texts }: NodeDocument): Generator<string> {
  for (const field of texts) {
    if (field.text === field.prose && !field.code) continue;
    for (const { 1: name = '', index, 0: whole } of field.text.matchAll(DEFINITION)) {
      if (LIKE_A_SYMBOL.test(name) && isCodeAt(field, index + whole.length - 1)) yield name;
    }
  }
}

interface Use {
  readonly name: string;
  readonly field: string;
  readonly start: number;
  readonly end: number;
}

function* usesIn({ texts }: NodeDocument): Generator<Use> {
  for (const one of texts) {
    if (one.text === one.prose && !one.code) continue;
    for (const { 0: name, index } of one.text.matchAll(NAME)) {
      if (!LIKE_A_SYMBOL.test(name) || !isCodeAt(one, index)) continue;
      yield { name, field: one.field, start: index, end: index + name.length };
    }
  }
}
