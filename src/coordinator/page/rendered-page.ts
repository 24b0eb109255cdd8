// The page of a search of a single shard that returned its hits as JSON of the response, so that
// nothing is merged or fetched.

import type { CompiledSearch } from '../../query/search-body.js';
import { readRenderedPage } from '../../wire/fetch-reader.js';
import type { ShardClientOptions, ShardReplies } from '../shards/shard-client.js';
import { totalOf } from '../shards/totals.js';
import { maxScore, type PageResult } from './search-answer.js';

type PageContents = Omit<PageResult, 'answers' | 'replies'>;

/** `inline`: the rendered hits in the reply to a plan with PLAN_HITS_JSON. */
export function renderedPage(
  { hits: shards }: ShardReplies,
  inline: Uint8Array<ArrayBuffer>,
  search: CompiledSearch,
  toError: ShardClientOptions['toError'],
): PageContents {
  const { text, timedOut } = readRenderedPage(inline, toError);
  return {
    total: totalOf(shards, search),
    maxScore: search.maxScore ? maxScore(shards[0]?.legs ?? []) : null,
    hits: [],
    hitsJson: text,
    timedOut,
  };
}
