// The interface of a detector, which reads the texts of a document and names the documents that
// they refer to. Detectors are pure: their input is the texts and the names of the other documents;
// they use neither storage nor clock.
import type { NodeDocument } from './document.js';
import type { NodeNames } from './node-names.js';

/** A place in a text that refers to another document. */
export interface Reference {
  /** Id of the document that is referred to. */
  readonly node: string;
  readonly type: string;
  readonly confidence: number;
  /** Default 1. */
  readonly weight?: number;
  /** The link points from that document to the one with the text. */
  readonly reversed?: true;
  /** The field with the text and the position in it, in UTF-16 units; `end` is exclusive. */
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** Set for a field that is not a text: its value; `start` then counts bytes. */
  readonly quote?: string;
  /** Further details to show in addition to the quote. */
  readonly also?: Readonly<Record<string, string | number | readonly string[]>>;
}

/** The state of a detector during one run over the documents of a brain. */
export interface Running {
  /**
   * Called with every document of the brain before any document is searched; for detectors that
   * compare documents.
   */
  learn?(document: NodeDocument): void;
  find(document: NodeDocument, nodes: NodeNames): readonly Reference[];
  /** Called after all documents are searched: false drops the reference. */
  keeps?(reference: Reference): boolean;
  /** True when the memory limit was reached, so that only a part of the documents was compared. */
  limited?(): boolean;
}

export interface Detector {
  /** Without version; `detectors` of a request may name it. */
  readonly name: string;
  readonly version: number;
  /** Its findings are proposals, which have no effect until a client accepts them. */
  readonly suggests: boolean;
  begin(): Running;
}

/** The name of the detector as links store it. */
export function labelOf({ name, version }: Detector): string {
  return `${name}@${version}`;
}

/** The type of a link that states only that one document refers to another. */
export const REFERENCES = 'references';
