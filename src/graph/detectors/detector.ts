// What a detector is: something that reads the texts of a document and names the documents that they speak of. Detectors
// are pure: they know the texts and the other documents' names, and neither storage nor clock.
import type { NodeDocument } from './document.js';
import type { NodeNames } from './node-names.js';

/** A place in a text that speaks of another document. */
export interface Reference {
  /** The document that is spoken of. */
  readonly node: string;
  readonly type: string;
  readonly confidence: number;
  /** Default 1. */
  readonly weight?: number;
  /** The link points from that document to the one with the text. */
  readonly reversed?: true;
  /** Which text, and where in it, in UTF-16 units; `end` is behind the last. */
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** Of a field that is no text: what it says; `start` counts bytes then. */
  readonly quote?: string;
  /** More to show beside the quote. */
  readonly also?: Readonly<Record<string, string | number | readonly string[]>>;
}

/** A detector at work on the documents of one brain. */
export interface Running {
  /** Called with every document of the brain, before any is searched: for those who compare documents. */
  learn?(document: NodeDocument): void;
  find(document: NodeDocument, nodes: NodeNames): readonly Reference[];
  /** Called after all were searched: whether what was found still counts. */
  keeps?(reference: Reference): boolean;
  /** True when there was more than it remembers: it compared a part of the documents. */
  limited?(): boolean;
}

export interface Detector {
  /** Without version; part of what `detectors` of a request may name. */
  readonly name: string;
  readonly version: number;
  /** What it finds is a proposal, used by nothing until somebody accepts it. */
  readonly suggests: boolean;
  begin(): Running;
}

/** As links carry it. */
export function labelOf({ name, version }: Detector): string {
  return `${name}@${version}`;
}

/** The type of a link that says no more than that one document speaks of another. */
export const REFERENCES = 'references';
