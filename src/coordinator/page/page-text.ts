// The page of a search that asked one shard, which wrote its hits as they stand in the answer: there is nothing to merge and nothing to
// fetch.

import type { CompiledSearch } from '../../query/search-body.js';
import { readPageText } from '../../wire/fetch-reader.js';
import type { Answers, AskerOptions } from '../shards/ask.js';
import { totalOf } from '../shards/totals.js';
import { type FoundPage, maxScore } from './search-answer.js';

type Found = Omit<FoundPage, 'answers' | 'replies'>;

/** `inline`: what came along with the answer of a plan with PLAN_HIT_TEXTS. */
export function textPage(
  { hits: shards }: Answers,
  inline: Uint8Array<ArrayBuffer>,
  search: CompiledSearch,
  toError: AskerOptions['toError'],
): Found {
  const { text, timedOut } = readPageText(inline, toError);
  return {
    total: totalOf(shards, search),
    maxScore: search.maxScore ? maxScore(shards[0]?.legs ?? []) : null,
    hits: [],
    hitTexts: text,
    timedOut,
  };
}
