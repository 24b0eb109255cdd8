// Fuses lists into one by the method that the search requests. A fused list may be part of another.
import type { FusedHit } from '../../fusion/fuse.js';
import { linear } from '../../fusion/linear.js';
import { DEFAULT_RANK_CONSTANT, rrf } from '../../fusion/rrf.js';
import { breakTies, tiesOf } from '../../fusion/ties.js';
import type { Fusion, FusionMethod, Ranking } from '../../query/ranking.js';
import type { Place, PlacedList } from './ranked-lists.js';

/** A list, and the fusion that produced it. */
export interface RankedResult extends PlacedList {
  /** Present if the list is itself the result of a fusion. */
  readonly fusion?: FusedResult;
}

export interface FusedResult {
  readonly method: FusionMethod;
  readonly parts: readonly RankedResult[];
  /** All documents with the minimum score, best first; ties are not broken yet. */
  readonly fused: readonly FusedHit<Place>[];
  readonly cut: boolean;
}

/** Reads the ids of documents, in the given order. */
export type ReadIds = (places: readonly Place[]) => Promise<readonly string[]>;

export async function fuseLists(
  { method, parts, window, minScore }: Fusion,
  lists: readonly PlacedList[],
  readIds: ReadIds,
): Promise<FusedResult> {
  const results = await Promise.all(parts.map(({ ranking }) => rank(ranking, lists, readIds)));
  const weighted = parts.map(({ weight, normalizer }, i) => ({
    hits: results[i]?.hits ?? [],
    weight,
    normalizer,
  }));
  const fused =
    method.kind === 'rrf'
      ? rrf(weighted, method.rankConstant ?? DEFAULT_RANK_CONSTANT, window)
      : linear(weighted, window);
  const counting = fused.filter(({ score }) => score >= minScore);
  const cut = parts.some(({ weight }, i) => weight > 0 && results[i]?.cut === true);
  return { method, parts: results, fused: counting, cut };
}

async function rank(
  ranking: Ranking,
  lists: readonly PlacedList[],
  readIds: ReadIds,
): Promise<RankedResult> {
  if (ranking.kind === 'leg') return lists[ranking.leg] ?? { hits: [], cut: false };
  const fusion = await fuseLists(ranking, lists, readIds);
  const ordered = await inOrder(fusion.fused, ranking.depth, readIds);
  const hits = ordered.slice(0, ranking.depth).map(({ hit, score }) => ({ ...hit, score }));
  return { hits, cut: fusion.cut || ordered.length > ranking.depth, fusion };
}

/** Puts the first `end` documents into their final order: remaining ties are broken by id. */
export async function inOrder(
  fused: readonly FusedHit<Place>[],
  end: number,
  readIds: ReadIds,
): Promise<readonly FusedHit<Place>[]> {
  const ties = tiesOf(fused, end);
  if (ties.length === 0) return fused;
  const tied = ties.flatMap(({ from, to }) => fused.slice(from, to).map(({ hit }) => hit));
  const ids = await readIds(tied);
  const known = new Map(tied.map((place, i) => [place.id, ids[i] ?? '']));
  return breakTies(fused, ties, (place) => known.get(place.id) ?? '');
}
