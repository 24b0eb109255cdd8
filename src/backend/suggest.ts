// Results of suggesters: corrections and completions of a text.
import type { SearchHit } from './search.js';

/** A part of the text, or the whole text. */
export interface SuggestEntry {
  readonly text: string;
  /** Position of the part in the text, in UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
  /** Best first. */
  readonly options: readonly SuggestOption[];
}

export type SuggestOption =
  | { readonly text: string; readonly score: number; readonly freq?: number }
  | { readonly text: string; readonly highlighted: string; readonly score: number }
  /** A completion and the document that it comes from. */
  | { readonly text: string; readonly hit: SearchHit };

/** Entries by suggestion name (`type#name` with typed keys), in request order. */
export type SuggestAnswer = ReadonlyMap<string, readonly SuggestEntry[]>;
