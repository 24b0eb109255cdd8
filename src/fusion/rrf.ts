// Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): what counts is the place in each list, not the score.
import { type FusedHit, fuse, type RankedHit, type WeightedList } from './fuse.js';

export const DEFAULT_RANK_CONSTANT = 60;

/** Sum of weight / (rankConstant + rank), ranks from 1; rankConstant at least 0. `window`: as in fuse(). */
export function rrf<H extends RankedHit>(
  lists: readonly WeightedList<H>[],
  rankConstant: number = DEFAULT_RANK_CONSTANT,
  window?: number,
): readonly FusedHit<H>[] {
  return fuse(
    lists,
    ({ hits, weight }) => hits.map((_, position) => weight / (rankConstant + position + 1)),
    window,
  );
}
