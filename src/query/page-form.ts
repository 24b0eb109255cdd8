// Chooses how the page of a search is returned: with the shard response, as documents or as the
// JSON text of its hits.
import {
  FETCH_EXPLAIN,
  PLAN_HITS_JSON,
  PLAN_INLINE_FETCH,
  PLAN_TRACK_SCORES,
} from '../wire/plan-writer.js';
import type { FetchOptions } from './fetch/fetch-options.js';

export interface PageWishes {
  /** The page is not empty, and the shard can determine which hits are on it. */
  readonly inline: boolean;
  /**
   * The caller accepts hits as text, and the search has one shard, whose order is that of the page.
   */
  readonly texts: boolean;
  readonly scores: boolean;
  readonly shown: FetchOptions;
}

export interface PageForm {
  /** Flags of the plan. */
  readonly flags: number;
  /** The only shard sends the page as the JSON text of its hits. */
  readonly hitsJson: boolean;
}

export function pageForm({ inline, texts, scores, shown }: PageWishes): PageForm {
  const hitsJson = inline && texts && areTexts(shown);
  const flags =
    (scores ? PLAN_TRACK_SCORES : 0) |
    (inline ? PLAN_INLINE_FETCH : 0) |
    (hitsJson ? PLAN_HITS_JSON : 0);
  return { flags, hitsJson };
}

/**
 * Whether the core can write the hits as the response shows them, without values that only the
 * coordinator has.
 */
function areTexts({ spec, ids, numberFormats }: FetchOptions): boolean {
  return ids && numberFormats.isEmpty && (spec.flags & FETCH_EXPLAIN) === 0;
}
