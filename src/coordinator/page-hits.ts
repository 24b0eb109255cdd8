// The documents of a page, read from the snapshots that were searched, as hits; those that came along with the answer are not
// asked for again.
import { type Work, wait } from '../ops/soon.js';
import type { CompiledSearch } from '../query/search-body.js';
import type { FetchedDocument } from '../wire/fetch-reader.js';
import { type Answers, type Asked, askedPlan } from './ask.js';
import { type FetchOptions, fetchPage, readDocuments } from './fetch.js';
import { type PageList, plainHits } from './plain-hits.js';
import type { PlainPage } from './plain-page.js';
import type { ShownPage } from './search-answer.js';

/** In the order of the page. `asked`: what the shards were asked with, whose plans read their documents. */
export function* pageHits(
  chosen: PlainPage,
  lists: readonly PageList[],
  search: CompiledSearch,
  asked: readonly Asked[],
  { inline }: Answers,
  { pool, toError, quick }: Omit<FetchOptions, 'planOf'>,
): Work<ShownPage> {
  const { page } = chosen;
  if (page.length === 0) return { hits: [], timedOut: false };
  const places = page.map(({ list, hit }) => ({
    shard: list,
    doc: lists[list]?.ranked.hits.docs[hit] ?? 0,
  }));
  const shards = lists.map(({ shard }) => shard);
  const fetch = (planOf: FetchOptions['planOf']): Promise<readonly FetchedDocument[]> =>
    fetchPage(places, shards, {
      pool,
      planOf,
      toError,
      quick: Number.isFinite(search.weight) ? quick : undefined,
    });
  const documents =
    inline === undefined
      ? yield* wait(fetch((index) => askedPlan(asked, index)))
      : yield* wait(readDocuments(inline, toError));
  const explained = search.explain
    ? yield* wait(Promise.all(search.rescorePlans.map((plan) => fetch(() => plan))))
    : [];
  const hits = yield* wait(plainHits(chosen, lists, search, documents, explained));
  return { hits, timedOut: documents.some(({ cut }) => cut) };
}
