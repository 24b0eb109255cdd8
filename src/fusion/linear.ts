// Linear fusion: a weighted sum of scores, each list brought to 0 .. 1 first. Better than rrf where scores mean
// something, but it depends on how deep the lists are, because the last hit of each counts 0.
import { type FusedHit, fuse, type RankedHit, type WeightedList } from './fuse.js';
import { minMax } from './min-max.js';

/** Sum of weight times the score by min-max; a list whose scores are all equal counts 1 for its members. */
export function linear<H extends RankedHit>(
  lists: readonly WeightedList<H>[],
): readonly FusedHit<H>[] {
  return fuse(lists, ({ hits, weight }) =>
    minMax(hits.map((hit) => hit.score)).map((score) => weight * score),
  );
}
