// The pieces of a search's answer: its hits, its best score and its `_shards` section.
import type { SearchHit, SearchResult, ShardFailure } from '../backend.js';
import type { CompiledSearch } from '../query/search-body.js';
import type { FetchedDocument } from '../wire/fetch-reader.js';
import type { LegHits } from '../wire/hits-reader.js';
import type { RankedList } from './merge.js';
import { type FailedShard, groupFailures } from './search-failures.js';

/** The best score of all lists, or null when none is known. */
export function maxScore(lists: readonly RankedList[]): number | null {
  let best: number | null = null;
  for (const { hits } of lists) {
    if (hits.maxScore !== null && (best === null || hits.maxScore > best)) best = hits.maxScore;
  }
  return best;
}

export function shardsSection(answers: {
  readonly total: number;
  readonly failed: readonly FailedShard[];
}): SearchResult['shards'] {
  const failures: readonly ShardFailure[] = groupFailures(answers.failed);
  const failed = answers.failed.length;
  return {
    total: answers.total,
    successful: answers.total - failed,
    skipped: 0,
    failed,
    ...(failed === 0 ? {} : { failures }),
  };
}

export function toHit(
  list: RankedList,
  hit: number,
  document: FetchedDocument,
  search: CompiledSearch,
): SearchHit {
  const { id, version, seqNo, primaryTerm, found: _found, ...shown } = document;
  return {
    index: list.indexName,
    id,
    score: search.scores ? scoreOf(list.hits, hit) : null,
    ...(search.version ? { version } : {}),
    ...(search.seqNoPrimaryTerm ? { seqNo, primaryTerm } : {}),
    ...(search.ids ? {} : { withoutId: true }),
    ...shown,
    ...(search.sort.length === 0 ? {} : { sort: list.hits.sort.map((column) => column.json(hit)) }),
  };
}

function scoreOf(leg: LegHits, hit: number): number | null {
  const score = leg.scores[hit] ?? Number.NaN;
  return Number.isNaN(score) ? null : score;
}
