// The page of a search for fused lists: documents, scores and, if requested, explanations.
import type { FusedHit } from '../../fusion/fuse.js';
import type { PhaseResults } from '../../query/compiled-query.js';
import type { RankedPlans } from '../../query/compiled-ranked.js';
import type { RankingTree } from '../../query/ranking.js';
import type { CompiledSearch } from '../../query/search-body.js';
import { type HitsPage, toHit } from '../page/search-answer.js';
import type { FetchedPage, SearchedShard } from '../shards/fetch.js';
import type { FusedResult } from './fused-lists.js';
import { explanationOf } from './ranked-explanation.js';
import type { Place } from './ranked-lists.js';

/** A fused document that the search selects, and its sort values. */
export interface SelectedDocument {
  readonly fused: FusedHit<Place>;
  readonly sort?: readonly string[];
}

/** Makes the plan of a group of indexes. */
export type PlanMaker = (plans: RankedPlans, found: PhaseResults) => Uint8Array<ArrayBuffer>;

/** Reads documents by the plans, in the given order. */
export type FetchPlaces = (places: readonly Place[], plan: PlanMaker) => Promise<FetchedPage>;

export async function rankedHits(
  page: readonly SelectedDocument[],
  result: FusedResult,
  search: CompiledSearch,
  { legs, root }: RankingTree,
  fetch: FetchPlaces,
  shardOf: (place: Place) => SearchedShard | undefined,
): Promise<HitsPage> {
  if (page.length === 0) return { hits: [], timedOut: false };
  const places = page.map(({ fused }) => fused.hit);
  const { documents, timedOut } = await fetch(places, (plans, found) => plans.page(found));
  // The explanations of the documents, by list.
  const details = search.explain
    ? await Promise.all(
        legs.map((_, leg) => fetch(places, (plans, found) => plans.explanation(leg, found))),
      )
    : [];
  const hits = page.flatMap(({ fused, sort }, i) => {
    const document = documents[i];
    if (document === undefined) return []; // the time limit expired
    const place = {
      indexName: fused.hit.index,
      shard: shardOf(fused.hit)?.shard ?? 0,
      score: fused.score,
      ...(sort === undefined || sort.length === 0 ? {} : { sort }),
    };
    const hit = toHit(place, document, search);
    if (!search.explain) return hit;
    const ofLeg = (leg: number) => details[leg]?.documents[i]?.explanation;
    return { ...hit, explanation: explanationOf(fused, result, root, ofLeg) };
  });
  return { hits, timedOut: timedOut || details.some((one) => one.timedOut) };
}
