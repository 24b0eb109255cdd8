// How the page of a search comes back: along with the answer, as documents or as the text of its hits.
import {
  FETCH_EXPLAIN,
  PLAN_HIT_TEXTS,
  PLAN_INLINE_FETCH,
  PLAN_TRACK_SCORES,
} from '../wire/plan-writer.js';
import type { FetchOptions } from './fetch/fetch-options.js';

export interface PageWishes {
  /** There is a page, and the core knows which hits are on it. */
  readonly inline: boolean;
  /** The caller takes texts, and one shard is asked, whose order is that of the page. */
  readonly texts: boolean;
  readonly scores: boolean;
  readonly shown: FetchOptions;
}

export interface PageForm {
  /** Of the plan. */
  readonly flags: number;
  /** The only shard sends the page as the text of its hits. */
  readonly hitTexts: boolean;
}

export function pageForm({ inline, texts, scores, shown }: PageWishes): PageForm {
  const hitTexts = inline && texts && areTexts(shown);
  const flags =
    (scores ? PLAN_TRACK_SCORES : 0) |
    (inline ? PLAN_INLINE_FETCH : 0) |
    (hitTexts ? PLAN_HIT_TEXTS : 0);
  return { flags, hitTexts };
}

/** Whether the core shows hits as the answer does: they say nothing that only the coordinator knows. */
function areTexts({ spec, ids, numberFormats }: FetchOptions): boolean {
  return ids && numberFormats.isEmpty && (spec.flags & FETCH_EXPLAIN) === 0;
}
