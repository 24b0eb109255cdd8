// The pieces of a search's answer: its hits, its best score and its `_shards` section.
import type { SearchHit, SearchResult, ShardFailure } from '../backend.js';
import type { CompiledSearch } from '../query/search-body.js';
import type { FetchedDocument } from '../wire/fetch-reader.js';
import type { ShardHits } from '../wire/hits-reader.js';
import type { Answers } from './ask.js';
import type { RankedList } from './merge.js';
import { formatNumbers } from './number-formats.js';
import { type FailedShard, groupFailures } from './search-failures.js';

/** What a search found, before it is an answer. */
export interface FoundPage extends Pick<SearchResult, 'total' | 'maxScore' | 'hits'> {
  /** Of the round that found the hits. */
  readonly answers: Answers;
  /** Of every round. */
  readonly replies: readonly ShardHits[];
  /** Beyond what replies say. */
  readonly timedOut?: boolean;
}

/** The best score of all lists, or null when none is known. */
export function maxScore(lists: readonly RankedList[]): number | null {
  let best: number | null = null;
  for (const { hits } of lists) {
    if (hits.maxScore !== null && (best === null || hits.maxScore > best)) best = hits.maxScore;
  }
  return best;
}

/** `before`: shards that failed in the rounds before and were not asked again. */
export function shardsSection(
  answers: { readonly total: number; readonly failed: readonly FailedShard[] },
  before: { readonly failed: readonly FailedShard[] },
): SearchResult['shards'] {
  const all = [...before.failed, ...answers.failed];
  const failures: readonly ShardFailure[] = groupFailures(all);
  const total = answers.total + before.failed.length;
  const failed = all.length;
  return {
    total,
    successful: total - failed,
    skipped: 0,
    failed,
    ...(failed === 0 ? {} : { failures }),
  };
}

/** What a hit has beside its document. */
export interface HitPlace {
  readonly indexName: string;
  readonly score: number | null;
  /** One JSON text per sort key; absent: by score. */
  readonly sort?: readonly string[];
}

export function toHit(
  { indexName, score, sort }: HitPlace,
  document: FetchedDocument,
  search: CompiledSearch,
): SearchHit {
  const { id, version, seqNo, primaryTerm, found: _found, ...shown } = document;
  const { numberFormats } = search;
  return {
    index: indexName,
    id,
    score: search.scores ? score : null,
    ...(search.version ? { version } : {}),
    ...(search.seqNoPrimaryTerm ? { seqNo, primaryTerm } : {}),
    ...(search.ids ? {} : { withoutId: true }),
    ...shown,
    ...(numberFormats.length === 0 || shown.fields === undefined
      ? {}
      : { fields: formatNumbers(shown.fields, numberFormats) }),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** A hit of a list as the shards sent it. `keys`: columns that are sort keys; `score` where it was changed since. */
export function placeOf(
  { indexName, hits }: RankedList,
  hit: number,
  keys: number,
  score = hits.scores[hit] ?? Number.NaN,
): HitPlace {
  const sort = hits.sort.slice(0, keys).map((column) => column.json(hit));
  return {
    indexName,
    score: Number.isNaN(score) ? null : score,
    ...(sort.length === 0 ? {} : { sort }),
  };
}
