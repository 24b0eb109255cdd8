// Answers of suggesters: what a text may have meant, or go on as.
import type { SearchHit } from './search.js';

/** One piece of the text, or all of it. */
export interface SuggestEntry {
  readonly text: string;
  /** Of the piece in the text, in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  /** Best first. */
  readonly options: readonly SuggestOption[];
}

export type SuggestOption =
  | { readonly text: string; readonly score: number; readonly freq?: number }
  | { readonly text: string; readonly highlighted: string; readonly score: number }
  /** A completion, with the document that it comes from. */
  | { readonly text: string; readonly hit: SearchHit };

/** By name (`type#name` with typed keys), in the order of the request. */
export type SuggestAnswer = ReadonlyMap<string, readonly SuggestEntry[]>;
