// Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): it uses the rank in each list, not the
// score.
import { type FusedHit, fuse, type RankedHit, type WeightedList } from './fuse.js';

export const DEFAULT_RANK_CONSTANT = 60;

/**
 * The sum of weight / (rankConstant + rank), with ranks from 1 and rankConstant at least 0.
 * `window` is that of fuse().
 */
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
