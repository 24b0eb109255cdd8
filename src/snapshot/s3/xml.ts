// Reads the XML answers of S3 into trees. Only elements and text are used; what is not well-formed
// or too deep is refused.
import { Parser } from 'htmlparser2';
import { StoreError } from '../blob-store.js';

export interface XmlElement {
  readonly name: string;
  /** The text directly in the element. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface OpenElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/** Answers of S3 have four levels at most. */
const MAX_DEPTH = 16;

/** Throws StoreError unless `text` is one element. */
export function parseXml(text: string): XmlElement {
  const document: OpenElement = { name: '', text: '', children: [] };
  const open: OpenElement[] = [document];
  let objection: string | undefined;
  let isAtEnd = false;
  const parser = new Parser(
    {
      onopentag(name) {
        const element: OpenElement = { name, text: '', children: [] };
        if (open.length > MAX_DEPTH) objection ??= `is nested more than [${MAX_DEPTH}] deep`;
        else open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(piece) {
        const at = open.at(-1);
        if (at !== undefined) at.text += piece;
      },
      onclosetag(name) {
        if (isAtEnd) objection ??= `has no end of [${name}]`;
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  isAtEnd = true;
  parser.end();
  const [root] = document.children;
  if (document.text.trim() !== '') objection ??= 'has text outside of its element';
  if (root === undefined || document.children.length !== 1) objection ??= 'is not one element';
  if (objection === undefined && root !== undefined) return root;
  throw new StoreError('answer', `the answer of S3 is not well-formed XML: it ${objection}`);
}

/** The text of the first child with that name; undefined if there is none. */
export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
