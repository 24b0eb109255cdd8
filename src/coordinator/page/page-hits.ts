// Makes the hits of a page: reads its documents from the snapshots that were searched, unless the
// reply of a single shard contains them already.
import { awaitMaybe, type SyncFirstTask } from '../../base/maybe-promise.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { FetchedDocument } from '../../wire/fetch-reader.js';
import { type FetchedPage, type FetchOptions, fetchPage, readDocuments } from '../shards/fetch.js';
import { type PlannedShards, type ShardReplies, shardPlan } from '../shards/shard-client.js';
import { type PageList, plainHits } from './plain-hits.js';
import type { PlainPage } from './plain-page.js';
import type { HitsPage } from './search-answer.js';

/** Hits in the order of the page. `requested`: the searched shards, whose plans read documents. */
export function* pageHits(
  chosen: PlainPage,
  lists: readonly PageList[],
  search: CompiledSearch,
  requested: readonly PlannedShards[],
  { inline: replied }: ShardReplies,
  { pool, toError, inline }: Omit<FetchOptions, 'planOf'>,
): SyncFirstTask<HitsPage & Pick<PlainPage, 'groups'>> {
  const { page } = chosen;
  if (page.length === 0) return { hits: [], timedOut: false, groups: chosen.groups };
  const places = page.map(({ list, hit }) => ({
    shard: list,
    doc: lists[list]?.ranked.hits.docs[hit] ?? 0,
  }));
  const shards = lists.map(({ shard }) => shard);
  const fetch = (planOf: FetchOptions['planOf']): Promise<FetchedPage> =>
    fetchPage(places, shards, { pool, planOf, toError, inline });
  const { documents, timedOut } =
    replied === undefined
      ? yield* awaitMaybe(fetch((index) => shardPlan(requested, index)))
      : yield* awaitMaybe(readDocuments(replied, toError));
  const explained = search.explain
    ? yield* awaitMaybe(Promise.all(search.rescorePlans.map((plan) => fetch(() => plan))))
    : [];
  const read = documentsRead(chosen, [documents, ...explained.map((one) => one.documents)]);
  const [shown = [], ...seconds] = read.documents;
  const hits = yield* awaitMaybe(plainHits(read.page, lists, search, shown, seconds));
  const cut = timedOut || explained.some((one) => one.timedOut);
  return { hits, timedOut: cut, groups: read.page.groups };
}

/**
 * The part of the page whose documents every list has, and these documents by list. A document is
 * missing if the time limit expired before it was read.
 */
function documentsRead(
  chosen: PlainPage,
  lists: readonly (readonly (FetchedDocument | undefined)[])[],
): { readonly page: PlainPage; readonly documents: readonly (readonly FetchedDocument[])[] } {
  const isRead = (at: number): boolean => lists.every((list) => list[at] !== undefined);
  const kept = <T>(items: readonly T[]): readonly T[] => items.filter((_, at) => isRead(at));
  const documents = lists.map((list) => kept(list).flatMap((one) => one ?? []));
  if (documents[0]?.length === chosen.page.length) return { page: chosen, documents };
  const { groups, rescored } = chosen;
  const page = {
    ...chosen,
    page: kept(chosen.page),
    ...(groups === undefined ? {} : { groups: kept(groups) }),
    ...(rescored === undefined ? {} : { rescored: kept(rescored) }),
  };
  return { page, documents };
}
