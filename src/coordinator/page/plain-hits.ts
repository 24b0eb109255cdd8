// The hits of a page of a search that fuses no lists, made of the replies of shards and of
// documents.
import type { SearchHit } from '../../backend/index.js';
import { mapCooperatively } from '../../base/cooperative-task.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { FetchedDocument } from '../../wire/fetch-reader.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import type { RankedList } from '../shards/merge.js';
import type { PlainPage } from './plain-page.js';
import { explainedAgain } from './rescore-explanation.js';
import { placeOf, toHit } from './search-answer.js';

export interface PageList {
  readonly shard: ShardHits;
  readonly ranked: RankedList;
}

/** The list of each shard. Hits of an index that was dropped during the search are left out. */
export function pageLists(
  shards: readonly ShardHits[],
  nameOf: (index: number) => string | undefined,
): readonly PageList[] {
  const lists: PageList[] = [];
  for (const shard of shards) {
    const leg = shard.legs[0];
    const name = nameOf(shard.index);
    if (leg === undefined || name === undefined) continue;
    lists.push({ shard, ranked: { indexName: name, hits: leg } });
  }
  return lists;
}

/**
 * Makes the hits, in several time slices if they are many. `documents`: those of the page.
 * `explained`: for each rescore query, the documents of the page with its explanations.
 */
export function plainHits(
  { page, rescored }: PlainPage,
  lists: readonly PageList[],
  search: CompiledSearch,
  documents: readonly FetchedDocument[],
  explained: readonly (readonly FetchedDocument[])[],
): readonly SearchHit[] | Promise<readonly SearchHit[]> {
  return mapCooperatively(page, ({ list: at, hit }, i) => {
    const list = lists[at];
    const document = documents[i];
    if (list === undefined || document === undefined) throw new Error('a hit has no document');
    const again = rescored?.[i];
    const place = placeOf(list.ranked, list.shard.shard, hit, search.sort.length, again?.score);
    const first = list.ranked.hits.scores[hit] ?? 0;
    const seconds = explained.map((documentsOf) => documentsOf[i]?.explanation);
    return explainedAgain(toHit(place, document, search), again, search.rescores, first, seconds);
  });
}
