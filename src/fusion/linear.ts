// Linear fusion: a weighted sum of scores, each list brought to one scale first. Better than rrf where scores mean
// something, but by min-max it depends on how deep the lists are, because the last hit of each counts 0.
import { type FusedHit, fuse, type RankedHit, type WeightedList } from './fuse.js';
import { NORMALIZERS, type Normalizer } from './normalizers.js';

export interface ScaledList<H extends RankedHit = RankedHit> extends WeightedList<H> {
  /** Absent: minmax. */
  readonly normalizer?: Normalizer;
}

/** Sum of weight times the score as the list's normalizer has it. */
export function linear<H extends RankedHit>(
  lists: readonly ScaledList<H>[],
): readonly FusedHit<H>[] {
  return fuse(lists, ({ hits, weight, normalizer = 'minmax' }) =>
    NORMALIZERS[normalizer](hits.map((hit) => hit.score)).map((score) => weight * score),
  );
}
